// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The same joint built in two ways moves the same: local and world data, fixed and welded bodies.
#include <doctest/doctest.h>

#include "support/balance.hpp"
#include "support/reference.hpp"

using namespace trammel;

TEST_CASE("the crank by world points and axes is the crank by local data") {
  const Model local = test::read_repository_model("paper/crank.yaml");
  Model world = local;
  const Vec3 pin{0, 0, -0.5}, knee{1.8, 0, -0.5};
  world.joints[0].placement = WorldPlacement{pin, {}, {}};
  world.joints[1].placement = WorldPlacement{knee, Vec3{1, 0, 0}, {}};
  world.joints[2].placement = WorldPlacement{knee, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  world.joints[3].placement = WorldPlacement{{0, 0, 0}, Vec3{1, 0, 0}, {}};
  SimulationOptions options = test::with_tolerance(local.simulation, 1e-10);
  options.t_end = 2;
  CHECK(test::position_difference(test::run(local, options), test::run(world, options)) <= 1e-9);
}

TEST_CASE("two halves fixed to each other swing like the whole bar") {
  Model whole;
  whole.gravity = {0, -9.81, 0};
  Body bar;
  bar.name = "bar";
  bar.shapes = {Shape{Box{{1.0, 0.1, 0.2}}, 1000.0, {}, {1, 0, 0, 0}}};
  bar.position = {0.5, 0, 0};
  whole.bodies = {bar};
  whole.joints = {{"pivot", JointKind::universal, "ground", "bar",
                   WorldPlacement{{0, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}}};
  whole.simulation.t_end = 2.0;

  Model halves = whole;
  halves.bodies[0].shapes = {Shape{Box{{0.5, 0.1, 0.2}}, 1000.0, {}, {1, 0, 0, 0}}};
  halves.bodies[0].position = {0.25, 0, 0};
  halves.bodies.push_back(halves.bodies[0]);
  halves.bodies[1].name = "end";
  halves.bodies[1].position = {0.75, 0, 0};
  halves.joints.push_back(
      {"weld", JointKind::fixed, "bar", "end", WorldPlacement{{0.5, 0, 0}, {}, {}}});

  const SimulationOptions options = test::with_tolerance(whole.simulation, 1e-11);
  const Results a = test::run(whole, options);
  const Results b = test::run(halves, options);
  CHECK(b.check.dof == 2);
  const Vec3 p = b.final[0].position, q = b.final[1].position;
  CHECK(test::distance(a.final[0].position,
                       {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])}) <= 1e-9);
  CHECK(test::distance(a.final[0].orientation, b.final[1].orientation) <= 1e-9);
}

TEST_CASE("a fixed joint without vectors keeps the attitude of the start") {
  Model model;
  model.gravity = {0, -9.81, 0};
  for (const char* name : {"a", "b", "free"}) {  // without a freedom it would be locked
    Body body;
    body.name = name;
    body.mass = 1.0;
    body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    model.bodies.push_back(body);
  }
  model.bodies[0].orientation = {0.6, 0.8, 0, 0};
  model.bodies[1].position = {1, 0, 0};
  model.joints = {
      {"weld", JointKind::fixed, "ground", "a", LocalPlacement{}},
      {"arm", JointKind::fixed, "a", "b", LocalPlacement{{1, 0, 0}, {0, 0, 0}, {}, {}, {}, {}}}};
  const CheckReport report = check(compile(model));
  CHECK(report.ok());
  CHECK(report.dof == 6);
  CHECK(report.assembly.residual_before <= 1e-15);
  const Results results = test::run(model, model.simulation);
  CHECK(test::distance(results.final[1].position, {1, 0, 0}) <= 1e-14);
  // both weights hang on the weld: force −m g, moment of the arm
  CHECK(results.reaction_force[1] == doctest::Approx(2 * 9.81));
}

TEST_CASE("reactions along the axes of the second body are those of the world, turned") {
  for (const char* name : {"paper/crank.yaml", "planar/quadrangle.yaml"}) {
    CAPTURE(name);
    Model model = test::read_repository_model(name);
    if (model.dimension == 3) {  // body axes that are not the principal ones
      for (Body& body : model.bodies) (*body.inertia)[0][1] = (*body.inertia)[1][0] = 2e-3;
    }
    SimulationOptions options = model.simulation;
    options.t_end = 0.5;
    options.output_interval = 0.1;
    const Results world = test::run(model, options);
    options.reaction_frame = ReactionFrame::body;
    const Results body = test::run(model, options);
    const std::size_t n = model.joints.size();
    double largest = 0.0, difference = 0.0, turned_by = 0.0;
    for (std::size_t row = 0; row < world.time.size(); ++row) {
      for (std::size_t k = 0; k < n; ++k) {
        Matrix3<double> R = Matrix3<double>::identity();
        for (std::size_t b = 0; b < model.bodies.size(); ++b) {
          if (model.bodies[b].name != model.joints[k].body_j) continue;
          R = calc_rotation(test::state_of(world, row, b).orientation.data());
        }
        using Column = std::vector<double> Results::*;
        for (Column column : {&Results::reaction_force, &Results::reaction_moment}) {
          const std::size_t at = 3 * (row * n + k);
          const auto w = Vector3<double>::load(&(world.*column)[at]);
          const auto b = Vector3<double>::load(&(body.*column)[at]);
          const Vector3<double> left = R * b - w, turn = b - w;
          largest = std::max(largest, std::sqrt(dot(w, w)));
          difference = std::max(difference, std::sqrt(dot(left, left)));
          turned_by = std::max(turned_by, std::sqrt(dot(turn, turn)));
        }
      }
    }
    CHECK(difference <= 1e-12 * largest);
    CHECK(turned_by > 0.1 * largest);
  }
}
