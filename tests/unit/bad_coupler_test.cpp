// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Couplers, screws and drivers that are wrong: each mistake with the exact message.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::string fail(const std::string& text) {
  return test::mistakes_of([&] { read_model_text(text, "f"); });
}

// Bodies b, c, d; joints h and k (revolute, on the ground), s (translational, on the ground), m
// (revolute, c and d), p (cylindrical), ball (spherical); then what is given, from line 5 on.
std::string after(const std::string& lines) {
  return fail(
      "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}, "
      "d: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "k: {kind: revolute, bodies: [c, ground], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "s: {kind: translational, bodies: [ground, d], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "m: {kind: revolute, bodies: [c, d], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "p: {kind: cylindrical, bodies: [ground, c], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "ball: {kind: spherical, bodies: [ground, b], at: [0, 0, 0]}}\n\n" +
      lines + "\n");
}
std::string coupler(const std::string& entry) { return after("couplers: {q: {" + entry + "}}"); }
std::string driver(const std::string& entry) { return after("drivers: {q: {" + entry + "}}"); }
std::string joint(const std::string& entry) {
  return fail("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n\njoints: {j: {" + entry +
              "}}\n");
}

}  // namespace

TEST_CASE("couplers") {
  CHECK(coupler("kind: gear, joints: [h, k], teeth: [20, 30]") == "accepted");
  CHECK(coupler("kind: gear, joints: [h, k], ratio: 1.5, mesh: internal") == "accepted");
  CHECK(coupler("kind: rack_and_pinion, joints: [p, s], radius: -0.1") == "accepted");
  CHECK(coupler("kind: belt, joints: [h, k], radii: [0.1, 0.2], crossed: true") == "accepted");
  CHECK(coupler("kind: coupler, terms: [{joint: h}, {joint: p, coordinate: travel}]") ==
        "accepted");

  CHECK(coupler("kind: gears, joints: [h, k], teeth: [20, 30]") ==
        "f:5:22: couplers.q.kind: unknown kind 'gears' (did you mean 'gear'?)");
  CHECK(coupler("kind: gear, joints: [h, kk], teeth: [20, 30]") ==
        "f:5:40: couplers.q.joints[1]: there is no joint 'kk' (did you mean 'k'?)");
  CHECK(coupler("kind: gear, joints: [h, s], teeth: [20, 30]") ==
        "f:5:40: couplers.q.joints[1]: the joint 's' has no angle, but travel");
  CHECK(coupler("kind: gear, joints: [h, ball], teeth: [20, 30]") ==
        "f:5:40: couplers.q.joints[1]: the joint 'ball' has no angle");
  CHECK(coupler("kind: gear, joints: [h, h], teeth: [20, 30]") ==
        "f:5:36: couplers.q.joints: must be two different joints");
  CHECK(coupler("kind: gear, joints: [h, m], teeth: [20, 30]") ==
        "f:5:36: couplers.q.joints: 'h' and 'm' have no body in common");
  CHECK(coupler("kind: gear, joints: [k, p], teeth: [20, 30]") ==
        "f:5:36: couplers.q.joints: 'k' and 'p' connect the same two bodies");
  CHECK(coupler("kind: gear, joints: [h, k], teeth: [20, 0]") ==
        "f:5:56: couplers.q.teeth[1]: must be greater than 0, got 0");
  CHECK(coupler("kind: gear, joints: [h, k], ratio: -2") ==
        "f:5:51: couplers.q.ratio: must be greater than 0, got '-2' (the sense of rotation follows "
        "from mesh)");
  CHECK(coupler("kind: gear, joints: [h, k]") ==
        "f:5:12: couplers.q: 'teeth' is missing (or give ratio: teeth of the second wheel "
        "divided by those of the first)");
  CHECK(coupler("kind: gear, joints: [h, k], teeth: [2, 3], ratio: 1.5") ==
        "f:5:59: couplers.q.ratio: give either teeth or ratio, not both");
  CHECK(coupler("kind: rack_and_pinion, joints: [s, h], radius: 1") ==
        "f:5:48: couplers.q.joints[0]: the joint 's' has no angle, but travel\n"
        "f:5:51: couplers.q.joints[1]: the joint 'h' has no travel, but angle");
  CHECK(coupler("kind: rack_and_pinion, joints: [h, s], radius: 0") ==
        "f:5:63: couplers.q.radius: must not be zero");
  CHECK(coupler("kind: belt, joints: [h, k], radii: [0.1, -0.2]") ==
        "f:5:57: couplers.q.radii[1]: must be greater than 0, got -0.2");
  CHECK(
      coupler("kind: coupler, terms: [{joint: p}]") ==
      "f:5:39: couplers.q.terms[0]: 'coordinate' is missing (the joint 'p' has angle and travel)");
  CHECK(coupler("kind: coupler, terms: [{joint: h}, {joint: h}]") ==
        "f:5:51: couplers.q.terms[1]: the angle of 'h' is listed twice");
  CHECK(coupler("kind: coupler, terms: []") ==
        "f:5:38: couplers.q.terms: a coupler needs at least one term");
  CHECK(coupler("kind: coupler, terms: [{joint: h, coefficient: 0}]") ==
        "f:5:63: couplers.q.terms[0].coefficient: must not be zero");
}

