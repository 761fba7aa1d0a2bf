// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Redundant, impossible and singular mechanisms: named, never NaN.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

Model make_door(double upper_axis_tilt) {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body door;
  door.name = "door";
  door.mass = 20.0;
  door.inertia = Mat3{{{8, 0, 0}, {0, 10, 0}, {0, 0, 2}}};
  door.position = {0.5, 0, 0};
  model.bodies = {door};
  model.joints = {
      {"lower", JointKind::revolute, "ground", "door", WorldPlacement{{0, 0, -0.8}, Vec3{0, 0, 1}, {}}},
      {"upper", JointKind::revolute, "ground", "door",
       WorldPlacement{{0, 0, 0.8}, Vec3{upper_axis_tilt, 0, 1}, {}}}};
  return model;
}

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
  model.bodies = {bar("left", {0.5 * c, 0.5 * s, 0}, angle), bar("right", {1 + 0.5 * c, 0.5 * s, 0}, angle),
                  bar("coupler", {0.5 + c, s, 0}, 0)};
  const Vec3 z{0, 0, 1};
  model.joints = {{"a", JointKind::revolute, "ground", "left", WorldPlacement{{0, 0, 0}, z, {}}},
                  {"b", JointKind::revolute, "ground", "right", WorldPlacement{{1, 0, 0}, z, {}}},
                  {"c", JointKind::cylindrical, "left", "coupler", WorldPlacement{{c, s, 0}, z, {}}},
                  {"d", JointKind::spherical, "coupler", "right", WorldPlacement{{1 + c, s, 0}, {}, {}}}};
  return model;
}

}  // namespace

TEST_CASE("a door on two hinges is refused, and the five repeated rows are named") {
  const CheckReport report = check(compile(make_door(0)));
  CHECK(!report.ok());
  CHECK(report.rows == 10);
  CHECK(report.rank == 5);
  CHECK(report.dof == 1);
  REQUIRE(report.dependent.size() == 5);
  for (const Dependency& dependency : report.dependent) {
    CHECK(!dependency.on.empty());
    // the combination does give the row: |Σ| of a unit row cannot be zero
    double sum = 0.0;
    for (const auto& term : dependency.on) sum += std::abs(term.coefficient);
    CHECK(sum >= 0.999);
  }
  CHECK_THROWS_AS(test::run(make_door(0), {}), ModelError);
}

TEST_CASE("hinges a milliradian out of line are refused too, not run with a nearly singular matrix") {
  CHECK(!check(compile(make_door(3e-4))).ok());
}

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

TEST_CASE("a start in a singular position is refused") {
  CHECK(check(compile(make_parallelogram(1.0))).ok());
  CHECK(!check(compile(make_parallelogram(0.0))).ok());
}

TEST_CASE("a run into a singular position ends with its name and keeps what it computed") {
  Model model = make_parallelogram(1.0);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-10);
  options.t_end = 5;
  const Results results = test::run(model, options);
  if (results.status.outcome != Outcome::finished) {
    CHECK(results.status.outcome == Outcome::step_too_small);
    CHECK(results.status.t > 0.1);
    CHECK(results.status.message.find("the step became too small") != std::string::npos);
    CHECK(results.time.size() > 10);
    CHECK(results.final.size() == 3);
  }
  for (double x : results.position) REQUIRE(std::isfinite(x));
  CHECK(results.violation.position <= 1e-11);
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
