// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Forces along a coordinate or a distance, and limits of joints, in model files: what is read, and each
// mistake with its message.
#include <doctest/doctest.h>

#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::string text_of(const std::string& force, const std::string& limits) {
  return "trammel: 1\n"
         "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
         "joints:\n"
         "  pin: {kind: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]" +
         limits +
         "}\n"
         "  rod: {kind: cylindrical, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
         "  ball: {kind: spherical, bodies: [a, b], at: [0, 0, 0]}\n" +
         (force.empty() ? "" : "forces: {f: {" + force + "}}\n");
}

// The message without its line and column; compiled as well where nothing is wrong.
std::string fail(const std::string& force, const std::string& limits = "") {
  const std::string message =
      test::mistakes_of([&] { compile(read_model_text(text_of(force, limits), "f")); });
  const std::size_t at = message.find(": ");
  return at == std::string::npos ? message : message.substr(at + 2);
}

template <class Law>
Law read(const std::string& force, const std::string& limits = "") {
  return std::get<Law>(read_model_text(text_of(force, limits), "f").forces.at(0).law);
}

}  // namespace

TEST_CASE("limits of joints") {
  const auto read_limits = [](const std::string& text) {
    return read_model_text(text_of("", ", limits: " + text), "f").joints.at(0).limits.at(0);
  };
  const Joint::Limits degrees = read_limits("[-10 deg, 95 deg]");
  CHECK(degrees.least == doctest::Approx(-0.17453292519943295).epsilon(1e-15));
  CHECK(degrees.most == doctest::Approx(1.6580627893946132).epsilon(1e-15));
  CHECK(!degrees.coordinate);
  CHECK(read_limits("[free, 2]").least < -1e300);
  CHECK(read_limits("{angle: [-1, free]}").coordinate == JointCoordinate::angle);
  const auto say = [](const std::string& text) { return fail("", ", limits: " + text); };
  CHECK(say("[-1, 1]") == "accepted");
  CHECK(say("[1, -1]") == "joints.pin.limits: must be increasing, got [1, -1]");
  CHECK(say("[free, free]") == "joints.pin.limits: limits neither side");
  CHECK(say("{travel: [0, 1]}") ==
        "joints.pin.limits.travel: the joint 'pin' has no travel, but angle");
  CHECK(say("[0, 1 m]").find("must be in rad") != std::string::npos);
  CHECK(say("[0]").find("joints.pin.limits: must be a list of 2 numbers, least and most") == 0);
  CHECK(say("{angel: [0, 1]}").starts_with("joints.pin.limits.angel: unknown key"));
}