TEST_CASE("screws and what joints say about their coordinates") {
  CHECK(joint("kind: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.1, "
              "start_angle: 1, start_travel: 2") == "accepted");
  CHECK(joint("kind: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]") ==
        "f:4:10: joints.j: a screw joint needs 'pitch'");
  CHECK(joint("kind: screw, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0") ==
        "f:4:87: joints.j.pitch: must not be zero");
  CHECK(joint("kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: 1") ==
        "f:4:90: joints.j.pitch: only a screw joint has a 'pitch'");
  CHECK(joint("kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], "
              "start_travel: 1") ==
        "f:4:97: joints.j.start_travel: the joint 'j' has no travel, but angle");
  CHECK(joint("kind: gear, joints: [h, k]") ==
        "f:4:20: joints.j.kind: unknown kind 'gear' (it connects joints, not bodies: give it in "
        "the section couplers)\n"
        "f:4:26: joints.j.joints: unknown key (did you mean 'points'?)");
}

TEST_CASE("drivers") {
  CHECK(driver("joint: h, angle: 2*pi*t") == "accepted");
  CHECK(driver("joint: p, travel_rate: {table: {points: [[0, 0], [20, 1]]}}") == "accepted");
  CHECK(driver("bodies: [b, ground], points: [[0, 0, 0], [1, 0, 0]], distance: 1") == "accepted");
  CHECK(driver("body: b, position: [t, free, free]") == "accepted");

  CHECK(driver("angle: t") ==
        "f:5:11: drivers.q: nothing is driven (give joint, body (a point of it), frames or bodies "
        "(a distance between them))");
  CHECK(
      driver("joint: h") ==
      "f:5:11: drivers.q: nothing is driven (give angle, angle_rate, travel, travel_rate, angle_i, "
      "angle_i_rate, angle_j or angle_j_rate)");
  CHECK(driver("joint: h, angle: t, angle_rate: 1") ==
        "f:5:35: drivers.q.angle_rate: cannot be combined with 'angle' (a driver prescribes one "
        "quantity)");
  CHECK(driver("joint: hh, angle: t") ==
        "f:5:22: drivers.q.joint: there is no joint 'hh' (did you mean 'h'?)");
  CHECK(driver("joint: s, angle: t") ==
        "f:5:22: drivers.q.joint: the joint 's' has no angle, but travel");
  CHECK(driver("joint: h, angle: sin(s)") == "f:5:36: drivers.q.angle: unknown name 's'");
  CHECK(driver("joint: h, angle: abs(t)") ==
        "f:5:32: drivers.q.angle: 'abs' of t is not smooth enough for a driver (step(x, x0, y0, "
        "x1, y1) is a smooth transition from y0 to y1)");
  CHECK(driver("bodies: [b, b], points: [[0, 0, 0], [1, 0, 0]], distance: 1") ==
        "f:5:23: drivers.q.bodies: must be two different bodies, got 'b' twice");
  CHECK(driver("bodies: [b, c], points: [[0, 0, 0], [1, 0, 0]], distance: sin(t)") ==
        "f:5:73: drivers.q.distance: must be greater than 0, is 0 at t = 0");
  CHECK(driver("body: ground, position: [t, t, t]") ==
        "f:5:21: drivers.q.body: must be a moving body, not the ground");
  CHECK(driver("body: b, position: [free, free, free]") ==
        "f:5:34: drivers.q.position: nothing is driven: all components are free");
  CHECK(
      driver("body: b, position: [t, t]") ==
      "f:5:34: drivers.q.position: must be a list of 3 functions of t or 'free', got a list of 2");
  CHECK(driver("joint: h, angel: t") ==
        "f:5:25: drivers.q.angel: unknown key (did you mean 'angle'?)");
  CHECK(after("drivers: {q: {joint: h, angle: t}, r: {joint: h, angle_rate: 1}}") ==
        "f:5:47: drivers.r.joint: the angle of 'h' is already driven by 'q'");
}

