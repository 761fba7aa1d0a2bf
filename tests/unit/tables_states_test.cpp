// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The sections tables and states of a model file, and functions that use them: what is read, and the message
// of each mistake.
#include <doctest/doctest.h>

#include <fstream>

#include "math/compiled_function.hpp"
#include "model/check_function.hpp"
#include "support/mistakes.hpp"
#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// A hinged body on lines 2 to 4, then the lines given from line 5 on.
std::string hinged(const std::string& lines) {
  return "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
         "joints:\n  h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n" +
         lines;
}
std::string fail(const std::string& lines) {
  return test::mistakes_of([&] { read_model_text(hinged(lines), "f"); });
}
std::string table(const std::string& entry) { return fail("tables:\n  p: {" + entry + "}\n"); }
std::string state(const std::string& entry) { return fail("states:\n  i: {" + entry + "}\n"); }
std::string load(const std::string& text) {
  return fail(
      "tables: {p: {points: [[0, 0], [1, 2]]}, m: {x: [0, 1], y: [0, 1], values: [[0, 0], "
      "[0, 1]]}}\nforces:\n  f: {kind: joint_spring_damper, joint: h, load: " +
      text + "}\n");
}

}  // namespace

TEST_CASE("tables and maps are read") {
  const Model model = read_model_text(
      hinged(
          "parameters: {s: 2}\n"
          "tables:\n  p: {points: [[0, 0], [1, 2], [2, s]], scale: [1, 3], interpolation: akima}\n"
          "  m: {x: [0, 1], y: [0, 1, 2], values: [[0, 1], [2, 3], [0, 1]], periodic: y, beyond: "
          "hold}\n  row_<k>: {repeat: {k: 2}, points: [[0, k], [1, 2*k]]}\n"
          "forces:\n  f: {kind: joint_spring_damper, joint: h, load: {table: p}}\n"
          "  g: {kind: torque, body: b, value: [0, 0, {table: row_2, of: 2*h.angle}]}\n"
          "  e: {kind: torque, body: b, value: [0, 0, \"m(h.angle, p(t))\"]}\n")
          .c_str(),
      "f");
  REQUIRE(model.tables.size() == 4);
  CHECK(model.tables[0].table->y == std::vector<double>{0, 6, 6});
  CHECK(model.tables[0].table->interpolation == Interpolation::akima);
  CHECK(model.tables[1].map->z == std::vector<double>{0, 1, 2, 3, 0, 1});
  CHECK(model.tables[1].map->periodic_y);
  CHECK(!model.tables[1].map->periodic_x);
  CHECK(model.tables[3].name == "row_2");
  CHECK(model.tables[3].table->y == std::vector<double>{2, 4});
}

TEST_CASE("a map is read from a grid") {
  const test::TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder.file(name); };
  std::ofstream(path("grid.csv")) << "# torque\nrpm,0,1000,2000\n0,0,1,2\n1,3,4,5\n";
  std::ofstream(path("bad.csv")) << ",0,1\n0,1\n";
  std::ofstream(path("model.yaml")) << hinged("tables: {m: {grid: grid.csv, scale: [2, 1, 10]}}\n");
  const Model model = read_model(path("model.yaml"));
  CHECK(model.tables[0].map->x == std::vector<double>{0, 2000, 4000});
  CHECK(model.tables[0].map->y == std::vector<double>{0, 1});
  CHECK(model.tables[0].map->z == std::vector<double>{0, 10, 20, 30, 40, 50});
  std::ofstream(path("bad.yaml")) << hinged("tables: {m: {grid: bad.csv}}\n");
  const std::string message = test::mistakes_of([&] { read_model(path("bad.yaml")); });
  CHECK(message.find("bad.csv:2:1: tables.m.grid: has 2 values, the first line has 3") !=
        std::string::npos);
}

TEST_CASE("mistakes in tables") {
  CHECK(table("points: [[0, 0], [0, 1]]") ==
        "f:6:24: tables.p.points[1]: x must increase from point to point");
  CHECK(table("points: 3") == "f:6:15: tables.p.points: must be a list of points [x, y], got '3'");
  CHECK(table("points: [[0, 0], [1, 1]], interpolation: spline") ==
        "f:6:48: tables.p.interpolation: must be linear, pchip, akima or cubic, got 'spline'");
  CHECK(table("points: [[0, 0], [1, 1]], interpolation: pchip, ends: natural") ==
        "f:6:55: tables.p.ends: 'natural' requires interpolation: cubic");
  CHECK(table("points: [[0, 0], [1, 1]], interpolation: linear, ends: clamped") ==
        "f:6:56: tables.p.ends: straight lines have no slopes to prescribe");
  CHECK(table("points: [[0, 0]]") == "f:6:3: tables.p: needs at least 2 points, got 1");
  CHECK(table("pints: [[0, 0], [1, 1]]").find("tables.p.pints: unknown key (did you mean") !=
        std::string::npos);
  CHECK(table("x: [0, 1], y: [0, 1], values: [[0, 1]]") ==
        "f:6:37: tables.p.values: must be a list of 2 rows, one for each number of 'y', got a list "
        "of 1");
  CHECK(table("x: [0, 0], y: [0, 1], values: [[0, 1], [0, 1]]") ==
        "f:6:10: tables.p.x: must increase, got 0 after 0");
  CHECK(table("x: 3, y: [0, 1], values: [[0, 1], [0, 1]]")
            .find("tables.p.x: must be a list of numbers, got '3'") != std::string::npos);
  CHECK(table("x: [0, 1], y: [0, 1], values: [[0, 1], [0, 1]], periodic: z") ==
        "f:6:65: tables.p.periodic: must be x, y or both, got 'z'");
  CHECK(table("x: [0, 1], y: [0, 1], values: [[0, 1], [0, 1]], periodic: x") ==
        "f:6:65: tables.p.periodic: the last values must repeat the first");
  CHECK(
      fail("tables:\n  sin: {points: [[0, 0], [1, 1]]}\n") ==
      "f:6:3: tables.sin: the name of a table must be a word (letters, digits and underscores, not "
      "a function or a unit)");
  CHECK(fail("parameters: {p: 1}\ntables:\n  p: {points: [[0, 0], [1, 1]]}\n") ==
        "f:7:3: tables.p: a parameter has the same name");
}

