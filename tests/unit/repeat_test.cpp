// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `repeat`: large regular models from short files.
#include <doctest/doctest.h>

#include <cmath>

#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

const std::string models = TRAMMEL_MODELS_DIR;

Model read(const std::string& sections) {
  return read_model_text("trammel: 1\n" + sections, "test.yaml");
}

std::string fail(const std::string& sections) {
  return test::mistakes_of([&] { read(sections); });
}

}  // namespace

TEST_CASE("a chain") {
  const Model model = read_model(models + "/gallery/chain.yaml", {{"links", 4}, {"total", 2}});
  REQUIRE(model.bodies.size() == 4);
  CHECK(model.bodies[0].name == "link_1");
  CHECK(model.bodies[3].name == "link_4");
  CHECK(model.bodies[3].position == Vec3{1.75, 0, 0});
  REQUIRE(model.joints.size() == 4);
  CHECK(model.joints[0].name == "anchor");
  CHECK(model.joints[3].name == "pin_4");
  CHECK(model.joints[3].body_i == "link_3");
  CHECK(model.joints[3].body_j == "link_4");
  CHECK(std::get<LocalPlacement>(model.joints[3].placement).point_i == Vec3{0.25, 0, 0});
  // a range that ends just before it starts is empty
  CHECK(read_model(models + "/gallery/chain.yaml", {{"links", 1}}).joints.size() == 1);
}

TEST_CASE("a grid: the last index runs fastest") {
  const Model model = read(
      "bodies:\n  n_<i>_<j+10>:\n    repeat: {i: [-1, 0], j: 3}\n    mass: 1\n"
      "    inertia: [1, 1, 1]\n    position: [i, j, i*j]\n");
  REQUIRE(model.bodies.size() == 6);
  CHECK(model.bodies[0].name == "n_-1_11");
  CHECK(model.bodies[1].name == "n_-1_12");
  CHECK(model.bodies[3].name == "n_0_11");
  CHECK(model.bodies[2].position == Vec3{-1, 3, -3});
}

TEST_CASE("forces and everything inside an entry see the index") {
  const Model model = read(
      "bodies:\n  b_<k>:\n    repeat: {k: 3}\n"
      "    orientation: {axis: [0, 0, 1], angle: k*90 deg}\n"
      "    shape: [{sphere: k, density: 10*k}, {box: [k, k, k]}]\n"
      "forces:\n  f_<k>: {repeat: {k: 3}, kind: force, body: b_<4-k>, value: [k, 0, 0]}\n");
  REQUIRE(model.forces.size() == 3);
  CHECK(std::get<PointForce>(model.forces[2].law).body == "b_1");
  CHECK(std::get<PointForce>(model.forces[2].law).value == Vec3{3, 0, 0});
  CHECK(std::get<Sphere>(model.bodies[2].shapes[0].geometry).radius == 3);
  CHECK(model.bodies[2].shapes[0].density == 30);
  CHECK(model.bodies[1].orientation[3] == doctest::Approx(1));
}

TEST_CASE("outside a repeated entry < and > are letters like any other") {
  CHECK(read("bodies: {b_<k>: {mass: 1, inertia: [1, 1, 1]}}\n").bodies[0].name == "b_<k>");
}

TEST_CASE("mistakes") {
  const std::string rest = ", mass: 1, inertia: [1, 1, 1]}}\n";
  CHECK(fail("bodies: {b_<k>: {repeat: {k: 1e12}" + rest) ==
        "test.yaml:2:26: bodies.b_<k>.repeat: gives 1000000000000 bodies, joints and forces "
        "in total; at most 2000000 are allowed");
  CHECK(fail("bodies: {b_<i>_<j>: {repeat: {i: 2000, j: 2000}" + rest) ==
        "test.yaml:2:30: bodies.b_<i>_<j>.repeat: gives 4000000 bodies, joints and forces "
        "in total; at most 2000000 are allowed");
  CHECK(fail("bodies: {b: {repeat: {k: 3}" + rest) ==
        "test.yaml:2:10: bodies.b: is repeated, so its name must contain the index ('b_<k>')");
  CHECK(fail("bodies: {b_<k>: {repeat: {k: 2.5}" + rest) ==
        "test.yaml:2:30: bodies.b_<k>.repeat.k: must be a whole number, got '2.5'");
  CHECK(fail("bodies: {b_<k>: {repeat: {k: [5, 2]}" + rest) ==
        "test.yaml:2:30: bodies.b_<k>.repeat.k: runs from 5 to 2, which is backwards");
  CHECK(fail("bodies: {b_<k>: {repeat: {k: -1}" + rest) ==
        "test.yaml:2:30: bodies.b_<k>.repeat.k: runs from 1 to -1, which is backwards");
  CHECK(fail("bodies: {b_<k>: {repeat: 5" + rest) ==
        "test.yaml:2:26: bodies.b_<k>.repeat: must be a map of keys and values, got '5'");
  CHECK(fail("bodies: {b_<k>: {repeat: {}" + rest) ==
        "test.yaml:2:26: bodies.b_<k>.repeat: must name one to 4 indices, got 0 (write repeat: {k: "
        "10})");
  CHECK(fail("bodies: {b_<k>: {repeat: {pi: 3}" + rest) ==
        "test.yaml:2:27: bodies.b_<k>.repeat.pi: cannot be the name of an index (use a word like "
        "k)");
  CHECK(fail("parameters: {k: 1}\nbodies: {b_<k>: {repeat: {k: 3}" + rest) ==
        "test.yaml:3:27: bodies.b_<k>.repeat.k: there is a parameter of this name; choose another "
        "for the index");
  CHECK(fail("bodies: {b_<j>: {repeat: {k: 3}" + rest) ==
        "test.yaml:2:13: bodies.b_<j>: unknown name 'j'");
  CHECK(fail("bodies: {b_<k/2>: {repeat: {k: 3}" + rest) ==
        "test.yaml:2:10: bodies.b_<k/2>: the number between < and > must be whole");
  CHECK(fail("bodies: {b_<k: {repeat: {k: 3}" + rest) ==
        "test.yaml:2:12: bodies.b_<k: '<' without '>' (an index is written <k>)");
  CHECK(fail("bodies: {b_<floor(k/2)>: {repeat: {k: 3}" + rest) ==
        "test.yaml:2:10: bodies.b_1: the name 'b_1' is used twice");
}

