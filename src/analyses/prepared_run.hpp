// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One run from its assembled start to its Results: problem and recorder. The owner drives it: simulate
// runs it to the end, simulate_ensemble interleaves several.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyses/run_clock.hpp"
#include "integrate/loop.hpp"
#include "problem/mechanical_problem.hpp"
#include "record/recorder.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

// Why a point could not be evaluated, in words.
std::string explain(const SystemData& system, const PointFailure& failure);

// The options as they take effect: without a projection nothing is conserved or projected, and no energy where no
// component's can be.
SimulationOptions make_effective(const SystemData& system, SimulationOptions options);

// Where a run goes on from another.
struct RunStart {
  double t = 0.0;                   // s
  std::vector<double> z;            // close to M
  std::vector<double> coordinates;  // of joints: how often angles have turned
};

template <class Space>
class PreparedRun {
 public:
  // Assembles and records t = 0, or where the run goes on. Throws ModelError when the model cannot run.
  PreparedRun(const SystemIn<Space>& system, const SimulationOptions& options,
              const ProgressCallback& progress, ResultsSink* sink, const RunStart* start = nullptr);
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  // false: it has failed at the start, and finish() says why.
  bool is_started() const { return started_; }
  const SystemIn<Space>& system() const { return system_; }
  const SimulationOptions& options() const { return options_; }
  MechanicalProblem<Space>& problem() { return *problem_; }
  Recorder<Space>& recorder() { return *recorder_; }
  std::vector<double>& z() { return z_; }
  LoopSettings make_loop_settings() const;
  // ż at the start
  const std::vector<double>& rate() const { return rate_; }

  // dop853 and radau compete for it (method_choice.hpp). Forces whose derivatives are not known are found out
  // later.
  bool competes() const { return competes_; }
  // What made its steps, for the report.
  void finish_competition(const ImplicitCounts& counts, double operations,
                          const std::string& refusal);
  // Its steps are made by dop853 after all.
  void explain_explicit_steps(const std::string& reason) { explicit_reason_ = reason; }

  // What there is of the results while the run goes on, and a copy as a run of its own.
  const Results& results() const { return results_; }
  Results copy_results();
  void describe();  // picture and names of rows into the results

  // Ends the run before its first step: the model cannot be simulated in this way.
  [[noreturn]] void refuse(const std::string& reason) const;
  // What the stepper has counted.
  void set_implicit_counts(const ImplicitCounts& counts, double operations) {
    results_.counts.implicit = counts;
    results_.counts.operations = operations;
  }

  // ---- the clock of the run: called before the first step, by the owner
  void begin_loop() { clock_.begin_loop(problem_->point().counts.projection_seconds); }

  // Ends the run where it is.
  Results finish(Stop stop, const PointFailure& failure);
  // The same for a run whose steps were made together with those of others, which took `loop`.
  Results finish(Stop stop, const LoopTime& loop);
  // The same for a run that is not started.
  Results finish();

  // Joints and drivers leave no degree of freedom: nothing is integrated, and run_kinematic does it all.
  bool is_kinematic() const { return is_kinematic_; }
  Results run_kinematic();

 private:
  bool begin(const RunStart& start);
  PointFailure find_failure(Stop stop, const PointFailure& known);
  Results close(Stop stop, const PointFailure& failure);
  std::string describe_method_choice() const;

  const SystemIn<Space>& system_;
  SimulationOptions options_;
  ProgressCallback progress_;
  ResultsSink* sink_;
  RunClock clock_;
  Results results_;
  std::unique_ptr<SystemIn<Space>> lightened_;  // the problem's own, where bodies are light
  std::unique_ptr<MechanicalProblem<Space>> problem_;
  std::unique_ptr<EventMonitor<Space>> events_;
  std::unique_ptr<Recorder<Space>> recorder_;
  std::vector<double> z_, rate_;
  bool started_ = false;
  bool is_kinematic_ = false;
  bool competes_ = false;
  std::string explicit_reason_;  // of method auto: why no step is implicit
};

}  // namespace trammel
