// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Planar model files: what may be written shorter, and what is a mistake, with the exact message.
#include <doctest/doctest.h>

#include <cmath>

#include "support/joint_words.hpp"
#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

Model read(const std::string& text) { return read_model_text(text, "f"); }

std::string fail(const std::string& text) {
  return test::mistakes_of([&] { read(text); });
}

// One body on line 4, its further keys from column 28 on.
std::string body(const std::string& keys) {
  return fail("trammel: 1\ndimension: 2\nbodies:\n  b: {mass: 1, inertia: 1, " + keys + "}\n");
}

const std::string two_bodies =
    "trammel: 1\ndimension: 2\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, position: [1, 0]}}\n";

// A joint of a and b on line 5.
std::string joint(const std::string& keys) {
  return fail(two_bodies + "joints:\n  j: {bodies: [a, b], " + keys + "}\n");
}

// A force on line 5.
std::string force(const std::string& keys) {
  return fail(two_bodies + "forces:\n  f: {" + keys + "}\n");
}

}  // namespace

TEST_CASE("planar values in their short and their long form are the same") {
  const Model brief = read(
      "trammel: 1\ndimension: 2\ngravity: [1, -9.81]\n"
      "bodies:\n"
      "  a: {mass: 2, inertia: 3, position: [1, 2], orientation: {angle: 30 deg},\n"
      "      velocity: [4, 5], angular_velocity: 6}\n"
      "joints:\n"
      "  j: {kind: translational, bodies: [ground, a], points: [[1, 2], [0, 0]], a_i: [0, 1],\n"
      "      a_j: [1, 0]}\n"
      "forces:\n"
      "  t: {kind: torque, body: a, value: 7}\n"
      "  f: {kind: force, body: a, value: [8, 9], point: [1, 1]}\n");
  const Model full = read(
      "trammel: 1\ndimension: 2\ngravity: [1, -9.81, 0]\n"
      "bodies:\n"
      "  a: {mass: 2, inertia: [1.5, 1.5, 3], position: [1, 2, 0],\n"
      "      orientation: {axis: [0, 0, 2], angle: 30 deg},\n"
      "      velocity: [4, 5, 0], angular_velocity: [0, 0, 6]}\n"
      "joints:\n"
      "  j: {kind: translational, bodies: [ground, a], points: [[1, 2, 0], [0, 0, 0]],\n"
      "      a_i: [0, 1, 0], a_j: [1, 0, 0]}\n"
      "forces:\n"
      "  t: {kind: torque, body: a, value: [0, 0, 7]}\n"
      "  f: {kind: force, body: a, value: [8, 9, 0], point: [1, 1, 0]}\n");
  CHECK(brief.dimension == 2);
  CHECK(brief.gravity == full.gravity);
  const Body &a = brief.bodies[0], &b = full.bodies[0];
  CHECK(a.inertia == b.inertia);
  CHECK(a.position == b.position);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(a.orientation[k] == doctest::Approx(b.orientation[k]).epsilon(1e-15));
  }
  CHECK(a.velocity == b.velocity);
  CHECK(a.angular_velocity == b.angular_velocity);
  const auto& p = std::get<LocalPlacement>(brief.joints[0].placement);
  const auto& q = std::get<LocalPlacement>(full.joints[0].placement);
  CHECK(p.point_i == q.point_i);
  CHECK(p.a_i == q.a_i);
  CHECK(p.a_j == q.a_j);
  CHECK(std::get<Torque>(brief.forces[0].law).value == std::get<Torque>(full.forces[0].law).value);
  CHECK(std::get<PointForce>(brief.forces[1].law).value == Vec3{8, 9, 0});
  CHECK(read("trammel: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n").dimension ==
        3);
}

TEST_CASE("a shape gives a planar body the mass and the moment about z of the solid") {
  const Model model = read(
      "trammel: 1\ndimension: 2\nbodies: {b: {shape: {box: [2, 1, 0.5], density: 3}}}\n"
      "forces: {spin: {kind: torque, body: b, value: 1.25}}\n");
  const Accelerations a = calc_accelerations(compile(model), {BodyState{}});
  // m = 3, 𝕀 = m (2² + 1²)/12 = 1.25
  CHECK(a.angular[0][2] == doctest::Approx(1.0).epsilon(1e-15));
}

TEST_CASE("the dimension is 2 or 3") {
  const std::string rest = "\nbodies: {b: {mass: 1, inertia: 1, position: [1, 2]}}\n";
  CHECK(fail("trammel: 1\ndimension: 4" + rest) == "f:2:12: dimension: must be 2 or 3, got '4'");
  Model model = read("trammel: 1\ndimension: 2" + rest);
  model.dimension = 1;
  REQUIRE(check_model(model).size() == 1);
  CHECK(to_string(check_model(model)[0]) == "f: dimension: must be 2 or 3, got 1");
}

