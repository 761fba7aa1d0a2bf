// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A run has no subnormal numbers: they would make it many times slower where a mechanism that moves
// in a plane is built in space.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/flushed_subnormals.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

volatile double smallest = std::numeric_limits<double>::min();  // not folded by the compiler

double calc_subnormal() { return 0.5 * smallest; }

}  // namespace

TEST_CASE("subnormal numbers are flushed while asked for, and no longer") {
  REQUIRE(calc_subnormal() != 0.0);
  {
    const FlushedSubnormals flushed;
    CHECK(calc_subnormal() == 0.0);
    {
      const FlushedSubnormals again;
      CHECK(calc_subnormal() == 0.0);
    }
    CHECK(calc_subnormal() == 0.0);
  }
  CHECK(calc_subnormal() != 0.0);
}

TEST_CASE("a plane mechanism with a trace of motion across has no subnormal numbers in its run") {
  Model model = test::read_repository_model("paper/quadrangle.yaml");
  for (Body& body : model.bodies)
    body.velocity[2] = 3e-308;  // the bars move in the plane of x and y
  SimulationOptions options = model.simulation;
  options.t_end = 0.5;
  bool flushed_within = false;
  const Results results = simulate(compile(model), options, [&](const Progress&) {
    flushed_within = calc_subnormal() == 0.0;
    return true;
  });
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(flushed_within);
  CHECK(calc_subnormal() != 0.0);  // the caller's own arithmetic is as it was
  CHECK(std::none_of(results.velocity.begin(), results.velocity.end(),
                     [](double v) { return std::fpclassify(v) == FP_SUBNORMAL; }));
}
