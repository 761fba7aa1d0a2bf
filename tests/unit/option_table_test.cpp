// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every row of the option table: it reads what it writes, and its parts fit together.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "format/options_text.hpp"
#include "model/check_parts.hpp"
#include "trammel/option_table.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// A value that is allowed and not the default.
OptionValue make_other_value(const Option& option) {
  const OptionAccess& access = option.access;
  const OptionValue usual = access.get(SimulationOptions());
  switch (access.kind) {
    case OptionKind::number: {
      const bool limited = access.range.most <= 1;
      return limited ? 0.25 : std::get<double>(usual) + access.range.least + 0.5;
    }
    case OptionKind::count: return std::get<std::int64_t>(usual) + 2;
    case OptionKind::flag: return !std::get<bool>(usual);
    case OptionKind::choice:
      for (const auto word : access.words) {
        if (word != std::get<std::string>(usual)) return std::string(word);
      }
      break;
    case OptionKind::set: break;
  }
  return std::vector<std::string>{std::string(access.words[1])};
}

SimulationOptions with_group(const Option& option) {
  SimulationOptions options;
  if (option.group->applies != nullptr) options.projection = Projection::orthogonal;
  return options;
}

}  // namespace

TEST_CASE("every option is written and read back, alone and with all others") {
  SimulationOptions all;
  for (const Option& option : option_table()) {
    CAPTURE(option.word);
    const OptionValue other = make_other_value(option);
    CHECK(other != option.access.get(SimulationOptions()));
    SimulationOptions options = with_group(option);
    option.access.set(options, other);
    option.access.set(all, other);
    CHECK(option.access.get(options) == other);
    CHECK(check_options(options).empty());
    const SimulationOptions read = read_options_text(make_options_text(options));
    CHECK(option.access.get(read) == other);
  }
  const SimulationOptions read = read_options_text(make_options_text(all));
  for (const Option& option : option_table()) {
    CAPTURE(option.word);
    CHECK(option.access.get(read) == option.access.get(all));
  }
}

TEST_CASE(
    "numbers and counts outside of their range are refused, 0 only where it means something") {
  const auto problems = [](const Option& option, double value) {
    SimulationOptions options = with_group(option);
    const bool count = option.access.kind == OptionKind::count;
    option.access.set(options, count ? OptionValue(static_cast<std::int64_t>(value)) : value);
    return check_options(options).size();
  };
  for (const Option& option : option_table()) {
    const OptionAccess& access = option.access;
    if (access.kind != OptionKind::number && access.kind != OptionKind::count) continue;
    CAPTURE(option.word);
    CHECK(problems(option, -1) == 1);
    CHECK(problems(option, 0) == (option.zero.empty() ? 1 : 0));
    if (access.range.most < 1e15) CHECK(problems(option, access.range.most + 1) == 1);
  }
}

TEST_CASE("words are the reader's, groups are together, texts are there") {
  std::set<std::string_view> words, headings;
  const OptionGroup* group = nullptr;
  for (const Option& option : option_table()) {
    CAPTURE(option.word);
    CHECK(words.insert(option.word).second);
    if (option.group != group) CHECK(headings.insert(option.group->heading).second);
    group = option.group;
    CHECK_FALSE(option.help.empty());
    CHECK(option.help.back() != '.');
    CHECK(&find_option(option.word) == &option);
    for (const char c : option.word) CHECK((c == '_' || (c >= 'a' && c <= 'z')));
  }
}

TEST_CASE("values in words") {
  const auto text = [](const char* word, const SimulationOptions& options) {
    return option_text(find_option(word), options);
  };
  SimulationOptions options;
  CHECK(text("t_end", options) == "10");
  CHECK(text("max_step", options) == "no limit");
  CHECK(text("method", options) == "auto");
  CHECK(text("invariants", options) == "none");
  CHECK(text("record", options) ==
        "positions, velocities, reactions, forces, energies, violations, steps");
  options.hold_energy = true;
  options.user_invariants.push_back({"mine", {}});
  options.record.steps = false;
  CHECK(text("invariants", options) == "energy, mine");
  CHECK(text("record", options) ==
        "positions, velocities, reactions, forces, energies, violations");
  CHECK(to_text(OptionRange{1, 64}) == "from 1 to 64");
  CHECK(to_text(OptionRange{1e-15, 1, true, false}) == "at least 1e-15 and less than 1");
}

TEST_CASE("a word that is no quantity to record, nor nearly one, is a channel") {
  for (const char* word : {"motor.torque", "motor.*", "reach", "i", "current"}) {
    CAPTURE(word);
    CHECK(is_channel_pattern(word));
  }
  for (const char* word : {"positions", "position", "positons", "all", "steps", "a b", ""}) {
    CAPTURE(word);
    CHECK_FALSE(is_channel_pattern(word));
  }
}
