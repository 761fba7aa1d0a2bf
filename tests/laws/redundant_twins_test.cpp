// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// models/redundant: two four-bars of hinges on a table, driven and free, next to the same mechanisms
// with joints of which none is redundant (revolute, spherical, cylindrical, revolute). Same motion,
// same loads, as many steps, and nothing to warn about.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/joint_gaps.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

double count_steps(const Results& results) {
  return static_cast<double>(results.counts.accepted + results.counts.rejected);
}

// The largest difference, relative to the largest value of `b` in the same column.
double find_difference(const std::vector<double>& a, const std::vector<double>& b,
                       std::size_t columns, bool relative) {
  REQUIRE(a.size() == b.size());
  double worst = 0.0;
  for (std::size_t c = 0; c < columns; ++c) {
    double size = relative ? 0.0 : 1.0, difference = 0.0;
    for (std::size_t k = c; k < a.size(); k += columns) {
      if (relative) size = std::max(size, std::abs(b[k]));
      difference = std::max(difference, std::abs(a[k] - b[k]));
    }
    worst = std::max(worst, size > 0.0 ? difference / size : 0.0);
  }
  return worst;
}

void check_closed(const Model& model, const Results& results) {
  CHECK(results.status.outcome == Outcome::finished);
  CHECK(results.warnings.empty());
  CHECK(results.conditioning.passages == 0);
  CHECK(results.violation.position <= 1e-12);
  CHECK(results.violation.velocity <= 1e-12);
  const test::WorstGap gap = test::find_worst_gap(model, results);
  CHECK(gap.position <= 1e-12);
  CHECK(gap.velocity <= 1e-12);
}

void check_pair(const std::string& name, double tolerance, double motion) {
  CAPTURE(name);
  CAPTURE(tolerance);
  const Model redundant = test::read_repository_model("redundant/" + name + ".yaml");
  const Model twin = test::read_repository_model("redundant/" + name + "_rscr.yaml");
  const Results a = test::run(redundant, test::with_tolerance(redundant.simulation, tolerance));
  const Results b = test::run(twin, test::with_tolerance(twin.simulation, tolerance));
  check_closed(redundant, a);
  check_closed(twin, b);
  CHECK(a.check.dof == b.check.dof);
  CHECK(a.check.dependent.size() == 6);
  CHECK(b.check.dependent.empty());
  const std::size_t bodies = a.body_names.size();
  CHECK(find_difference(a.position, b.position, 3 * bodies, false) < motion);
  CHECK(find_difference(a.velocity, b.velocity, 3 * bodies, false) < 10 * motion);
  CHECK(find_difference(a.load, b.load, a.load_names.size(), true) < 10 * motion);
  // within 5 %, or three steps of a short run
  CHECK(std::abs(count_steps(a) - count_steps(b)) <= std::max(3.0, 0.05 * count_steps(b)));
}

}  // namespace

TEST_CASE("two four-bars of hinges on a driven turntable: the motion and the loads of their twin") {
  check_pair("two_four_bars_on_turntable", 1e-12, 1e-9);
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11, 1e-13}) {
    // all of it is driven: nothing depends on the tolerance
    check_pair("two_four_bars_on_turntable", tolerance, 1e-9);
  }
}

TEST_CASE("two four-bars of hinges on a free table: the motion of their twin") {
  check_pair("two_four_bars_free", 1e-12, 1e-9);
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    check_pair("two_four_bars_free", tolerance, 1e3 * tolerance);
  }
}
