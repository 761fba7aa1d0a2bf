// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Moves points onto the manifold and evaluates ż there, on doubles (loops), in every case that can occur:
// redundant rows, singular positions, invariants, curves, bodies without mass. Allocates only in its
// constructor.
//
//   stage       z → ż = (ẏ, u̇, Ẇ, ρ̇)
//   step end    normalise θ · project positions (chord iterations with the factor of the last
//               stage) · factor S at the new point · choose the rows of the next step ·
//               project velocities · restore invariants · ż with the same factor, which is
//               the first stage of the next step
//
// What generated code does instead in ordinary cases: coded_step.hpp.
#pragma once

#include <memory>

#include "problem/run_point.hpp"

namespace trammel {

template <class Space>
class Projector {
 public:
  Projector(const SystemIn<Space>& system, const SimulationOptions& options)
      : point_(system, options),
        invariants_are_held_(options.hold_energy || options.hold_linear_momentum ||
                             options.hold_angular_momentum || !options.user_invariants.empty()),
        before_(std::make_unique_for_overwrite<double[]>(system.topology.layout.size())) {}

  // Which rows to keep; without it `start` finds that out at its point.
  void set_rank(const RankReport& rank) {
    rows_.start(rank, ws_);
    rows_.use_step_rows(ws_);
    rank_is_known_ = true;
  }
  // Guesses are close from now on, as those of a motion that is given: the factor at a guess serves the
  // point that is found from it. Newton's method then leaves nothing after a move of 1e-12; a smaller
  // tolerance may be below the rounding of a law.
  void expect_close_guesses() {
    guesses_are_close_ = true;
    point_.projection_tolerance = 1e-12;
  }

  RunPoint<Space>& point() { return point_; }
  const RunPoint<Space>& point() const { return point_; }

  // All of them: false where the point cannot be evaluated or projected; point().failure says why.

  // Takes z, a point of M at time t, as the start: its energy is the one to keep.
  bool start(double* z, double* rate, double t);
  // ż at a stage, at the time in ws; with project_stages z is moved onto M first.
  bool calc_derivative(double* z, double* rate);
  // The end of a step of size h at t: z onto M, ż there.
  bool finish_step(double t, double h, double* z, double* rate);
  // An output point between steps: z onto M, with positions, velocities, rows and λ left in ws, λ refined
  // where reactions are recorded.
  bool finish_output(double t, double h, double* z);
  // A point of a motion that is given, from the guess z: z onto M, ż there, u̇ and λ refined. h, is_end: the
  // size of the step, and whether this is its end or a point within.
  bool finish_given(double t, double h, bool is_end, double* z, double* rate);

  // Parts, for the relaxation of steps: positions of z onto the joints; the factor of S there.
  bool move_onto_joints(double* z);
  bool calc_factor_at_rows();

 private:
  bool choose_rows(double h, double* z, bool is_improved);
  bool improve_rows();
  void improve_rows_of_output();
  bool close_rows_that_came_back(double h, double* z);
  bool has_close_factor() const;
  void calc_rows_of_guess(double t, double* z);
  bool calc_accelerations();
  bool calc_rate(const double* z, double* rate);
  bool write_rates(const double* z, double* rate);
  bool fail_not_finite(const double* rate);
  bool project(double t, double h, double slack, double* z, bool is_improved);
  void hold_invariants(double t, double h, double slack, double* z);
  void observe(const double* z);
  bool is_on_curves();
  bool is_closed_at(double t, const double* z);

  RunPoint<Space> point_;
  const SystemIn<Space>& system_ = point_.system;
  const SimulationOptions& options_ = point_.options;
  Workspace<double, Space>& ws_ = point_.ws;
  ActiveRows<Space>& rows_ = point_.rows;
  bool invariants_are_held_;
  bool rank_is_known_ = false;
  bool guesses_are_close_ = false;
  bool has_rows_of_guess_ = false;  // rows and factor in ws are those of the guess to be projected
  std::unique_ptr<double[]> before_;  // [dimension] scratch of close_rows_that_came_back
};

}  // namespace trammel
