// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → about ten lines: model, method, violation of the constraints, energy balance, cost, and why
// the run stopped.
#include <algorithm>

#include "report/text.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

std::string describe_steps(const Results& results) {
  const Counts& counts = results.counts;
  std::string text =
      results.is_kinematic()
          ? fmt::format("{} of continuation, {} repeated", counts.accepted, counts.rejected)
          : fmt::format("{} accepted, {} rejected", counts.accepted, counts.rejected);
  if (counts.accepted > 0) {
    text += fmt::format(", {:.2g} s on average",
                        results.status.t / static_cast<double>(counts.accepted));
  }
  return text;
}

// How far the initial data had to be moved to fit together.
std::string describe_assembly(const Assembly& assembly) {
  const auto largest = [](const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  };
  const double distance = largest(assembly.moved_distance);
  const double angle = largest(assembly.moved_angle);
  if (distance == 0 && angle == 0) {
    return fmt::format("fits as given, error {:.2g}", assembly.residual_after);
  }
  return fmt::format("moved by up to {:.2g} m and {:.2g} rad; error {:.2g} before, {:.2g} after",
                     distance, angle, assembly.residual_before, assembly.residual_after);
}

}  // namespace

std::string brief_report(const Results& results) {
  ReportText report(10);
  report.add_heading(results.model_name.empty() ? "Unnamed model" : results.model_name);
  report.add("mechanism", "{}", describe_mechanism(results.check));
  report.add("method", "{}", describe_method(results));
  if (results.check.rows > 0) {
    report.add("assembly", "{}", describe_assembly(results.check.assembly));
  }
  report.add("steps", "{}", describe_steps(results));
  report.add("violation", "position {:.2g}, velocity {:.2g}, Euler parameters {:.2g}",
             results.violation.position, results.violation.velocity,
             results.violation.euler_parameters);
  report.add("energy", "{}", describe_energy(results));
  report.add("output", "{}",
             count_of(results.first_row + static_cast<std::int64_t>(results.time.size()), "time",
                      "times"));
  report.add("CPU", "{:.3g} s", results.cpu_seconds.total);
  for (const std::string& warning : results.warnings) report.add("warning", "{}", warning);
  report.add(results.status.outcome == Outcome::finished ? "finished" : "unfinished", "{}",
             results.status.message.empty() ? fmt::format("at t = {} s", results.status.t)
                                            : results.status.message);
  return report.text();
}

}  // namespace trammel
