// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks that the tables of a results file are consistent: reports, pages and other writers use entries of
// one as indices into another without checking again.
#include <fmt/format.h>

#include <cmath>

#include "format/results_file.hpp"
#include "model/check_parts.hpp"

namespace trammel {
namespace {

void expect_size(const char* name, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  throw hdf5::Failure(fmt::format("{} has {} entries instead of {}", name, size, expected));
}

// Nothing at all is fine, too: a run that was refused by hand-made Results has no assembly.
void expect_none_or(const char* name, std::size_t size, std::size_t expected) {
  if (size != 0) expect_size(name, size, expected);
}

void check_time(const std::vector<double>& time) {
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (!std::isfinite(time[k]) || (k > 0 && time[k] < time[k - 1])) {
      throw hdf5::Failure(fmt::format("time is not increasing at row {}", k));
    }
  }
}

void check_steps(const Results& results) {
  const auto n_rows = static_cast<std::ptrdiff_t>(results.row_names.size());
  for (const StepRecord& step : results.steps) {
    if (step.worst_row < -1 || step.worst_row >= n_rows) {
      throw hdf5::Failure(fmt::format("steps/worst_row names constraint {}, but there are {}",
                                      step.worst_row, n_rows));
    }
  }
}

}  // namespace

void check_consistency(const Results& results) {
  const std::size_t bodies = results.body_names.size();
  expect_size("coordinate_units", results.coordinate_units.size(), results.coordinate_names.size());
  expect_size("load_units", results.load_units.size(), results.load_names.size());
  expect_size("element_units", results.element_units.size(), results.element_names.size());
  expect_size("output_units", results.output_units.size(), results.output_names.size());
  expect_size("scene/mass", results.scene.bodies.size(), bodies);
  expect_size("scene/joint_bodies", results.scene.joints.size(), results.joint_names.size());
  expect_none_or("check/moved_distance", results.check.assembly.moved_distance.size(), bodies);
  // as many as distances: both or none
  expect_size("check/moved_angle", results.check.assembly.moved_angle.size(),
              results.check.assembly.moved_distance.size());
  if (results.scene.dimension != 2 && results.scene.dimension != 3) {
    throw hdf5::Failure(fmt::format("scene has the dimension {}", results.scene.dimension));
  }
  for (const Finding& finding : check_options(results.options)) {
    throw hdf5::Failure(fmt::format("options: {} {}", finding.field, finding.reason));
  }
  check_time(results.time);
  check_steps(results);
}

}  // namespace trammel