TEST_CASE("what lies outside of the plane is a mistake with its place") {
  CHECK(fail("trammel: 1\ndimension: 2\ngravity: [0, 0, -9.81]\n"
             "bodies: {b: {mass: 1, inertia: 1}}\n") ==
        "f:3:17: gravity[2]: must be 0 in a planar model, got -9.81");
  CHECK(body("position: [1, 2, 3]") ==
        "f:4:45: bodies.b.position[2]: must be 0 in a planar model, got 3");
  CHECK(body("velocity: [1, 2, 3]") ==
        "f:4:45: bodies.b.velocity[2]: must be 0 in a planar model, got 3");
  CHECK(body("angular_velocity: [1, 0, 3]") ==
        "f:4:47: bodies.b.angular_velocity[0]: must be 0 in a planar model, got 1");
  CHECK(body("orientation: {axis: [1, 0, 0], angle: 1}") ==
        "f:4:41: bodies.b.orientation: must be a rotation about z in a planar model");
  CHECK(joint("kind: revolute, points: [[0, 0, 1], [0, 0]]") ==
        "f:5:55: joints.j.points[0][2]: must be 0 in a planar model, got 1");
  CHECK(joint("kind: point_on_line, at: [0, 0], axis: [1, 0, 2]") ==
        "f:5:69: joints.j.axis[2]: must be 0 in a planar model, got 2");
  CHECK(force("kind: torque, body: a, value: [0, 1, 2]") ==
        "f:5:41: forces.f.value[1]: must be 0 in a planar model, got 1");
  CHECK(force("kind: force, body: a, value: [0, 1, 2]") ==
        "f:5:43: forces.f.value[2]: must be 0 in a planar model, got 2");
}

TEST_CASE("planar values of the wrong form") {
  CHECK(body("position: 3") ==
        "f:4:38: bodies.b.position: must be a list of 2 or 3 numbers, got '3'");
  CHECK(body("angular_velocity: [1, 2]") ==
        "f:4:46: bodies.b.angular_velocity: must be a number or a list of 3 numbers, got a list of "
        "2");
  CHECK(body("orientation: {axis: [0, 0, 1]}") ==
        "f:4:41: bodies.b.orientation: must be angle, or euler_parameters, or axis and angle, or "
        "matrix, or what x is along");
  CHECK(fail("trammel: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: -3}}\n") ==
        "f:3:32: bodies.b.inertia: must not be negative, got -3");
  CHECK(fail("trammel: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: [1, 1]}}\n") ==
        "f:3:32: bodies.b.inertia: must be a number, 3 numbers or a matrix of 3 rows, got a list "
        "of 2");
  // in space nothing of this is allowed
  CHECK(fail("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 2]}}\n") ==
        "f:2:53: bodies.b.position: must be a list of 3 numbers, got a list of 2");
}

TEST_CASE("joints that the plane does not have") {
  CHECK(joint("kind: spherical, at: [0, 0]") ==
        "f:5:29: joints.j.kind: there is no spherical joint in a planar model (use " +
            test::list_joint_words(true) + ")");
  CHECK(joint("kind: revolut, at: [0, 0]") == "f:5:29: joints.j.kind: must be " +
                                                  test::list_joint_words(true) +
                                                  ", got 'revolut' (did you mean 'revolute'?)");
}

TEST_CASE("planar joints with too little or too much") {
  CHECK(joint("kind: revolute, at: [0, 0], axis: [0, 1]") ==
        "f:5:57: joints.j.axis: a revolute joint has no 'axis'");
  CHECK(joint("kind: translational, at: [0, 0]") ==
        "f:5:3: joints.j: a translational joint needs 'axis'");
  CHECK(joint("kind: point_on_line, points: [[0, 0], [0, 0]]") ==
        "f:5:3: joints.j: a point_on_line joint needs 'a_i'");
  CHECK(joint("kind: point_on_line, points: [[0, 0], [0, 0]], a_i: [0, 0]") ==
        "f:5:75: joints.j.a_i: must not be zero");
  CHECK(joint("kind: fixed, points: [[0, 0], [0, 0]], a_i: [1, 0]") ==
        "f:5:3: joints.j: a fixed joint needs 'a_j'");
  CHECK(joint("kind: distance, at: [0, 0]") ==
        "f:5:43: joints.j.at: a distance joint has two points (give both, one for each "
        "body, or points in the bodies' frames)");
  CHECK(joint("kind: distance, points: [[1, 0], [0, 0]]") ==
        "f:5:47: joints.j.points: coincide at t = 0, so the length would be 0 (give length)");
  CHECK(joint("kind: distance, points: [[0, 0], [0, 0]], length: 0") ==
        "f:5:73: joints.j.length: must be greater than 0, got 0");
  CHECK(joint("kind: revolute, points: [[1, 0], [0, 0]], length: 1") ==
        "f:5:73: joints.j.length: a revolute joint has no 'length'");
}