TEST_CASE("couplers between frames, and with functions") {
  CHECK(coupler("kind: gear, frames: [b, c], teeth: [2, 3]") == "accepted");
  CHECK(coupler("kind: thread, frames: [ground, c], pitch: 5 mm") == "accepted");
  CHECK(coupler("kind: coupler, terms: [{joint: h, function: angle^3}]") == "accepted");
  CHECK(coupler("kind: gear, frames: [b, b], teeth: [2, 3]") ==
        "f:5:36: couplers.q.frames: must be frames of two different bodies, got 'b' twice");
  CHECK(coupler("kind: gear, frames: [b, e], teeth: [2, 3]") ==
        "f:5:40: couplers.q.frames[1]: there is no body 'e'");
  CHECK(coupler("kind: gear, frames: [b, c.tip], teeth: [2, 3]") ==
        "f:5:40: couplers.q.frames[1]: 'c' has no frame 'tip' (give it one under 'frames')");
  CHECK(
      coupler("kind: gear, frames: b, teeth: [2, 3]") ==
      "f:5:36: couplers.q.frames: must be a list of 2 names of frames, one on each body, got 'b'");
  CHECK(coupler("kind: belt, frames: [b, c], joints: [h, k], radii: [1, 2]") ==
        "f:5:44: couplers.q.joints: cannot be combined with 'frames'");
  CHECK(coupler("kind: thread, frames: [b, c]") == "f:5:12: couplers.q: 'pitch' is missing");
  CHECK(coupler("kind: thread, frames: [b, c], pitch: 5 kg") ==
        "f:5:53: couplers.q.pitch: must be in m, got '5 kg' in kg");
  CHECK(coupler("kind: thread, frames: [b, c], pitch: 0") ==
        "f:5:53: couplers.q.pitch: must not be zero");
  CHECK(coupler("kind: coupler, terms: [{joint: h, function: abs(angle)}]") ==
        "f:5:60: couplers.q.terms[0].function: 'abs' of angle is not smooth enough for a coupler "
        "(step(x, x0, y0, x1, y1) is a smooth transition from y0 to y1)");
  CHECK(coupler("kind: coupler, terms: [{joint: h, function: travel^2}]") ==
        "f:5:60: couplers.q.terms[0].function: unknown name 'travel'");
  CHECK(coupler("kind: coupler, terms: [{joint: h, function: [1, 2]}]") ==
        "f:5:60: couplers.q.terms[0].function: must be a number, an expression or {table: …}, got "
        "a list of 2");
}

