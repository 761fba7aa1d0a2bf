// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a model file can get wrong about joints beside the paper's: exact messages.
#include <doctest/doctest.h>

#include <trammel/trammel.hpp>

#include "support/mistakes.hpp"

using namespace trammel;

namespace {

std::string fail(const std::string& text) {
  return test::mistakes_of([&] { read_model_text(text, "f"); });
}

// A joint of b and c on line 4, its data from column 23 on.
std::string joint(const std::string& keys) {
  return fail(
      "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}, "
      "c: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n  j: {bodies: [b, c], " +
      keys + "}\n");
}

std::string planar_joint(const std::string& keys) {
  return fail(
      "trammel: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1}}\n"
      "joints: {j: {bodies: [b, c], " +
      keys + "}}\n");
}

}  // namespace

TEST_CASE("vectors of the further joints") {
  const std::string points = "points: [[0, 0, 0], [0, 0, 0]], ";
  CHECK(joint("kind: planar, " + points + "a_i: [0, 0, 1], a_j: [1, 0, 0]") ==
        "f:4:3: joints.j: a planar joint needs 'b_j'");
  CHECK(joint("kind: planar, " + points +
              "a_i: [0, 0, 1], b_i: [1, 0, 0], a_j: [1, 0, 0], b_j: [0, 1, 0]") ==
        "f:4:90: joints.j.b_i: a planar joint has no 'b_i'");
  CHECK(joint("kind: point_in_plane, at: [0, 0, 0]") ==
        "f:4:3: joints.j: a point_in_plane joint needs 'axis'");
  CHECK(joint("kind: point_on_line, " + points + "a_i: [0, 0, 1]") ==
        "f:4:3: joints.j: a point_on_line joint needs 'b_i'");
  CHECK(joint("kind: parallel_axes") == "f:4:3: joints.j: a parallel_axes joint needs 'a_i'");
  CHECK(joint("kind: parallel_axes, axis: [0, 0, 0]") == "f:4:50: joints.j.axis: must not be zero");
  CHECK(joint("kind: perpendicular, axis: [0, 0, 1]") ==
        "f:4:3: joints.j: a perpendicular joint needs 'axes' (one axis for each body, at right "
        "angles)");
  CHECK(joint("kind: perpendicular, a_i: [0, 0, 1]") ==
        "f:4:3: joints.j: a perpendicular joint needs 'a_j'");
  CHECK(joint("kind: orientation, a_i: [0, 0, 1], b_i: [1, 0, 0], a_j: [0, 0, 1]") ==
        "f:4:3: joints.j: an orientation joint needs 'b_j'");
  CHECK(joint("kind: orientation, axis: [0, 0, 1]") ==
        "f:4:48: joints.j.axis: an orientation joint has no 'axis'");
  CHECK(joint("kind: revolute_translational, at: [0, 0, 0], axes: [[0, 0, 1], [0, 0, 1]]") ==
        "f:4:86: joints.j.axes[1]: must be at right angles to 'axes[0]', the angle is 0 degrees");
  CHECK(joint("kind: constant_velocity, at: [0, 0, 0]") ==
        "f:4:3: joints.j: a constant_velocity joint needs 'axis'");
  CHECK(joint("kind: constant_velocity, at: [0, 0, 0], axes: [[1, 0, 0], [-1, 0, 0]]") ==
        "f:4:81: joints.j.axes[1]: is opposite to 'axes[0]': the shafts are folded onto each other "
        "(both axes point the same way through the joint)");
}

