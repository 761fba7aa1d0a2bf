// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Model files that are wrong: each mistake with the exact message.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "support/joint_words.hpp"
#include "support/mistakes.hpp"
#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::string fail(const std::string& text, const ParameterOverrides& overrides = {}) {
  return test::mistakes_of([&] { read_model_text(text, "f", overrides); });
}

std::string fail_file(const std::string& path) {
  try {
    read_model(path);
  } catch (const ModelError& error) {
    return error.what();
  } catch (const FileError& error) {
    return std::string("FileError ") + error.what();
  }
  return "accepted";
}

// A sound body `b` on lines 2 and 3, then the lines given from line 4 on.
std::string after_body(const std::string& lines) {
  return fail("trammel: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n" + lines);
}

// One body on line 3, written as a flow map: its first key stands at column 7.
std::string body(const std::string& entry) {
  return fail("trammel: 1\nbodies:\n  b: {" + entry + "}\n");
}

// The same with a mass and an inertia: what is given stands on line 4.
std::string body_line(const std::string& line) {
  return fail("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1],\n\n" + line + "}}\n");
}

// A joint of `b` and `c` on line 4, its data from column 6 on.
std::string joint(const std::string& entry) {
  return fail(
      "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}, "
      "c: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n  j: {" +
      entry + "}\n");
}

// A force on line 5 in a model with the body `b` and the spherical joint `s`.
std::string force(const std::string& entry) {
  return after_body(
      "joints: {s: {kind: spherical, bodies: [b, ground], at: [0, 0, 0]}}\n"
      "forces: {f: {" +
      entry + "}}\n");
}

std::string simulation(const std::string& entry) {
  return after_body("simulation: {" + entry + "}\n");
}

}  // namespace

// ---- files

TEST_CASE("files that cannot be read") {
  const test::TemporaryFolder folder;
  const std::string missing = folder.file("missing.yaml");
  CHECK(fail_file(missing) == "FileError " + missing + ": No such file or directory");
  const std::string directory = folder.file("directory.yaml");
  std::filesystem::create_directory(directory);
  CHECK(fail_file(directory) == "FileError " + directory + ": is a directory, not a model file");
  const std::string below = folder.file("file.yaml");
  test::write_text(below, "trammel: 1\n");
  CHECK(fail_file(below + "/x") == "FileError " + below + "/x: Not a directory");
}

TEST_CASE("files that cannot be a model") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("m.yaml");
  const auto check = [&](const std::string& content, const std::string& message) {
    test::write_text(path, content);
    CHECK(fail_file(path) == path + message);
  };
  check("", ": the file is empty (it should start with 'trammel: 1')");
  check(std::string("\x7f"
                    "ELF\x02\x01\x01\0\0\0",
                    10),
        ":1:1: not a text file: it contains a control character");
  check("\x89PNG\r\n", ":1:1: not a text file: it is not UTF-8");
  check("a: b: c\n", ":1:5: not YAML: illegal map value");
  check("a: [1, 2\n", ":2:1: not YAML: end of sequence flow not found");
  check("a:\n\t- 1\n", ":2:1: a tab in the indentation (YAML is indented with spaces only)");
  check("hello\n", ":1:1: must be a map of keys and values, got 'hello'");
  check("- 1\n- 2\n", ":1:1: must be a map of keys and values, got a list of 2");
  check(std::string(100'000, '['), ":1:33: lists and maps are nested more than 64 deep");
}

TEST_CASE("100 MB of junk are refused without being read") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("junk.yaml");
  test::write_text(path, "a");
  std::filesystem::resize_file(path, 100'000'000);
  CHECK(fail_file(path) == path +
                               ": the file has 100000000 bytes; at most 8388608 are allowed "
                               "(describe regular parts with repeat)");
}

TEST_CASE("a file without end is refused") {
  CHECK(fail_file("/dev/zero") ==
        "/dev/zero: the file has more than 8388608 bytes (describe regular parts with repeat)");
}

TEST_CASE("a billion laughs") {
  std::string text = "trammel: 1\na0: &a0 [lol, lol]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = std::to_string(i - 1), now = std::to_string(i);
    text += "a" + now + ": &a" + now + " [*a" + before + ", *a" + before + "]\n";
  }
  CHECK(fail(text) ==
        "f:2:5: a0: anchors and aliases are not supported (use parameters or repeat)");
}

// ---- the whole