TEST_CASE("driven attitudes") {
  CHECK(driver("body: b, orientation: [t, 0, 0]") == "accepted");
  CHECK(driver("frames: [c, b], position: [t, free, 0], orientation: [t, 0, 0], order: zyx") ==
        "accepted");
  CHECK(driver("frames: [c, b]") ==
        "f:5:11: drivers.q: nothing is driven (give position, orientation or both)");
  CHECK(
      driver("body: b, orientation: [t, 0]") ==
      "f:5:37: drivers.q.orientation: must be a list of 3 angles, functions of t, got a list of 2");
  CHECK(driver("body: b, orientation: [t, 0, 0], order: xyx") ==
        "f:5:55: drivers.q.order: must be xyz, xzy, yxz, yzx, zxy or zyx, got 'xyx' (did you mean "
        "'xyz'?)");
  CHECK(driver("body: b, position: [t, 0, 0], order: xyz") ==
        "f:5:45: drivers.q.order: is about 'orientation', which is not given");
  CHECK(driver("body: b, orientation: [t, 0, 0], velocity: [t, 0, 0]") ==
        "f:5:48: drivers.q.velocity: cannot be combined with 'orientation' (give 'position')");
  CHECK(driver("body: b, orientation: [t, 0, 3 kg]") ==
        "f:5:44: drivers.q.orientation[2]: must be in rad, got '3 kg' in kg");
  CHECK(driver("body: b, orientation: [t, 90 deg, 0]") ==
        "f:5:41: drivers.q.orientation[1]: must stay within a right angle, is 1.5707963267948966 "
        "rad at t = 0: choose another order");
  CHECK(driver("frames: [c, e], orientation: [t, 0, 0]") ==
        "f:5:27: drivers.q.frames[1]: there is no body 'e'");
}

TEST_CASE("starts and armatures of joints") {
  const std::string hinge = "kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], ";
  CHECK(joint(hinge + "initial: {angle: 30 deg, angle_rate: 10 rpm}, armature: 3 kg m^2") ==
        "accepted");
  CHECK(joint(hinge + "initial: 3") ==
        "f:4:92: joints.j.initial: must be a map of keys and values, got '3'");
  CHECK(joint(hinge + "initial: {angel: 3}") ==
        "f:4:93: joints.j.initial.angel: unknown key (did you mean 'angle'?)");
  CHECK(joint(hinge + "initial: {angle: 3 mm}") ==
        "f:4:100: joints.j.initial.angle: must be in rad, got '3 mm' in m");
  CHECK(joint(hinge + "initial: {travel: 3}") ==
        "f:4:101: joints.j.initial.travel: the joint 'j' has no travel, but angle");
  CHECK(joint(hinge + "armature: 3 mm") ==
        "f:4:93: joints.j.armature: must be in kg m^2 or kg, got '3 mm' in m");
  CHECK(joint(hinge + "armature: -1") == "f:4:93: joints.j.armature: must not be negative, got -1");
  CHECK(joint(hinge + "armature: {travel: 1}") ==
        "f:4:102: joints.j.armature.travel: the joint 'j' has no travel, but angle");
  CHECK(joint(hinge + "armature: [1]") ==
        "f:4:93: joints.j.armature: must be a number or an expression, got a list of 1");
  CHECK(
      joint(
          "kind: cylindrical, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], armature: 1") ==
      "f:4:96: joints.j.armature: the joint 'j' has angle and travel: give a map of them");
}

TEST_CASE("of a joint whose kind was not understood, nothing follows for what refers to it") {
  const std::string said = fail(
      "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {h: {kind: revolut, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}, "
      "k: {kind: spherical, bodies: [ground, b], at: [0, 0, 0]}}\n"
      "couplers: {c: {kind: gear, joints: [h, k], ratio: 2}}\n"
      "drivers: {m: {joint: h, angle: t}}\n"
      "forces: {s: {kind: joint_spring_damper, joint: h, stiffness: 1}, "
      "d: {kind: rotational_damper, joint: h, damping: 1}}\n");
  CHECK(said.find("joints.h.kind: must be") != std::string::npos);
  CHECK(said.find("couplers.c.joints[1]: the joint 'k' has no angle") != std::string::npos);
  CHECK(std::count(said.begin(), said.end(), '\n') == 1);  // these two and no other
}