TEST_CASE("a formula may name the state only by names with an index in them") {
  const Model model = read(
      "bodies: {b_<k>: {repeat: {k: 2}, mass: 1, inertia: [1, 1, 1]}}\n"
      "forces: {f_<k>: {repeat: {k: 2}, kind: torque, body: b_<k>, value: [0, 0, "
      "-b_<k>.velocity.x]}}\n");
  const auto& law = std::get<VariableTorque>(model.forces[1].law);
  CHECK(std::get<Formula>(law.value[2].form).text == "-b_2.velocity.x");
  const Model joined = read(
      "bodies: {b_<k>: {repeat: {k: 2}, mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {j_<k>: {repeat: {k: 2}, kind: revolute, bodies: [ground, b_<k>], at: [0, 0, 0], "
      "axis: [0, 0, 1]}}\n"
      "forces: {f_<k>: {repeat: {k: 2}, kind: torque, body: b_<k>, value: [0, 0, "
      "-j_<k>.angle]}}\n");
  CHECK(std::get<Formula>(std::get<VariableTorque>(joined.forces[1].law).value[2].form).text ==
        "-j_2.angle");
}

TEST_CASE("a mistake in a repeated entry is told once") {
  CHECK(
      fail("bodies:\n  b_<k>:\n    repeat: {k: 1000}\n    mass: 5 - k\n    inertia: [1, 1, 1]\n") ==
      "test.yaml:5:11: bodies.b_6.mass: must not be negative, got -1");
  CHECK(fail("bodies:\n  b_<k>:\n    repeat: {k: 1000}\n    mass: 1/(3 - k)\n"
             "    inertia: [1, 1, 1]\n") ==
        "test.yaml:5:11: bodies.b_<k>.mass: must be a finite number, got '1/(3 - k)'");
  CHECK(fail("bodies:\n  b_<k>:\n    repeat: {k: 1000}\n    mass: kk\n    inertia: [1, 1, 1]\n"
             "joints:\n  j_<k>: {repeat: {k: 1000}, kind: spherical, bodies: [b_<k>, ground], "
             "at: [0, 0, 0]}\n") ==
        "test.yaml:5:11: bodies.b_<k>.mass: unknown name 'kk' (did you mean 'k'?)");
}

TEST_CASE("work and memory are limited") {
  std::string sum = "k";
  for (int i = 0; i < 4900; ++i) sum += "+k";
  CHECK(fail("bodies:\n  b_<k>:\n    repeat: {k: 2000000}\n    mass: " + sum +
             "\n    inertia: [1, 1, 1]\n") ==
        "test.yaml:5:11: bodies.b_<k>.mass: the expressions of the repeated entries take more than "
        "500000000 operations");
  std::string shapes = "{sphere: 1}";
  for (int i = 0; i < 9999; ++i) shapes += ", {sphere: 1}";
  CHECK(fail("bodies:\n  b_<k>:\n    repeat: {k: 2000000}\n    mass: 1\n    shape: [" + shapes +
             "]\n") ==
        "test.yaml:6:12: bodies.b_<k>.shape: gives more than 2000000 shapes in total");
}

TEST_CASE("a chain of 200,000 links") {
  const Model model = read_model(models + "/gallery/chain.yaml", {{"links", 200'000}});
  CHECK(model.bodies.size() == 200'000);
  CHECK(model.joints.back().body_j == "link_200000");
}
