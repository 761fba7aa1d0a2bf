// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of the simulation options.
#include <fmt/format.h>

#include <cmath>

#include "model/check_parts.hpp"
#include "model/magnitude.hpp"

namespace trammel {
namespace {

constexpr int most_threads = 64;
constexpr double most_output_points = 1e8;
constexpr double smallest_rtol = 1e-15;

}  // namespace

std::vector<Finding> check_options(const SimulationOptions& options) {
  std::vector<Finding> findings;
  const auto add = [&](const char* field, const std::string& reason) {
    findings.push_back({Section::simulation, 0, field, reason});
  };
  const auto check_size = [&](const char* field, double value) {
    const std::string problem = find_problem_of_size(value);
    if (!problem.empty()) add(field, problem);
  };
  const std::string end_problem = find_problem_of_positive(options.t_end);
  const bool ends = end_problem.empty();
  if (!ends) add("t_end", end_problem);
  if (!(options.rtol >= smallest_rtol && options.rtol < 1)) {
    add("rtol",
        fmt::format("must be at least {} and less than 1, got {}", smallest_rtol, options.rtol));
  }
  if (!(options.atol > 0 && options.atol < 1)) {
    add("atol", fmt::format("must be between 0 and 1, got {}", options.atol));
  }
  check_size("initial_step", options.initial_step);
  check_size("max_step", options.max_step);
  check_size("fixed_step", options.fixed_step);
  check_size("newton_tolerance", options.newton_tolerance);
  check_size("energy_scale", options.energy_scale);
  if (options.max_growth != 0 && !(options.max_growth > 1 && std::isfinite(options.max_growth))) {
    add("max_growth", fmt::format("must be greater than 1, got {}", options.max_growth));
  }
  if (!(options.newton_forcing >= 0 && options.newton_forcing < 1)) {
    add("newton_forcing", fmt::format("must be between 0 and 1, got {}", options.newton_forcing));
  }
  if (!uses_jets(options.projection)) {
    const auto refuse = [&](const char* field, bool given) {
      if (given) add(field, "belongs to projection quasi_orthogonal or orthogonal");
    };
    refuse("work_quadrature", options.work_quadrature != WorkQuadrature::runge_kutta);
    refuse("newton_tolerance", options.newton_tolerance != 0);
    refuse("energy_scale", options.energy_scale != 0);
    refuse("newton_forcing", options.newton_forcing != 0);
    refuse("raw_error", options.raw_error);
  }
  check_size("output_interval", options.output_interval);
  if (options.max_steps < 0) {
    add("max_steps", fmt::format("must not be negative, got {}", options.max_steps));
  }
  if (options.threads < 1 || options.threads > most_threads) {
    add("threads", fmt::format("must be from 1 to {}, got {}", most_threads, options.threads));
  }
  if (ends && options.output_interval > 0 &&
      options.t_end / options.output_interval > most_output_points) {
    add("output_interval",
        fmt::format("gives {:.3g} output points; at most {:.0g} are allowed",
                    options.t_end / options.output_interval, most_output_points));
  }
  return findings;
}

}  // namespace trammel
