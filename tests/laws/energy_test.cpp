// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Holding the energy: how much it helps on the crank, that it does no harm where it cannot help, and
// that nothing grows in a long run.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/reference.hpp"

using namespace trammel;

namespace {

Model make_crank_turning_at(double speed) {
  Model model = test::read_repository_model("paper/crank.yaml");
  model.forces.clear();
  // consistent with the joints at the start: the pin moves along y, the slider stands
  model.bodies[0].velocity = {0, 0.25 * speed, 0};
  model.bodies[0].angular_velocity = {0, 0, speed};
  model.bodies[1].velocity = {0, 0.25 * speed, 0};
  model.bodies[1].angular_velocity = {0, 0, -0.5 * speed / 1.8};
  return model;
}

double crank_error(double tolerance, bool hold) {
  const Model model = test::read_repository_model("paper/crank.yaml");
  const auto reference = test::read_reference("paper_crank.json");
  SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
  options.hold_energy = hold;
  return test::position_error(test::run(model, options),
                              test::find_state(reference["reference"]["states"], 10)["bodies"]);
}

Body make_pendulum_body(const std::string& name, double x, double length) {
  Body body;
  body.name = name;
  body.mass = 1.0;
  body.inertia = Mat3{{{0.02 * length * length, 0, 0},
                       {0, 0.1 * length * length, 0},
                       {0, 0, 0.1 * length * length}}};
  body.position = {x + length, 0, 0};
  return body;
}

}  // namespace

TEST_CASE("holding the energy makes the crank at least ten times more accurate (median)") {
  std::vector<double> gain;
  for (double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    gain.push_back(crank_error(tolerance, false) / crank_error(tolerance, true));
  }
  std::sort(gain.begin(), gain.end());
  const double median = 0.5 * (gain[2] + gain[3]);
  MESSAGE("median gain ", median);
  CHECK(median >= 10.0);
}

TEST_CASE("two unconnected pendulums do not pay for each other's error") {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {make_pendulum_body("slow", 0, 5.0), make_pendulum_body("fast", 20, 0.05)};
  model.joints = {
      {"a", JointKind::revolute, "ground", "slow", WorldPlacement{{0, 0, 0}, Vec3{0, 0, 1}, {}}},
      {"b", JointKind::revolute, "ground", "fast", WorldPlacement{{20, 0, 0}, Vec3{0, 0, 1}, {}}}};
  model.simulation.t_end = 5.0;
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-13));
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
    const Results without = test::run(model, options);
    options.hold_energy = true;
    const Results with = test::run(model, options);
    for (int b = 0; b < 2; ++b) {
      const double error_with = test::distance(with.final[b].position, exact.final[b].position);
      const double error_without =
          test::distance(without.final[b].position, exact.final[b].position);
      INFO("tolerance ", tolerance, " body ", b, ": ", error_without, " -> ", error_with);
      CHECK(error_with <= 1.1 * error_without + 1e-13);
    }
  }
}

TEST_CASE("a free-flying body keeps its momentum and its accuracy") {
  Model model = test::read_repository_model("gallery/free_body.yaml");
  model.gravity = {0, -9.81, 0};
  model.bodies[0].velocity = {1, 20, 3};
  const auto reference = test::read_reference("free_rigid_body.json");
  const auto state = test::find_state(reference["reference"]["solution"], 20);
  model.simulation.t_end = 20;
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
    double error[2], momentum[2];
    for (bool hold : {false, true}) {
      options.hold_energy = hold;
      const BodyState end = test::run(model, options).final[0];
      error[hold] = test::distance(end.orientation, test::numbers<4>(state["theta"])) +
                    test::distance(end.angular_velocity, test::numbers<3>(state["Omega_body"]));
      momentum[hold] = test::distance(end.velocity, Vec3{1, 20 - 9.81 * 20, 3});
    }
    CHECK(error[1] <= error[0]);
    CHECK(momentum[1] <= 1e-12);
  }
}

TEST_CASE("two bodies joined in free flight keep linear and angular momentum with energy held") {
  Model model;
  model.bodies = {make_pendulum_body("a", 0, 0.5), make_pendulum_body("b", 1, 0.5)};
  model.bodies[0].angular_velocity = {1, 2, 3};
  model.bodies[1].angular_velocity = {-2, 1, 4};
  model.bodies[1].velocity = {0.5, 0.1, -0.3};
  model.joints = {{"link", JointKind::spherical, "a", "b", WorldPlacement{{1, 0, 0}, {}, {}}}};
  model.simulation.t_end = 20;
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-7);
  const double loose = test::run(model, options).energy.balance_error_max;
  options.hold_energy = true;
  const Results results = test::run(model, options);
  MESSAGE("balance error ", loose, " -> ", results.energy.balance_error_max);
  CHECK(results.energy.balance_error_max <= 0.5 * loose);
  const std::size_t last = results.time.size() - 1;
  const auto momentum = [&](std::size_t row, int k) {
    return results.velocity[row * 6 + k] + results.velocity[row * 6 + 3 + k];
  };
  for (int k = 0; k < 3; ++k)
    CHECK(momentum(last, k) == doctest::Approx(momentum(0, k)).epsilon(1e-12));
}

TEST_CASE("a crank turning at 20 rad/s for 1,000 s stays on the manifold and keeps its energy") {
  const Model model = make_crank_turning_at(-20);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-8);
  options.t_end = 1000;
  const Results results = test::run(model, options);
  CHECK(results.status.outcome == Outcome::finished);
  CHECK(results.violation.position <= 1e-11);
  CHECK(results.violation.velocity <= 1e-11);
  CHECK(results.violation.euler_parameters <= 1e-14);
  CHECK(results.energy.balance_error_max <= 1e-12 * results.energy.kinetic_max);
  // no growth: the last tenth is no worse than the first
  const std::size_t n = results.time.size(), tenth = n / 10;
  const auto largest = [&](const std::vector<double>& column, std::size_t from) {
    double value = 0.0;
    for (std::size_t k = from; k < from + tenth; ++k) value = std::max(value, std::abs(column[k]));
    return value;
  };
  CHECK(largest(results.violation_position, n - tenth) <=
        2.0 * largest(results.violation_position, 1) + 1e-15);
  CHECK(largest(results.balance_error, n - tenth) <=
        2.0 * largest(results.balance_error, 1) + 1e-15 * results.energy.kinetic_max);
}

TEST_CASE("both forms of the correction hold the balance; only the combined one at rest") {
  const Model model = test::read_repository_model("paper/pendulum.yaml");
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-7);
  options.energy_correction = EnergyCorrection::combined;
  const Results combined = test::run(model, options);
  options.energy_correction = EnergyCorrection::scaling;
  const Results scaling = test::run(model, options);
  options.hold_energy = false;
  const Results none = test::run(model, options);
  CHECK(combined.energy.balance_error_max <= 1e-12 * combined.energy.kinetic_max);
  CHECK(scaling.energy.balance_error_max <= 0.1 * none.energy.balance_error_max);
}

TEST_CASE("work of external forces closes the balance without holding it") {
  const Model model = test::read_repository_model("gallery/double_pendulum.yaml");
  const Results results = test::run(model, test::with_tolerance(model.simulation, 1e-12));
  CHECK(results.energy.external_work < -0.1);  // the damper takes energy out
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
}