TEST_CASE("version and keys of the model") {
  CHECK(fail("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n") ==
        "f: trammel: the format version is missing (the file should start with 'trammel: "
        "1')");
  CHECK(fail("trammel: 2\nanything: {}\n") ==
        "f:1:10: trammel: the format version must be 1, got '2'");
  CHECK(fail("trammel: 1\n") == "f: bodies: a model needs at least one body");
  CHECK(after_body("joint: {}\n") == "f:4:1: joint: unknown key (did you mean 'joints'?)");
  CHECK(after_body("colour: red\n") ==
        "f:4:1: colour: unknown key (known: trammel, name, dimension, gravity, units, parameters, "
        "include, files, tables, bodies, joints, couplers, drivers, forces, states, switches, "
        "events, points, outputs, simulation, initial, redundancy_tolerance)");
  CHECK(after_body("<<: {gravity: [0, 0, 0]}\n").substr(0, 22) == "f:4:1: <<: unknown key");
  CHECK(after_body("gravity: 9.81\n") ==
        "f:4:10: gravity: must be a list of 3 numbers, got '9.81'");
  CHECK(after_body("gravity: [0, -9.81]\n") ==
        "f:4:10: gravity: must be a list of 3 numbers, got a list of 2");
  CHECK(after_body("name: [a]\n") == "f:4:7: name: must be a word, got a list of 1");
  CHECK(after_body("joints: [1]\n") ==
        "f:4:9: joints: must be a map of keys and values, got a list of 1");
}

TEST_CASE("duplicate names") {
  CHECK(fail("trammel: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
             "  b: {mass: 1, inertia: [1, 1, 1]}\n") == "f:4:3: bodies.b: duplicate key");
  CHECK(body("mass: 1, inertia: [1, 1, 1], mass: 2") == "f:3:36: bodies.b.mass: duplicate key");
}

TEST_CASE("parameters") {
  const auto parameters = [](const std::string& text, const ParameterOverrides& overrides = {}) {
    return fail("trammel: 1\nparameters: {" + text +
                    "}\n"
                    "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n",
                overrides);
  };
  CHECK(parameters("a: b, b: c + 1, c: 2*a") ==
        "f:2:17: parameters.a: parameters refer to each other in a cycle: a → b → c → a");
  CHECK(parameters("a: a") ==
        "f:2:17: parameters.a: parameters refer to each other in a cycle: a → a");
  CHECK(parameters("half: 1, b: 2*hlaf") ==
        "f:2:28: parameters.b: unknown name 'hlaf' (did you mean 'half'?)");
  CHECK(parameters("a: [1]") ==
        "f:2:17: parameters.a: must be a number, an expression or a list of 3 numbers, got a list "
        "of 1");
  CHECK(parameters("a: 1/0") == "f:2:17: parameters.a: must be a finite number, got '1/0'");
  CHECK(parameters("pi: 3") ==
        "f:2:14: parameters.pi: 'pi' has a meaning in expressions; choose another name");
  CHECK(parameters("a-b: 3") ==
        "f:2:14: parameters.a-b: a parameter's name must be letters, digits and underscores");
  CHECK(parameters("torque: 3", {{"tork", 1}}) == "--set tork: the model has no parameter 'tork'");
  CHECK(parameters("torque: 3", {{"torqe", 1}}) ==
        "--set torqe: the model has no parameter 'torqe' (did you mean 'torque'?)");
  CHECK(parameters("torque: 3", {{"torque", NAN}}) == "--set torque: must be a finite number");
}

