// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every kind of joint in motion: freedoms, energy, reactions, and which body is named first.
#include <doctest/doctest.h>

#include <map>

#include "math/euler_parameters.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace trammel;
using test::Random;

namespace {

// Two bodies on the ground by a joint of this kind between them and a ball on the first of them.
Model make_swing(JointKind kind, unsigned seed) {
  Random random(seed);
  Model model;
  model.gravity = {0, -9.81, 0};
  for (const char* name : {"a", "b"}) {
    Body body = test::make_random_body(random, name);
    body.velocity = body.angular_velocity = {0, 0, 0};
    model.bodies.push_back(body);
  }
  model.joints = {test::make_fitting_joint(random, "ball", JointKind::spherical, "ground", "a"),
                  test::make_fitting_joint(random, "joint", kind, "a", "b")};
  model.simulation = test::with_tolerance(model.simulation, 1e-12);
  model.simulation.t_end = 0.5;
  return model;
}

// Equations, counted by hand.
const std::map<JointKind, int> equations = {{JointKind::spherical, 3},
                                            {JointKind::universal, 4},
                                            {JointKind::revolute, 5},
                                            {JointKind::cylindrical, 4},
                                            {JointKind::translational, 5},
                                            {JointKind::fixed, 6},
                                            {JointKind::point_on_line, 2},
                                            {JointKind::distance, 1},
                                            {JointKind::planar, 3},
                                            {JointKind::point_in_plane, 1},
                                            {JointKind::parallel_axes, 2},
                                            {JointKind::perpendicular, 1},
                                            {JointKind::orientation, 3},
                                            {JointKind::revolute_spherical, 2},
                                            {JointKind::universal_spherical, 1},
                                            {JointKind::revolute_translational, 4},
                                            {JointKind::constant_velocity, 4},
                                            {JointKind::angle, 1},
                                            {JointKind::line_in_plane, 2},
                                            {JointKind::cylindrical_spherical, 1},
                                            {JointKind::revolute_cylindrical, 3},
                                            {JointKind::revolute_revolute, 4},
                                            {JointKind::axis_distance, 1}};

bool is_symmetric(JointKind kind) {
  return kind != JointKind::point_on_line && kind != JointKind::point_in_plane &&
         kind != JointKind::revolute_spherical && kind != JointKind::revolute_translational &&
         kind != JointKind::line_in_plane && kind != JointKind::cylindrical_spherical;
}

}  // namespace

TEST_CASE("every joint moves with its freedoms, keeps its energy and stays on the manifold") {
  for (const auto& [kind, rows] : equations) {
    const std::string word(to_word(kind));
    CAPTURE(word);
    const Model model = make_swing(kind, 31);
    const Results results = test::run(model, model.simulation);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.check.dof == 12 - 3 - rows);
    CHECK(results.check.assembly.residual_before <= 1e-14);
    CHECK(results.violation.position <= 1e-12);
    CHECK(results.energy.kinetic_max > 0.1);
    CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
  }
}

TEST_CASE("a symmetric joint does not care which body is named first") {
  for (const auto& [kind, rows] : equations) {
    if (!is_symmetric(kind)) continue;
    const std::string word(to_word(kind));
    CAPTURE(word);
    const Model model = make_swing(kind, 32);
    Model swapped = model;
    Joint& joint = swapped.joints[1];
    std::swap(joint.body_i, joint.body_j);
    auto& world = std::get<WorldPlacement>(joint.placement);
    if (world.axis_j) std::swap(world.axis, world.axis_j);
    if (world.point_j) std::swap(world.point, *world.point_j);
    const Results a = test::run(model, model.simulation);
    const Results b = test::run(swapped, model.simulation);
    CHECK(test::position_difference(a, b) <= 1e-9);
    const std::size_t last = 6 * (a.time.size() - 1) + 3;
    for (std::size_t k = last; k < last + 3; ++k) {
      CHECK(a.reaction_force[k] == doctest::Approx(-b.reaction_force[k]).epsilon(1e-6));
    }
  }
}

