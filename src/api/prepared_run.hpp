// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One run from its assembled start to its Results: problem, recorder and integrator with all they need.
// Who has it makes the steps: simulate at one go, simulate_ensemble in turns with others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/mechanical_problem.hpp"
#include "integrate/runge_kutta.hpp"
#include "record/recorder.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

// Why a point could not be evaluated, in words.
std::string explain(const SystemData& system, const PointFailure& failure);

template <class Space>
class PreparedRun {
 public:
  using Integrator = RungeKutta<MechanicalProblem<Space>, Recorder<Space>>;

  // Assembles and records t = 0. Throws ModelError when the model cannot run.
  PreparedRun(const SystemIn<Space>& system, const SimulationOptions& options,
              const ProgressCallback& progress, ResultsSink* sink);
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  // false: it has failed at the start, and finish() says why.
  bool is_started() const { return started_; }
  const SystemIn<Space>& system() const { return system_; }
  const SimulationOptions& options() const { return options_; }
  MechanicalProblem<Space>& problem() { return *problem_; }
  Recorder<Space>& recorder() { return *recorder_; }
  std::vector<double>& z() { return z_; }
  // Made when it is asked for, once; not of a run in jet coordinates.
  Integrator& integrator();
  // ż at the start
  const std::vector<double>& rate() const { return rate_; }

  // Ends the run where it is.
  Results finish(Stop stop, const PointFailure& failure, double loop_seconds);
  // The same for a run in turns.
  Results finish();

  // Joints and drivers leave no degree of freedom: nothing is integrated. Then all of it at once.
  bool is_kinematic() const { return is_kinematic_; }
  Results run_kinematic();

 private:
  void describe();  // picture and names of rows into the results

  const SystemIn<Space>& system_;
  SimulationOptions options_;
  ProgressCallback progress_;
  ResultsSink* sink_;
  double cpu_begin_;
  Results results_;
  std::unique_ptr<SystemIn<Space>> lightened_;  // the problem's own, where bodies are light
  std::unique_ptr<MechanicalProblem<Space>> problem_;
  std::unique_ptr<Recorder<Space>> recorder_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<double> z_, rate_;
  bool started_ = false;
  bool is_kinematic_ = false;
};

double cpu_now();  // s, of the process

}  // namespace trammel