TEST_CASE("angles, offsets and distances of axes") {
  CHECK(joint("kind: angle, axis: [0, 0, 1]") ==
        "f:4:3: joints.j: an angle joint needs 'axes' (one axis for each body)");
  const std::string axes = "kind: angle, axes: [[0, 0, 1], [1, 0, 0]]";
  CHECK(joint(axes + ", angle: 0.5") == "accepted");
  CHECK(joint(axes + ", angle: wide") == "f:4:73: joints.j.angle: unknown name 'wide'");
  CHECK(joint(axes + ", angle: [1]") ==
        "f:4:73: joints.j.angle: must be a number or an expression, got a list of 1");
  CHECK(joint(axes + ", angle: 0") ==
        "f:4:73: joints.j.angle: must be between 0 and pi, got 0 (use parallel_axes for axes that "
        "stay parallel)");
  CHECK(joint(axes + ", angle: 3.1415926") ==
        "f:4:73: joints.j.angle: is too close to pi: the axes would be parallel (use parallel_axes "
        "for axes that stay parallel)");
  CHECK(
      joint("kind: angle, axes: [[0, 0, 1], [0, 0, -2]]") ==
      "f:4:54: joints.j.axes[1]: the axes are parallel at t = 0 (give angle, or use parallel_axes "
      "for axes that stay parallel)");
  CHECK(
      joint("kind: angle, a_i: [0, 0, 1], a_j: [0, 0, 1]") ==
      "f:4:57: joints.j.a_j: the axes are parallel at t = 0 (give angle, or use parallel_axes for "
      "axes that stay parallel)");
  CHECK(joint("kind: perpendicular, axes: [[0, 0, 1], [1, 0, 0]], angle: 1") ==
        "f:4:81: joints.j.angle: a perpendicular joint has no 'angle'");
  CHECK(joint("kind: planar, at: [0, 0, 0], axis: [0, 0, 1], offset: .inf") ==
        "f:4:77: joints.j.offset: must be a finite number, got '.inf'");
  CHECK(joint("kind: planar, at: [0, 0, 0], axis: [0, 0, 1], offset: [1, 2]") ==
        "f:4:77: joints.j.offset: must be a number or an expression, got a list of 2");
  CHECK(joint("kind: revolute, at: [0, 0, 0], axis: [0, 0, 1], offset: 1") ==
        "f:4:79: joints.j.offset: a revolute joint has no 'offset'");
  CHECK(planar_joint("kind: point_on_line, at: [0, 0], axis: [0, 1], offset: 1") == "accepted");
  CHECK(planar_joint("kind: angle, a_i: [0, 1], a_j: [1, 0]")
            .find("there is no angle joint in a planar model") != std::string::npos);
  const std::string both = "at: [[0, 0, 0], [0, 0, 1]], axis: [0, 0, 1]";
  CHECK(joint("kind: cylindrical_spherical, " + both) ==
        "f:4:56: joints.j.at: the second point is on the axis at t = 0, so the length would be 0 "
        "(give length)");
  CHECK(joint("kind: cylindrical_spherical, " + both + ", length: 0") ==
        "f:4:105: joints.j.length: must be greater than 0, got 0");
  CHECK(joint("kind: revolute_cylindrical, " + both + ", length: 1") == "accepted");
  CHECK(joint("kind: revolute_revolute, " + both + ", length: 1") ==
        "f:4:82: joints.j.axis: must be at right angles to the line through the two points, the "
        "angle is 0 degrees");
  const std::string crossed = "kind: axis_distance, at: [[0, 0, 0], [0, 0, 1]], axes: ";
  CHECK(joint(crossed + "[[1, 0, 0], [0, 1, 0]], length: 0") == "accepted");
  CHECK(joint(crossed + "[[1, 0, 0], [0, 1, 0]], length: -1") ==
        "f:4:110: joints.j.length: must not be negative, got -1; the side is as drawn");
  CHECK(joint(crossed + "[[1, 0, 0], [2, 0, 0]]") ==
        "f:4:90: joints.j.axes[1]: the axes are parallel: they have no common normal (use "
        "revolute_cylindrical for the distance of parallel axes)");
  CHECK(joint("kind: generic, constraints: [{A: {a_i: [0, 0, 1], a_j: [0, 0, 1], angle: 4}}]")
            .find("must be between 0 and pi, got 4") != std::string::npos);
}

TEST_CASE("joints with two ends") {
  CHECK(joint("kind: distance, at: [0, 0, 0]") ==
        "f:4:43: joints.j.at: a distance joint has two points (give both, one for each body, or "
        "points in the bodies' frames)");
  CHECK(joint("kind: distance, at: [[0, 0, 0], [0, 0, 0]]") ==
        "f:4:43: joints.j.at: coincide at t = 0, so the length would be 0 (give length)");
  CHECK(joint("kind: distance, at: [[0, 0, 0], [1, 0, 0]], length: -1") ==
        "f:4:75: joints.j.length: must be greater than 0, got -1");
  CHECK(joint("kind: spherical, at: [[0, 0, 0], [1, 0, 0]]") ==
        "f:4:44: joints.j.at: a spherical joint has one point");
  CHECK(joint("kind: revolute_spherical, at: [[0, 0, 0], [1, 0, 0]], axis: [1, 0, 1]") ==
        "f:4:83: joints.j.axis: must be at right angles to the line through the two points, the "
        "angle is "
        "45 degrees");
  CHECK(joint("kind: universal_spherical, at: [[0, 0, 0], [1, 0, 0]], axis: [1, 0, 1]") ==
        "f:4:84: joints.j.axis: a universal_spherical joint has no 'axis'");
  CHECK(joint("kind: planar, at: [0, 0, 0], axis: [0, 0, 1], length: 1") ==
        "f:4:77: joints.j.length: a planar joint has no 'length'");
}