TEST_CASE("expressions") {
  const auto mass = [](const std::string& text) {
    return body("inertia: [1, 1, 1], mass: " + text);
  };
  CHECK(mass("1 +") == "f:3:36: bodies.b.mass: unexpected end of the expression");
  CHECK(mass("(1 + 2") == "f:3:39: bodies.b.mass: unexpected end of the expression, expected ')'");
  CHECK(mass("2*(3))") == "f:3:38: bodies.b.mass: unexpected ')'");
  CHECK(mass("'2*(3))'") == "f:3:39: bodies.b.mass: unexpected ')'");
  CHECK(mass("heavy") == "f:3:33: bodies.b.mass: unknown name 'heavy'");
  CHECK(mass("sqr(4)") == "f:3:33: bodies.b.mass: unknown name 'sqr' (did you mean 'sqrt'?)");
  CHECK(mass("sqrt(-1)") == "f:3:33: bodies.b.mass: must be a finite number, got 'sqrt(-1)'");
  CHECK(mass(".nan") == "f:3:33: bodies.b.mass: must be a finite number, got '.nan'");
  CHECK(mass("nan") == "f:3:33: bodies.b.mass: must be a finite number, got 'nan'");
  CHECK(mass("-.inf") == "f:3:33: bodies.b.mass: must be a finite number, got '-.inf'");
  CHECK(mass("\"1\\0+2\"") == "f:3:33: bodies.b.mass: unexpected control character");
  CHECK(mass("\"1\\n\\n x\"") == "f:3:33: bodies.b.mass: unknown unit 'x'");
  CHECK(mass("'äääääääääääääääääääääää x'").substr(0, 30) == "f:3:33: bodies.b.mass: unexpec");
  CHECK(mass("1e999") == "f:3:33: bodies.b.mass: number out of range");
  CHECK(mass("") == "f:3:33: bodies.b.mass: must be a number or an expression, got nothing");
  CHECK(mass("[1]") == "f:3:33: bodies.b.mass: must be a number or an expression, got a list of 1");
  CHECK(mass("{a: 1}") == "f:3:33: bodies.b.mass: must be a number or an expression, got a map");
  CHECK(mass(std::string(300, '(')) == "f:3:233: bodies.b.mass: expression nested too deeply");
}

// ---- bodies

