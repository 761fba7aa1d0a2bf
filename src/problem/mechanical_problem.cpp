// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "problem/mechanical_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "evaluate/accelerations.hpp"
#include "evaluate/coordinate_rows.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/step_end.hpp"

namespace trammel {

namespace {

// By which part velocities may change where rows come back after a singular position.
constexpr double largest_velocity_change = 0.01;

}  // namespace

template <class Space>
MechanicalProblem<Space>::MechanicalProblem(const SystemIn<Space>& system,
                                            const SimulationOptions& options)
    : system_(system),
      options_(options),
      // well below the tolerance of the local error, and never looser than 1e-12
      projection_tolerance_(std::min(1e-12, 1e-3 * options.atol)),
      ws_(system.topology),
      watch_(system),
      momenta_(system, options.hold_linear_momentum, options.hold_angular_momentum),
      energy_(system, momenta_, options.hold_dissipative),
      user_(system, options.user_invariants),
      holds_any_(options.hold_energy || options.hold_linear_momentum ||
                 options.hold_angular_momentum || !options.user_invariants.empty()),
      step_kinetic_(system.topology.n_components(), 0.0),
      step_(wants_relaxation() ? dimension() : 0),
      before_(std::make_unique_for_overwrite<double[]>(dimension())),
      code_refusal_(find_code_refusal()) {
  if (!system.light.empty()) light_ = std::make_unique<LightCorrection<Space>>(system);
  if (options.schur != SchurSolver::iterative) return;
  iterative_ = std::make_unique<ConjugateGradients<double, Space>>(system.topology);
  ws_.iterative = iterative_.get();
}

template <class Space>
bool MechanicalProblem<Space>::fail(PointFailure::Kind kind, int index, double residual) {
  failure_ = {kind, index, residual};
  return false;
}

// Wall clock: reading a CPU clock is a system call, which would be a good part of a step. What projections
// take is only used in proportion to the wall time of the whole loop (analyses/run_clock.hpp).
template <class Space>
double MechanicalProblem<Space>::now() const {
  using std::chrono::steady_clock;
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

template <class Space>
bool MechanicalProblem<Space>::calc_factor_at_rows() {
  ++counts_.dg;
  const int dropped = calc_factor(system_.topology, system_.parameters, ws_, run_drop_tolerance);
  return dropped < 0 || fail(PointFailure::Kind::dependent_row, dropped);
}

// u̇ and λ from rows, γ, factor and velocities in ws.
template <class Space>
bool MechanicalProblem<Space>::calc_accelerations() {
  calc_distribution(system_.topology, system_.parameters, ws_);
  ++counts_.distribution;
  return !light_ || light_->correct(ws_) ||
         fail(PointFailure::Kind::no_inertia, system_.light.front().body);
}

// ż from the same.
template <class Space>
bool MechanicalProblem<Space>::calc_rate(const double* z, double* rate) {
  return calc_accelerations() && write_rates(z, rate);
}

// ż from u̇ and λ in ws.
template <class Space>
bool MechanicalProblem<Space>::write_rates(const double* z, double* rate) {
  const Topology& topology = system_.topology;
  counts_.d2g += topology.n_rows;
  return write_rate(topology, ws_, z, rate) ? succeed() : fail_not_finite(rate);
}

template <class Space>
bool MechanicalProblem<Space>::succeed() {
  failure_ = {};
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::fail_not_finite(const double* rate) {
  const StateLayout& layout = system_.topology.layout;
  int b = 0;
  while (b + 1 < layout.n_bodies) {
    const double* a = rate + layout.u(b);
    if (!std::all_of(a, a + Space::n_u, [](double x) { return std::isfinite(x); })) break;
    ++b;
  }
  return fail(PointFailure::Kind::not_finite, b);
}

template <class Space>
bool MechanicalProblem<Space>::calc_derivative(double t, double* z, double* rate) {
  ws_.time = t;
  use_step_rows();
  code_is_current_ = coded_ != nullptr;
  if (code_is_current_) {
    coded_->set_time(0, t, calc_laws_at(t));
    code_is_current_ = coded_->evaluate(z, rate);
  }
  if (!code_is_current_) return calc_derivative_by_loops(z, rate);
  count_evaluation();
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::calc_derivative_by_loops(double* z, double* rate) {
  if (options_.project_stages && options_.projection == Projection::mass) {
    // with S of the stage itself: a frozen one would make the stages' errors systematic
    calc_positions(system_.topology, z, ws_);
    calc_rows(system_.topology, system_.parameters, ws_);
    if (!calc_factor_at_rows() || !move_onto_joints(z) || !calc_factor_at_rows()) return false;
    project_velocity(system_, z, ws_);
    ++counts_.projection;
    calc_rows_and_gamma(system_.topology, system_.parameters, ws_);
    return calc_rate(z, rate);
  }
  ++counts_.dg;
  ++counts_.distribution;
  counts_.d2g += system_.topology.n_rows;
  const Topology& topology = system_.topology;
  bool kept, finite = true;
  if (!light_) {
    kept = finite = evaluate(topology, system_.parameters, ws_, run_drop_tolerance, z, rate);
  } else {
    kept = calc_accelerations_at(topology, system_.parameters, ws_, run_drop_tolerance, z);
    if (kept && !light_->correct(ws_)) {
      return fail(PointFailure::Kind::no_inertia, system_.light.front().body);
    }
    if (kept) finite = write_rate(topology, ws_, z, rate);
  }
  if (kept && finite) return succeed();
  const int dropped = find_dropped_row(topology, ws_);
  return dropped >= 0 ? fail(PointFailure::Kind::dependent_row, dropped) : fail_not_finite(rate);
}

template <class Space>
bool MechanicalProblem<Space>::move_onto_joints(double* z) {
  using Outcome = PositionProjection::Outcome;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    Space::normalise(z + system_.topology.layout.y(b));
  }
  const PositionProjection projection = project_position(system_, z, ws_, projection_tolerance_,
                                                         std::exchange(has_rows_of_guess_, false));
  counts_.newton += projection.iterations;
  counts_.newton_max = std::max(counts_.newton_max, projection.iterations);
  counts_.dg += projection.iterations;
  quality_.newton = projection.iterations;
  quality_.met = {projection.residual_in, projection.row_in};
  quality_.moved = projection.moved;
  if (projection.outcome == Outcome::converged) return true;
  const bool dependent = projection.outcome == Outcome::dependent;
  return fail(dependent ? PointFailure::Kind::dependent_row : PointFailure::Kind::not_projected,
              projection.row, projection.residual);
}

// An attempt that was rejected or an output point may have left other rows behind.
template <class Space>
void MechanicalProblem<Space>::use_step_rows() {
  if (!foreign_rows_) return;
  watch_.use_step_rows(ws_);
  foreign_rows_ = false;
}

// Whether the factor in ws_ is that of a guess so close to the point that a second pass takes out what
// it misses; with redundant rows the choice between them looks at the point itself.
template <class Space>
bool MechanicalProblem<Space>::has_close_factor() const {
  constexpr double close = 1e-6;
  return guesses_are_close_ && quality_.moved <= close && watch_.has_all_rows();
}

// At a point where the rows of the step in hand are closed: the rows of the next one, and S
// factored with them. is_improved: the base set has been looked at here already.
template <class Space>
bool MechanicalProblem<Space>::choose_rows(double h, double* z, bool is_improved) {
  if (!is_improved) watch_.reset();
  if (watch_.is_bridge()) {
    watch_.use_base_rows(ws_);
    foreign_rows_ = true;
  }
  if (!has_close_factor()) {
    ++counts_.dg;
    calc_factor(system_.topology, system_.parameters, ws_, 0.0);
  }
  if (!is_improved && watch_.has_spare_rows() && watch_.is_due(ws_) && improve_rows()) {
    if (options_.projection != Projection::none && !move_onto_joints(z)) return false;
    calc_factor(system_.topology, system_.parameters, ws_, 0.0);
  }
  const auto smallest = watch_.find_smallest(ws_);
  quality_.smallest_pivot = smallest.ratio;
  quality_.smallest_pivot_row = smallest.row;
  if (!RowWatch<Space>::is_sound(smallest)) {
    watch_.choose(ws_);
    foreign_rows_ = true;
  }
  in_bridge_ = watch_.will_be_bridge();
  return !watch_.came_back() || close_rows_that_came_back(h, z);
}

// By the equations of all joints, those left out included. Without a projection joints drift, as the
// user wants it: the run goes on, and its status says at the end what has opened.
template <class Space>
bool MechanicalProblem<Space>::is_closed_at(double t) {
  if (quality_.position.value <= watch_.least_opening()) return true;
  const int row = watch_.find_open_row(ws_);
  if (row < 0) return true;
  if (options_.projection != Projection::none) {
    return fail(PointFailure::Kind::open_joint, row, std::abs(ws_.g[row]));
  }
  if (opened_.row < 0) opened_ = {t, row, std::abs(ws_.g[row])};
  return true;
}

// With the factor of the base set: a better one, where there are rows to exchange.
template <class Space>
bool MechanicalProblem<Space>::improve_rows() {
  if (!watch_.has_spare_rows() || iterative_ || !watch_.improve(ws_)) return false;
  foreign_rows_ = true;
  return true;
}

// Behind a bridge. The change of velocity that closes the rows is an error the bridge has made: as
// a displacement over the step it may be ten tolerances.
template <class Space>
bool MechanicalProblem<Space>::close_rows_that_came_back(double h, double* z) {
  if (options_.projection == Projection::none) return true;
  const StateLayout& layout = system_.topology.layout;
  if (!move_onto_joints(z)) return false;
  calc_factor(system_.topology, system_.parameters, ws_, 0.0);
  std::copy(z, z + dimension(), before_.get());
  project_velocity(system_, z, ws_);
  double changed = 0.0, whole = 0.0;  // twice the kinetic energy of the change, and of the motion
  for (int b = 0; b < layout.n_bodies; ++b) {
    const int u = layout.u(b), w = u + Space::dimension;
    const auto dv = Linear<double, Space>::load(z + u) - Linear<double, Space>::load(&before_[u]);
    const auto dw = Angular<double, Space>::load(z + w) - Angular<double, Space>::load(&before_[w]);
    const double limit = 10.0 * (options_.atol + options_.rtol * system_.length[b]);
    const double turn = 10.0 * (options_.atol + options_.rtol);
    if (h * std::sqrt(dot(dv, dv)) > limit || h * std::sqrt(dot(dw, dw)) > turn) {
      return fail(PointFailure::Kind::rough_bridge, quality_.smallest_pivot_row);
    }
    changed += mass_norm2<double, Space>(system_.parameters.bodies[b], {dv, dw});
    whole += mass_norm2<double, Space>(
        system_.parameters.bodies[b],
        {Linear<double, Space>::load(&before_[u]), Angular<double, Space>::load(&before_[w])});
  }
  // a velocity along none of the branches that meet here would lose its energy at once
  return changed <= squared(largest_velocity_change) * whole ||
         fail(PointFailure::Kind::rough_bridge, quality_.smallest_pivot_row);
}

// Onto M_θ ∩ M_hc ∩ M_inv; leaves positions, rows, factor and velocities of z in ws.
// slack: how many tolerances of the local error the invariants may correct.
template <class Space>
bool MechanicalProblem<Space>::project(double t, double h, double slack, double* z,
                                       bool is_improved) {
  ws_.time = t;
  if (options_.projection == Projection::none) {
    calc_positions(system_.topology, z, ws_);
    calc_rows(system_.topology, system_.parameters, ws_);
    quality_.newton = 0;
    quality_.position = quality_.met = find_largest_row(ws_.g);
    quality_.velocity = calc_velocity_residual(system_, z, ws_);
    if (!choose_rows(h, z, is_improved)) return false;
    energy_.calc(ws_);
  } else {
    ++counts_.projection;
    if (!move_onto_joints(z) || !choose_rows(h, z, is_improved)) return false;
    quality_.velocity = project_velocity(system_, z, ws_);
    if (holds_any_) {
      hold_invariants(t, h, slack, z);
      quality_.velocity = calc_velocity_residual(system_, z, ws_);
    } else {
      energy_.calc(ws_);
    }
    quality_.position = find_largest_row(ws_.g);
  }
  renew_references(system_.topology, ws_, z);
  observe(z);
  return is_closed_at(t);
}

template <class Space>
void MechanicalProblem<Space>::hold_invariants(double t, double h, double slack, double* z) {
  const CorrectionTolerance tolerance{slack * options_.rtol, slack * options_.atol};
  if (options_.hold_energy) {
    counts_.df_inv +=
        energy_.hold(options_.energy_correction, tolerance, {t, h, difference_}, z, ws_);
  } else {
    counts_.df_inv += momenta_.hold(t, tolerance, z, ws_);
    energy_.calc(ws_);
  }
  if (user_.empty()) return;
  counts_.df_inv += user_.hold(tolerance, options_.hold_energy, momenta_, z, ws_);
  energy_.calc(ws_);
}

template <class Space>
void MechanicalProblem<Space>::observe(const double* z) {
  quality_.euler_parameters = calc_largest_defect<Space>(system_.topology, z);
}

template <class Space>
bool MechanicalProblem<Space>::finish_step(double t, double h, double* z, double* rate) {
  if (!coded_ || !code_is_current_) return finish_by_loops(t, h, z, rate);
  if (!coded_->has_ends() || !watch_.has_all_rows()) {
    return finish_ordinarily(*coded_, 0, t, h, z, rate);
  }
  const double begin = now();
  MechanicalProblem* const self = this;
  bool fine;
  coded_->finish(&self, &t, &h, z, rate, &fine);
  counts_.projection_seconds += now() - begin;
  return fine;
}

template <class Space>
bool MechanicalProblem<Space>::finish_by_loops(double t, double h, double* z, double* rate) {
  use_step_rows();
  poses_are_current_ = true;
  const double begin = now();
  const bool projected = project(t, h, 1.0, z, false);
  end_pivot_ = quality_.smallest_pivot;
  counts_.projection_seconds += now() - begin;
  if (!projected || !is_on_curves()) return false;
  remember_kinetic();
  calc_rows_and_gamma(system_.topology, system_.parameters, ws_);
  return calc_rate(z, rate);
}

// An open curve ends; the straight line behind its end is for stages only.
template <class Space>
bool MechanicalProblem<Space>::is_on_curves() {
  if (ws_.curves.empty()) return true;
  for (int k = 0; k < system_.topology.n_joints; ++k) {
    if (system_.topology.joints[k].kind != JointKind::point_on_curve) continue;
    const int curve = system_.parameters.joints[k].curve;
    if (!system_.parameters.curves[curve]->contains(ws_.curves[curve].sigma)) {
      return fail(PointFailure::Kind::off_curve, k);
    }
  }
  return true;
}

template <class Space>
void MechanicalProblem<Space>::accept_step(double t, double* z) {
  if (watch_.accept(t)) {
    foreign_rows_ = true;  // output points have used those of the step so far
    find_other_code();
  }
  if (coded_ == nullptr && counts_.distribution >= code_after_) find_code();
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    ws_.turned[b] += Space::take_turns(z + system_.topology.layout.y(b));
  }
  if (ws_.curves.empty()) return;
  ws_.time = t;
  calc_positions(system_.topology, z, ws_);
  calc_rows(system_.topology, system_.parameters, ws_);
  for (std::size_t k = 0; k < ws_.curves.size(); ++k) {
    curve::set_reference(*system_.parameters.curves[k], ws_.curves[k].sigma, ws_.curves[k]);
  }
  if (coded_) coded_->set_curves(ws_.curves);
}

// The scale of the work's error: T at steps only, so that output points leave the steps alone.
template <class Space>
void MechanicalProblem<Space>::remember_kinetic() {
  for (std::size_t c = 0; c < step_kinetic_.size(); ++c) {
    step_kinetic_[c] = energy_.kinetic(static_cast<int>(c));
  }
}

template <class Space>
bool MechanicalProblem<Space>::start(double* z, double* rate, double t) {
  ws_.time = t;
  ws_.forget_references();
  std::fill(ws_.turned.begin(), ws_.turned.end(), 0.0);
  if (!rank_is_known_) set_rank(find_rank(system_, z, t));
  quality_ = {};
  calc_positions(system_.topology, z, ws_);
  calc_rows(system_.topology, system_.parameters, ws_);
  if (!choose_rows(0.0, z, false)) return false;
  watch_.accept(0.0);
  find_first_code();
  quality_.position = find_largest_row(ws_.g);
  quality_.velocity = calc_velocity_residual(system_, z, ws_);
  momenta_.start(ws_);
  energy_.start(z, ws_);
  remember_kinetic();
  user_.start(z);
  observe(z);
  calc_rows_and_gamma(system_.topology, system_.parameters, ws_);
  return calc_rate(z, rate);
}

template <class Space>
double MechanicalProblem<Space>::calc_error_norm(const double* z0, const double* z1,
                                                 const double* e) const {
  return trammel::calc_error_norm<Space>(system_.topology, system_.length.data(), options_.rtol,
                                         options_.atol, step_kinetic_.data(), z0, z1, e);
}

template <class Space>
double MechanicalProblem<Space>::calc_state_norm(const double* z) const {
  const StateLayout& layout = system_.topology.layout;
  const double rtol = options_.rtol, atol = options_.atol;
  double largest = 0.0;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const double length = system_.length[b];
    const double v = calc_length(Linear<double, Space>::load(z + layout.u(b)));
    const double Omega =
        calc_length(Angular<double, Space>::load(z + layout.u(b) + Space::dimension));
    const double sum = squared(length / (atol + rtol * length)) + squared(1.0 / (atol + rtol)) +
                       squared(v / (atol + rtol * v)) + squared(Omega / (atol + rtol * Omega));
    largest = std::max(largest, take_mean(sum));
  }
  return std::sqrt(largest);
}

template class MechanicalProblem<Spatial>;
template class MechanicalProblem<Planar>;

}  // namespace trammel
