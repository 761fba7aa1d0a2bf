// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Points on curves, against motions that are known: a helix is a slope, a circle is a pendulum.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr double pi = 3.14159265358979323846;

Body make_bead(const Vec3& position) {
  Body bead;
  bead.name = "bead";
  bead.mass = 2.0;
  bead.inertia = Mat3{{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
  bead.position = position;
  return bead;
}

Model make_model(int dimension, const Vec3& position, const Curve& curve) {
  Model model;
  model.dimension = dimension;
  model.gravity = {0, -9.81, 0};
  model.bodies = {make_bead(position)};
  Joint wire{"wire", JointKind::point_on_curve, "ground", "bead", WorldPlacement{position, {}, {}}};
  wire.curve = curve;
  model.joints = {wire};
  model.simulation = test::with_tolerance(model.simulation, 1e-11);
  return model;
}

Curve make_circle(int n) {
  Curve curve;
  curve.closed = true;
  for (int k = 0; k < n; ++k) {
    curve.points.push_back({std::sin(2 * pi * k / n), -std::cos(2 * pi * k / n), 0.0});
  }
  return curve;
}

}  // namespace

TEST_CASE("a bead slides down a helix as down a slope") {
  const double radius = 0.3, drop = 0.1;  // m, per radian
  Curve helix;
  for (int k = -10; k <= 160; ++k) {
    const double a = 0.1 * k;
    helix.points.push_back({radius * std::cos(a), -drop * a, radius * std::sin(a)});
  }
  const Model model = make_model(3, {radius, 0, 0}, helix);
  SimulationOptions options = model.simulation;
  options.t_end = 1.5;
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 4);
  // along the wire g sin(slope), on the height its square
  const double sine2 = drop * drop / (drop * drop + radius * radius);
  CHECK(results.final[0].position[1] ==
        doctest::Approx(-0.5 * 9.81 * sine2 * 1.5 * 1.5).epsilon(2e-6));
  CHECK(results.violation.position <= 1e-13);
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
}

TEST_CASE("a bead on a circle is a pendulum, in space, in the plane, and round after round") {
  for (const int dimension : {2, 3}) {
    for (const double speed : {3.0, 9.0}) {
      CAPTURE(dimension);
      CAPTURE(speed);
      Model model = make_model(dimension, {0, -1, 0}, make_circle(400));
      model.bodies[0].velocity = {speed, 0, 0};
      model.simulation.t_end = 3.0;
      Model pendulum = model;
      pendulum.joints[0] = {"rod", JointKind::distance, "ground", "bead", LocalPlacement{}};
      const Results a = test::run(model, model.simulation);
      const Results b = test::run(pendulum, model.simulation);
      REQUIRE(a.status.outcome == Outcome::finished);
      CHECK(test::position_difference(a, b) <= 1e-7);
      // the reaction is the tension of the rod, up to the error of the curvature, h²
      const std::size_t last = a.reaction_force.size() - 3;
      for (std::size_t k = last; k < last + 3; ++k) {
        CHECK(std::abs(a.reaction_force[k] - b.reaction_force[k]) <= 1e-2);
      }
    }
  }
}

TEST_CASE("output points leave the steps along a curve alone, bit for bit") {
  Model model = make_model(2, {0, -1, 0}, make_circle(24));
  model.bodies[0].velocity = {9, 0, 0};
  model.simulation.t_end = 2.0;
  model.simulation.rtol = model.simulation.atol = 1e-6;
  SimulationOptions often = model.simulation, rarely = model.simulation;
  often.output_interval = 0.001;
  rarely.output_interval = 1.0;
  const Results a = test::run(model, often), b = test::run(model, rarely);
  CHECK(a.counts.accepted == b.counts.accepted);
  CHECK(a.final[0].position == b.final[0].position);
}

TEST_CASE("a bead that reaches the end of its wire stops the run, which says so") {
  Curve slope;
  for (int k = 0; k <= 10; ++k) slope.points.push_back({0.1 * k, -0.1 * k, 0.0});
  for (const Method method : {Method::dop853, Method::dopri5}) {
    Model model = make_model(2, {0.1, -0.1, 0}, slope);
    model.simulation.method = method;
    const Results results = test::run(model, model.simulation);
    CHECK(results.status.outcome == Outcome::step_too_small);
    CHECK(results.status.message.find("the point of joint 'wire' leaves the end of its curve") !=
          std::string::npos);
    // 0.9 √2 m at g sin 45°
    CHECK(results.status.t == doctest::Approx(std::sqrt(2 * 0.9 * 2 / 9.81)).epsilon(1e-9));
    CHECK(results.final[0].position[0] == doctest::Approx(1.0).epsilon(1e-9));
  }
}

TEST_CASE("a curve turns with its body") {
  // the same wire on a body that falls freely: the bead keeps its place on it
  Model model = make_model(3, {1, 0, 0}, make_circle(40));
  Body hoop = make_bead({0, 0, 0});
  hoop.name = "hoop";
  model.bodies.push_back(hoop);
  model.joints[0].body_i = "hoop";
  for (Body& body : model.bodies) body.angular_velocity = {0, 0, 2};
  model.bodies[0].velocity = {0, 2, 0};
  model.simulation.t_end = 1.0;
  const Results results = test::run(model, model.simulation);
  REQUIRE(results.status.outcome == Outcome::finished);
  const Vec3 a = results.final[0].position, b = results.final[1].position;
  CHECK(0.5 * (a[1] + b[1]) == doctest::Approx(1.0 - 0.5 * 9.81).epsilon(1e-9));
  CHECK(test::distance(a, b) == doctest::Approx(1.0).epsilon(1e-5));
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
}

TEST_CASE("a curve of a plane repeats a joint that keeps the plane") {
  Model model = make_model(3, {0, -1, 0}, make_circle(40));
  model.bodies[0].velocity = {3, 0, 0};
  model.simulation.t_end = 2.0;
  const Results alone = test::run(model, model.simulation);
  model.joints.push_back({"plane", JointKind::point_in_plane, "ground", "bead",
                          WorldPlacement{{0, -1, 0}, Vec3{0, 0, 1}, {}}});
  const Results both = test::run(model, model.simulation);
  REQUIRE(both.status.outcome == Outcome::finished);
  CHECK(both.check.rank == 2);
  CHECK(both.check.dof == alone.check.dof);
  CHECK(test::position_difference(alone, both) <= 1e-9);
}