TEST_CASE("mass and inertia") {
  CHECK(body("mas: 1, inertia: [1, 1, 1]") ==
        "f:3:7: bodies.b.mas: unknown key (did you mean 'mass'?)");
  CHECK(body("mass: -3, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.mass: must not be negative, got -3");
  CHECK(body("mass: 0, inertia: [1, 1, 1]") == "accepted");
  CHECK(body("mass: 0") == "accepted");
  CHECK(body("inertia: [1, 1, 1]") ==
        "f:3:3: bodies.b: has no mass (give mass and inertia, or a shape with a density)");
  CHECK(body("shape: {sphere: 1}") ==
        "f:3:3: bodies.b: has no mass (give mass and inertia, or a shape with a density)");
  CHECK(body("mass: 1") == "f:3:3: bodies.b: has no inertia (give inertia, or a shape)");
  CHECK(body("mass: 1, inertia: [1, 1]") ==
        "f:3:25: bodies.b.inertia: must be 3 numbers or a matrix of 3 rows, got a list of 2");
  CHECK(body("mass: 1, inertia: [[1, 0, 0], [0, 1], [0, 0, 1]]") ==
        "f:3:37: bodies.b.inertia[1]: must be a list of 3 numbers, got a list of 2");
  CHECK(body("mass: 1, inertia: [1, 2, 4]") ==
        "f:3:25: bodies.b.inertia: impossible principal moments 1, 2, 4: the largest exceeds the "
        "sum of the others");
  CHECK(body("mass: 1, inertia: [1, 1, -1]") ==
        "f:3:25: bodies.b.inertia: must not have negative moments, has principal moments -1, 1, 1");
  CHECK(body("mass: 1, inertia: [0, 1, 1]") == "accepted");
  CHECK(body("mass: 1, inertia: [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]") ==
        "f:3:25: bodies.b.inertia: must be symmetric");
  CHECK(body("mass: 1, inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]") ==
        "f:3:25: bodies.b.inertia: must not have negative moments, has principal moments -1, 1, 3");
  CHECK(body("mass: 1, inertia: [1, 2, 3]") == "accepted");
}

TEST_CASE("position, orientation and name of a body") {
  CHECK(body_line("position: [0, x, 0]") == "f:4:15: bodies.b.position[1]: unknown name 'x'");
  CHECK(body_line("velocity: 3") ==
        "f:4:11: bodies.b.velocity: must be a list of 3 numbers, got '3'");
  CHECK(body_line("orientation: {axis: [0, 0, 0], angle: 1}") ==
        "f:4:21: bodies.b.orientation.axis: must not be zero");
  CHECK(body_line("orientation: {axis: [0, 0, 1]}") ==
        "f:4:14: bodies.b.orientation: must be euler_parameters, or axis and angle, or matrix, "
        "or what z and x are along");
  CHECK(body_line("orientation: {euler_parameters: [1, 0, 0, 0.5]}") ==
        "f:4:33: bodies.b.orientation.euler_parameters: must have length 1, got length 1.11803");
  CHECK(body_line("orientation: {euler_parameters: [1, 0, 0]}") ==
        "f:4:33: bodies.b.orientation.euler_parameters: must be a list of 4 numbers, got a list of "
        "3");
  CHECK(body_line("orientation: {matrix: [[1, 0, 0], [0, 1, 0], [0, 0.1, 1]]}") ==
        "f:4:23: bodies.b.orientation.matrix: is not a rotation: its rows are orthonormal only "
        "within 0.1");
  CHECK(body_line("orientation: {matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}") ==
        "f:4:23: bodies.b.orientation.matrix: is a reflection, not a rotation: its determinant is "
        "-1");
  CHECK(body_line("orientation: {quaternion: [1, 0, 0, 0]}") ==
        "f:4:15: bodies.b.orientation.quaternion: unknown key (did you mean "
        "'euler_parameters'?)");
  CHECK(fail("trammel: 1\nbodies: {ground: {mass: 1, inertia: [1, 1, 1]}}\n") ==
        "f:2:10: bodies.ground: 'ground' is the name of the fixed body; choose another name");
  CHECK(fail("trammel: 1\nbodies: {'': {mass: 1, inertia: [1, 1, 1]}}\n") ==
        "f:2:10: bodies.: a name must not be empty");
  const std::string name(201, 'n');
  CHECK(fail("trammel: 1\nbodies: {" + name + ": {mass: 1, inertia: [1, 1, 1]}}\n") ==
        "f:2:10: bodies." + name + ": is longer than 200 bytes");
}

TEST_CASE("shapes") {
  CHECK(body("shape: {box: [1, 0, 1], density: 1}") ==
        "f:3:24: bodies.b.shape.box[1]: must be greater than 0, got 0");
  CHECK(body("shape: {sphere: -1, density: 1}") ==
        "f:3:23: bodies.b.shape.sphere: must be greater than 0, got -1");
  CHECK(body("shape: [{sphere: 1, density: -7}]") ==
        "f:3:36: bodies.b.shape.density: must be greater than 0, got -7");
  CHECK(body("shape: {cylinder: {radius: 1}, density: 1}") ==
        "f:3:15: bodies.b.shape.cylinder: 'length' is missing");
  CHECK(body("shape: {ball: 1, density: 1}") ==
        "f:3:15: bodies.b.shape.ball: unknown key (did you mean 'sphere'?)");
  CHECK(body("shape: {density: 1}") ==
        "f:3:14: bodies.b.shape: must have one of box, cylinder, sphere, capsule, cone, ring, "
        "extrusion and mesh, got 0");
  CHECK(body("shape: [{sphere: 1, density: 1}, {sphere: 1, density: 1, position: [1, 0, 0]}]") ==
        "accepted");
  CHECK(body("mass: 1, inertia: [1, 1, 1], density: 1") ==
        "f:3:45: bodies.b.density: density given, but the body has no shape (add a shape)");
}

// ---- joints

TEST_CASE("the bodies and the place of a joint") {
  CHECK(joint("kind: spherical, bodies: [b, dd], at: [0, 0, 0]") ==
        "f:4:36: joints.j.bodies[1]: there is no body 'dd'");
  CHECK(fail("trammel: 1\nbodies: {crank: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {j: {kind: spherical, bodies: [crnak, ground], at: [0, 0, 0]}}\n") ==
        "f:3:40: joints.j.bodies[0]: there is no body 'crnak' (did you mean 'crank'?)");
  CHECK(joint("kind: spherical, bodies: [b, b], at: [0, 0, 0]") ==
        "f:4:32: joints.j.bodies: connects the body 'b' to itself");
  CHECK(joint("kind: spherical, bodies: [ground, ground], at: [0, 0, 0]") ==
        "f:4:32: joints.j.bodies: connects the ground to itself");
  CHECK(joint("kind: spherical, bodies: [b], at: [0, 0, 0]") ==
        "f:4:32: joints.j.bodies: must be a list of 2 names of bodies, got a list of 1");
  CHECK(joint("kind: spherical, at: [0, 0, 0]") ==
        "f:4:3: joints.j: 'bodies' is missing (or the 'frames' that the joint connects)");
  CHECK(joint("bodies: [b, c], at: [0, 0, 0]") == "f:4:3: joints.j: 'kind' is missing");
  CHECK(joint("kind: revolut, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1]") ==
        "f:4:13: joints.j.kind: must be " + test::list_joint_words(false) +
            ", got 'revolut' (did you mean 'revolute'?)");
  CHECK(joint("kind: spherical, bodies: [b, c]") ==
        "f:4:3: joints.j: has no location (give frames, or points in the bodies' frames, or at and "
        "axis)");
  CHECK(joint("kind: spherical, bodies: [b, c], points: [[0, 0, 0]]") ==
        "f:4:48: joints.j.points: must be a list of 2 points, one in each body's frame, got a list "
        "of 1");
  CHECK(joint("kind: revolute, bodies: [b, c], points: [[0, 0, 0], [0, 0, 0]], axis: [0, 0, 1]") ==
        "f:4:71: joints.j.axis: cannot be combined with 'points' (place a joint either by "
        "points and vectors in the bodies' frames or by at and axis in the world)");
}

TEST_CASE("the vectors of a joint") {
  const std::string points = "bodies: [b, c], points: [[0, 0, 0], [0, 0, 0]], ";
  CHECK(joint("kind: revolute, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 0]") ==
        "f:4:60: joints.j.axis: must not be zero");
  CHECK(joint("kind: revolute, bodies: [b, c], at: [0, 0, 0]") ==
        "f:4:3: joints.j: a revolute joint needs 'axis'");
  CHECK(joint("kind: spherical, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1]") ==
        "f:4:61: joints.j.axis: a spherical joint has no 'axis'");
  CHECK(joint("kind: universal, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1]") ==
        "f:4:3: joints.j: a universal joint needs 'axes' (one axis for each body, at right "
        "angles)");
  CHECK(joint("kind: universal, bodies: [b, c], at: [0, 0, 0], axes: [[0, 0, 1], [0, 1, 1]]") ==
        "f:4:73: joints.j.axes[1]: must be at right angles to 'axes[0]', the angle is 45 degrees");
  CHECK(joint("kind: revolute, bodies: [b, c], at: [0, 0, 0], axes: [[0, 0, 1], [0, 1, 0]]") ==
        "f:4:60: joints.j.axes: a revolute joint has only one axis (give axis)");
  CHECK(joint(points + "kind: revolute, a_i: [1, 0, 0], b_i: [0, 1, 0]") ==
        "f:4:3: joints.j: a revolute joint needs 'a_j'");
  CHECK(joint(points + "kind: spherical, a_i: [1, 0, 0]") ==
        "f:4:77: joints.j.a_i: a spherical joint has no 'a_i'");
  CHECK(joint(points + "kind: revolute, a_i: [1, 0, 0], b_i: [2, 0, 0], a_j: [0, 0, 1]") ==
        "f:4:92: joints.j.b_i: must be at right angles to 'a_i', the angle is 0 degrees");
  CHECK(joint(points + "kind: fixed, a_i: [1, 0, 0], b_i: [0, 1, 0], a_j: [0, 0, 1]") ==
        "f:4:3: joints.j: a fixed joint needs 'b_j'");
  CHECK(joint(points + "kind: translational, a_i: [1, 0, 0], b_i: [0, 1, 0], a_j: [0, 0, 1], "
                       "b_j: [0, 1, 1]") ==
        "f:4:129: joints.j.b_j: must be at right angles to 'a_j', the angle is 45 degrees");
  CHECK(joint("kind: spherical, bodies: [b, c], at: [0, 0, 0], axsi: [0, 0, 1]") ==
        "f:4:55: joints.j.axsi: unknown key (did you mean 'axis'?)");
}

// ---- forces and simulation

TEST_CASE("forces") {
  CHECK(force("kind: force, body: c, value: [0, 0, 1]") ==
        "f:5:33: forces.f.body: there is no body 'c'");
  CHECK(force("kind: torque, body: ground, value: [0, 0, 1]") ==
        "f:5:34: forces.f.body: must be a moving body, not the ground");
  CHECK(force("kind: torque, body: b, value: [0, 0, 1], point: [0, 0, 0]") ==
        "f:5:55: forces.f.point: unknown key (known: kind, body, frame, value, repeat, let)");
  CHECK(force("kind: torque, body: b, frame: wrld, value: [0, 0, 1]") ==
        "f:5:44: forces.f.frame: must be world or body, got 'wrld' (did you mean 'world'?)");
  CHECK(force("kind: torque, body: b") == "f:5:10: forces.f: 'value' is missing");
  CHECK(force("kind: thing") ==
        "f:5:20: forces.f.kind: must be force, torque, rotational_damper, nonlinear_spring, "
        "bushing, spring_damper, drag, aerodynamic_drag, gravitation, joint_spring_damper, stop, "
        "backlash, one_sided_spring, friction, gas_strut, linear_actuator or dc_motor, got "
        "'thing'");
  CHECK(force("kind: spring_damper, bodies: [b, b], points: [[0, 0, 0], [0, 0, 1]]") ==
        "f:5:43: forces.f.bodies: connects 'b' to itself");
  CHECK(force("kind: spring_damper, bodies: [b, ground], points: [[0, 0, 0], [0, 0, 1]], "
              "stiffness: -1") == "f:5:99: forces.f.stiffness: must not be negative, got -1");
  CHECK(force("kind: rotational_damper, joint: t, damping: 1") ==
        "f:5:46: forces.f.joint: there is no joint 't'");
  CHECK(after_body(
            "joints: {s: {kind: universal, bodies: [b, ground], at: [0, 0, 0], axes: [[1, 0, 0], "
            "[0, 1, 0]]}}\nforces: {f: {kind: rotational_damper, joint: s, damping: 1}}\n") ==
        "f:5:46: forces.f.joint: must be a revolute, cylindrical or spherical joint");
}

TEST_CASE("simulation") {
  CHECK(simulation("t_end: 0") == "f:4:21: simulation.t_end: must be greater than 0, got 0");
  CHECK(simulation("rtol: 1e-17") ==
        "f:4:20: simulation.rtol: must be at least 1e-15 and less than 1, got 1e-17");
  CHECK(simulation("atol: 0") ==
        "f:4:20: simulation.atol: must be greater than 0 and less than 1, got 0");
  CHECK(simulation("tend: 1") == "f:4:14: simulation.tend: unknown key (did you mean 't_end'?)");
  CHECK(simulation("method: rk4") ==
        "f:4:22: simulation.method: must be dopri5, dop853, radau or auto, got "
        "'rk4'");
  CHECK(simulation("projection: orthogonl") ==
        "f:4:26: simulation.projection: must be mass, quasi_orthogonal, orthogonal or none, got "
        "'orthogonl' (did you mean 'orthogonal'?)");
  CHECK(simulation("raw_error: true") ==
        "f:4:25: simulation.raw_error: belongs to projection quasi_orthogonal or orthogonal");
  CHECK(simulation("max_growth: 1") ==
        "f:4:26: simulation.max_growth: must be greater than 1, got 1");
  CHECK(simulation("invariants: [momentum]") ==
        "f:4:27: simulation.invariants[0]: must be energy, linear_momentum or "
        "angular_momentum, got 'momentum'");
  CHECK(simulation("invariants: momentum") ==
        "f:4:26: simulation.invariants: must be energy, linear_momentum, angular_momentum or none, "
        "got 'momentum'");
  CHECK(
      simulation("invariants: [energy, none]") ==
      "f:4:35: simulation.invariants[1]: must be energy, linear_momentum or angular_momentum, got "
      "'none'");
  CHECK(simulation("energy_correction: x") ==
        "f:4:33: simulation.energy_correction: must be scaling, combined, embedded or relaxation, "
        "got 'x'");
  CHECK(simulation("project_stages: maybe") ==
        "f:4:30: simulation.project_stages: must be false or true, got 'maybe'");
  CHECK(simulation("max_steps: 1.5") ==
        "f:4:25: simulation.max_steps: must be a whole number, got '1.5'");
  CHECK(simulation("threads: 0") == "f:4:23: simulation.threads: must be from 1 to 64, got 0");
  CHECK(simulation("max_steps: -1") ==
        "f:4:25: simulation.max_steps: must not be negative, got -1");
  CHECK(simulation("max_step: -1") == "f:4:24: simulation.max_step: must not be negative, got -1");
  CHECK(simulation("output_interval: 1e-12") ==
        "f:4:31: simulation.output_interval: gives 1e+13 output points; at most 1e+08 are allowed");
}

// ---- several at once

TEST_CASE("all mistakes are listed in the order of the file, and consequences are not") {
  CHECK(fail("trammel: 1\n"
             "gravty: [0, 0, 0]\n"
             "joints:\n"
             "  j: {kind: revolute, bodies: [b, x], at: [0, 0, 0], axis: [0, 0, 0]}\n"
             "bodies:\n"
             "  b: {mass: -1, inertia: [1, q, 1], position: [0, 0]}\n"
             "  c: {mass: 1/0}\n"
             "simulation: {t_end: -1}\n") ==
        "f:2:1: gravty: unknown key (did you mean 'gravity'?)\n"
        "f:4:35: joints.j.bodies[1]: there is no body 'x'\n"
        "f:4:60: joints.j.axis: must not be zero\n"
        "f:6:13: bodies.b.mass: must not be negative, got -1\n"
        "f:6:30: bodies.b.inertia[1]: unknown name 'q'\n"
        "f:6:47: bodies.b.position: must be a list of 3 numbers, got a list of 2\n"
        "f:7:13: bodies.c.mass: must be a finite number, got '1/0'\n"
        "f:8:21: simulation.t_end: must be greater than 0, got -1");
}

TEST_CASE("a long list is cut, and endless ones end") {
  std::string text = "trammel: 1\nbodies:\n";
  for (int i = 0; i < 150; ++i) text += "  b" + std::to_string(i) + ": {mass: 1}\n";
  std::string message = fail(text);
  CHECK(message.substr(message.rfind('\n')) == "\nand 50 more");
  for (int i = 150; i < 5000; ++i) text += "  b" + std::to_string(i) + ": {mass: x}\n";
  try {
    read_model_text(text, "f");
    FAIL("accepted");
  } catch (const ModelError& error) {
    CHECK(error.mistakes().size() == 1001);
    CHECK(to_string(error.mistakes().back()) ==
          "f: too many errors; the rest of the file was not checked");
  }
}

// ---- assembly and redundancy

TEST_CASE("hold, assembly_weight, compliance, redundancy_tolerance") {
  CHECK(body_line("hold: yes") ==
        "f:4:7: bodies.b.hold: must be true, false, position or orientation, got 'yes'");
  CHECK(body_line("assembly_weight: 0") ==
        "f:4:18: bodies.b.assembly_weight: must be greater than 0, got 0");
  CHECK(joint("kind: spherical, bodies: [b, c], at: [0, 0, 0], compliance: {force: 1}") ==
        "f:4:55: joints.j.compliance: 'moment' is missing (rad/(N m))");
  CHECK(
      joint("kind: spherical, bodies: [b, c], at: [0, 0, 0], compliance: {force: -1, moment: 1}") ==
      "f:4:75: joints.j.compliance.force: must be greater than 0, got -1");
  CHECK(after_body("redundancy_tolerance: 2") ==
        "f:4:23: redundancy_tolerance: must be between 0 and 0.1, got 2");
}

TEST_CASE("initial states") {
  CHECK(after_body("initial: {c: {}}") == "f:4:11: initial.c: there is no body 'c'");
  CHECK(after_body("initial: {b: {mass: 1}}") ==
        "f:4:15: initial.b.mass: unknown key (known: position, orientation, velocity, "
        "angular_velocity, let)");
  CHECK(after_body("initial: {b: {position: [0, 1/0, 0]}}") ==
        "f:4:29: initial.b.position[1]: must be a finite number, got '1/0'");
}

// ---- models made in memory

TEST_CASE("check_model finds the same without a file") {
  Model model;
  Body body;
  body.name = "a";
  body.mass = 1.0;
  body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  model.bodies = {body, body};
  model.bodies[1].position[2] = std::numeric_limits<double>::quiet_NaN();
  Joint joint;
  joint.name = "j\n";
  joint.body_i = "a";
  joint.body_j = "";
  model.joints = {joint};
  std::string all;
  for (const auto& mistake : check_model(model)) all += to_string(mistake) + "\n";
  CHECK(all ==
        "bodies.a: the name 'a' is used twice\n"
        "bodies.a.position: must be finite numbers\n"
        "joints.j?: a name must not contain control characters\n"
        "joints.j?.bodies[1]: there is no body ''\n");
  model.bodies = {body};
  model.joints.clear();
  CHECK(check_model(model).empty());
}

TEST_CASE("a mistake leaves out what is not known") {
  CHECK(to_string(Mistake{"f", 3, 4, "p", "r", "h"}) == "f:3:4: p: r (h)");
  CHECK(to_string(Mistake{"f", 3, 0, "", "r", ""}) == "f:3: r");
  CHECK(to_string(Mistake{"", 0, 0, "p", "r", ""}) == "p: r");
  CHECK(to_string(Mistake{"", 2, 5, "p", "r", ""}) == "line 2:5: p: r");
}
