// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Measured orders with fixed steps on a smooth problem: the spatial double pendulum without damper.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

Model make_spherical_double_pendulum() {
  Model model;
  model.gravity = {0, -9.81, 0};
  for (int k = 0; k < 2; ++k) {
    Body body;
    body.name = k == 0 ? "upper" : "lower";
    body.mass = 1.0;
    body.inertia = Mat3{{{0.02, 0, 0}, {0, 0.1, 0}, {0, 0, 0.09}}};
    body.position = {0.5 + k, 0, 0};
    body.angular_velocity = {0.3, 0.5, 0.0};
    body.velocity = {0, 0, -0.25 - 0.5 * k};
    model.bodies.push_back(body);
  }
  model.joints.push_back(
      {"top", JointKind::spherical, "ground", "upper", WorldPlacement{{0, 0, 0}, {}, {}}});
  model.joints.push_back({"elbow", JointKind::universal, "upper", "lower",
                          WorldPlacement{{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}});
  model.simulation.t_end = 1.0;
  model.simulation.output_interval = 0.0137;
  return model;
}

struct Errors {
  double end;    // at t_end
  double dense;  // largest over the output points
};

Errors calc_errors(const Results& exact, const Results& results) {
  REQUIRE(exact.time == results.time);
  Errors errors{test::position_difference(exact, results), 0.0};
  for (std::size_t k = 0; k < exact.position.size(); ++k) {
    errors.dense = std::max(errors.dense, std::abs(exact.position[k] - results.position[k]));
  }
  return errors;
}

void check_orders(Method method, double h, double order_end, double order_dense) {
  const Model model = make_spherical_double_pendulum();
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-14));
  SimulationOptions options = model.simulation;
  options.method = method;
  options.fixed_step = h;
  const Errors coarse = calc_errors(exact, test::run(model, options));
  options.fixed_step = h / 2;
  const Errors fine = calc_errors(exact, test::run(model, options));
  // inside one step: dense output of order p leaves a local error of order p + 1
  const auto local = [&](double step) {
    options.t_end = options.fixed_step = step;
    options.output_interval = step / 7;
    const Results result = test::run(model, options);
    SimulationOptions tight = test::with_tolerance(options, 1e-14);
    tight.fixed_step = 0.0;
    return calc_errors(test::run(model, tight), result).dense;
  };
  const double local_order = std::log2(local(4 * h) / local(2 * h));
  MESSAGE("inside one step ", local_order);
  CHECK(local_order >= order_dense + 0.7);
  MESSAGE("order ", std::log2(coarse.end / fine.end), ", dense ",
          std::log2(coarse.dense / fine.dense));
  CHECK(std::log2(coarse.end / fine.end) >= order_end);
  CHECK(std::log2(coarse.dense / fine.dense) >= order_dense);
}

}  // namespace

TEST_CASE("dopri5 has order 5 and dense output of order 4") {
  check_orders(Method::dopri5, 1.0 / 64, 4.8, 4.0);
}

TEST_CASE("dop853 has order 8 and dense output of order 7") {
  check_orders(Method::dop853, 1.0 / 24, 7.6, 7.0);
}
