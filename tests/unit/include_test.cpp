// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `include`: the model that a file with included files gives, and what is refused, with its message.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/mistakes.hpp"
#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// A leg from `foot` to a body of the including model, on a universal joint and a ball.
const std::string leg =
    "trammel: 1\n"
    "parameters: {foot: [0, 0, 0], top: , width: 20 mm}\n"
    "bodies:\n"
    "  rod:\n"
    "    position: (foot + top)/2\n"
    "    shape: {box: [width, width, norm(top - foot)], density: 2700}\n"
    "joints:\n"
    "  base: {kind: spherical, bodies: [ground, rod], at: foot}\n"
    "  ball: {kind: spherical, bodies: [rod, platform], at: top}\n"
    "  spin: {kind: orientation, bodies: [ground, rod]}\n"
    "forces:\n"
    "  pull: {kind: torque, body: rod, value: [0, 0, rod.position.z*rod.velocity.x + width*3 N]}\n"
    "points: {lift: {body: platform, at: [0, 0, width]}}\n"
    "outputs: {height: lift.position.z, twice: 2*height}\n";

std::string model_with(const std::string& include, const std::string& more = "") {
  return "trammel: 1\nbodies: {deck: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}}\n"
         "include:\n  " +
         include + "\n" + more;
}

// A file in the section `files`.
std::string embedded(const std::string& name, const std::string& text) {
  std::string lines = "files:\n  " + name + ": |\n";
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    lines += "    " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return lines;
}

std::string fail(const std::string& include, const std::string& file = leg,
                 const std::string& more = "") {
  return test::mistakes_of(
      [&] { read_model_text(model_with(include, more + embedded("leg.yaml", file)), "f"); });
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

const char* const good =
    "leg_<k>: {repeat: {k: 2}, file: leg.yaml, parameters: {foot: [0.2*k, 0, 0], top: [0, 0, 1 "
    "m]}, "
    "connect: {platform: deck}}";

}  // namespace

TEST_CASE("a file included twice") {
  const Model model = read_model_text(model_with(good, embedded("leg.yaml", leg)), "f");
  REQUIRE(model.bodies.size() == 3);
  CHECK(model.bodies[1].name == "leg_1_rod");
  CHECK(model.bodies[2].name == "leg_2_rod");
  CHECK(model.bodies[2].position == Vec3{0.2, 0, 0.5});
  CHECK(std::get<Box>(model.bodies[1].shapes[0].geometry).size[0] == 0.02);
  REQUIRE(model.joints.size() == 6);
  CHECK(model.joints[3].name == "leg_2_base");
  CHECK(model.joints[3].body_i == "ground");
  CHECK(model.joints[4].body_i == "leg_2_rod");
  CHECK(model.joints[4].body_j == "deck");
  const auto& torque = std::get<VariableTorque>(model.forces[1].law);
  CHECK(torque.body == "leg_2_rod");
  CHECK(std::get<Formula>(torque.value[2].form).text ==
        "leg_2_rod.position.z*leg_2_rod.velocity.x + width*3 N");
  CHECK(model.points[1].name == "leg_2_lift");
  CHECK(model.points[1].body == "deck");
  CHECK(model.outputs[3].name == "leg_2_twice");
  CHECK(model.outputs[3].formula.text == "2*leg_2_height");
  CHECK(model.parameters.empty());
}

