// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanism as a problem for the integrator: derivative of the state, what happens at the end
// of a step, and how large an error is. One per run; allocates only in its constructor.
//
//   stage       z → ż = (ẏ, u̇, Ẇ, ρ̇)
//   step end    normalise θ · project positions (chord iterations with the factor of the last
//               stage) · factor S at the new point · choose the rows of the next step ·
//               project velocities · hold invariants · derivative with the same factor, which is
//               the first stage of the next step
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "evaluate/conjugate_gradients.hpp"
#include "evaluate/kernel.hpp"
#include "manifold/energy_balance.hpp"
#include "manifold/light_bodies.hpp"
#include "manifold/momentum_balance.hpp"
#include "manifold/projection.hpp"
#include "manifold/row_watch.hpp"
#include "manifold/user_invariants.hpp"
#include "problem/coded_step.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"
#include "trammel/options.hpp"

namespace trammel {

// Why a point could not be evaluated or projected; read by the report of a failed run.
struct PointFailure {
  enum class Kind {
    none,
    not_finite,
    dependent_row,
    not_projected,
    open_joint,
    rough_bridge,
    off_curve,
    no_inertia,
    not_followed
  };
  Kind kind = Kind::none;
  int index = -1;  // body (not_finite), row, or joint (off_curve); not_followed: the driver's row
  double residual = 0.0;  // |g| of that row (not_projected, open_joint)
};

// The first joint that opened in a run without projection.
struct OpenedRow {
  double t = 0.0;
  int row = -1;           // −1: none
  double residual = 0.0;  // |g| then
};

// How well a point lies on the manifold.
struct PointQuality {
  LargestRow position{0.0, -1};
  LargestRow velocity{0.0, -1};
  double euler_parameters = 0.0;  // largest | |θ|² − 1 |
  int newton = 0;                 // iterations of the projection
  double smallest_pivot = 1.0;    // of S, in parts of that at the start; 0 in a singular position
  int smallest_pivot_row = -1;
  LargestRow met{0.0, -1};  // |g| before it
  double moved = 0.0;       // the largest of its moves: radians, or relative to the length
};

struct DynamicsCounts {
  std::int64_t distribution = 0;
  std::int64_t projection = 0;
  std::int64_t newton = 0;
  int newton_max = 0;
  std::int64_t dg = 0;
  std::int64_t d2g = 0;
  std::int64_t df_inv = 0;
  std::int64_t evaluations_by_code = 0;
  std::int64_t steps_by_code = 0;  // ends of steps
  std::int64_t evaluations_in_lanes = 0, steps_in_lanes = 0;
  double distribution_seconds = 0.0;
  double projection_seconds = 0.0;
};

template <class Space>
class MechanicalProblem {
 public:
  MechanicalProblem(const SystemIn<Space>& system, const SimulationOptions& options);

  // Which rows to keep; without it `start` finds that out at its point.
  void set_rank(const RankReport& rank) {
    watch_.start(rank, ws_);
    watch_.use_step_rows(ws_);
    rank_is_known_ = true;
  }

  // Joints may be open by this much relative to their parts, where another problem moves z.
  void allow_opening(double least) { watch_.allow_opening(least); }

  // ---- what the integrator calls (src/integrate/runge_kutta.hpp)

  int dimension() const { return system_.topology.layout.size(); }

  // ż at a stage; with project_stages z is moved onto M first. false: see failure().
  bool calc_derivative(double t, double* z, double* rate);

  // The end of a step of size h: moves z onto M and evaluates ż there. false: see failure().
  bool finish_step(double t, double h, double* z, double* rate);

  // The step that finish_step ended at t with the state z is accepted: choices of rows and references
  // that are constant in a step move there. z stays the same point of M, but for whole turns of β.
  void accept_step(double t, double* z);

  // The error e of a step from z0 to z1 in units of the tolerance: for each body the mean square of
  //   |e_r|/(atol + rtol L), 2|H e_θ|/(atol + rtol), |e_v|/(atol + rtol|v|), |e_Ω|/(atol +
  //   rtol|Ω|),
  // and the largest of these over the bodies and the components' work. L is the length of the
  // mechanism: the norm does not depend on where the origin is or how the axes lie.
  double calc_error_norm(const double* z0, const double* z1, const double* e) const;

  // The same of two errors.
  using Errors = typename CodedStep<Space>::Errors;
  Errors calc_error_norms(double* z0, double* z1, double* high, double* low) const {
    if (!coded_) return {calc_error_norm(z0, z1, high), calc_error_norm(z0, z1, low)};
    Errors errors;
    const MechanicalProblem* const self = this;
    coded_->calc_errors(&self, z0, z1, high, low, &errors);
    return errors;
  }
  double step_kinetic(int component) const { return step_kinetic_[component]; }  // J

