// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The end of a run: a last point that cannot be evaluated is a failure.
#include <doctest/doctest.h>

#include <cmath>

#include "analyses/prepared_run.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

// Ends a run at t = 0, after moving its first body along x.
Results end_moved(double distance, Stop stop) {
  const Model model = test::read_repository_model("paper/crank.yaml");
  const System handle = compile(model);
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  PreparedRun<Spatial> run(system, model.simulation, {}, nullptr);
  REQUIRE(run.is_started());
  run.begin_loop();
  run.z()[system.topology.layout.y(0)] += distance;
  return run.finish(stop, PointFailure{});
}

}  // namespace

TEST_CASE("a run whose last point can be evaluated has finished") {
  const Results results = end_moved(0.0, Stop::finished);
  CHECK(results.status.outcome == Outcome::finished);
  CHECK(std::isfinite(results.energy.kinetic));
}

TEST_CASE("a last point that cannot be evaluated is a failure, and its energies are missing") {
  const Results results = end_moved(100.0, Stop::finished);
  CHECK(results.status.outcome == Outcome::step_too_small);
  CHECK(results.status.message.find("the last point cannot be evaluated: the projection") !=
        std::string::npos);
  CHECK(results.final.size() == 3);
  CHECK(results.time.size() == 1);  // no row of its own
  CHECK(std::isnan(results.energy.kinetic));
  CHECK(std::isnan(results.energy.balance_error));
  CHECK(to_json(results).find("\"kinetic\": null") != std::string::npos);
}

TEST_CASE("a run that had stopped for another reason keeps it, with a warning") {
  const Results results = end_moved(100.0, Stop::too_many_steps);
  CHECK(results.status.outcome == Outcome::too_many_steps);
  REQUIRE(!results.warnings.empty());
  CHECK(results.warnings.back().find("the last point cannot be evaluated") != std::string::npos);
}
