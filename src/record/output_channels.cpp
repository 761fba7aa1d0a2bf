// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/output_channels.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "math/nearest_word.hpp"

namespace trammel {

namespace {

// Why an output cannot read a channel: it comes later, is the output itself, or does not exist.
ChannelProblem explain_unknown(const std::vector<OutputFormula>& formulas, std::size_t output,
                               const std::string& use, const std::vector<std::string>& known) {
  ChannelProblem problem{"outputs." + formulas[output].name + ".formula", {}, {}, use};
  for (std::size_t k = output; k < formulas.size(); ++k) {
    if (formulas[k].name != use) continue;
    problem.reason = k == output ? "an output cannot be calculated from itself"
                                 : "output '" + use + "' comes later";
    if (k > output) {
      problem.hint = "outputs are calculated in the order of the file: define '" + use +
                     "' before '" + formulas[output].name + "'";
    }
    return problem;
  }
  problem.reason = "no channel is called '" + use + "'";
  problem.hint = suggest_channel(use, known);
  return problem;
}

std::vector<ChannelProblem> find_unknown(const std::vector<OutputFormula>& formulas,
                                         const std::vector<std::string>& patterns,
                                         const std::vector<Channel>& channels) {
  std::vector<ChannelProblem> problems;
  std::vector<std::string> known;
  for (const Channel& channel : channels) known.push_back(channel.name);
  std::unordered_set<std::string> set(known.begin(), known.end());
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    const std::string& name = formulas[k].name;
    for (const std::string& use : formulas[k].channels) {
      if (use == "t" || set.contains(use)) continue;
      problems.push_back(explain_unknown(formulas, k, use, known));
    }
    if (!set.insert(name).second) {
      problems.push_back({"outputs." + name, "there is a channel with this name already"});
    }
    known.push_back(name);
  }
  for (const std::string& pattern : patterns) {
    const bool used = std::any_of(known.begin(), known.end(), [&](const std::string& name) {
      return is_selected(name, {pattern});
    });
    if (used) continue;
    problems.push_back({"simulation.record", "no channel is called '" + pattern + "'",
                        suggest_channel(pattern, known)});
  }
  return problems;
}

}  // namespace

std::vector<ChannelProblem> OutputChannels::list(Results& results) {
  const std::vector<std::string>& patterns = results.options.record.channels;
  if (formulas_.empty() && patterns.empty() && results.scene.points.empty()) return {};
  const auto add = [&](const Channel& channel) {
    results.output_names.push_back(channel.name);
    results.output_units.push_back(channel.unit);
    channels_.push_back(channel);
  };
  // named points always; what else follows from the state where it is selected
  std::vector<Channel> known = list_stored_channels(results);
  for (Channel& channel : list_point_channels(results)) {
    if (channel.is_recorded(results.options.record)) add(channel);
    known.push_back(std::move(channel));
  }
  for (Channel& channel : list_derived_channels(results)) {
    if (is_selected(channel.name, patterns)) add(channel);
    known.push_back(std::move(channel));
  }
  // formulas read channels, the time, and outputs before them
  std::unordered_map<std::string, const Channel*> find;
  for (const Channel& channel : known) find.emplace(channel.name, &channel);
  const std::size_t n = results.output_names.size() + formulas_.size();
  std::unordered_map<std::string, std::size_t> earlier;
  for (const OutputFormula& output : formulas_) {
    Formula& formula = compiled_.emplace_back();
    formula.expression = &output.expression;
    formula.slots.resize(output.channels.size());
    for (const std::string& name : output.channels) {
      Channel channel{
          name, "", {}, [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); }};
      if (name == "t") {
        channel.value = [&results](std::size_t row) { return results.time[row]; };
      } else if (const auto own = earlier.find(name); own != earlier.end()) {
        channel.value = [&results, n, at = own->second](std::size_t row) {
          return results.output[row * n + at];
        };
      } else if (const auto stored = find.find(name); stored != find.end()) {
        channel = *stored->second;
      }
      formula.channels.push_back(std::move(channel));
    }
    earlier.emplace(output.name, results.output_names.size());
    results.output_names.push_back(output.name);
    results.output_units.push_back(output.unit);
  }
  return find_unknown(formulas_, patterns, known);
}

void OutputChannels::write(Results& results) {
  const std::size_t row = results.time.size() - 1;
  for (const Channel& channel : channels_) results.output.push_back(channel.value(row));
  for (Formula& formula : compiled_) {
    for (std::size_t k = 0; k < formula.slots.size(); ++k) {
      formula.slots[k] = formula.channels[k].value(row);
    }
    results.output.push_back(formula.expression->evaluate(formula.slots));
  }
}

namespace {

// Whether some of the patterns select an acceleration: "arm.*" does, "motor.*" does not.
bool select_accelerations(const SystemData& system, const std::vector<std::string>& patterns) {
  const auto some = [&](const auto& items, const auto& get_name, const char* suffix) {
    return std::any_of(items.begin(), items.end(), [&](const auto& item) {
      const std::string stem = get_name(item) + suffix;
      return is_selected(stem, patterns) || is_selected(stem + ".x", patterns) ||
             is_selected(stem + ".y", patterns) || is_selected(stem + ".z", patterns);
    });
  };
  const auto itself = [](const std::string& name) -> const std::string& { return name; };
  const auto of_point = [](const ScenePoint& point) -> const std::string& { return point.name; };
  return some(system.body_names, itself, ".acceleration") ||
         some(system.body_names, itself, ".angular_acceleration") ||
         (!system.com.empty() && some(system.body_names, itself, ".com.acceleration")) ||
         some(system.coordinate_names, itself, "_acceleration") ||
         some(system.picture.points, of_point, ".acceleration");
}

}  // namespace

Recorded widen_record(const SystemData& system, const Recorded& record) {
  Recorded wide = record;
  std::vector<std::string> names = record.channels;
  for (const OutputFormula& output : system.outputs) {
    names.insert(names.end(), output.channels.begin(), output.channels.end());
  }
  if (names.empty() && system.picture.points.empty()) return wide;
  wide.positions = wide.velocities = true;
  if (names.empty()) return wide;
  wide.reactions = wide.forces = wide.energies = wide.violations = true;
  wide.accelerations = wide.accelerations || select_accelerations(system, names);
  return wide;
}

std::string suggest_channel(const std::string& name, const std::vector<std::string>& names) {
  // "motor": the first few of its channels
  constexpr int most = 4;
  std::string list;
  int n = 0;
  for (const std::string& known : names) {
    if (!known.starts_with(name + '.') || ++n > most) continue;
    list += (list.empty() ? "" : ", ") + known;
  }
  if (n > 0) return "there are " + list + (n > most ? ", …" : "");
  NearestWord nearest(name);
  for (const std::string& known : names) nearest.offer(known);
  return nearest.hint();
}

}  // namespace trammel
