// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The gallery against published problems with many digits.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

Results run_to(const Model& model, double t, double tolerance) {
  SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
  options.t_end = t;
  return test::run(model, options);
}

}  // namespace

TEST_CASE("Andrews' squeezer: 1e-12 relative, at all times of the reference") {
  const Model model = test::read_repository_model("gallery/andrews.yaml");
  const auto reference = test::read_reference("iftomm_a03_andrews.json");
  for (const auto& state : reference["reference"]["solution"]) {
    const Results results = run_to(model, test::number(state["t"]), 1e-12);
    REQUIRE(results.status.outcome == Outcome::finished);
    const double size = 0.07;  // m, of the mechanism
    const double speed = std::abs(test::number(state["beta_rate"]));
    CHECK(test::position_error(results, state["bodies"]) < 1e-12 * size);
    for (std::size_t b = 0; b < results.final.size(); ++b) {
      CHECK(test::distance(results.final[b].angular_velocity,
                           test::numbers<3>(state["bodies"][b]["Omega_body"])) < 2e-12 * speed);
    }
    CHECK(results.violation.position <= 1e-15);
  }
}

TEST_CASE("Andrews' squeezer in the plane: 1e-11 relative, at all times of the reference") {
  const Model model = test::read_repository_model("planar/andrews.yaml");
  double worst = 0.0, worst_rate = 0.0;
  const auto reference = test::read_reference("iftomm_a03_andrews.json");
  for (const auto& state : reference["reference"]["solution"]) {
    const Results results = run_to(model, test::number(state["t"]), 1e-12);
    REQUIRE(results.status.outcome == Outcome::finished);
    const double speed = std::abs(test::number(state["beta_rate"]));
    worst = std::max(worst, test::position_error(results, state["bodies"]) / 0.07);
    for (std::size_t b = 0; b < results.final.size(); ++b) {
      worst_rate =
          std::max(worst_rate, test::distance(results.final[b].angular_velocity,
                                              test::numbers<3>(state["bodies"][b]["Omega_body"])) /
                                   speed);
    }
    CHECK(results.violation.position <= 1e-15);
    CHECK(results.check.dof == 1);
  }
  MESSAGE("positions ", worst, ", angular velocities ", worst_rate);
  CHECK(worst <= 1e-11);
  CHECK(worst_rate <= 1e-11);
}

TEST_CASE("double pendulum with damper: 10 digits") {
  const Model model = test::read_repository_model("gallery/double_pendulum.yaml");
  const auto reference = test::read_reference("msl_double_pendulum.json");
  for (const auto& state : reference["reference"]["states"]) {
    const Results results = run_to(model, test::number(state["t"]), 1e-12);
    const double w1 = results.final[0].angular_velocity[2];
    const double w2 = results.final[1].angular_velocity[2] - w1;
    CHECK(std::abs(w1 - test::number(state["w1"])) < 1e-10);
    CHECK(std::abs(w2 - test::number(state["w2"])) < 1e-10);
    const double phi1 = test::number(state["phi1"]);
    CHECK(test::distance(results.final[0].position,
                         {0.25 * std::cos(phi1), 0.25 * std::sin(phi1), 0}) < 1e-11);
  }
}

TEST_CASE("SUNDIALS slider-crank with spring and damper: 11 digits") {
  const Model model = test::read_repository_model("gallery/slider_crank.yaml");
  const auto reference = test::read_reference("sundials_slider_crank.json");
  for (const auto& state : reference["reference"]["states"]) {
    const Results results = run_to(model, test::number(state["t"]), 1e-12);
    REQUIRE(results.body_names == std::vector<std::string>{"crank", "rod", "slider"});
    CHECK(std::abs(results.final[1].position[0] - test::number(state["x"])) < 1e-11);
    CHECK(std::abs(results.final[1].velocity[0] - test::number(state["xd"])) < 1e-11);
    CHECK(std::abs(results.final[0].angular_velocity[2] - test::number(state["qd"])) < 1e-11);
    CHECK(std::abs(results.final[1].angular_velocity[2] - test::number(state["pd"])) < 1e-11);
  }
}
