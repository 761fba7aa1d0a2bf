// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanism as a problem for the integrator. One per run. Every question is answered by generated code
// where there is some for the rows in use (coded_step.hpp), else by loops (projector.hpp), with the same
// bits. The results of a question are in point().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "problem/coded_step.hpp"
#include "problem/projector.hpp"

namespace trammel {

// What the owner of a problem knows about the run.
struct ProblemSettings {
  const RankReport* rank = nullptr;  // which rows to keep; null: found at the start
  double least_opening = 0.0;        // by which joints may be open, relative to their parts
  bool is_kinematic = false;         // the motion is given by drivers: guesses are close
  double t_start = 0.0;              // s; samples up to then have been taken
};

template <class Space>
class MechanicalProblem {
 public:
  MechanicalProblem(const SystemIn<Space>& system, const SimulationOptions& options,
                    const ProblemSettings& settings = {});

  // The current point: workspace, rows in use, invariants, quality, failure, counters.
  RunPoint<Space>& point() { return projector_.point(); }
  const RunPoint<Space>& point() const { return projector_.point(); }
  // The same run, for code that serves several runs at once.
  Projector<Space>& projector() { return projector_; }

  // ---- what a stepper calls (src/integrate/concepts.hpp); false: see point().failure

  int dimension() const { return system_.topology.layout.size(); }

  // Takes z, a point of M, as the start: its energy is the one to keep.
  bool start(double* z, double* rate, double t = 0.0);

  // ż at a stage; with project_stages z is moved onto M first.
  bool calc_derivative(double t, double* z, double* rate);

  // The end of a step of size h: moves z onto M and evaluates ż there.
  bool finish_step(double t, double h, double* z, double* rate);

  // The step that finish_step ended at t with the state z is accepted: choices of rows and references
  // that are constant in a step move there. z stays the same point of M, but for whole turns of β.
  void accept_step(double t, double* z);

  // States that are sampled take their new values at t, the end of an accepted step or the start; true:
  // one has changed.
  bool sample(double t, double* z);

  // An output point between steps: moved onto M like the end of a step, multipliers evaluated, and refined
  // where reactions are recorded. Leaves positions, velocities and rows of the point in the workspace.
  bool finish_output(double t, double h, double* z);

  // The error e of a step from z0 to z1 in units of the tolerance: for each body the mean square of
  //   |e_r|/(atol + rtol L), 2|H e_θ|/(atol + rtol), |e_v|/(atol + rtol|v|), |e_Ω|/(atol +
  //   rtol|Ω|),
  // and the largest of these over the bodies and the components' work. L is the length of the
  // mechanism: the norm does not depend on where the origin is or how the axes lie.
  double calc_error_norm(const double* z0, const double* z1, const double* e) const;
  // The same of two errors.
  using Errors = typename CodedStep<Space>::Errors;
  Errors calc_error_norms(double* z0, double* z1, double* high, double* low) const;
  // The size of the state in the same units, for the first step.
  double calc_state_norm(const double* z) const;

  // Where the energy is held along the embedded difference: e of the step that is about to end.
  bool wants_difference() const;
  void set_difference(const double* e) { point().difference = e; }

  // Where it is held by relaxation: σ of the step from z0 to z1, 1 where it cannot be found. scratch:
  // [dimension].
  bool wants_relaxation() const;
  double find_relaxation(const double* z0, const double* z1, const double* rate0, double h,
                         double* scratch);

 private:
  void find_code();        // coded_ for the rows of the current step (find_code.cpp)
  void find_first_code();  // at the start
  void find_other_code();  // for other rows than in the step before
  bool finish_output_by_code(double t, double h, double* z);

  const SystemIn<Space>& system_;
  bool is_kinematic_;
  Projector<Space> projector_;
  CodedEnd<Space> end_;
  std::vector<double> step_;                // [dimension] scratch of find_relaxation
  std::vector<std::int64_t> sample_count_;  // [states] samples taken

  struct RowCode {
    std::vector<int> left_out;
    std::unique_ptr<CodedStep<Space>> code;
  };
  std::vector<RowCode> codes_;         // machine code, where that pays, by the rows it leaves out
  CodedStep<Space>* coded_ = nullptr;  // that for the rows of the current step, or null
  bool code_is_current_ = false;       // it made the last evaluation
  std::int64_t code_after_ = 0;        // evaluations: from then on code is made, between two steps
};

}  // namespace trammel
