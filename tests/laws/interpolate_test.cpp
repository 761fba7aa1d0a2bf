// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// States between output times: exact at them, near those of a run with finer output in between, of the
// order of the polynomials, and on the joints.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/reference.hpp"
#include "trammel/evaluator.hpp"
#include "trammel/interpolate.hpp"

using namespace trammel;

namespace {

Results run(const Model& model, int intervals, bool accelerations = false) {
  SimulationOptions options = model.simulation;
  options.t_end = 2.0;
  options.rtol = options.atol = 1e-12;
  options.output_at_steps = false;
  options.output_interval = options.t_end / intervals;
  options.record.accelerations = accelerations;
  return simulate(compile(model), options);
}

// Largest distance of positions, or of Euler parameters, from those of a row.
double calc_distance(const std::vector<BodyState>& states, const Results& fine, std::size_t row) {
  double largest = 0.0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const std::size_t at = row * states.size() + b;
    const double* const q = &fine.orientation[4 * at];
    double same = 0.0, opposite = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      largest = std::max(largest, std::abs(states[b].position[k] - fine.position[3 * at + k]));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      same = std::max(same, std::abs(states[b].orientation[k] - q[k]));
      opposite = std::max(opposite, std::abs(states[b].orientation[k] + q[k]));
    }
    largest = std::max(largest, std::min(same, opposite));
  }
  return largest;
}

// Of the middles of all intervals.
double calc_error(const Model& model, int intervals, bool accelerations) {
  const Results coarse = run(model, intervals, accelerations);
  const Results fine = run(model, 2 * intervals);
  REQUIRE(coarse.time.size() == static_cast<std::size_t>(intervals) + 1);
  Interpolator states(coarse);
  double error = 0.0;
  for (std::size_t row = 1; row < fine.time.size(); row += 2) {
    error = std::max(error, calc_distance(states.at(fine.time[row]), fine, row));
  }
  CHECK(states.why_open() == "");
  return error;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double x : values) result = std::max(result, std::abs(x));
  return result;
}

const char* const models[] = {"paper/crank",          "planar/quadrangle",
                              "gallery/slider_crank", "examples/drivers/angle",
                              "examples/joints/gear", "gallery/quick_return"};

}  // namespace

TEST_CASE("states between output times are those of a run with finer output") {
  for (const std::string name : models) {
    CAPTURE(name);
    const Model model = test::read_repository_model(name + ".yaml");
    const double cubic = calc_error(model, 200, false), finer = calc_error(model, 400, false);
    CHECK(cubic < 1e-4);
    CHECK((finer < cubic / 11.0 || finer < 1e-11));  // of order 4
    const double quintic = calc_error(model, 200, true);
    CHECK((quintic < 0.1 * cubic || quintic < 1e-11));
  }
}

// The slopes of the polynomials: one order less than positions.
TEST_CASE("velocities between output times are of order 3") {
  for (const std::string name : {"paper/crank", "planar/quadrangle"}) {
    CAPTURE(name);
    const Model model = test::read_repository_model(name + ".yaml");
    const auto calc_rate_error = [&](int intervals) {
      const Results coarse = run(model, intervals), fine = run(model, 2 * intervals);
      Interpolator states(coarse);
      double error = 0.0;
      for (std::size_t row = 1; row < fine.time.size(); row += 2) {
        const std::vector<BodyState> bodies = states.at(fine.time[row]);
        for (std::size_t b = 0; b < bodies.size(); ++b) {
          const std::size_t at = 3 * (row * bodies.size() + b);
          for (std::size_t k = 0; k < 3; ++k) {
            error = std::max(error, std::abs(bodies[b].velocity[k] - fine.velocity[at + k]));
            error = std::max(
                error, std::abs(bodies[b].angular_velocity[k] - fine.angular_velocity[at + k]));
          }
        }
      }
      return error;
    };
    const double coarse = calc_rate_error(200), fine = calc_rate_error(400);
    CHECK(coarse < 0.05);
    CHECK(fine < coarse / 6.0);
  }
}

TEST_CASE("states between output times close the joints and follow the drivers") {
  for (const std::string name : models) {
    CAPTURE(name);
    const Model model = test::read_repository_model(name + ".yaml");
    if (name == "examples/joints/gear") continue;  // an Evaluator does not count revolutions
    const Results results = run(model, 50);
    Interpolator states(results);
    Evaluator evaluator(compile(model));
    for (const double t : {0.0137, 0.5, 0.7711, 1.999}) {
      evaluator.set_state(states.at(t), t);
      CHECK(largest(evaluator.constraints()) < 1e-12);
    }
    CHECK(states.why_open() == "");
  }
}

TEST_CASE("at an output time the state is the recorded one") {
  const Results results = run(test::read_repository_model("paper/crank.yaml"), 20);
  Interpolator states(results);
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    CHECK(calc_distance(states.at(results.time[row]), results, row) == 0.0);
  }
}

TEST_CASE("what is missing is named") {
  const Model model = test::read_repository_model("paper/crank.yaml");
  Results results = run(model, 20);
  CHECK_THROWS_WITH(Interpolator(results).at(3.0),
                    doctest::Contains("t = 3 s is outside the run, 0 s to 2 s"));
  SUBCASE("velocities") {
    results.options.record.velocities = false;
    Interpolator states(results);
    CHECK(states.at(results.time[3]).size() == 3);
    CHECK_THROWS_WITH(states.at(0.25),
                      doctest::Contains("velocities, which the interpolation needs"));
  }
  SUBCASE("positions") {
    results.options.record.positions = false;
    CHECK_THROWS_WITH(Interpolator{results}, doctest::Contains("positions were not recorded"));
  }
  SUBCASE("the model") {
    results.model_text.clear();
    Interpolator states(results);
    CHECK(states.at(0.25).size() == 3);
    CHECK(states.why_open() == "they have no text of the model");
  }
  SUBCASE("another model") {
    const std::size_t at = results.model_text.find("0.25");
    REQUIRE(at != std::string::npos);
    results.model_text.replace(at, 4, "0.26");
    Interpolator states(results);
    states.at(0.25);
    CHECK(states.why_open() != "");
  }
}

TEST_CASE("parameters that were set are part of the model in the results") {
  const std::string text =
      "trammel: 1\nparameters: {length: 0.5, twice: \"2*length\"}\n"
      "bodies: {bob: {mass: 1, inertia: [1, 1, 1], position: [length, 0, 0]}}\n"
      "joints: {pin: {kind: revolute, bodies: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "gravity: [0, -9.81, 0]\n";
  const Model model = read_model_text(text, "bob.yaml", {{"length", 0.75}});
  CHECK(model.text.find("{length: 0.75, twice: \"2*length\"}") != std::string::npos);
  const Results results = run(model, 20);
  Interpolator states(results);
  const BodyState bob = states.at(0.25).front();
  CHECK(std::hypot(bob.position[0], bob.position[1]) == doctest::Approx(0.75).epsilon(1e-14));
  CHECK(states.why_open() == "");
  CHECK(read_model_text(text, "bob.yaml", {{"twice", 3.0}}).text.find("twice: 3}") !=
        std::string::npos);
}
