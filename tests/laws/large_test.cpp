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

// Link k hangs on link (k − 1)/2.
Model make_tree(int n) {
  Model model = make_chain(n);
  for (int k = 1; k < n; ++k) {
    const Vec3& parent = model.bodies[(k - 1) / 2].position;
    model.bodies[k].position = {parent[0] + 1.0, parent[1], parent[2]};
    model.joints[k].body_i = "link" + std::to_string((k - 1) / 2);
    model.joints[k].placement = WorldPlacement{{parent[0] + 0.5, parent[1], parent[2]}, {}, {}};
  }
  return model;
}

}  // namespace

TEST_CASE("a tree on several threads moves as on one, to the bit") {
  const Model model = make_tree(700);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-6);
  options.record.steps = true;
  const Results one = test::run(model, options);
  CHECK(one.status.outcome == Outcome::finished);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const Results several = test::run(model, options);
    CHECK(several.position == one.position);
    CHECK(several.velocity == one.velocity);
    CHECK(several.counts.accepted == one.counts.accepted);
  }
}

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
