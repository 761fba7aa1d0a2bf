// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every member of an ensemble is its single run, to the bit.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

#include "support/random_model.hpp"
#include "support/reference.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// Masses, inertias and loads of a model, each changed by up to ±20 %.
Model make_member(Model model, int seed) {
  test::Random random(seed);
  for (Body& body : model.bodies) {
    const double factor = random.uniform(0.8, 1.2);
    if (body.mass) body.mass = *body.mass * factor;
    if (body.inertia) {
      for (auto& row : *body.inertia) {
        for (double& x : row) x *= factor;
      }
    }
  }
  for (Force& force : model.forces) {
    if (Torque* torque = std::get_if<Torque>(&force.law)) {
      const double factor = random.uniform(0.8, 1.2);
      for (double& x : torque->value) x *= factor;
    }
  }
  return model;
}

std::uint64_t calc_hash(const Results& results) {
  std::uint64_t hash = 14695981039346656037u;
  for (const auto* column : {&results.time, &results.position, &results.orientation,
                             &results.velocity, &results.angular_velocity, &results.coordinate,
                             &results.reaction_force, &results.kinetic, &results.balance_error}) {
    for (const double x : *column) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211u;
    }
  }
  return hash;
}

void check_ensemble(const Model& model, const SimulationOptions& options, int n) {
  std::vector<System> members;
  for (int k = 0; k < n; ++k) members.push_back(compile(make_member(model, k)));
  const std::vector<Results> together = simulate_ensemble(members, options);
  REQUIRE(together.size() == members.size());
  std::uint64_t first = 0;
  for (int k = 0; k < n; ++k) {
    const Results alone = simulate(members[k], options);
    CAPTURE(k);
    CHECK(together[k].status.outcome == alone.status.outcome);
    CHECK(calc_hash(together[k]) == calc_hash(alone));
    CHECK(together[k].counts.accepted == alone.counts.accepted);
    CHECK(together[k].counts.rejected == alone.counts.rejected);
    CHECK(together[k].counts.accelerations == alone.counts.accelerations);
    if (k == 0)
      first = calc_hash(alone);
    else
      CHECK(calc_hash(alone) != first);
  }
}

}  // namespace

TEST_CASE("members of an ensemble have the bits of their single runs") {
  for (const char* name : {"paper/quadrangle.yaml", "paper/crank.yaml", "planar/quadrangle.yaml"}) {
    CAPTURE(name);
    const Model model = test::read_repository_model(name);
    SimulationOptions options = model.simulation;
    options.t_end = 2.0;
    options.output_interval = 0.5;
    check_ensemble(model, options, 11);  // not a multiple of four
    options.threads = 2;
    check_ensemble(model, options, 9);
    options.threads = 1;
    options.rtol = options.atol = 1e-11;
    options.hold_energy = !options.hold_energy;
    check_ensemble(model, options, 5);
  }
}

TEST_CASE("a member with a force of its own keeps it") {
  const Model model = test::read_repository_model("paper/quadrangle.yaml");
  SimulationOptions options = model.simulation;
  options.t_end = 1.0;
  options.output_interval = 0.5;
  std::vector<System> members;
  for (int k = 0; k < 5; ++k) {
    Model member = make_member(model, k);
    if (k == 3) {
      Drag drag;
      drag.body = member.bodies[0].name;
      drag.linear = 5.0;
      member.forces.push_back({"air", drag});
    }
    members.push_back(compile(member));
  }
  const std::vector<Results> together = simulate_ensemble(members, options);
  for (std::size_t k = 0; k < members.size(); ++k) {
    CHECK(calc_hash(together[k]) == calc_hash(simulate(members[k], options)));
  }
}

TEST_CASE("an ensemble that lanes cannot do is simulated one by one") {
  Model model = test::read_repository_model("paper/pendulum.yaml");
  SimulationOptions options = model.simulation;
  options.t_end = 1.0;
  options.method = Method::dopri5;
  check_ensemble(model, options, 3);
}
