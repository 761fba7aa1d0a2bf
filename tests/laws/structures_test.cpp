// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mechanisms without a degree of freedom: reactions of structures against statics, and structures that are refused.
#include <doctest/doctest.h>

#include <cmath>

#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

TEST_CASE("a truss carries its load as the method of joints says") {
  const Model model = test::read_repository_model("gallery/truss.yaml");
  const CheckReport report = check(compile(model));
  CHECK(report.ok());
  CHECK(report.is_structure());
  const Results run = test::run(model, model.simulation);
  REQUIRE(run.status.outcome == Outcome::finished);
  CHECK(run.is_kinematic());
  CHECK(run.energy.kinetic_max == 0.0);
  // on the second body of support, roller, foot_a, foot_b, ridge
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    const double P = 10000 * (1 + 0.5 * std::sin(2 * pi * run.time[row]));
    const double side = P / 2 / 0.6;
    const double expected[5][2] = {{0, P / 2},
                                   {0, P / 2},
                                   {0.8 * side, 0.6 * side},
                                   {-0.8 * side, 0.6 * side},
                                   {0.8 * side, -0.6 * side}};
    for (std::size_t joint = 0; joint < 5; ++joint) {
      for (std::size_t k = 0; k < 2; ++k) {
        REQUIRE(std::abs(run.reaction_force[15 * row + 3 * joint + k] - expected[joint][k]) <=
                1e-8);
      }
    }
  }
}

TEST_CASE("a table on four legs shares its load evenly, and says that it is a convention") {
  const Model model = test::read_repository_model("gallery/table.yaml");
  const CheckReport report = check(compile(model));
  REQUIRE(report.ok());
  CHECK(report.is_structure());
  CHECK(report.dependent.size() == 6);
  CHECK(to_string(report).find("a structure") != std::string::npos);
  CHECK(to_string(report).find("statically indeterminate in ") != std::string::npos);
  const Results run = test::run(model, model.simulation);
  REQUIRE(run.status.outcome == Outcome::finished);
  CHECK(run.warnings.empty());
  const double x = 0.3, y = -0.1, a = 0.8, b = 0.5, F = 500, weight = 20 * 9.81;
  const double legs[4][2] = {{a, b}, {-a, b}, {-a, -b}, {a, -b}};
  for (std::size_t row = 0; row < run.time.size(); row += 100) {
    for (std::size_t k = 0; k < 4; ++k) {
      const double up =
          weight / 4 + F / 4 * (1 + x * legs[k][0] / (a * a) + y * legs[k][1] / (b * b));
      const double* head = &run.reaction_force[24 * row + 3 * (k + 4)];
      const double* foot = &run.reaction_force[24 * row + 3 * k];
      CHECK(std::abs(head[2] - up) <= 1e-9);
      CHECK(std::abs(foot[2] - up - 2 * 9.81) <= 1e-9);
      CHECK(std::hypot(head[0], head[1]) <= 1e-9);
    }
  }
}

TEST_CASE("a shaky structure, and a locked one with a driver, are refused") {
  const std::string bars = R"yaml(
trammel: 1
name: two bars in line
dimension: 2
bodies:
  left:  {mass: 1, inertia: 0.1, position: [0.5, 0]}
  right: {mass: 1, inertia: 0.1, position: [1.5, RISE]}
joints:
  a: {kind: revolute, bodies: [ground, left], at: [0, 0]}
  b: {kind: revolute, bodies: [left, right], at: [1, 0]}
  c: {kind: revolute, bodies: [ground, right], at: [2, RISE]}
)yaml";
  const auto with = [&](const std::string& rise, const std::string& rest = "") {
    std::string text = bars;
    for (std::size_t at; (at = text.find("RISE")) != std::string::npos;) text.replace(at, 4, rise);
    return check(compile(read_model_text(text + rest, "bars")));
  };
  CHECK(with("0.3").ok());
  CHECK(with("0.3").is_structure());
  const CheckReport shaky = with("0");
  REQUIRE(!shaky.ok());
  CHECK(shaky.reasons[0].find("singular position") != std::string::npos);
  const CheckReport locked = with("0.3", "drivers:\n  motor: {joint: a, angle: t}\n");
  REQUIRE(!locked.ok());
  CHECK(locked.reasons[0].rfind("locked", 0) == 0);
}

TEST_CASE("a structure has nothing to integrate") {
  const Model model = test::read_repository_model("gallery/truss.yaml");
  SimulationOptions options = model.simulation;
  options.kinematics = Kinematics::off;
  CHECK_THROWS_AS(test::run(model, options), ModelError);
}
