// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Problems of the IVP Test Set by the default method, by dop853 and by radau: car axis and Fekete points against
// SciPy and the published ends; a pendulum against elliptic functions; Andrews' squeezer.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr Method methods[] = {Method::automatic, Method::dop853, Method::radau};

Results run_to(const Model& model, double t, double tolerance, Method method) {
  SimulationOptions options = test::with_tolerance(model.simulation, tolerance, method);
  options.t_end = options.output_interval = t;
  options.hold_energy = false;
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  return results;
}

double calc_distance(const Vec3& at, const nlohmann::json& expected) {
  double square = 0.0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double e = at[k] - test::number(expected[k]);
    square += e * e;
  }
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("car axis: 1e-10, and the published end") {
  const Model model = test::read_repository_model("gallery/car_axis.yaml");
  const auto reference = test::read_reference("ivp_test_set.json")["car_axis"];
  for (const Method method : methods) {
    CAPTURE(static_cast<int>(method));
    for (const auto& state : reference["states"]) {
      const Results results = run_to(model, test::number(state["t"]), 1e-12, method);
      CHECK(results.check.dof == 4);  // two of them turn the points
      const BodyState &left = results.final[1], &right = results.final[2];
      CHECK(calc_distance(left.position, state["left"]) < 1e-10);
      CHECK(calc_distance(right.position, state["right"]) < 1e-10);
      CHECK(calc_distance(left.velocity, state["left_velocity"]) < 1e-9);
      CHECK(calc_distance(right.velocity, state["right_velocity"]) < 1e-9);
      CHECK(results.violation.position < 1e-14);
    }
  }
  const auto& published = reference["published"]["values"];
  const Results results = run_to(model, 3.0, 1e-12, Method::automatic);
  for (int k = 0; k < 2; ++k) {
    CHECK(std::abs(results.final[1].position[k] - test::number(published[k])) < 1e-10);
    CHECK(std::abs(results.final[2].position[k] - test::number(published[2 + k])) < 1e-10);
  }
}

TEST_CASE("Fekete points: 1e-9 in motion and at rest") {
  const Model model = test::read_repository_model("gallery/fekete.yaml");
  const auto reference = test::read_reference("ivp_test_set.json")["fekete"];
  for (const Method method : methods) {
    CAPTURE(static_cast<int>(method));
    for (const auto& state : reference["states"]) {
      const Results results = run_to(model, test::number(state["t"]), 1e-11, method);
      double worst = 0.0;
      for (std::size_t k = 0; k < 20; ++k) {
        worst = std::max(worst, calc_distance(results.final[k].position, state["points"][k]));
      }
      MESSAGE("t = ", test::number(state["t"]), ": ", worst, ", ", results.counts.accelerations,
              " evaluations, ", results.method_choice);
      CHECK(worst < 1e-9);
      CHECK(results.violation.position < 1e-14);
    }
  }
}

TEST_CASE("a pendulum by implicit steps, against elliptic functions: 1e-9 after four periods") {
  const Model model = test::read_repository_model("gallery/simple_pendulum.yaml");
  const auto reference = test::read_reference("iftomm_a01_simple_pendulum.json");
  for (const auto& state : reference["reference"]["states"]) {
    const double t = test::number(state["t"]);
    if (t > 10.0) continue;
    const Results results = run_to(model, t, 1e-12, Method::radau);
    // its centre of mass is half as far out as the marker
    const Vec3& at = results.final[0].position;
    CHECK(std::abs(2 * at[0] - test::number(state["x"])) < 1e-9);
    CHECK(std::abs(2 * at[1] - test::number(state["y"])) < 1e-9);
  }
}

TEST_CASE("Andrews' squeezer by implicit steps: 1e-11 relative") {
  const auto reference = test::read_reference("iftomm_a03_andrews.json");
  for (const char* name : {"gallery/andrews.yaml", "planar/andrews.yaml"}) {
    const Model model = test::read_repository_model(name);
    for (const Method method : {Method::automatic, Method::radau}) {
      for (const auto& state : reference["reference"]["solution"]) {
        const Results results = run_to(model, test::number(state["t"]), 1e-12, method);
        CHECK(test::position_error(results, state["bodies"]) < 1e-11 * 0.07);
      }
    }
  }
}
