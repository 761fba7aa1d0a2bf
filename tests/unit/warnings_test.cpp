// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Warnings of a run that is written while it goes: each is given once, however often the file is updated.
#include <doctest/doctest.h>

#include <algorithm>
#include <trammel/trammel.hpp>

#include "manifold/assembly.hpp"
#include "record/recorder.hpp"

using namespace trammel;

namespace {

// Asks for an update after every step, and looks at the warnings then.
class EagerSink : public ResultsSink {
 public:
  int updates = 0;
  std::size_t most = 0;

  void start(const Results&) override {}
  bool is_due() override { return true; }
  void update(Results& results) override {
    ++updates;
    most = std::max(most, results.warnings.size());
  }
  void finish(const Results&) override {}
};

}  // namespace

TEST_CASE("a warning is not repeated when a sink is updated") {
  // masses so unlike that conjugate gradients cannot reach their goal
  const Model model = read_model_text(R"yaml(
trammel: 1
gravity: [0, -9.81, 0]
bodies:
  b_<k>:
    repeat: {k: 60}
    mass: 10^(6*(-1)^k)
    inertia: [10^(6*cos(3*k)), 10^(6*cos(3*k)), 10^(6*cos(3*k))]
    position: [k, 0, 0]
joints:
  anchor: {kind: revolute, bodies: [ground, b_1], at: [0.5, 0, 0], axis: [0, 0, 1]}
  pin_<k>:
    repeat: {k: [2, 60]}
    kind: revolute
    bodies: [b_<k-1>, b_<k>]
    at: [k - 0.5, 0, 0]
    axis: [0, 0, 1]
)yaml",
                                      "unlike masses");
  SimulationOptions options = model.simulation;
  options.schur = SchurSolver::iterative;
  options.t_end = 0.01;
  options.max_steps = 20;
  EagerSink sink;
  const Results results = simulate(compile(model), options, {}, &sink);
  const auto is_missed = [](const std::string& warning) {
    return warning.find("iterative solver did not converge") != std::string::npos;
  };
  CHECK(sink.updates > 1);
  CHECK(std::count_if(results.warnings.begin(), results.warnings.end(), is_missed) == 1);
  CHECK(sink.most < results.warnings.size());
}

TEST_CASE("output points that are left out make one warning") {
  const Model model = read_model(std::string(TRAMMEL_MODELS_DIR) + "/paper/pendulum.yaml");
  const System handle = compile(model);
  const auto& system = static_cast<const SystemIn<Spatial>&>(handle.data());
  SimulationOptions options = model.simulation;
  options.t_end = 10;
  options.output_interval = 1;
  std::vector<double> z = assemble(system).z, rate(z.size());
  MechanicalProblem<Spatial> problem(system, options);
  REQUIRE(problem.start(z.data(), rate.data()));
  Results results;
  const ProgressCallback none;
  Recorder<Spatial> recorder(problem, options, none, results);
  recorder.start(z.data());
  results.warnings = {"another"};
  recorder.skip_output(1);
  REQUIRE(results.warnings.size() == 2);
  CHECK(results.warnings[1] ==
        "the output point at t = 1.000000 s could not be projected and is left out");
  recorder.skip_output(2);
  results.warnings.push_back("a third");
  recorder.skip_output(3);
  REQUIRE(results.warnings.size() == 3);
  CHECK(results.warnings[1] ==
        "3 output points could not be projected and are left out, the first at t = 1.000000 s");
}
