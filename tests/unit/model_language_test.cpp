// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The language of model files: units, local names, values set from outside. Each refusal with its
// message.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

Model read(const std::string& text, const ParameterOverrides& overrides = {}) {
  return read_model_text(text, "f", overrides);
}

std::string fail(const std::string& text, const ParameterOverrides& overrides = {}) {
  return test::mistakes_of([&] { read(text, overrides); });
}

// One body on line 3; its first key is in column 7.
Body body(const std::string& entry, const std::string& more = "") {
  return read("trammel: 1\nbodies:\n  b: {" + entry + "}\n" + more).bodies[0];
}
std::string body_error(const std::string& entry, const std::string& more = "") {
  return fail("trammel: 1\nbodies:\n  b: {" + entry + "}\n" + more);
}

// A hinge, a slide and a force on line 7.
const std::string machine =
    "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n  hinge: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  slide: {kind: translational, bodies: [ground, c], at: [0, 0, 0], axis: [0, 0, "
    "1]}\nforces:\n";
std::string force_error(const std::string& entry) {
  return fail(machine + "  f: {" + entry + "}\n");
}

const char* const sound = "mass: 1, inertia: [1, 1, 1]";

}  // namespace

TEST_CASE("units in a file") {
  const Body b = body(
      "mass: 120 g, inertia: [5 kg cm^2, 6e-4 kg m^2, 0.0007], position: [25 mm, -1 in, 0], "
      "velocity: [36 km/h, 0, 0], angular_velocity: [0, 1500 rpm, 90 deg/s]");
  CHECK(b.mass == 0.12);
  CHECK((*b.inertia)[0][0] == 5e-4);
  CHECK((*b.inertia)[2][2] == 7e-4);
  CHECK(b.position == Vec3{0.025, -0.0254, 0});
  CHECK(b.velocity[0] == 10);
  CHECK(b.angular_velocity[1] == 1500 * 2 * M_PI / 60);
  CHECK(b.angular_velocity[2] == doctest::Approx(M_PI / 2));
}

