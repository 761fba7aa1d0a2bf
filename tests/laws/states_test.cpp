// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// States of a model: independent integrations, closed forms, bits of loops, code and lanes, samples.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/reference.hpp"

using namespace trammel;

namespace {

std::string hinged(const std::string& lines) {
  return "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 1]}}\n"
         "joints: {h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n" +
         lines;
}

Results run(const Model& model, double tolerance, KernelChoice kernel = KernelChoice::automatic,
            Method method = Method::dop853) {
  SimulationOptions options = model.simulation;
  options.rtol = options.atol = tolerance;
  options.kernel = kernel;
  options.method = method;
  return simulate(compile(model), options);
}
Results run(const std::string& lines, double tolerance = 1e-11) {
  return run(read_model_text(hinged(lines), "f"), tolerance);
}

// A channel of coordinates, rates or elements at the output time nearest to t.
double value_at(const Results& results, const std::string& name, double t) {
  std::size_t row = 0;
  for (std::size_t k = 0; k < results.time.size(); ++k) {
    if (std::abs(results.time[k] - t) < std::abs(results.time[row] - t)) row = k;
  }
  REQUIRE(std::abs(results.time[row] - t) < 1e-9);
  const auto find = [&](const std::vector<std::string>& names, const std::vector<double>& column,
                        const std::string& suffix) -> const double* {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k] + suffix == name) return &column[row * names.size() + k];
    }
    return nullptr;
  };
  for (const double* found : {find(results.coordinate_names, results.coordinate, ""),
                              find(results.coordinate_names, results.coordinate_rate, "_rate"),
                              find(results.element_names, results.element, "")}) {
    if (found != nullptr) return *found;
  }
  FAIL("no channel " << name);
  return 0.0;
}

double compare(const Results& results, const nlohmann::json& reference) {
  double largest = 0.0;
  for (const auto& row : reference.at("rows")) {
    for (std::size_t k = 1; k < row.size(); ++k) {
      const double expected = row[k].get<double>();
      const std::string name = reference.at("columns")[k].get<std::string>();
      const double t = row[0].get<double>();
      // what is sampled at t is recorded as it was before
      if (name == "sum" || name == "command") continue;
      const double error = std::abs(value_at(results, name, t) - expected);
      largest = std::max(largest, error / std::max(1.0, std::abs(expected)));
    }
  }
  return largest;
}

bool has_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

void check_same(const Results& a, const Results& b) {
  CHECK(a.counts.accepted == b.counts.accepted);
  CHECK(has_same_bits(a.coordinate, b.coordinate));
  CHECK(has_same_bits(a.coordinate_rate, b.coordinate_rate));
  CHECK(has_same_bits(a.element, b.element));
  CHECK(has_same_bits(a.balance_error, b.balance_error));
}

}  // namespace

TEST_CASE("a DC motor with PI control and a sampled PID arm agree with SciPy to 1e-8") {
  const nlohmann::json reference = test::read_reference("controllers.json");
  for (const std::string name : {"motor_speed", "sampled_arm"}) {
    CAPTURE(name);
    const Model model = test::read_repository_model("examples/controllers/" + name + ".yaml");
    const Results results = run(model, 1e-12);
    REQUIRE(results.status.outcome == Outcome::finished);
    const double error = compare(results, reference.at(name));
    MESSAGE(name, ": ", error);
    CHECK(error < 1e-8);
    CHECK(results.energy.balance_error_max < 1e-9 * results.energy.kinetic_max);
    const Results dopri = run(model, 1e-11, KernelChoice::automatic, Method::dopri5);
    CHECK(compare(dopri, reference.at(name)) < 1e-7);
  }
}

TEST_CASE("loops, code and lanes give the same bits with states") {
  for (const std::string name : {"motor_speed", "sampled_arm"}) {
    CAPTURE(name);
    const Model model = test::read_repository_model("examples/controllers/" + name + ".yaml");
    const Results by_code = run(model, 1e-9), by_loops = run(model, 1e-9, KernelChoice::loops);
    CHECK(by_code.counts.steps_by_code > 0);
    check_same(by_code, by_loops);
    std::vector<System> members;
    for (int k = 0; k < 6; ++k) {
      Model member = model;
      member.bodies[0].mass = *member.bodies[0].mass * (1.0 + 0.02 * k);
      members.push_back(compile(member));
    }
    SimulationOptions options = model.simulation;
    options.method = Method::dop853;
    const std::vector<Results> together = simulate_ensemble(members, options);
    for (int k = 0; k < 6; ++k) {
      CAPTURE(k);
      check_same(together[k], simulate(members[k], options));
    }
  }
}

