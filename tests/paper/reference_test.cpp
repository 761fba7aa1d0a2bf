// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's three models against their exact solutions.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

struct Case {
  const char* name;
  double position;  // m, largest error at t = 10
};
constexpr Case cases[] = {{"pendulum", 1e-9}, {"quadrangle", 5e-9}, {"crank", 5e-9}};

}  // namespace

TEST_CASE("tight runs meet the exact solutions, with and without energy held") {
  for (const Case& c : cases) {
    const Model model = test::read_repository_model(std::string("paper/") + c.name + ".yaml");
    const auto reference = test::read_reference(std::string("paper_") + c.name + ".json");
    const auto state = test::find_state(reference["reference"]["states"], 10);
    for (bool hold : {false, true}) {
      CAPTURE(c.name);
      CAPTURE(hold);
      SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
      options.hold_energy = hold;
      const Results results = test::run(model, options);
      REQUIRE(results.status.outcome == Outcome::finished);
      CHECK(test::position_error(results, state["bodies"]) <= c.position);
      CHECK(results.violation.position <= 1e-11);
      CHECK(results.violation.velocity <= 1e-11);
      CHECK(results.violation.euler_parameters <= 1e-14);
      CHECK(results.energy.kinetic == doctest::Approx(test::number(state["T"])).epsilon(1e-8));
      CHECK(results.energy.potential == doctest::Approx(test::number(state["U"])).epsilon(1e-8));
      CHECK(results.energy.external_work ==
            doctest::Approx(test::number(state["W_ext"])).epsilon(1e-8));
      if (hold) CHECK(results.energy.balance_error_max <= 1e-12 * results.energy.kinetic_max);
    }
  }
}

TEST_CASE("every state of the reference is met by the output") {
  for (const Case& c : cases) {
    const Model model = test::read_repository_model(std::string("paper/") + c.name + ".yaml");
    const auto reference = test::read_reference(std::string("paper_") + c.name + ".json");
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
    options.output_interval = 0.5;
    const Results results = test::run(model, options);
    REQUIRE(results.time.size() == 21);
    const std::size_t n = results.body_names.size();
    for (const auto& state : reference["reference"]["states"]) {
      const auto row = static_cast<std::size_t>(std::lround(2.0 * test::number(state["t"])));
      for (std::size_t b = 0; b < n; ++b) {
        const double* r = results.position.data() + (row * n + b) * 3;
        const double* Omega = results.angular_velocity.data() + (row * n + b) * 3;
        const auto& body = state["bodies"][b];
        CHECK(test::distance({r[0], r[1], r[2]}, test::numbers<3>(body["r"])) <= c.position);
        CHECK(test::distance({Omega[0], Omega[1], Omega[2]},
                             test::numbers<3>(body["Omega_body"])) <= 100 * c.position);
      }
    }
  }
}

TEST_CASE("initial accelerations and multipliers agree to 12 digits") {
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Model model = test::read_repository_model(std::string("paper/") + c.name + ".yaml");
    const auto reference = test::read_reference(std::string("paper_") + c.name + ".json");
    std::vector<BodyState> state;
    for (const Body& body : model.bodies) {
      state.push_back({body.position, body.orientation, body.velocity, body.angular_velocity});
    }
    const Accelerations a = calc_accelerations(compile(model), state);
    const auto& exact = reference["acceleration_at_0"];
    for (std::size_t b = 0; b < state.size(); ++b) {
      CHECK(test::distance(a.linear[b], test::numbers<3>(exact["bodies"][b]["r2"])) < 1e-11);
      CHECK(test::distance(a.angular[b], test::numbers<3>(exact["bodies"][b]["Omega_dot_body"])) <
            3e-11);
    }
    const auto& lambda = exact["lambda_paper_sign"];
    REQUIRE(lambda.size() == a.multipliers.size());
    double largest = 0.0;
    for (const auto& x : lambda) largest = std::max(largest, std::abs(test::number(x)));
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      CHECK(std::abs(a.multipliers[r] - test::number(lambda[r])) < 1e-12 * largest);
    }
  }
}

TEST_CASE("the paper's printed initial data, rounded to three digits, are assembled") {
  for (const char* name : {"quadrangle", "crank"}) {
    Model model = test::read_repository_model(std::string("paper/") + name + ".yaml");
    const auto printed =
        test::read_reference(std::string("paper_") + name + ".json")["initial_as_printed"];
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      model.bodies[b].position = test::numbers<3>(printed["r"][b]);
      model.bodies[b].orientation = test::numbers<4>(printed["theta"][b]);
    }
    const CheckReport report = check(compile(model));
    CAPTURE(name);
    CHECK(report.ok());
    CHECK(report.dof == 1);
    CHECK(report.assembly.converged);
    CHECK(report.assembly.residual_after <= 1e-14);
    CHECK(report.assembly.moved_distance.size() == 3);
    if (std::string(name) == "quadrangle") {
      CHECK(report.assembly.residual_before > 1e-4);
      CHECK(report.assembly.residual_before < 4e-3);
      CHECK(*std::max_element(report.assembly.moved_distance.begin(),
                              report.assembly.moved_distance.end()) < 4e-3);
    }
  }
}