TEST_CASE("a unit must be that of its key") {
  CHECK(body_error("mass: 5 mm, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.mass: must be in kg, got '5 mm' in m");
  CHECK(body_error(std::string(sound) + ", position: [1 m, 2 kg, 0]") ==
        "f:3:52: bodies.b.position[1]: must be in m, got '2 kg' in kg");
  CHECK(body_error("mass: 1, inertia: [1, 1 kg, 1]") ==
        "f:3:29: bodies.b.inertia[1]: must be in kg m^2, got '1 kg' in kg");
  CHECK(body_error(std::string(sound) + ", velocity: [1 mm, 0, 0]") ==
        "f:3:47: bodies.b.velocity[0]: must be in m/s, got '1 mm' in m");
  CHECK(body_error("mass: 5 deg, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.mass: must be in kg, got '5 deg' in rad");
  CHECK(body_error("shape: {sphere: 5 s}, density: 1 kg") ==
        "f:3:23: bodies.b.shape.sphere: must be in m, got '5 s' in s\n"
        "f:3:38: bodies.b.density: must be in kg/m^3, got '1 kg' in kg");
  CHECK(body_error(std::string(sound), "gravity: [0, 0, -9.81 m]\n") ==
        "f:4:17: gravity[2]: must be in m/s^2, got '-9.81 m' in m");
  CHECK(body_error(std::string(sound), "simulation: {t_end: 10 mm, max_step: 5 ms}\n") ==
        "f:4:21: simulation.t_end: must be in s, got '10 mm' in m");
  CHECK(force_error("kind: spring_damper, bodies: [b, c], points: [[0, 0, 0], [1 mm, 0, 0]], "
                    "stiffness: 2 kN/s, damping: 3 N s/m, free_length: 5 kg")
            .find("f.stiffness: must be in N/m, got '2 kN/s' in kg m/s^3") != std::string::npos);
}

TEST_CASE("the unit of a joint's spring is that of its coordinate") {
  CHECK(force_error("kind: joint_spring_damper, joint: hinge, stiffness: 2 N/mm") ==
        "f:7:59: forces.f.stiffness: must be in N m/rad, got '2 N/mm' in N/m");
  CHECK(force_error("kind: joint_spring_damper, joint: slide, stiffness: 2 N m") ==
        "f:7:59: forces.f.stiffness: must be in N/m, got '2 N m' in N m");
  CHECK(force_error("kind: joint_spring_damper, joint: slide, free: 20 deg") ==
        "f:7:54: forces.f.free: must be in m, got '20 deg' in rad");
  CHECK(force_error("kind: joint_spring_damper, joint: hinge, load: 3 N") ==
        "f:7:54: forces.f.load: must be in N m, got '3 N' in N");
  CHECK(force_error("kind: joint_spring_damper, joint: hinge, stiffness: 2 N m/deg, damping: "
                    "1 N m s, free: 20 deg, load: 3 N m*sin(t)") == "accepted");
}

TEST_CASE("units of formulas") {
  const auto driver = [](const std::string& value) {
    return fail(machine.substr(0, machine.find("forces")) +
                "drivers:\n  d: {joint: slide, travel: " + value + "}\n");
  };
  CHECK(driver("20 mm*sin(2*pi*t)") == "accepted");
  CHECK(driver("20 kg*sin(2*pi*t)") ==
        "f:7:29: drivers.d.travel: must be in m, got '20 kg*sin(2*pi*t)' in kg");
  CHECK(driver("20 mm + 3 s") ==
        "f:7:35: drivers.d.travel: a quantity in m and one in s cannot be added or compared");
}

TEST_CASE("parameters keep their unit") {
  const auto mass = [](const std::string& value) {
    return body_error("mass: " + value + ", inertia: [1, 1, 1]",
                      "parameters: {l: 25 mm, m: 2 kg, n: 3, rho: 7800}\n");
  };
  CHECK(mass("m") == "accepted");
  CHECK(mass("l") == "f:3:13: bodies.b.mass: must be in kg, got 'l' in m");
  CHECK(mass("m + l") ==
        "f:3:15: bodies.b.mass: a quantity in kg and one in m cannot be added or compared");
  CHECK(mass("rho*l^3") == "accepted");  // rho has no unit: taken in SI
  CHECK(mass("n*m + 3 kg") == "accepted");
  CHECK(read("trammel: 1\nparameters: {l: 25 mm, d: [1 mm, 2*l, 0]}\nbodies: {b: {mass: 1, "
             "inertia: [1, 1, 1], position: 2*d}}\n")
            .bodies[0]
            .position == Vec3{0.002, 0.1, 0});
}

TEST_CASE("a unit of length for a file") {
  const std::string mm = "units: {length: mm}\nparameters: {l: 25, n: 3, h: 40 mm}\n";
  const Body b = body(
      "position: [l, 2*h, -5], velocity: [3, 0, 0], density: 7850, shape: {box: [20, n*l, 1 cm]}",
      mm);
  CHECK(b.position == Vec3{0.025, 0.08, -0.005});
  CHECK(b.velocity[0] == 3);  // only lengths
  CHECK(std::get<Box>(b.shapes[0].geometry).size == Vec3{0.02, 0.075, 0.01});
  CHECK(
      body_error(std::string(sound) + ", position: [l + h, 0, 0]", mm) ==
      "f:3:49: bodies.b.position[0]: a value without a unit and a quantity in m cannot be added or "
      "compared (give both a unit)");
  CHECK(body_error(std::string(sound) + ", position: [l*h/h, 0, 0]", mm) ==
        "f:3:47: bodies.b.position[0]: the unit of 'l*h/h' is not clear (give all names in it a "
        "unit)");
  CHECK(body_error(sound, "units: {length: kg}\n") ==
        "f:4:17: units.length: must be a unit of length, got 'kg' (as in length: mm)");
  CHECK(body_error(sound, "units: {lenght: mm}\n") ==
        "f:4:9: units.lenght: unknown key (did you mean 'length'?)");
  CHECK(body_error(sound, "units: mm\n") ==
        "f:4:8: units: must be a map of keys and values, got 'mm'");
  // a formula is not scaled in silence, and neither is a table
  const std::string driven = machine.substr(0, machine.find("forces")) +
                             "units: {length: mm}\ndrivers:\n  d: {joint: slide, travel: ";
  CHECK(fail(driven + "20*sin(t)}\n") ==
        "f:8:29: drivers.d.travel: a formula of a length needs a unit in this file (as in 20 "
        "mm*sin(t))");
  CHECK(fail(driven + "20 mm*sin(t)}\n") == "accepted");
  CHECK(fail(driven + "{table: {points: [[0, 0], [1, 1], [2, 0], [30, 0]]}}}\n") ==
        "f:8:30: drivers.d.travel.table: a table needs 'scale' in a file with a unit of length of "
        "its own (as in scale: [1 s, 1 mm])");
  CHECK(std::get<double>(std::get<JointDriver>(read(driven + "20}\n").drivers[0].law).value.form) ==
        0.02);
}

TEST_CASE("the pitch of a screw is a length per revolution") {
  const auto pitch = [](const std::string& value) {
    return *read(
                "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {s: {kind: screw, "
                "bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], pitch: " +
                value + "}}\n")
                .joints[0]
                .pitch;
  };
  CHECK(pitch("0.005") == 0.005);
  CHECK(pitch("5 mm") == 0.005);
  CHECK(pitch("5 mm/rev") == doctest::Approx(0.005).epsilon(1e-15));
  CHECK(pitch("1 mm/rad") == doctest::Approx(0.001 * 2 * M_PI).epsilon(1e-15));
}

TEST_CASE("names of an entry") {
  const Model model = read(
      "trammel: 1\nparameters: {r: 2}\nbodies:\n  leg_<k>:\n    repeat: {k: 3}\n    let: {p: r*d, "
      "d: [cos(a), sin(a), 0], a: (120*k) deg, half: norm(p)/2, more: 10 + half, last: 1 + more}\n"
      "    mass: half\n"
      "    inertia: [last, last, last]\n"
      "    position: p + d\n    velocity: [d.y, p.x, 0]\n");
  REQUIRE(model.bodies.size() == 3);
  const double a = 240 * M_PI / 180;
  CHECK(model.bodies[1].position[0] == doctest::Approx(3 * std::cos(a)).epsilon(1e-15));
  CHECK(model.bodies[1].position[1] == doctest::Approx(3 * std::sin(a)).epsilon(1e-15));
  CHECK(model.bodies[1].velocity[0] == doctest::Approx(std::sin(a)).epsilon(1e-15));
  for (const Body& leg : model.bodies) {
    CHECK(*leg.mass == doctest::Approx(1).epsilon(1e-15));
    CHECK((*leg.inertia)[0][0] == doctest::Approx(12).epsilon(1e-15));
  }
  CHECK(model.parameters.size() == 1);  // the names end with the entry
  CHECK(body("let: {w: 2}, mass: w, inertia: [w, w, w]").mass == 2);
  CHECK(body_error("let: {w: 2}, mass: w, inertia: [1, 1, 1]",
                   "joints: {j: {kind: spherical, bodies: [ground, b], at: [w, 0, 0]}}\n") ==
        "f:4:57: joints.j.at[0]: unknown name 'w'");
}

TEST_CASE("names of an entry in formulas") {
  const std::string text = machine +
                           "  f:\n    kind: joint_spring_damper\n    joint: slide\n"
                           "    let: {phase: hinge.angle - w*t, w: 3, twice: 2*phase}\n"
                           "    load: cos(phase) + sin(twice) + w\n";
  const Model model = read(text);
  const auto& load = *std::get<JointSpringDamper>(model.forces[0].law).load;
  CHECK(std::get<Formula>(load.form).text ==
        "cos((hinge.angle - w*t)) + sin((2*(hinge.angle - w*t))) + w");
  CHECK(force_error("kind: torque, body: b, let: {s: sin(t)}, value: [0, 0, s], frame: body") ==
        "accepted");
  CHECK(force_error("kind: joint_spring_damper, joint: slide, let: {s: sin(t)}, stiffness: s") ==
        "f:7:77: forces.f.stiffness: unknown name 's' (it changes with time: only formulas can use "
        "it)");
  std::string doubling = "a0: sin(t)";
  for (int k = 1; k < 30; ++k) {
    const std::string before = "a" + std::to_string(k - 1);
    doubling += ", a" + std::to_string(k) + ": " + before + "*" + before;
  }
  CHECK(force_error("kind: joint_spring_damper, joint: slide, let: {" + doubling + "}, load: a29")
            .find("is longer than 10000 characters with the names of 'let' filled in") !=
        std::string::npos);
}

TEST_CASE("bad names of an entry") {
  CHECK(body_error("let: 3, mass: 1, inertia: [1, 1, 1]") ==
        "f:3:12: bodies.b.let: must be a map of keys and values, got '3'");
  CHECK(body_error("let: {a-b: 3}, mass: 1, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.let.a-b: a name of 'let' must be letters, digits and underscores");
  CHECK(body_error("let: {pi: 3}, mass: 1, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.let.pi: 'pi' has a meaning in expressions; choose another name");
  CHECK(body_error("let: {t: 3}, mass: 1, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.let.t: 't' has a meaning in formulas; choose another name");
  CHECK(body_error("let: {p: 3}, mass: 1, inertia: [1, 1, 1]", "parameters: {p: 1}\n") ==
        "f:3:13: bodies.b.let.p: there is a parameter or an index of this name; choose another");
  CHECK(body_error("let: {a: b, b: a}, mass: 1, inertia: [1, 1, 1]") ==
        "f:3:16: bodies.b.let.a: names refer to each other in a cycle: a → b → a");
  CHECK(body_error("let: {a: 2*bb, bc: 1}, mass: a, inertia: [1, 1, 1]") ==
        "f:3:18: bodies.b.let.a: unknown name 'bb' (did you mean 'bc'?)");
  CHECK(body_error("let: {d: [1, 2, 3]}, mass: d, inertia: [1, 1, 1]") ==
        "f:3:34: bodies.b.mass: 'd' is a vector (a component is written d.x)");
  CHECK(body_error("let: {d: [1, 2]}, mass: 1, inertia: [1, 1, 1]") ==
        "f:3:16: bodies.b.let.d: must be a number, an expression or a list of 3 numbers, got a "
        "list of 2");
  CHECK(body_error("let: {d: [1, 2, 3 kg]}, mass: 1, inertia: [1, 1, 1], position: d") ==
        "f:3:70: bodies.b.position: must be in m, got 'd' in kg");
  CHECK(body_error("let: {d: [1, 2, 3]}, mass: 1, inertia: [1, 1, 1], position: d.x") ==
        "f:3:67: bodies.b.position: must be a list of 3 numbers, got 'd.x'");
  CHECK(body_error("let: {d: [1, 2, 3]}, mass: 1, inertia: [1, 1, 1], position: norm(d)") ==
        "f:3:67: bodies.b.position: must be a vector, got 'norm(d)'");
  CHECK(
      body_error("let: {d: [1, 2, 3]}, mass: 1, inertia: [1, 1, 1], position: d*d") ==
      "f:3:68: bodies.b.position: two vectors cannot be multiplied (use dot(a, b) or cross(a, b))");
}

TEST_CASE("values set from outside") {
  const std::string text =
      "trammel: 1\nparameters: {base: 10 deg, goal: base, l: 25 mm, n: 3}\nbodies: {b: {mass: n, "
      "inertia: [1, 1, 1], position: [l, 0, 0]}}\n";
  const auto goal = [&](const ParameterValue& value) {
    return read(text, {{"goal", value}}).parameters[1].second;
  };
  CHECK(goal("45 deg") == M_PI / 4);
  CHECK(goal("pi/4") == M_PI / 4);
  CHECK(goal("2*base") == doctest::Approx(20 * M_PI / 180));
  CHECK(goal(0.5) == 0.5);
  CHECK(read(text, {{"l", "3 cm"}}).bodies[0].position[0] == 0.03);
  CHECK(read(text, {{"l", 0.03}}).bodies[0].position[0] == 0.03);
  CHECK(fail(text, {{"goal", "2*bas"}}) ==
        "--set goal=2*bas: unknown name 'bas' (did you mean 'base'?)");
  CHECK(fail(text, {{"goal", "2*"}}) == "--set goal=2*: unexpected end of the expression");
  CHECK(fail(text, {{"goal", "1/0"}}) == "--set goal=1/0: must be a finite number");
  CHECK(fail(text, {{"gaol", "1"}}) ==
        "--set gaol=1: the model has no parameter 'gaol' (did you mean 'goal'?)");
  CHECK(fail(text, {{"l", "30"}}) ==
        "--set l=30: must be in m, as in the file (write --set \"l=30 m\")");
  CHECK(fail(text, {{"l", "3 kg"}}) == "--set l=3 kg: must be in m, as in the file");
  CHECK(fail(text, {{"goal", "base"}, {"base", "goal"}}) ==
        "f:2:20: parameters.base: parameters refer to each other in a cycle: base → goal → base");
  // the text kept with the results gives the same model again
  for (const ParameterOverrides& overrides :
       {ParameterOverrides{{"l", 0.03}}, {{"l", "3 cm"}}, {{"goal", "2*base"}, {"base", 0.2}}}) {
    const Model set = read(text, overrides), again = read(set.text);
    CHECK(again.parameters == set.parameters);
    CHECK(again.bodies[0].position == set.bodies[0].position);
  }
}