  // The size of the state in the same units, for the first step.
  double calc_state_norm(const double* z) const;

  // Where the energy is held along the embedded difference: e of the step that is about to end.
  bool wants_difference() const {
    return options_.hold_energy && options_.energy_correction == EnergyCorrection::embedded;
  }
  void set_difference(const double* e) { difference_ = e; }

  // Where it is held by relaxation: σ of the step from z0 to z1, 1 where it cannot be found
  // (relaxation.cpp). scratch: [dimension].
  bool wants_relaxation() const {
    return options_.hold_energy && options_.projection == Projection::mass &&
           options_.energy_correction == EnergyCorrection::relaxation;
  }
  double find_relaxation(const double* z0, const double* z1, const double* rate0, double h,
                         double* scratch);

  // ---- a step's end in turns, where numbers come from code (coded_step.hpp)

  using CodeLayout = typename StepCode<Space>::Layout;  // of the numbers that code has computed
  // Whether ends of steps can come from code: what they hold and project is what the code knows.
  bool can_end_by_code() const;
  StepRules<Space> make_step_rules() const;
  // This run is one of several in lanes, which have the code.
  void join_lanes() {
    in_lanes_ = true;
    code_refusal_.clear();
  }
  // What the laws of drivers give at t, [drivers].
  std::span<const DriverLaw<double>> calc_laws_at(double t);
  // An evaluation of this run was made by code.
  void count_evaluation() {
    ++counts_.evaluations_by_code;
    counts_.evaluations_in_lanes += in_lanes_;
    ++counts_.dg;
    ++counts_.distribution;
    counts_.d2g += system_.topology.n_rows;
    failure_ = {};
  }
  // Whether one that was made can be used; then it counts.
  bool take_evaluation(bool fine) {
    if (!fine || !watch_.has_all_rows()) return false;
    count_evaluation();
    return true;
  }
  // A step ends at t, or a point between steps is there; false: it goes the ordinary way.
  bool begin_end(double t, bool is_output);
  // After an iteration: g, and the move that it proposes.
  Turn judge_iteration(const CodeLayout& at, const LaneNumbers& of);
  // Whether the last move has closed the joints: g is rounding, or the move was small.
  bool is_closed(const CodeLayout& at, const LaneNumbers& of) const;
  // The same of a point between steps.
  Turn settle_output(double h, const CodeLayout& at, const LaneNumbers& of);
  // On the joints: everything else at the end of the step.
  Turn settle_end(double h, const CodeLayout& at, const LaneNumbers& of);
  // Where that has found that it may have to climb: whether it has to. Then the joints are closed and
  // it is settled once more, and in any case without asking again.
  bool begin_climb(double h, const CodeLayout& at, const LaneNumbers& of);
  double projection_tolerance() const { return projection_tolerance_; }
  // finish_step without code, with the factor that a lane of it has.
  bool finish_ordinarily(const CodedStep<Space>& coded, int lane, double t, double h, double* z,
                         double* rate);

  // ---- a motion that drivers and joints determine (kinematic_panel.hpp)

  // Guesses are close from now on: the factor at a guess serves the point that is found from it. Newton's
  // method then leaves nothing after a move of 1e-12; to ask for less may be to ask for less than the
  // rounding of a law.
  void expect_close_guesses() {
    guesses_are_close_ = true;
    projection_tolerance_ = 1e-12;
  }

  // Moves the guess z at time t onto M and evaluates ż there, u̇ and λ refined. h, is_end: the size of
  // the step, and whether this is its end or a point within. false: see failure().
  bool finish_given(double t, double h, bool is_end, double* z, double* rate);

  // ---- what the recorder calls

  // Takes z, a point of M, as the start: its energy is the one to keep. false: see failure().
  bool start(double* z, double* rate, double t = 0.0);

  // An output point between steps: moved onto M like a step's end, multipliers evaluated, and refined where
  // reactions are wanted. Leaves positions, velocities and rows of the point in ws.
  bool finish_output(double t, double h, double* z);
  void want_reactions() { wants_reactions_ = true; }