TEST_CASE("a filter and an oscillator of states alone have their closed forms, between steps too") {
  const Results results =
      run("states:\n  lag: {initial: 2, rate: (1 - lag)/0.3}\n  x: {initial: 1, rate: v}\n"
          "  v: {rate: -9*x}\nsimulation: {t_end: 2, output_interval: 0.01}\n",
          1e-12);
  REQUIRE(results.status.outcome == Outcome::finished);
  double lag = 0.0, x = 0.0, rate = 0.0;
  for (const double t : results.time) {
    lag = std::max(lag, std::abs(value_at(results, "lag", t) - (1 + std::exp(-t / 0.3))));
    x = std::max(x, std::abs(value_at(results, "x", t) - std::cos(3 * t)));
    rate = std::max(rate, std::abs(value_at(results, "v_rate", t) + 9 * std::cos(3 * t)));
  }
  CHECK(lag < 1e-10);
  CHECK(x < 1e-10);
  CHECK(rate < 1e-9);
}

TEST_CASE("the error of states is controlled: scale is the size below which it is absolute") {
  const auto error_with = [](const std::string& scale) {
    const Results results = run("states:\n  x: {initial: 1e-6, rate: v" + scale +
                                    "}\n  v: {rate: -400*x" + scale + "}\nsimulation: {t_end: 5}\n",
                                1e-8);
    return std::abs(value_at(results, "x", 5) / 1e-6 - std::cos(100.0));
  };
  CHECK(error_with(", scale: 1e-6") < 1e-5);
  CHECK(error_with(", scale: 1e-6") < 1e-2 * error_with(", scale: 100"));
}

TEST_CASE("samples: a counter counts, values are held, periods need not divide each other") {
  const Results results =
      run("states:\n  n: {period: 0.1, next: n + 1}\n  m: {period: 0.15, next: m + n}\n"
          "  s: {rate: n}\nsimulation: {t_end: 1, output_interval: 0.025}\n");
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(value_at(results, "n", 0.0) == 1);  // a sample is taken at the start
  CHECK(value_at(results, "n", 0.05) == 1);
  CHECK(value_at(results, "n", 0.1) == 1);  // the value before the sample
  CHECK(value_at(results, "n", 0.125) == 2);
  CHECK(value_at(results, "n", 0.975) == 10);
  // at 0: 0 + 0, at 0.15: + n = 2, at 0.3 before n changes: + 3, …
  CHECK(value_at(results, "m", 0.125) == 0);
  CHECK(value_at(results, "m", 0.175) == 2);
  CHECK(value_at(results, "m", 0.325) == 5);
  // ∫ n dt = 0.1·(1 + … + 10)
  CHECK(value_at(results, "s", 1.0) == doctest::Approx(5.5).epsilon(1e-12));
}

TEST_CASE("states in a fully driven mechanism are integrated, and it is said") {
  const Results results =
      run("drivers: {d: {joint: h, angle: sin(t)}}\nstates: {x: {rate: h.angle}}\n"
          "simulation: {t_end: 1}\n");
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(!results.is_kinematic());
  CHECK(value_at(results, "x", 1.0) == doctest::Approx(1 - std::cos(1.0)).epsilon(1e-9));
  REQUIRE(results.warnings.size() == 1);
  CHECK(results.warnings[0].find("the states of the model are integrated") != std::string::npos);
}

TEST_CASE("what states cannot do is refused by name") {
  const auto fail = [](const std::string& lines, auto&& change) -> std::string {
    const Model model = read_model_text(hinged(lines), "f");
    SimulationOptions options = model.simulation;
    change(options);
    try {
      simulate(compile(model), options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string state = "states: {i: {rate: h.angle}}\n";
  CHECK(fail(state, [](SimulationOptions& options) { options.method = Method::radau; })
            .find("method radau does not support states with a rate (the model has 'i')") !=
        std::string::npos);
  CHECK(fail(state, [](SimulationOptions& options) {
          options.projection = Projection::orthogonal;
        }).find("states have no jet form") != std::string::npos);
  const std::string sampled = "states: {u: {period: 0.001, next: h.angle}}\n";
  CHECK(fail(sampled, [](SimulationOptions& options) {
          options.fixed_step = 0.01;
        }).find("leave out fixed_step") != std::string::npos);
  CHECK(fail(sampled, [](SimulationOptions& options) {
          options.t_end = 1e5;
        }).find("samples of states, at most 1000000") != std::string::npos);
}

TEST_CASE("a force that follows a state is not taken for conservative") {
  const Model model = read_model_text(
      hinged("states: {i: {rate: -h.angle_rate}}\n"
             "forces: {f: {kind: joint_spring_damper, joint: h, load: i}}\nsimulation: {t_end: 1, "
             "invariants: energy}\n"),
      "f");
  const Results results = run(model, 1e-9);
  const auto mentions = [&](const std::string& warning) {
    return warning.find("energy") != std::string::npos;
  };
  CHECK(std::any_of(results.warnings.begin(), results.warnings.end(), mentions));
}