TEST_CASE("the list of a generic joint") {
  CHECK(joint("kind: generic") ==
        "f:4:3: joints.j: a generic joint needs 'constraints' (a list of C, SO, O, D, CV, A, R "
        "and X)");
  CHECK(joint("kind: generic, constraints: {C: {at: [0, 0, 0]}}") ==
        "f:4:51: joints.j.constraints: must be a list of constraints, got a map");
  CHECK(joint("kind: generic, constraints: [C]") ==
        "f:4:52: joints.j.constraints[0]: must be a map with one key, got 'C' (C, SO, O, D, CV, A, "
        "R or X)");
  CHECK(joint("kind: generic, constraints: [{S0: {a_i: [0, 0, 1], a_j: [1, 0, 0]}}]") ==
        "f:4:53: joints.j.constraints[0].S0: unknown key (did you mean 'SO'?)");
  CHECK(joint("kind: generic, constraints: [{C: {at: [0, 0, 0]}}, {SO: {a_i: [0, 0, 1]}}]") ==
        "f:4:79: joints.j.constraints[1].SO: an SO constraint needs 'a_j'");
  CHECK(joint("kind: generic, constraints: [{O: {at: [0, 0, 0]}}]") ==
        "f:4:56: joints.j.constraints[0].O: an O constraint needs 'axis'");
  CHECK(joint("kind: generic, constraints: [{C: {at: [0, 0, 0], axis: [0, 0, 1]}}]") ==
        "f:4:78: joints.j.constraints[0].C.axis: a C constraint has no 'axis'");
  CHECK(joint("kind: generic, constraints: [{C: {}}]") ==
        "f:4:53: joints.j.constraints[0].C: has no location (give points in the bodies' frames, or "
        "at "
        "and axis)");
  CHECK(
      joint("kind: generic, constraints: [{D: {points: [[0, 0, 0], [0, 0, 0]]}}]") ==
      "f:4:65: joints.j.constraints[0].D.points: coincide at t = 0, so the length would be 0 (give "
      "length)");
  CHECK(joint("kind: generic, constraints: [{C: {at: [0, 0, 0], colour: 1}}]") ==
        "f:4:72: joints.j.constraints[0].C.colour: unknown key (known: points, a_i, b_i, a_j, b_j, "
        "at, axis, axes, length, offset, angle)");
  CHECK(joint("kind: generic, constraints: [{C: {at: [0, 0, 0]}}, {C: {at: [0, 0, 1]}}, "
              "{D: {at: [[0, 0, 0], [1, 0, 0]]}}]") ==
        "f:4:51: joints.j.constraints: 7 equations, but two bodies have only 6 relative degrees of "
        "freedom");
  CHECK(joint("kind: generic, at: [0, 0, 0], constraints: [{C: {at: [0, 0, 0]}}]") ==
        "f:4:38: joints.j.at: belongs in the constraints of a generic joint");
  CHECK(joint("kind: spherical, at: [0, 0, 0], constraints: [{C: {at: [0, 0, 0]}}]") ==
        "f:4:68: joints.j.constraints: a spherical joint has no 'constraints' (they belong "
        "to a generic joint)");
  CHECK(planar_joint("kind: generic, constraints: [{CV: {axis: [0, 1]}}]") ==
        "f:4:64: joints.j.constraints[0].CV: there is no CV in a planar model (use C, SO, O or D)");
  CHECK(planar_joint("kind: generic, constraints: [{C: {at: [0, 0, 1]}}]") ==
        "f:4:75: joints.j.constraints[0].C.at[2]: must be 0 in a planar model, got 1");
}

TEST_CASE("the curve of a point_on_curve joint") {
  const std::string at = "kind: point_on_curve, at: [0, 0, 0]";
  CHECK(joint(at) == "f:4:3: joints.j: a point_on_curve joint needs 'curve'");
  CHECK(joint("kind: spherical, at: [0, 0, 0], curve: {points: [[0, 0, 0], [1, 0, 0]]}") ==
        "f:4:62: joints.j.curve: a spherical joint has no 'curve'");
  CHECK(joint(at + ", curve: 1") ==
        "f:4:67: joints.j.curve: must be a map of keys and values, got '1'");
  CHECK(joint(at + ", curve: {closed: true}") == "f:4:60: joints.j.curve: 'points' is missing");
  CHECK(joint(at + ", curve: {points: 1}") ==
        "f:4:76: joints.j.curve.points: must be a list of points, got '1'");
  CHECK(joint(at + ", curve: {points: [[0, 0, 0]]}") ==
        "f:4:76: joints.j.curve.points: an open curve needs at least 2 points, got 1");
  CHECK(joint(at + ", curve: {points: [[0, 0, 0], [1, 0, 0]], closed: true}") ==
        "f:4:76: joints.j.curve.points: a closed curve needs at least 3 points, got 2");
  CHECK(joint(at + ", curve: {points: [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}") ==
        "f:4:99: joints.j.curve.points[2]: is the same as the point before");
  CHECK(
      joint(at + ", curve: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]], closed: true}") ==
      "f:4:110: joints.j.curve.points[3]: repeats the first point, to which a closed "
      "curve returns by itself");
  CHECK(joint(at + ", curve: {points: [[0, 0, 0], [1, 0]]}") ==
        "f:4:88: joints.j.curve.points[1]: must be a list of 3 numbers, got a list of 2");
  CHECK(joint(at + ", curve: {points: [[0, 0, 0], [1, 0, 0]], open: true}") ==
        "f:4:100: joints.j.curve.open: unknown key (known: points, closed)");
  CHECK(planar_joint("kind: point_on_curve, at: [0, 0], curve: {points: [[0, 0, 1], [1, 0]]}") ==
        "f:4:88: joints.j.curve.points[0][2]: must be 0 in a planar model, got 1");
}