TEST_CASE("mistakes where tables are used") {
  CHECK(load("{table: q}") == "f:7:58: forces.f.load.table: there is no table 'q'");
  CHECK(
      load("{table: m}") ==
      "f:7:58: forces.f.load.table: 'm' is a map of two variables (call it in a formula: m(x, y))");
  CHECK(load("{table: p, of: h.agle}").find("forces.f.load.of: ") != std::string::npos);
  CHECK(load("{table: p, at: 1}").find("unknown key") != std::string::npos);
  CHECK(load("\"p(h.angle, 2)\"") == "f:7:60: forces.f.load: unexpected ',', expected ')'");
  CHECK(load("m(h.angle)") == "f:7:59: forces.f.load: unexpected ')', expected ','");
  CHECK(load("q(h.angle)") == "f:7:50: forces.f.load: unknown name 'q'");
  CHECK(fail("tables: {p: {points: [[0, 0], [1, 2]], interpolation: pchip}}\ndrivers:\n  d: "
             "{joint: h, "
             "angle: p(t)}\n") ==
        "f:7:24: drivers.d.angle: 'p' of t is not smooth enough for a driver (use interpolation: "
        "cubic)");
  CHECK(
      fail("drivers:\n  d: {joint: h, angle: {table: {points: [[0, 0], [1, 2]], interpolation: "
           "linear}}}\n") ==
      "f:6:32: drivers.d.angle.table: a driver needs a continuous acceleration (use interpolation: "
      "cubic)");
  CHECK(fail("forces:\n  f: {kind: joint_spring_damper, joint: h, energy: {table: {points: [[0, "
             "0], [1, "
             "2]], interpolation: linear}}}\n") ==
        "f:6:60: forces.f.energy.table: the force of an energy must not jump (use interpolation: "
        "cubic or pchip)");
}

TEST_CASE("states are read, and formulas use them") {
  const Model model = read_model_text(
      hinged("states:\n  i: {initial: 2, rate: 1 - h.angle + u, scale: 3, unit: A}\n"
             "  u: {period: 0.5, next: i + u}\n"
             "forces: {f: {kind: torque, body: b, value: [0, 0, i]}}\n"),
      "f");
  REQUIRE(model.states.size() == 2);
  CHECK(model.states[0].initial == 2);
  CHECK(model.states[0].scale == 3);
  CHECK(model.states[0].unit == "A");
  CHECK(!model.states[0].period);
  CHECK(*model.states[1].period == 0.5);
}

TEST_CASE("mistakes in states") {
  CHECK(state("initial: 1") == "f:6:3: states.i: 'rate' is missing");
  CHECK(state("rate: [1]").find("states.i.rate: must be a number, an expression") !=
        std::string::npos);
  CHECK(state("rate: h.angel") ==
        "f:6:13: states.i.rate: unknown name 'h.angel' (did you mean 'h.angle'?)");
  CHECK(state("rate: 1, period: 2") ==
        "f:6:7: states.i.rate: a sampled state has no 'rate' (write 'next', its next value)");
  CHECK(state("next: 1") ==
        "f:6:7: states.i.next: requires 'period' (a continuous state has a 'rate')");
  CHECK(state("period: 1") == "f:6:3: states.i: 'next' is missing");
  CHECK(state("period: 0, next: 1") == "f:6:15: states.i.period: must be greater than 0");
  CHECK(state("period: fast, next: 1").find("states.i.period: unknown name 'fast'") !=
        std::string::npos);
  CHECK(state("rate: 1, scale: -1") == "f:6:23: states.i.scale: must be greater than 0");
  CHECK(state("rate: 1, initial: x").find("states.i.initial: unknown name 'x'") !=
        std::string::npos);
  CHECK(state("rate: 1, start: 0").find("states.i.start: unknown key") != std::string::npos);
  CHECK(fail("states: {t: {rate: 1}}\n") == "f:5:10: states.t: 't' has a meaning in formulas");
  CHECK(
      fail("states:\n  i: {rate: 1}\ndrivers:\n  d: {joint: h, angle: 2*i}\n") ==
      "f:8:26: drivers.d.angle: 'i' is a state: a driver can depend on t only (let a force follow "
      "it)");
}