  const SystemIn<Space>& system() const { return system_; }
  const Workspace<double, Space>& workspace() const { return ws_; }
  Workspace<double, Space>& workspace() { return ws_; }
  // With positions and velocities of z, the end of the last step: code leaves none there.
  const Workspace<double, Space>& workspace_at(const double* z) {
    if (!poses_are_current_) {
      kernel<double, Space>().calc_poses(ws_.arrays, z, {0, system_.topology.n_bodies});
      poses_are_current_ = true;
    }
    return ws_;
  }
  const RowWatch<Space>& watch() const { return watch_; }
  // At the last point that was finished rows were left out because it is nearly singular.
  bool in_bridge() const { return in_bridge_; }
  const EnergyBalance<Space>& energy() const { return energy_; }
  const PointQuality& quality() const { return quality_; }
  const PointFailure& failure() const { return failure_; }
  const OpenedRow& opened() const { return opened_; }
  const DynamicsCounts& counts() const { return counts_; }
  // Why evaluations are not made by code; empty where they are, or will be.
  const std::string& code_refusal() const { return code_refusal_; }
  const ConjugateGradients<double, Space>* iterative() const { return iterative_.get(); }

 private:
  std::string find_code_refusal() const;
  void find_code();
  void find_first_code();  // at the start
  void find_other_code();  // for other rows than in the step before
  bool fail(PointFailure::Kind kind, int index, double residual = 0.0);
  bool calc_factor_at_rows();
  void use_step_rows();
  bool choose_rows(double h, double* z, bool is_improved);
  bool improve_rows();
  void improve_rows_of_output();
  bool close_rows_that_came_back(double h, double* z);
  bool calc_accelerations();
  bool has_close_factor() const;
  void calc_rows_of_guess(double t, double* z);
  bool calc_rate(const double* z, double* rate);
  bool write_rates(const double* z, double* rate);
  [[gnu::noinline]] bool calc_derivative_by_loops(double* z, double* rate);
  bool finish_by_loops(double t, double h, double* z, double* rate);
  bool succeed();
  bool fail_not_finite(const double* rate);
  Turn take_point(double h, const CodeLayout& at, const LaneNumbers& of);
  bool finish_output_by_code(double t, double h, double* z);
  LargestRow find_row(double largest, const LaneNumbers& rows) const;
  bool project(double t, double h, double slack, double* z, bool is_improved);
  void hold_invariants(double t, double h, double slack, double* z);
  bool move_onto_joints(double* z);
  void observe(const double* z);
  bool is_on_curves();
  bool is_closed_at(double t);
  void remember_kinetic();
  double now() const;

  const SystemIn<Space>& system_;
  SimulationOptions options_;
  double projection_tolerance_;
  Workspace<double, Space> ws_;
  RowWatch<Space> watch_;
  bool rank_is_known_ = false;
  bool in_bridge_ = false;
  double end_pivot_ = 1.0;     // the smallest, at the end of the last step
  bool foreign_rows_ = false;  // ws_.mask is not that of the step in hand
  bool guesses_are_close_ = false;
  bool has_rows_of_guess_ = false;  // rows and factor in ws_ are those of the guess to be projected
  std::unique_ptr<ConjugateGradients<double, Space>> iterative_;  // of ws_, where asked
  std::unique_ptr<LightCorrection<Space>> light_;  // where bodies have hardly any mass
  MomentumBalance<Space> momenta_;
  EnergyBalance<Space> energy_;
  UserInvariants<Space> user_;
  bool holds_any_;
  const double* difference_ = nullptr;
  std::vector<double> step_kinetic_;  // [components] J, T at the last step's end
  std::vector<double> step_;          // [dimension] scratch of find_relaxation
  std::unique_ptr<double[]>
      before_;  // [dimension] scratch of close_rows_that_came_back; else not touched
  struct RowCode {
    std::vector<int> left_out;
    std::unique_ptr<CodedStep<Space>> code;
  };
  std::vector<RowCode> codes_;         // machine code, where that pays, by the rows it leaves out
  CodedStep<Space>* coded_ = nullptr;  // that for the rows of the step in hand, or null
  std::string code_refusal_;
  bool in_lanes_ = false;
  bool wants_reactions_ = false;  // of output points
  int outputs_by_loops_ = 0;
  std::int64_t code_after_ = 0;    // evaluations: from then on code is made, between two steps
  bool code_is_current_ = false;   // it made the last evaluation
  bool poses_are_current_ = true;  // in ws_, at the end of a step
  ChordIteration chord_;           // of the step's end in hand, by code
  int usual_newton_ = 1;           // how many of its moves are likely to be enough
  bool climbs_ = false;            // it has climbed, or need not
  PointQuality quality_;
  PointFailure failure_;
  OpenedRow opened_;
  DynamicsCounts counts_;
};

}  // namespace trammel
