// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies whose rotation is known in closed form: the heavy top and the free body.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

TEST_CASE("heavy top: 10 digits at t = 2 after 48 turns about its axis") {
  Model model = test::read_repository_model("gallery/heavy_top.yaml");
  const auto solution = test::read_reference("heavy_top.json")["reference"]["solution"];
  for (const auto& state : solution) {
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
    options.t_end = test::number(state["t"]);
    const Results results = test::run(model, options);
    CHECK(test::distance(results.final[0].position, test::numbers<3>(state["r"])) < 2e-11);
    CHECK(test::distance(results.final[0].orientation, test::numbers<4>(state["theta"])) < 2e-9);
    CHECK(test::distance(results.final[0].angular_velocity, test::numbers<3>(state["Omega_body"])) <
          1e-9);
    CHECK(results.violation.position <= 1e-14);
  }
}

TEST_CASE("free body: Jacobi's solution to 10 digits") {
  Model model = test::read_repository_model("gallery/free_body.yaml");
  const auto reference = test::read_reference("free_rigid_body.json");
  for (const auto& state : reference["reference"]["solution"]) {
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
    options.t_end = test::number(state["t"]);
    const Results results = test::run(model, options);
    CHECK(test::distance(results.final[0].orientation, test::numbers<4>(state["theta"])) < 5e-11);
    CHECK(test::distance(results.final[0].angular_velocity,
                         test::numbers<3>(state["Omega_exact"])) < 5e-11);
  }
}

TEST_CASE("a full inertia tensor is the principal one seen from other axes") {
  Model model = test::read_repository_model("gallery/free_body.yaml");
  const auto state =
      test::find_state(test::read_reference("free_rigid_body.json")["reference"]["solution"], 10);
  // body axes turned by q: 𝕀' = Q 𝕀 Qᵀ with Q a turn by 0.6/0.8 about z
  const double c = 0.8, s = 0.6;
  const Mat3 Q{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  const double principal[3] = {1, 2, 3};
  Mat3 turned{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) turned[i][j] += Q[i][k] * principal[k] * Q[j][k];
    }
  }
  Body& body = model.bodies[0];
  const Vec3 Omega = body.angular_velocity;
  body.inertia = turned;
  body.angular_velocity = {c * Omega[0] - s * Omega[1], s * Omega[0] + c * Omega[1], Omega[2]};
  const double half = 0.5 * std::atan2(s, c);
  body.orientation = {std::cos(half), 0, 0, -std::sin(half)};  // θ' = θ·conj(q), θ = 1
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  options.t_end = 10;
  const Vec3 end = test::run(model, options).final[0].angular_velocity;
  const Vec3 exact = test::numbers<3>(state["Omega_exact"]);
  const Vec3 seen{c * exact[0] - s * exact[1], s * exact[0] + c * exact[1], exact[2]};
  CHECK(test::distance(end, seen) < 5e-11);
}
