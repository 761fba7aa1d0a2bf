// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers far from 1: directions are normalised whatever their length, all else is refused where an
// evaluation would overflow, and no run reports numbers that are not finite.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <trammel/trammel.hpp>

#include "record/quantities.hpp"
#include "support/mistakes.hpp"

using namespace trammel;

namespace {

std::string with(const std::string& joint, const std::string& body = "") {
  return "trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
         "  b: {mass: 1, inertia: [1, 1.5, 2], position: [1, 0, 0]" +
         body +
         "}\n"
         "joints:\n  j: {" +
         joint + "}\nsimulation: {t_end: 0.5}\n";
}

std::vector<double> run(const std::string& text) {
  const Model model = read_model_text(text, "f");
  const Results results = simulate(compile(model), model.simulation);
  CHECK(results.status.outcome == Outcome::finished);
  return results.position;
}

}  // namespace

TEST_CASE(
    "the length of an axis does not matter, down to the smallest number and up to the largest") {
  const auto joint = [](double length) {
    return with(
        fmt::format("kind: revolute, bodies: [ground, b], at: [0, 0, 0], "
                    "axis: [0, {0}, {0}]",
                    length));
  };
  const std::vector<double> expected = run(joint(1.0));
  for (const double length : {0x1p600, 0x1p-600, 0x1p-1074, 0x1p1023}) {
    CAPTURE(length);
    CHECK(run(joint(length)) == expected);
  }
}

TEST_CASE("the length of vectors in the frames of bodies does not matter") {
  const auto joint = [](double a, double b) {
    return with(
        fmt::format("kind: revolute, bodies: [ground, b], points: [[0, 0, 0], [-1, 0, 0]], "
                    "a_i: [{0}, 0, {0}], b_i: [0, {1}, 0], a_j: [{1}, 0, -{1}]",
                    a, b));
  };
  const std::vector<double> expected = run(joint(1.0, 1.0));
  CHECK(run(joint(0x1p600, 0x1p-600)) == expected);
  CHECK(run(joint(0x1p-1073, 0x1p1023)) == expected);
}

TEST_CASE("the length of the axis of an orientation does not matter") {
  const auto model = [](double length) {
    return with("kind: spherical, bodies: [ground, b], points: [[0, 0, 0], [-1, 0, 0]]",
                fmt::format(", orientation: {{axis: [0, 0, {}], angle: 0.5}}", length));
  };
  const std::vector<double> expected = run(model(1.0));
  for (const double length : {0x1p600, 0x1p-600, 0x1p-1074}) CHECK(run(model(length)) == expected);
}

TEST_CASE("numbers that an evaluation cannot multiply are refused with the reason") {
  const auto body = [](const std::string& text) {
    return test::mistakes_of(
        [&] { read_model_text("trammel: 1\nbodies:\n  b: {" + text + "}\n", "f"); });
  };
  CHECK(body("mass: 1e60, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.mass: must be between 1e-50 and 1e+50, got 1e+60");
  CHECK(body("mass: 1e-170, inertia: [1, 1, 1]") ==
        "f:3:13: bodies.b.mass: must be between 1e-50 and 1e+50, got 1e-170");
  CHECK(body("mass: 1, inertia: [1e-60, 1e-60, 1e-60]") ==
        "f:3:25: bodies.b.inertia: must be at least 1e-50, has principal moments 1e-60, 1e-60, "
        "1e-60");
  CHECK(body("mass: 1, inertia: [1, 1, 1], position: [0, -1e155, 0]") ==
        "f:3:46: bodies.b.position: must be at most 1e+50 in magnitude, got -1e+155");
  CHECK(body("density: 1, shape: {box: [1e30, 1e30, 1e30]}") ==
        "f:3:26: bodies.b.shape: gives a mass of 1e+90, which must be between 1e-50 and 1e+50");
  CHECK(
      body("mass: 1, shape: {sphere: 1e-40}") ==
      "f:3:23: bodies.b.shape: gives a moment of inertia of 4e-81, which must be between 1e-50 and "
      "1e+50");
}

// ---- every number of a model in turn

namespace {

struct Token {
  std::size_t begin, size;
};

std::vector<Token> find_numbers(const std::string& text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char before = at == 0 ? '\n' : text[at - 1];
    const bool starts = std::isdigit(static_cast<unsigned char>(text[at])) != 0 &&
                        std::string_view(" [-(*/+,").find(before) != std::string_view::npos;
    std::size_t end = at + 1;
    if (starts) {
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) {
        ++end;
      }
      tokens.push_back({at, end - at});
    }
    at = end;
  }
  return tokens;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// A run may be refused or fail; what it reports are numbers.
void check_run(const std::string& text) {
  try {
    Model model = read_model_text(text, "f");
    model.simulation.max_steps = 5;
    model.simulation.output_interval = model.simulation.t_end / 10;
    if (!check_model(model).empty()) return;
    const Results results = simulate(compile(model), model.simulation);
    for (const Quantity& quantity : quantities()) {
      CAPTURE(std::string(quantity.name));
      CAPTURE(results.status.message);
      CHECK(all_finite(results.*quantity.column));
    }
    CHECK(std::isfinite(results.energy.balance_error_max));
  } catch (const ModelError& error) {
    CHECK(std::string(error.what()).find("nan") == std::string::npos);
  }
}

}  // namespace

TEST_CASE("no number of a model, however large or small, leads to results that are not finite") {
  const std::string models = TRAMMEL_MODELS_DIR;
  for (const char* name :
       {"paper/crank", "examples/joints/universal", "examples/joints/screw",
        "examples/joints/point_on_curve", "planar/quadrangle", "examples/forces/bushing",
        "examples/forces/gravitation", "examples/forces/nonlinear_spring",
        "examples/drivers/distance", "examples/drivers/position"}) {
    const std::string path = models + "/" + name + ".yaml";
    if (!std::filesystem::exists(path)) {
      FAIL_CHECK("there is no " << path);
      continue;
    }
    std::ostringstream stream;
    stream << std::ifstream(path).rdbuf();
    const std::string text = stream.str();
    for (const Token& token : find_numbers(text)) {
      for (const char* value :
           {"1e308", "1e155", "1e49", "1e20", "1e-20", "1e-49", "1e-163", "5e-324"}) {
        CAPTURE(std::string(name));
        CAPTURE(text.substr(text.rfind('\n', token.begin) + 1, 60));
        CAPTURE(std::string(value));
        check_run(std::string(text).replace(token.begin, token.size, value));
      }
    }
  }
}