TEST_CASE("included files come from the folder of the file that includes them") {
  const test::TemporaryFolder folder;
  const std::string top = folder.file("top.yaml");
  std::filesystem::create_directories(folder.file("") + "parts/inner");
  write(top, model_with("a: {file: parts/pair.yaml, connect: {board: deck}}"));
  write(folder.file("") + "parts/pair.yaml",
        "trammel: 1\ninclude:\n  x: {file: inner/one.yaml, parameters: {m: 3 kg}, connect: {p: "
        "board}}\n  y: {file: inner/one.yaml, parameters: {m: 500 g}, connect: {p: board}}\n");
  write(
      folder.file("") + "parts/inner/one.yaml",
      "trammel: 1\nparameters: {m: 1 kg}\nbodies: {w: {mass: m, inertia: [1, 1, 1]}}\n"
      "joints: {j: {kind: distance, bodies: [p, w], at: [[0, 0, 0], [1, 0, 0]]}}\n"
      "drivers: {d: {bodies: [ground, w], points: [[0, 0, 0], [0, 0, 0]], distance: {table: {file: "
      "law.csv, beyond: hold}}}}\n");
  write(folder.file("") + "parts/inner/law.csv", "0,1\n1,1\n2,1\n3,1\n");
  const Model model = read_model(top);
  REQUIRE(model.bodies.size() == 3);
  CHECK(model.bodies[1].name == "a_x_w");
  CHECK(model.bodies[1].mass == 3);
  CHECK(model.bodies[2].mass == 0.5);
  CHECK(model.joints[1].body_i == "deck");
  CHECK(model.joints[1].body_j == "a_y_w");

  // the text kept with the model is the whole of it
  const Model again = read_model_text(model.text, top);
  CHECK(again.bodies.size() == 3);
  CHECK(again.bodies[2].mass == 0.5);
  CHECK(again.joints[1].name == "a_y_j");
  CHECK(again.text == model.text);

  // outside the folder, and in circles
  write(folder.file("") + "parts/pair.yaml", "trammel: 1\ninclude: {x: {file: ../../up.yaml}}\n");
  CHECK(test::mistakes_of([&] { read_model(top); }).find("is outside the model's folder") !=
        std::string::npos);
  write(folder.file("") + "parts/pair.yaml", "trammel: 1\ninclude: {x: {file: none.yaml}}\n");
  CHECK(test::mistakes_of([&] { read_model(top); }) ==
        folder.file("") +
            "parts/pair.yaml:2:21: include.x.file: there is no file 'parts/none.yaml' in "
            "the model's folder");
  write(folder.file("") + "parts/pair.yaml", "trammel: 1\ninclude: {x: {file: inner/one.yaml}}\n");
  write(folder.file("") + "parts/inner/one.yaml",
        "trammel: 1\ninclude: {x: {file: ../pair.yaml}}\n");
  CHECK(test::mistakes_of([&] { read_model(top); }) ==
        folder.file("") +
            "parts/inner/one.yaml:2:21: include.x.file: files include each other in a "
            "cycle: top.yaml → parts/pair.yaml → parts/inner/one.yaml → parts/pair.yaml");
  write(folder.file("") + "parts/inner/one.yaml",
        "trammel: 1\ninclude: {x: {file: ../../top.yaml}}\n");
  CHECK(test::mistakes_of([&] { read_model(top); }).find("→ top.yaml") != std::string::npos);
}

TEST_CASE("bad includes") {
  CHECK(fail("leg: 3") == "f:4:8: include.leg: must be a map of keys and values, got '3'");
  CHECK(fail("leg: {parameters: {}}") == "f:4:3: include.leg: 'file' is missing");
  CHECK(fail("leg: {file: [1]}") == "f:4:15: include.leg.file: must be a word, got a list of 1");
  CHECK(fail("leg: {fiel: leg.yaml}").find("include.leg.fiel: unknown key") != std::string::npos);
  CHECK(fail("leg: {file: lag.yaml}") ==
        "f:4:15: include.leg.file: there is no file 'lag.yaml' in the section 'files'");
  const std::string before = "leg: {file: leg.yaml, connect: {platform: deck}, parameters: ";
  CHECK(
      fail(before + "{top: [0, 0, 1], tpo: 3}}") ==
      "f:4:81: include.leg.parameters.tpo: the file has no parameter 'tpo' (did you mean 'top'?)");
  CHECK(
      fail(before + "{}}") ==
      "f:4:3: include.leg: the parameter 'top' of the file has no value (give it in 'parameters')");
  CHECK(fail(before + "{top: [0, 0, 1], width: 3 kg}}") ==
        "f:4:88: include.leg.parameters.width: must be in m, as in the file, got '3 kg'");
  CHECK(fail(before + "{top: [0, 0, 1], width: 30}}") ==
        "f:4:88: include.leg.parameters.width: must be in m, as in the file, got '30'");
  CHECK(fail(before + "{top: [0, 0, 1], foot: 30}}") ==
        "f:4:87: include.leg.parameters.foot: must be a vector, got '30'");
  CHECK(fail(before + "[1]}") ==
        "f:4:64: include.leg.parameters: must be a map of keys and values, got a list of 1");
  const std::string connect = "leg: {file: leg.yaml, parameters: {top: [0, 0, 1]}, connect: ";
  CHECK(fail(connect + "{platform: deck, plate: deck}}") ==
        "f:4:81: include.leg.connect.plate: the file does not use the name 'plate'");
  CHECK(fail(connect + "3}") ==
        "f:4:64: include.leg.connect: must be a map of keys and values, got '3'");
  CHECK(fail(connect + "{}}").find("there is no body 'leg_platform'") != std::string::npos);
}