TEST_CASE("stops, play and one-sided springs") {
  const auto stop = read<EndStop>(
      "kind: stop, joint: pin, limits: [-10 deg, free], stiffness: 100, dissipation: 2 s/rad, "
      "entry: 1 deg");
  CHECK(stop.along.joint == "pin");
  CHECK(stop.limits->least == doctest::Approx(-0.17453292519943295));
  CHECK(stop.material.stiffness == 100);
  CHECK(stop.material.dissipation == 2);
  CHECK(*stop.material.entry == doctest::Approx(0.017453292519943295));
  const auto line = read<OneSidedSpring>(
      "kind: one_sided_spring, acts: compression, bodies: [a, b], points: [[1, 0, 0], [0, 0, 0]], "
      "free: 2, stiffness: 5 N/mm");
  CHECK(line.in_compression);
  CHECK(line.along.point_i == Vec3{1, 0, 0});
  CHECK(line.material.stiffness == doctest::Approx(5000));
  CHECK(!line.material.entry);

  CHECK(fail("kind: stop, joint: pin, stiffness: 1", ", limits: [0, 1]") == "accepted");
  CHECK(fail("kind: stop, joint: pin, stiffness: 1") ==
        "forces.f: needs 'limits', here or at the joint 'pin'");
  CHECK(fail("kind: stop, joint: pin, limits: [1, 0], stiffness: 1") ==
        "forces.f.limits: must be increasing, got [1, 0]");
  CHECK(fail("kind: stop, joint: pin, limits: [0, 1], stiffness: -1") ==
        "forces.f.stiffness: must be greater than 0, got -1");
  CHECK(fail("kind: stop, joint: pin, limits: [0, 1], stiffness: 1, dissipation: -2") ==
        "forces.f.dissipation: must not be negative, got -2");
  CHECK(fail("kind: stop, joint: pin, limits: [0, 1]") == "forces.f: 'stiffness' is missing");
  CHECK(fail("kind: stop, joint: rod, limits: [0, 1], stiffness: 1") ==
        "forces.f.joint: the joint 'rod' has more than one coordinate: add coordinate: angle or "
        "travel");
  CHECK(fail("kind: stop, joint: ball, limits: [0, 1], stiffness: 1") ==
        "forces.f.joint: the joint 'ball' has no coordinate");
  CHECK(fail("kind: stop, limits: [0, 1], stiffness: 1") ==
        "forces.f: 'joint' is missing (or 'bodies' and 'points')");
  CHECK(fail("kind: stop, joint: pin, bodies: [a, b], points: [[0, 0, 0], [1, 0, 0]], limits: [0, "
             "1], stiffness: 1") ==
        "forces.f.joint: give either 'joint' or 'bodies' and 'points', not both");
  CHECK(fail("kind: stop, bodies: [a, a], points: [[0, 0, 0], [1, 0, 0]], limits: [0, 1], "
             "stiffness: 1") == "forces.f.bodies: connects 'a' to itself");
  CHECK(fail("kind: backlash, joint: pin, gap: 0, stiffness: 1") ==
        "forces.f.gap: must be greater than 0, got 0");
  CHECK(fail("kind: one_sided_spring, acts: pull, joint: pin, free: 0, stiffness: 1")
            .find("must be tension or compression, got 'pull'") != std::string::npos);
  CHECK(fail("kind: stop, joint: pin, limits: [0, 1], stiffness: 1 N/m").find("must be in") !=
        std::string::npos);
}

TEST_CASE("friction") {
  const auto friction = read<Friction>(
      "kind: friction, joint: rod, coordinate: travel, preload: 10 N, coefficient: 0.2, "
      "static_coefficient: 0.3, "
      "stribeck_velocity: 1 cm/s, viscous: 2, velocity: 1 mm/s");
  CHECK(friction.preload == 10);
  CHECK(friction.static_coefficient == 0.3);
  CHECK(friction.stribeck_velocity == doctest::Approx(0.01));
  CHECK(friction.velocity == doctest::Approx(0.001));
  const auto say = [](const std::string& rest) {
    return fail("kind: friction, joint: pin, " + rest);
  };
  CHECK(say("preload: 1, velocity: 1e-3") == "accepted");
  CHECK(say("preload: 1, velocity: 0") == "forces.f.velocity: must be greater than 0, got 0");
  CHECK(say("preload: -1, velocity: 1") == "forces.f.preload: must not be negative, got -1");
  CHECK(say("preload: 1, velocity: 1, coefficient: -1") ==
        "forces.f.coefficient: must not be negative, got -1");
  CHECK(say("preload: 1, velocity: 1, viscous: -1") ==
        "forces.f.viscous: must not be negative, got -1");
  CHECK(say("preload: 1, velocity: 1, coefficient: 0.3, static_coefficient: 0.2, "
            "stribeck_velocity: 1") ==
        "forces.f.static_coefficient: must be at least 'coefficient', 0.3, got 0.2");
  CHECK(say("preload: 1, velocity: 1, coefficient: 0.3, static_coefficient: 0.4") ==
        "forces.f.static_coefficient: needs 'stribeck_velocity' as well");
}

