// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The same code from 3 bodies to thousands: a chain and a ladder, with cost linear in the size.
#include <doctest/doctest.h>

#include "support/reference.hpp"
#include "system/system.hpp"

using namespace trammel;

namespace {

Model make_chain(int n) {
  Model model;
  model.gravity = {0, -9.81, 0};
  for (int k = 0; k < n; ++k) {
    Body link;
    link.name = "link" + std::to_string(k);
    link.mass = 1.0;
    link.inertia = Mat3{{{0.01, 0, 0}, {0, 0.0833, 0}, {0, 0, 0.0833}}};
    link.position = {k + 0.5, 0, 0};
    model.bodies.push_back(link);
    const std::string before = k == 0 ? ground : "link" + std::to_string(k - 1);
    model.joints.push_back({"joint" + std::to_string(k), JointKind::spherical, before, link.name,
                            WorldPlacement{{double(k), 0, 0}, {}, {}}});
  }
  model.simulation.t_end = 0.2;
  model.simulation.output_interval = 0.1;
  return model;
}

}  // namespace

TEST_CASE("the factor of a chain has no fill: storage is linear") {
  const System small = compile(make_chain(100)), large = compile(make_chain(5000));
  const double a = static_cast<double>(small.data().topology.program.n_values) / 100;
  const double b = static_cast<double>(large.data().topology.program.n_values) / 5000;
  CHECK(b <= 1.02 * a);
  CHECK(large.data().topology.program.n_values <= 18u * 5000u);
}

TEST_CASE("a chain of 2,000 links swings, closed and balanced") {
  const Model model = make_chain(2000);
  const Results results = test::run(model, test::with_tolerance(model.simulation, 1e-8));
  CHECK(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 6000);
  CHECK(results.violation.position <= 1e-11);
  CHECK(results.violation.velocity <= 1e-11);
  CHECK(results.energy.balance_error_max <= 1e-6 * results.energy.kinetic_max);
}
