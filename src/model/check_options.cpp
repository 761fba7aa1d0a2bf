// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of the simulation options.
#include <fmt/format.h>

#include <cmath>

#include "model/check_parts.hpp"
#include "model/magnitude.hpp"
#include "trammel/option_table.hpp"

namespace trammel {
namespace {

constexpr double most_output_points = 1e8;

// Why a number cannot be used; empty: it can.
std::string find_problem_of_option(const Option& option, double value) {
  const OptionRange& range = option.access.range;
  if (value == 0 && !option.zero.empty()) return {};
  const bool above = range.includes_least ? value >= range.least : value > range.least;
  const bool below = range.includes_most ? value <= range.most : value < range.most;
  const bool unlimited = !std::isfinite(range.most);
  if (above && below) return unlimited ? find_problem_of_positive(value) : std::string();
  const bool size = range.least == 0 && unlimited && !option.zero.empty();
  return fmt::format("must {}, got {}", size ? "not be negative" : "be " + to_text(range), value);
}

}  // namespace

std::vector<Finding> check_options(const SimulationOptions& options) {
  std::vector<Finding> findings;
  const auto add = [&](std::string_view field, const std::string& reason) {
    findings.push_back({Section::simulation, 0, std::string(field), reason});
  };
  for (const Option& option : option_table()) {
    const OptionAccess& access = option.access;
    const OptionValue value = access.get(options);
    std::string problem;
    if (access.kind == OptionKind::number) {
      problem = find_problem_of_option(option, std::get<double>(value));
    } else if (access.kind == OptionKind::count) {
      problem = find_problem_of_option(option, static_cast<double>(std::get<std::int64_t>(value)));
    }
    const OptionGroup& group = *option.group;
    if (problem.empty() && group.applies != nullptr && !group.applies(options) &&
        value != access.get(SimulationOptions())) {
      problem = fmt::format("belongs to {}", group.needs);
    }
    if (!problem.empty()) add(option.word, problem);
  }
  const bool ends = options.t_end > 0 && std::isfinite(options.t_end);
  if (ends && options.output_interval > 0 &&
      options.t_end / options.output_interval > most_output_points) {
    add("output_interval",
        fmt::format("gives {:.3g} output points; at most {:.0g} are allowed",
                    options.t_end / options.output_interval, most_output_points));
  }
  return findings;
}

}  // namespace trammel
