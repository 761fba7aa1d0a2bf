// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/motion_report.hpp"

#include <algorithm>
#include <cmath>

#include "record/extremes.hpp"

namespace trammel {
namespace {

constexpr double pi = 3.141592653589793;

// A table of named columns with its extremes.
struct Table {
  const std::vector<std::string>& names;
  const std::vector<std::string>& units;
  const std::vector<Extremes>& extremes;
  std::size_t size() const { return std::min({names.size(), units.size(), extremes.size()}); }
};

// "0", "0.524", "-1.571e+04": four digits, without the rounding of a zero.
std::string number(double x, double scale) {
  return fmt::format("{:.4g}", std::abs(x) < 1e-12 * scale ? 0.0 : x);
}

// "-0.5236 to 1.571 rad (-30 to 90 deg)", "0 to 62.83 rad (10 revolutions)", "constant, 0.2 m".
std::string describe_range(const Extremes& of, const std::string& unit) {
  const double scale = std::max({std::abs(of.low), std::abs(of.high), 1e-300});
  if (of.high - of.low <= 1e-9 * scale || (unit == "rad" && of.high - of.low < 1e-12)) {
    const bool zero = unit == "rad" && scale < 1e-12;
    return fmt::format("constant, {} {}", zero ? "0" : number(of.high, 1.0), unit);
  }
  std::string text =
      fmt::format("{} to {} {}", number(of.low, scale), number(of.high, scale), unit);
  if (unit != "rad") return text;
  if (of.high - of.low > 4.0 * pi) {
    return text + fmt::format(" ({:.4g} revolutions)", (of.high - of.low) / (2.0 * pi));
  }
  constexpr double degree = pi / 180.0;
  return text + fmt::format(" ({} to {} deg)", number(of.low / degree, scale / degree),
                            number(of.high / degree, scale / degree));
}

// The value that is largest without its sign.
struct Peak {
  const std::string* name = nullptr;
  double value = 0.0;
  double t = 0.0;
};

// Of the columns in this unit.
void raise(Peak& peak, const Table& table, std::string_view unit) {
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table.units[k] != unit) continue;
    const Extremes& of = table.extremes[k];
    const bool high = std::abs(of.high) >= std::abs(of.low);
    const double value = high ? of.high : of.low;
    if (peak.name != nullptr && std::abs(value) <= std::abs(peak.value)) continue;
    peak = {&table.names[k], value, high ? of.t_high : of.t_low};
  }
}

// "866.7 N", "88.38 kN", "1.2 MN m": forces, moments and powers.
std::string describe_load(double value, std::string_view unit) {
  const double size = std::abs(value);
  if (size >= 1e7) return fmt::format("{:.4g} M{}", 1e-6 * value, unit);
  if (size >= 1e4) return fmt::format("{:.4g} k{}", 1e-3 * value, unit);
  return fmt::format("{:.4g} {}", value, unit);
}

std::string describe_peak(const Peak& peak, std::string_view unit) {
  return fmt::format("{} {} at t = {:.4g} s", *peak.name, describe_load(peak.value, unit), peak.t);
}

void add_to_list(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

std::string describe_reaction(const Results& results, const PeakReaction& peak,
                              std::string_view what, std::string_view unit) {
  return fmt::format("{} {} in {} at t = {:.4g} s", what, describe_load(peak.value, unit),
                     results.joint_names.at(static_cast<std::size_t>(peak.joint)), peak.t);
}

void add_reactions(ReportText& report, const Results& results, const RunExtremes& extremes) {
  std::string text;
  const auto add = [&](const PeakReaction& peak, std::string_view what, std::string_view unit) {
    if (peak.joint >= 0) add_to_list(text, describe_reaction(results, peak, what, unit));
  };
  add(extremes.reaction_force, "force", "N");
  // joints that transmit none have the rounding of the forces
  const double rounding = 1e-12 * extremes.reaction_force.value * results.scene.length;
  if (extremes.reaction_moment.value > rounding) add(extremes.reaction_moment, "moment", "N m");
  if (!text.empty()) report.add("reactions", "largest {}", text);
}

std::vector<Table> list_loads(const Results& results, const RunExtremes& extremes) {
  return {{results.load_names, results.load_units, extremes.load},
          {results.element_names, results.element_units, extremes.element}};
}

void add_loads(ReportText& report, const std::vector<Table>& tables) {
  std::string loads;
  for (const std::string_view unit : {"N m", "N"}) {
    Peak peak;
    for (const Table& table : tables) raise(peak, table, unit);
    if (peak.name != nullptr) add_to_list(loads, describe_peak(peak, unit));
  }
  if (!loads.empty()) report.add("loads", "largest {}", loads);
  Peak power;
  for (const Table& table : tables) raise(power, table, "W");
  if (power.name != nullptr && power.value != 0.0) {
    report.add("power", "peak {}", describe_peak(power, "W"));
  }
}

// The first `most` columns, their names below each other.
void add_columns(ReportText& report, std::string_view label, const Table& table, std::size_t most) {
  const std::size_t shown = std::min(table.size(), most);
  std::size_t width = 0;
  for (std::size_t k = 0; k < shown; ++k) width = std::max(width, table.names[k].size());
  for (std::size_t k = 0; k < shown; ++k) {
    report.add(k == 0 ? label : "", "{:<{}}  {}", table.names[k], width,
               describe_range(table.extremes[k], table.units[k]));
  }
}

}  // namespace

void add_motion(ReportText& report, const Results& results) {
  constexpr std::size_t handful = 6;
  const RunExtremes extremes = calc_extremes(results);
  const Table motion = {results.coordinate_names, results.coordinate_units, extremes.coordinate};
  // one more line would say no more than the coordinate itself
  const std::size_t shown = motion.size() == handful + 1 ? handful + 1 : handful;
  if (!results.check.is_structure()) {  // nothing moves in it
    add_columns(report, "motion", motion, shown);
    if (motion.size() > shown) {
      report.add("", "{} more with --full", results.coordinate_names.size() - shown);
    }
  }
  add_reactions(report, results, extremes);
  add_loads(report, list_loads(results, extremes));
}

void add_ranges(ReportText& report, const Results& results) {
  const RunExtremes extremes = calc_extremes(results);
  const auto add = [&](const char* heading, const Table& table) {
    if (table.size() == 0) return;
    report.add_heading(heading);
    for (std::size_t k = 0; k < table.size(); ++k) {
      report.add(table.names[k], "{}", describe_range(table.extremes[k], table.units[k]));
    }
    if (table.names.size() > table.size()) {
      report.add("", "{} more in the results file", table.names.size() - table.size());
    }
  };
  add("Motion", {results.coordinate_names, results.coordinate_units, extremes.coordinate});
  add("Loads of drivers and couplers", {results.load_names, results.load_units, extremes.load});
  add("Force elements", {results.element_names, results.element_units, extremes.element});
}

}  // namespace trammel
