// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Kinds and keys named as in other programs: the message says what they are called here.
#include "format/other_names.hpp"

#include <doctest/doctest.h>

#include <trammel/trammel.hpp>

#include "support/mistakes.hpp"

using namespace trammel;

namespace {

std::string fail(const std::string& text) {
  return test::mistakes_of([&] { read_model_text(text, "f"); });
}

// What is said of the kind of an entry in a section, without its place.
std::string hint_of_kind(const std::string& section, const std::string& word, int dimension = 3) {
  const std::string message = fail("trammel: 1\ndimension: " + std::to_string(dimension) +
                                   "\nbodies: {b: {mass: 1, shape: {sphere: 1}}}\n" + section +
                                   ": {x: {kind: " + word + "}}\n");
  const std::string start = "f:4:" + std::to_string(section.size() + 14) + ": " + section +
                            ".x.kind: unknown kind '" + word + "' (";
  if (!message.starts_with(start)) return "unexpected: " + message;
  const std::string rest = message.substr(start.size(), message.find('\n') - start.size());
  return rest.substr(0, rest.rfind(')'));
}

std::string did_you_mean(const std::string& word) { return "did you mean '" + word + "'?"; }

using Pairs = std::vector<std::pair<std::string, std::string>>;

}  // namespace

TEST_CASE("kinds of joints in other programs") {
  for (const auto& [other, ours] : Pairs{{"hinge", "revolute"},
                                         {"pin", "revolute"},
                                         {"continuous", "revolute"},
                                         {"Revolute", "revolute"},
                                         {"revolute_joint", "revolute"},
                                         {"RevoluteJoint", "revolute"},
                                         {"LockRevolute", "revolute"},
                                         {"prismatic", "translational"},
                                         {"LockPrismatic", "translational"},
                                         {"slider", "translational"},
                                         {"ball", "spherical"},
                                         {"ball-and-socket", "spherical"},
                                         {"weld", "fixed"},
                                         {"cardan", "universal"},
                                         {"hooke", "universal"},
                                         {"u_joint", "universal"},
                                         {"helical", "screw"},
                                         {"convel", "constant_velocity"},
                                         {"inline", "point_on_line"},
                                         {"inplane", "point_in_plane"},
                                         {"ptcv", "point_on_curve"},
                                         {"pin_slot", "revolute_translational"},
                                         {"rod", "distance"}}) {
    CHECK(hint_of_kind("joints", other) == did_you_mean(ours));
  }
  // in the plane only what exists there
  CHECK(hint_of_kind("joints", "ball", 2) == did_you_mean("revolute"));
  CHECK(hint_of_kind("joints", "pin_slot", 2) == did_you_mean("point_on_line"));
  CHECK(hint_of_kind("joints", "cardan", 2)
            .starts_with("unexpected: f:4:20: joints.x.kind: must be"));
  // not joints here
  CHECK(hint_of_kind("joints", "free") ==
        "a body without joints moves freely: leave the joint out");
  CHECK(hint_of_kind("joints", "bushing") == "give it in the section forces");
  CHECK(hint_of_kind("joints", "rackpin") ==
        "it connects joints, not bodies: give it in the section couplers");
  CHECK(hint_of_kind("joints", "contact") == "contact is not supported");
}

