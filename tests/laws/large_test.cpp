// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The same code from 3 bodies to thousands: a chain and a ladder, with cost linear in the size.
#include <doctest/doctest.h>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/projection.hpp"
#include "math/thread_pool.hpp"
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

// Every third joint a hinge.
Model make_mixed_tree(int n) {
  Model model = make_tree(n);
  for (int k = 0; k < n; k += 3) {
    model.joints[k].kind = JointKind::revolute;
    std::get<WorldPlacement>(model.joints[k].placement).axis = Vec3{0, 0, 1};
  }
  return model;
}

// ż of an evaluation as a whole, and from its parts
struct Rates {
  LargeVector<double> whole, parts;
};
Rates evaluate_both(const Model& model, int threads) {
  const System handle = compile(model);
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  const Topology& topology = system.topology;
  Workspace<double> ws(topology);
  LargeVector<double> z(system.initial.begin(), system.initial.end());
  for (int b = 0; b < topology.n_bodies; ++b) {
    for (int k = 0; k < 6; ++k) z[topology.layout.u(b) + k] = 0.01 * ((7 * b + 3 * k) % 5 - 2);
  }
  Rates rates{LargeVector<double>(z.size()), LargeVector<double>(z.size())};
  const UsedThreads used(threads);
  CHECK(
      evaluate(topology, system.parameters, ws, run_drop_tolerance, z.data(), rates.whole.data()));
  calc_positions(topology, z.data(), ws);
  calc_velocities(topology, z.data(), ws);
  calc_rows_and_gamma(topology, system.parameters, ws);
  CHECK(calc_factor(topology, system.parameters, ws, run_drop_tolerance) < 0);
  calc_distribution(topology, system.parameters, ws);
  CHECK(write_rate(topology, ws, z.data(), rates.parts.data()));
  return rates;
}

}  // namespace

TEST_CASE("an evaluation in pieces is that of its parts, to the bit, on any number of threads") {
  Model loaded = make_mixed_tree(5000);
  loaded.forces = {{"push", Torque{"link7", Frame::body, {1, 2, 3}}}};
  for (const Model& model : {make_chain(5000), make_mixed_tree(5000), loaded}) {
    const Rates one = evaluate_both(model, 1);
    CHECK(one.whole == one.parts);
    for (const int threads : {2, 3}) {
      const Rates several = evaluate_both(model, threads);
      CHECK(several.whole == one.whole);
      CHECK(several.parts == one.whole);
    }
  }
}

TEST_CASE("a tree on several threads moves as on one, to the bit") {
  const Model model = make_tree(5000);
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