TEST_CASE("gas struts, actuators and motors") {
  const std::string points = "bodies: [ground, b], points: [[1, 0, 0], [0, 0, 0]], ";
  const auto strut = [&](const std::string& rest) {
    return fail("kind: gas_strut, " + points + "stop_stiffness: 1e5, " + rest);
  };
  CHECK(strut("extended_length: 1, stroke: 0.4, force_extended: 300, force_compressed: 400") ==
        "accepted");
  CHECK(strut("extended_length: 1, stroke: 1.4, force_extended: 300, force_compressed: 400") ==
        "forces.f.stroke: must be less than 'extended_length', 1, got 1.4");
  CHECK(strut("extended_length: 1, stroke: 0.4, force_extended: 300, force_compressed: 200") ==
        "forces.f.force_compressed: must be greater than 'force_extended', 300, got 200");
  CHECK(fail("kind: gas_strut, joint: pin, stop_stiffness: 1, extended_length: 1, stroke: 0.4, "
             "force_extended: 300, force_compressed: 400") ==
        "forces.f.joint: must act along a line, not on an angle");
  const auto actuator = [&](const std::string& rest) {
    return fail("kind: linear_actuator, " + points + rest);
  };
  CHECK(actuator("max_force: 10, max_speed: 0.1, command: 0.5*sin(t) - length") == "accepted");
  CHECK(actuator("max_force: 10, max_speed: 0") ==
        "forces.f.max_speed: must be greater than 0, got 0");
  CHECK(actuator("max_force: 10, max_speed: 1, stroke: 0.2, stop_stiffness: 1e4") ==
        "forces.f.stroke: needs 'retracted_length' as well");
  CHECK(actuator("max_force: 10, max_speed: 1, stroke: 0.2, retracted_length: 0.5") ==
        "forces.f.stroke: needs 'stop_stiffness' as well");
  CHECK(actuator("max_force: 10, max_speed: 1, command: angle") ==
        "forces.f.command: unknown name 'angle'");
  const auto motor = [&](const std::string& rest) {
    return fail("kind: dc_motor, joint: pin, " + rest);
  };
  CHECK(motor("voltage: 12 - angle, resistance: 2 ohm, torque_constant: 0.1") == "accepted");
  CHECK(motor("voltage: 12, resistance: 2, torque_constant: 0.1, inductance: 1 mH") == "accepted");
  CHECK(motor("resistance: 2, torque_constant: 0.1") ==
        "forces.f: needs either 'voltage' or 'speed'");
  CHECK(motor("voltage: 12, resistance: 2") ==
        "forces.f.resistance: needs 'torque_constant' as well");
  CHECK(motor("voltage: 12, nominal_voltage: 2") ==
        "forces.f: needs all of 'nominal_voltage', 'stall_torque' and 'no_load_speed'");
  CHECK(motor("voltage: 12") ==
        "forces.f: needs either 'resistance' and 'torque_constant', or "
        "'nominal_voltage', 'stall_torque' and 'no_load_speed'");
  CHECK(motor("voltage: 12, resistance: 2, torque_constant: 0.1, gear_ratio: 0") ==
        "forces.f.gear_ratio: must not be 0");
  CHECK(
      motor(
          "voltage: 12, nominal_voltage: 12, stall_torque: 1, no_load_speed: 100, viscous: 0.02") ==
      "forces.f.viscous: leaves no torque at the speed without load: it must be less than "
      "'stall_torque'/'no_load_speed'");
  CHECK(
      motor("voltage: 12 - rate, resistance: 2, torque_constant: 0.1, inductance: 1e-3") ==
      "forces.f.voltage: of a motor with an inductance cannot use 'rate': write 'pin.angle_rate'");
  CHECK(fail("kind: dc_motor, " + points + "voltage: 12, resistance: 2, torque_constant: 0.1") ==
        "forces.f.bodies: must act on the angle of a joint");
}

TEST_CASE(
    "a start far outside of the limits is refused, friction finer than the tolerance warned of") {
  const auto check_text = [](const std::string& force, const std::string& more = "") {
    return check(compile(read_model_text(text_of(force, more) + "gravity: [0, 0, -9.81]\n", "f")));
  };
  const CheckReport report = check_text("kind: stop, joint: pin, limits: [0.5, 1], stiffness: 1e5");
  REQUIRE(!report.ok());
  CHECK(
      report.reasons.front() ==
      "the limits of 'f' contradict the initial position: it starts at 0 rad, below the limit 0.5 "
      "rad, where the stop would push with 4.99e+04 N m");
  // a stop that the weight could press in
  CHECK(check_text("kind: stop, joint: pin, limits: [0.001, 1], stiffness: 1e3").ok());
  const CheckReport fine = check_text("kind: friction, joint: pin, preload: 1, velocity: 1e-9");
  CHECK(fine.ok());
  REQUIRE(fine.warnings.size() == 1);
  CHECK(fine.warnings[0].find("the velocity 1e-09 of the friction 'f' is not resolved by atol") ==
        0);
  CHECK(check_text("kind: friction, joint: pin, preload: 1, velocity: 0.1").warnings.empty());
}
