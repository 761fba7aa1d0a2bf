// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → about ten lines: what the mechanism did, how accurate and how expensive the run was, and why
// it ended.
#include <algorithm>

#include "report/motion_report.hpp"
#include "report/text.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

std::string describe_steps(const Results& results) {
  const Counts& counts = results.counts;
  std::string text =
      results.is_kinematic()
          ? fmt::format("{} of continuation, {} repeated",
                        count_of(counts.accepted, "step", "steps"), count_text(counts.rejected))
          : fmt::format("{}, {} rejected", count_of(counts.accepted, "step", "steps"),
                        count_text(counts.rejected));
  if (counts.accepted > 0) {
    text += fmt::format(", {:.2g} s on average",
                        results.status.t / static_cast<double>(counts.accepted));
  }
  return text;
}

// "closed 3 times, the last at t = 0.25 s; open never"
std::string describe_events(const Results& results) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t k = 0; k < std::min(results.event_names.size(), most); ++k) {
    const std::int64_t count = results.event_counts.at(k);
    text += fmt::format("{}{} ", k == 0 ? "" : "; ", results.event_names[k]);
    const auto last =
        std::find_if(results.events.rbegin(), results.events.rend(),
                     [&](const EventRecord& event) { return event.event == static_cast<int>(k); });
    if (count == 0 || last == results.events.rend()) {
      text += "never";
    } else if (count == 1) {
      text += fmt::format("at t = {:.9g} s", last->t);
    } else {
      text +=
          fmt::format("{}, the last at t = {:.9g} s", count_of(count, "time", "times"), last->t);
    }
  }
  if (results.event_names.size() > most) {
    text += fmt::format("; {} more", results.event_names.size() - most);
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
  constexpr double rounding = 1e-12;  // m, rad
  if (distance < rounding && angle < rounding) return "fits as given";
  return fmt::format(
      "bodies moved by up to {:.2g} m and {:.2g} rad to close the joints (gaps {:.2g} before, "
      "{:.2g} after)",
      distance, angle, assembly.residual_before, assembly.residual_after);
}

// "joints closed to 3.9e-15, their velocities to 1.4e-14; energy enforced, balance error ≤ …".
std::string describe_accuracy(const Results& results) {
  std::string text;
  if (results.check.rows > 0) {
    text = fmt::format("joints closed to {:.2g}, their velocities to {:.2g}; ",
                       results.violation.position, results.violation.velocity);
  }
  return text + "energy " + describe_energy(results);
}

}  // namespace

std::string brief_report(const Results& results) {
  ReportText report(10);
  report.add_heading(results.model_name.empty() ? "Unnamed model" : results.model_name);
  report.add("mechanism", "{}", describe_mechanism(results.check));
  if (results.check.rows > 0) {
    report.add("assembly", "{}", describe_assembly(results.check.assembly));
  }
  add_motion(report, results);
  if (!results.event_names.empty()) report.add("events", "{}", describe_events(results));
  report.add("accuracy", "{}", describe_accuracy(results));
  report.add("solver", "{}; {}; {:.3g} s of CPU", describe_method(results), describe_steps(results),
             results.cpu_seconds.total);
  report.add("output", "{}",
             count_of(results.first_row + static_cast<std::int64_t>(results.time.size()), "point",
                      "points"));
  for (const std::string& warning : results.warnings) report.add("warning", "{}", warning);
  report.add(results.status.outcome == Outcome::finished ? "finished" : "unfinished", "{}",
             results.status.message.empty() ? fmt::format("at t = {} s", results.status.t)
                                            : results.status.message);
  return report.text();
}

}  // namespace trammel
