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

TEST_CASE("A02, two and forty four-bars in a row, through their singular positions: 1e-6 m") {
  const auto reference = test::read_reference("iftomm_a02_n_four_bar.json");
  struct Case {
    const char* model;
    double loops;
    double t;
    const char* states;
  };
  for (const Case& c : {Case{"gallery/n_four_bar.yaml", 2, 10, "N2"},
                        {"planar/n_four_bar.yaml", 2, 10, "N2"},
                        {"gallery/n_four_bar.yaml", 40, 20, "N40"},
                        {"planar/n_four_bar.yaml", 40, 20, "N40"}}) {
    CAPTURE(c.model);
    CAPTURE(c.loops);
    const Model model =
        read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + c.model, {{"loops", c.loops}});
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-10);
    options.t_end = c.t;
    options.output_interval = 0.5;
    const Results results = test::run(model, options);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.check.dof == 1);
    const auto state = test::find_state(reference["reference"][c.states]["solution"], c.t);
    // all cranks are parallel; B0 is the tip of the first, a coupler's centre half a metre beside
    double worst = 0.0;
    const auto n = static_cast<std::size_t>(c.loops);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 at{static_cast<double>(k) + 0.5 + test::number(state["B0x"]),
                    test::number(state["B0y"]), 0};
      worst = std::max(worst, test::distance(results.final[n + 1 + k].position, at));
    }
    MESSAGE(std::string(c.model), ", N = ", c.loops, ": ", worst, " m, ", results.counts.accepted,
            " + ", results.counts.rejected, " steps, ", results.cpu_seconds.total, " s, singular ",
            results.conditioning.passages);
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("A05, the stiff flyball governor: 1e-6 m at all times of the reference") {
  const Model model = test::read_repository_model("gallery/flyball_governor.yaml");
  const auto reference = test::read_reference("iftomm_a05_flyball.json");
  Results results;
  for (const auto& state : reference["reference"]["solution"]) {
    results = run_to(model, test::number(state["t"]), 1e-9);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(std::abs(results.final[1].position[2] - test::number(state["s"])) < 1e-7);
    const double beta = test::number(state["beta"]), psi = test::number(state["psi"]);
    const double out = 0.05 + 5.15 / 5.3 * std::cos(beta);
    CHECK(test::distance(results.final[2].position, {out * std::cos(psi), out * std::sin(psi),
                                                     1 - 5.15 / 5.3 * std::sin(beta)}) < 1e-6);
  }
  MESSAGE("10 s: ", results.counts.accepted, " + ", results.counts.rejected, " steps, ",
          results.cpu_seconds.total, " s of CPU");
}