TEST_CASE("kinds of forces and couplers in other programs") {
  for (const auto& [other, ours] : Pairs{{"spring", "spring_damper"},
                                         {"TSDA", "spring_damper"},
                                         {"damper", "spring_damper"},
                                         {"gas_spring", "gas_strut"},
                                         {"bistop", "stop"},
                                         {"cable", "one_sided_spring"},
                                         {"coulomb", "friction"},
                                         {"sforce", "nonlinear_spring"},
                                         {"torsion_spring", "joint_spring_damper"},
                                         {"RSDA", "joint_spring_damper"},
                                         {"vforce", "force"},
                                         {"moment", "torque"},
                                         {"field", "bushing"},
                                         {"viscous", "drag"},
                                         {"wind", "aerodynamic_drag"},
                                         {"attraction", "gravitation"}}) {
    CHECK(hint_of_kind("forces", other) == did_you_mean(ours));
  }
  CHECK(hint_of_kind("forces", "motor").starts_with("use joint_spring_damper with 'load'"));
  CHECK(hint_of_kind("forces", "contact") == "contact is not supported");
  CHECK(hint_of_kind("forces", "gravity") ==
        "gravity is a key of the model: gravity: [0, 0, -9.81]");
  CHECK(hint_of_kind("couplers", "chain") == did_you_mean("belt"));
  CHECK(hint_of_kind("couplers", "rack") == did_you_mean("rack_and_pinion"));
}

TEST_CASE("keys of other programs") {
  const std::string body = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n";
  const auto top = [&](const std::string& key) {
    return fail("trammel: 1\n" + body + key + ": {}\n");
  };
  CHECK(top("motions") == "f:3:1: motions: unknown key (did you mean 'drivers'?)");
  CHECK(top("loads") == "f:3:1: loads: unknown key (did you mean 'forces'?)");
  CHECK(top("constraints") == "f:3:1: constraints: unknown key (did you mean 'joints'?)");
  CHECK(top("Joints") == "f:3:1: Joints: unknown key (did you mean 'joints'?)");
  CHECK(fail("trammel: 1\nlinks: {}\n").find("links: unknown key (did you mean 'bodies'?)") !=
        std::string::npos);
  CHECK(fail("trammel: 1\n" + body + "joints: {j: {type: revolute}}\n")
            .find("joints.j.type: unknown key (did you mean 'kind'?)") != std::string::npos);
  CHECK(fail("trammel: 1\n" + body + "joints: {j: {kind: fixed, parent: ground, child: b}}\n")
            .find("joints.j.parent: unknown key (give both as bodies: [first, second])") !=
        std::string::npos);
  CHECK(fail("trammel: 1\n" + body + "drivers: {d: {kind: motion, joint: j, angle: t}}\n")
            .starts_with("f:3:15: drivers.d.kind: unknown key (a driver has no kind;"));
  CHECK(fail("trammel: 1\n" + body + "drivers: {d: {joint: j, speed: 2}}\n")
            .find("drivers.d.speed: unknown key (did you mean 'angle_rate'?)") !=
        std::string::npos);
  CHECK(fail("trammel: 1\n" + body + "simulation: {duration: 2, dt: 0.1}\n") ==
        "f:3:14: simulation.duration: unknown key (did you mean 't_end'?)\n"
        "f:3:27: simulation.dt: unknown key (did you mean 'fixed_step'?)");
}

TEST_CASE("a tab in the indentation") {
  const std::string said = "a tab in the indentation (YAML is indented with spaces only)";
  CHECK(fail("trammel: 1\nbodies:\n\tb: {mass: 1}\n") == "f:3:1: " + said);
  CHECK(fail("trammel: 1\nbodies:\n  b:\n  \tmass: 1\n  \tinertia: [1, 1, 1]\n") ==
        "f:4:3: " + said);
  CHECK(fail("trammel: 1\nbodies:\n  b:\n    inertia: [1, 1, 1]\n\tmass: 1\n") == "f:5:1: " + said);
  CHECK(fail("trammel: 1\n\tbodies:\n  b: {mass: 1}\n") == "f:2:1: " + said);
  // a tab elsewhere is a blank; an error elsewhere is not blamed on it
  const std::string fine = "trammel: 1\nbodies:\n  b: {mass:\t1,\n\tinertia: [1, 1, 1]}\n";
  CHECK(fail(fine) == "accepted");
  CHECK(fail(fine + "\n\njoints: a: b\n") == "f:7:10: not YAML: illegal map value");
}
