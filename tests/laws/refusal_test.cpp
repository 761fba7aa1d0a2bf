// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Impossible mechanisms are named, runs that stop keep what they computed.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

Model make_parallelogram(double angle) {
  Model model;
  model.gravity = {0, -9.81, 0};
  const double c = std::cos(angle), s = std::sin(angle);
  const auto bar = [](const char* name, Vec3 at, double turn) {
    Body body;
    body.name = name;
    body.mass = 1.0;
    body.inertia = Mat3{{{0.001, 0, 0}, {0, 0.0833, 0}, {0, 0, 0.0833}}};
    body.position = at;
    body.orientation = {std::cos(0.5 * turn), 0, 0, std::sin(0.5 * turn)};
    return body;
  };
  model.bodies = {bar("left", {0.5 * c, 0.5 * s, 0}, angle),
                  bar("right", {1 + 0.5 * c, 0.5 * s, 0}, angle),
                  bar("coupler", {0.5 + c, s, 0}, 0)};
  const Vec3 z{0, 0, 1};
  model.joints = {
      {"a", JointKind::revolute, "ground", "left", WorldPlacement{{0, 0, 0}, z, {}}},
      {"b", JointKind::revolute, "ground", "right", WorldPlacement{{1, 0, 0}, z, {}}},
      {"c", JointKind::cylindrical, "left", "coupler", WorldPlacement{{c, s, 0}, z, {}}},
      {"d", JointKind::spherical, "coupler", "right", WorldPlacement{{1 + c, s, 0}, {}, {}}}};
  return model;
}

}  // namespace

TEST_CASE("a mechanism that cannot close says where and by how much") {
  Model model = make_parallelogram(1.0);
  for (Joint& joint : model.joints) {
    if (joint.name != "d") continue;
    joint.placement = LocalPlacement{{2.5, 0, 0}, {0.5, 0, 0}, {}, {}, {}, {}};
  }
  model.joints[3].placement = LocalPlacement{{9, 0, 0}, {0.5, 0, 0}, {}, {}, {}, {}};
  const CheckReport report = check(compile(model));
  REQUIRE(!report.ok());
  CHECK(!report.assembly.converged);
  CHECK(report.reasons[0].rfind("cannot be assembled", 0) == 0);
  CHECK(report.assembly.residual_after > 1.0);
}

TEST_CASE("a start at rest in a singular position is refused") {
  CHECK(check(compile(make_parallelogram(1.0))).ok());
  CHECK(!check(compile(make_parallelogram(0.0))).ok());
}

TEST_CASE("a parallelogram swings through its singular position with its cranks parallel") {
  const Model model = make_parallelogram(1.0);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-10);
  options.t_end = 5;
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    const double* left = &results.position[9 * row];
    const double* right = left + 3;
    REQUIRE(std::abs(right[0] - left[0] - 1.0) < 1e-7);
    REQUIRE(std::abs(right[1] - left[1]) < 1e-7);
  }
  CHECK(results.violation.position <= 1e-9);
}

TEST_CASE("the callback stops a run, which keeps its results") {
  const Model model = test::read_repository_model("paper/crank.yaml");
  const Results results = simulate(compile(model), model.simulation,
                                   [](const Progress& progress) { return progress.t < 3.0; });
  CHECK(results.status.outcome == Outcome::interrupted);
  CHECK(results.status.t >= 3.0);
  CHECK(results.status.t < 4.0);
  CHECK(results.time.back() == results.status.t);
  CHECK(results.final.size() == 3);
}

TEST_CASE("max_steps stops a run") {
  const Model model = test::read_repository_model("paper/crank.yaml");
  SimulationOptions options = model.simulation;
  options.max_steps = 25;
  const Results results = test::run(model, options);
  CHECK(results.status.outcome == Outcome::too_many_steps);
  CHECK(results.counts.accepted + results.counts.rejected == 25);
  CHECK(results.status.t < 10.0);
}
