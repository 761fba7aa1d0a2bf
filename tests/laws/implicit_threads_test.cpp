// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Implicit steps have the same bits for any number of threads and by loops, alone and as members of an ensemble.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "support/stiff_models.hpp"

using namespace trammel;

namespace {

std::int64_t count_implicit(const Results& results) {
  const ImplicitCounts& counts = results.counts.implicit;
  return counts.steps_of_order_5 + counts.steps_of_order_9 + counts.steps_of_order_13;
}

bool has_same_bits(const Results& a, const Results& b) {
  const auto is_same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  };
  return a.counts.accepted == b.counts.accepted && is_same(a.position, b.position) &&
         is_same(a.velocity, b.velocity) && is_same(a.reaction_force, b.reaction_force);
}

void check_run(const Model& model, const SimulationOptions& options) {
  const System system = compile(model);
  const Results once = simulate(system, options);
  CHECK(once.status.outcome == Outcome::finished);
  CHECK(count_implicit(once) > 0);
  for (const int threads : {1, 2, 3, 5}) {
    SimulationOptions shared = options;
    shared.threads = threads;
    CHECK(has_same_bits(once, simulate(system, shared)));
  }
  SimulationOptions by_loops = options;
  by_loops.kernel = KernelChoice::loops;
  CHECK(has_same_bits(once, simulate(system, by_loops)));
}

SimulationOptions make_options(const Model& model, double t_end) {
  SimulationOptions options = model.simulation;
  options.t_end = t_end;
  options.output_interval = t_end / 10;
  return options;
}

}  // namespace

TEST_CASE("a run by implicit steps has the same bits again, with threads and by loops") {
  SUBCASE("a chain of 30") {
    const Model model = test::make_chain(30, 1e3, 1.0);
    SimulationOptions options = test::with_radau(model.simulation, 1e-6);
    options.t_end = 0.2;
    options.output_interval = 0.01;
    check_run(model, options);
    const System system = compile(model);
    options.threads = 2;
    const Results once = simulate(system, options);
    for (const Results& member : simulate_ensemble({system, system, system}, options)) {
      CHECK(has_same_bits(once, member));
    }
  }
  SUBCASE("a chain of 2,500, whose rows and bodies threads share") {
    const Model model = test::make_chain(2500, 1e3, 1.0);
    SimulationOptions options = test::with_radau(model.simulation, 1e-3);
    options.t_end = options.output_interval = 2e-4;
    check_run(model, options);
  }
  SUBCASE("auto, with changes of the method") {
    const Model model = test::make_four_bar(1e6, 100.0, 6.0, 9.81);
    SimulationOptions options = test::with_radau(model.simulation, 1e-6);
    options.method = Method::automatic;
    options.output_interval = 0.01;
    check_run(model, options);
  }
}

TEST_CASE("an ensemble is explicit in lanes, or one by one where its ends are stiff") {
  const auto simulate_members = [](const std::vector<Model>& models, SimulationOptions options) {
    std::vector<System> members;
    for (const Model& model : models) members.push_back(compile(model));
    std::vector<Results> together = simulate_ensemble(members, options);
    options.threads = 2;
    const std::vector<Results> shared = simulate_ensemble(members, options);
    for (std::size_t k = 0; k < members.size(); ++k) CHECK(has_same_bits(together[k], shared[k]));
    return together;
  };
  SUBCASE("soft") {
    std::vector<Model> models;
    for (int k = 0; k < 6; ++k) models.push_back(test::make_four_bar(200.0 + k, 1.0, 6.0, 9.81));
    SimulationOptions options = test::with_tolerance(make_options(models[0], 1.0), 1e-9);
    options.method = Method::automatic;
    const std::vector<Results> members = simulate_members(models, options);
    options.method = Method::dop853;
    for (std::size_t k = 0; k < models.size(); ++k) {
      CHECK(members[k].method_choice == "dop853: an ensemble in lanes");
      CHECK(has_same_bits(members[k], test::run(models[k], options)));
    }
  }
  SUBCASE("stiff at one end") {
    std::vector<Model> models;
    for (const double k : {200.0, 1e4, 1e6, 1e8}) {
      models.push_back(test::make_four_bar(k, std::sqrt(k), 6.0, 9.81));
    }
    SimulationOptions options = test::with_tolerance(make_options(models[0], 0.5), 1e-6);
    options.method = Method::automatic;
    const std::vector<Results> members = simulate_members(models, options);
    for (std::size_t k = 0; k < models.size(); ++k) {
      CHECK(has_same_bits(members[k], test::run(models[k], options)));
    }
    CHECK(count_implicit(members[3]) > 0);
  }
}
