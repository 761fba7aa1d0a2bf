// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Conjugate gradients and the factorisation solve the same systems: the same motion.
#include <doctest/doctest.h>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/assembly.hpp"
#include "manifold/projection.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

const std::string models = TRAMMEL_MODELS_DIR;

// Runs both ways; the largest distance of a centre of mass over all output points.
double compare(const Model& model, double tolerance) {
  SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
  const Results direct = test::run(model, options);
  options.schur = SchurSolver::iterative;
  const Results iterative = test::run(model, options);
  REQUIRE(direct.status.outcome == Outcome::finished);
  REQUIRE(iterative.status.outcome == Outcome::finished);
  CHECK(direct.counts.schur_solves == 0);
  CHECK(iterative.counts.schur_solves > iterative.counts.accepted);
  CHECK(iterative.violation.position < 1e-12);
  CHECK(iterative.violation.velocity < 1e-11);
  for (const std::string& warning : iterative.warnings) {
    CHECK(warning.find("iterative") == std::string::npos);
  }
  CHECK(full_report(iterative).find("conjugate gradients") != std::string::npos);
  CHECK(full_report(direct).find("conjugate gradients") == std::string::npos);
  MESSAGE(model.name, ": ", iterative.counts.schur_iterations / iterative.counts.schur_solves,
          " iterations a solve");
  REQUIRE(direct.position.size() == iterative.position.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < direct.position.size(); ++k) {
    largest = std::max(largest, std::abs(direct.position[k] - iterative.position[k]));
  }
  return largest;
}

}  // namespace

TEST_CASE("conjugate gradients give the motion of the factorisation") {
  for (const char* name : {"paper/pendulum.yaml", "paper/quadrangle.yaml", "paper/crank.yaml",
                           "planar/quadrangle.yaml", "planar/andrews.yaml"}) {
    Model model = test::read_repository_model(name);
    model.simulation.t_end = std::min(model.simulation.t_end, 2.0);
    CAPTURE(name);
    const double difference = compare(model, 1e-10);
    MESSAGE(difference, " m");
    CHECK(difference < 1e-10);
  }
  Model chain = read_model(models + "/gallery/chain.yaml", {{"links", 20}});
  chain.simulation.t_end = 0.5;
  CHECK(compare(chain, 1e-9) < 1e-10);
  Model net = read_model(models + "/gallery/net.yaml", {{"size", 4}});
  net.simulation.t_end = 0.2;
  CHECK(compare(net, 1e-9) < 1e-10);
}

TEST_CASE("S d without S is S d") {
  test::Random random(8);
  const System handle = compile(test::read_repository_model("paper/crank.yaml"));
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  const Topology& t = system.topology;
  const std::vector<double> z = assemble(system).z;
  Workspace<double> ws(t);
  calc_positions(t, z.data(), ws);
  calc_rows(t, system.parameters, ws);
  REQUIRE(calc_factor(t, system.parameters, ws, run_drop_tolerance) < 0);
  std::vector<double> d(t.n_rows), image(t.n_rows);
  std::vector<Twist<double>> w(t.n_bodies + 1, Twist<double>::zero());
  for (double& x : d) x = random.uniform(-1, 1);
  calc_schur_times(t, system.parameters, ws, d.data(), w, image.data());
  solve(t.program, ws.factor(), image.data());
  for (int r = 0; r < t.n_rows; ++r) CHECK(image[r] == doctest::Approx(d[r]).epsilon(1e-9));
}