TEST_CASE("errors in an included file are in that file") {
  CHECK(fail("leg: {file: leg.yaml}", "trammel: 1\nbodies: {b: {mass: 5 mm}}\n") ==
        "leg.yaml:2:20: bodies.b.mass: must be in kg, got '5 mm' in m");
  CHECK(fail("leg: {file: leg.yaml}", "trammel: 1\nbodies: {b: {masss: 5}}\n")
            .find("leg.yaml:2:14: bodies.b.masss: unknown key") == 0);
  CHECK(fail("leg: {file: leg.yaml}", "trammel: 1\nbodies: {b: {mass: 1}}\n")
            .find("leg.yaml:2:10: bodies.leg_b") == 0);
  CHECK(fail("leg: {file: leg.yaml}", "trammel: 1\nbodies: {b: [}\n").find("leg.yaml:2:") == 0);
  CHECK(fail("leg: {file: leg.yaml}", "bodies: {}\n") ==
        "leg.yaml:1:1: the format version must be 1 (the file should start with 'trammel: 1')");
  CHECK(
      fail("leg: {file: leg.yaml}", "trammel: 1\ngravity: [0, 0, 1]\n") ==
      "leg.yaml:2:1: gravity: cannot be in an included file (it belongs in the model that includes "
      "it)");
  CHECK(fail("leg: {file: leg.yaml}", "trammel: 1\ndimension: 2\n") ==
        "leg.yaml:2:12: dimension: must be 3, as in the model that includes the file");
  CHECK(fail("leg: {file: leg.yaml}",
             "trammel: 1\nbodies: {d: {mass: 1, inertia: [1, 1, 1]}}\nforces: {f: {kind: torque, "
             "body: d, value: [0, 0, t*outer]}}\n",
             "parameters: {outer: 3}\n") ==
        "leg.yaml:3:51: forces.f.value[2]: unknown name 'outer' (give it to the included file as a "
        "parameter)");
  // the same error of two instances is one
  CHECK(fail("leg_<k>: {repeat: {k: 3}, file: leg.yaml}", "trammel: 1\nbodies: {b: {mass: x}}\n") ==
        "leg.yaml:2:20: bodies.b.mass: unknown name 'x'");
}

TEST_CASE("includes have limits") {
  std::string files = "files:\n";
  for (int k = 0; k < 20; ++k) {
    files += "  f" + std::to_string(k) + ".yaml: \"trammel: 1\\ninclude: {a: {file: f" +
             std::to_string(k + 1) + ".yaml}}\"\n";
  }
  const auto mistakes = [](const std::string& text) {
    return test::mistakes_of([&] { read_model_text(text, "f"); });
  };
  CHECK(mistakes(model_with("a: {file: f0.yaml}", files))
            .find("files are included more than 16 deep") != std::string::npos);
  // ten times ten times ten …
  files = "files:\n";
  for (int k = 0; k < 9; ++k) {
    files += "  f" + std::to_string(k) +
             ".yaml: \"trammel: 1\\ninclude: {a_<i>: {repeat: {i: 10}, file: f" +
             std::to_string(k + 1) + ".yaml}}\"\n";
  }
  files += "  f9.yaml: \"trammel: 1\\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\"\n";
  const std::string error = mistakes(model_with("a: {file: f0.yaml}", files));
  CHECK((error.find("files are included more than 20000 times in total") != std::string::npos));
}