TEST_CASE("both ends of a link in the world are its points in the bodies") {
  const Model model = make_swing(JointKind::revolute_spherical, 33);
  Model local = model;
  const auto& world = std::get<WorldPlacement>(model.joints[1].placement);
  const auto inside = [&](int body, const Vec3& v, bool point) {
    const Body& b = model.bodies[body];
    const Vec3 d =
        point ? Vec3{v[0] - b.position[0], v[1] - b.position[1], v[2] - b.position[2]} : v;
    Vec3 result;
    transposed_times(calc_rotation(b.orientation.data()), Vector3<double>::load(d.data()))
        .store(result.data());
    return result;
  };
  local.joints[1].placement = LocalPlacement{inside(0, world.point, true),
                                             inside(1, *world.point_j, true),
                                             inside(0, *world.axis, false),
                                             {},
                                             {},
                                             {}};
  CHECK(test::position_difference(test::run(model, model.simulation),
                                  test::run(local, model.simulation)) <= 1e-10);
}

TEST_CASE(
    "a constant velocity joint turns both shafts by the same angle, a universal joint does not") {
  // shafts in bearings, bent by 40 degrees
  const double bend = 0.7;
  const Vec3 first{1, 0, 0}, second{std::cos(bend), std::sin(bend), 0};
  for (const JointKind kind : {JointKind::constant_velocity, JointKind::universal}) {
    Model model;
    Body shaft;
    shaft.mass = 1.0;
    shaft.inertia = Mat3{{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}}};
    shaft.name = "drive";
    shaft.position = {-0.5, 0, 0};
    model.bodies.push_back(shaft);
    shaft.name = "driven";
    shaft.position = {0.5 * second[0], 0.5 * second[1], 0};
    shaft.orientation = {std::cos(bend / 2), 0, 0, std::sin(bend / 2)};
    model.bodies.push_back(shaft);
    WorldPlacement cross{{0, 0, 0}, first, second};
    if (kind == JointKind::universal)
      cross = {{0, 0, 0}, Vec3{0, 0, 1}, Vec3{-second[1], second[0], 0}};
    model.joints = {
        {"bearing", JointKind::revolute, "ground", "drive", WorldPlacement{{-1, 0, 0}, first, {}}},
        {"joint", kind, "drive", "driven", cross},
        {"support", JointKind::parallel_axes, "ground", "driven", WorldPlacement{{}, second, {}}}};
    // the shafts' lines meet in the joint, so that the second bearing may leave its place free
    model.bodies[0].angular_velocity = {3, 0, 0};
    model.forces = {{"load", Torque{"driven", Frame::body, {-0.5, 0, 0}}}};
    model.simulation = test::with_tolerance(model.simulation, 1e-11);
    model.simulation.t_end = 1.0;
    const Results results = test::run(model, model.simulation);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.check.dof == 1);
    double largest = 0.0;
    for (std::size_t row = 0; row < results.time.size(); ++row) {
      const double* omega = results.angular_velocity.data() + 6 * row;
      largest = std::max(largest, std::abs(omega[0] - omega[3]));
    }
    if (kind == JointKind::constant_velocity) CHECK(largest <= 1e-9);
    if (kind == JointKind::universal) CHECK(largest > 0.1);
  }
}

TEST_CASE("the jet form is refused where a joint has other constraints than the paper's") {
  for (const auto& [kind, rows] : equations) {
    Model model = make_swing(kind, 34);
    model.simulation.projection = Projection::quasi_orthogonal;
    model.simulation.t_end = 0.01;
    model.simulation.rtol = model.simulation.atol = 1e-6;
    const std::string word(to_word(kind));
    CAPTURE(word);
    const bool other = kind == JointKind::distance || kind == JointKind::revolute_spherical ||
                       kind == JointKind::universal_spherical ||
                       kind == JointKind::constant_velocity || kind == JointKind::angle ||
                       kind == JointKind::cylindrical_spherical ||
                       kind == JointKind::revolute_cylindrical ||
                       kind == JointKind::revolute_revolute || kind == JointKind::axis_distance;
    if (other) {
      CHECK_THROWS_WITH_AS(test::run(model, model.simulation),
                           doctest::Contains("it has no jet form: joint 'joint' has constraints "
                                             "other than C, SO and O: use projection mass"),
                           ModelError);
    } else {
      CHECK(test::run(model, model.simulation).status.outcome == Outcome::finished);
    }
  }
}
