// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Stages and ends of steps; the choice of rows and output points have files of their own.
#include "problem/projector.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluate/step_end.hpp"
#include "math/cpu_clock.hpp"
#include "problem/left_table.hpp"

namespace trammel {

template <class Space>
bool Projector<Space>::calc_factor_at_rows() {
  ++point_.counts.dg;
  const int dropped = calc_factor(system_.topology, system_.parameters, ws_, run_drop_tolerance);
  return dropped < 0 || point_.fail(PointFailure::Kind::dependent_row, dropped);
}

// u̇ and λ from rows, γ, factor and velocities in ws.
template <class Space>
bool Projector<Space>::calc_accelerations() {
  calc_distribution(system_.topology, system_.parameters, ws_);
  ++point_.counts.accelerations;
  return !point_.light || point_.light->correct(ws_) ||
         point_.fail(PointFailure::Kind::no_inertia, system_.light.front().body);
}

// ż from the same.
template <class Space>
bool Projector<Space>::calc_rate(const double* z, double* rate) {
  return calc_accelerations() && write_rates(z, rate);
}

// ż from u̇ and λ in ws.
template <class Space>
bool Projector<Space>::write_rates(const double* z, double* rate) {
  const Topology& topology = system_.topology;
  point_.counts.d2g += topology.n_rows;
  return write_rate(topology, ws_, z, rate) ? point_.succeed() : fail_not_finite(rate);
}

template <class Space>
bool Projector<Space>::fail_not_finite(const double* rate) {
  if (const LeftTable left = find_left_table(system_, ws_); left.force >= 0) {
    point_.fail(PointFailure::Kind::left_table, left.force);
    point_.failure.table = left.name;
    return false;
  }
  const StateLayout& layout = system_.topology.layout;
  // the first body whose u̇ is not finite
  int b = 0;
  while (b + 1 < layout.n_bodies) {
    const double* a = rate + layout.u(b);
    if (!std::all_of(a, a + Space::n_u, [](double x) { return std::isfinite(x); })) break;
    ++b;
  }
  return point_.fail(PointFailure::Kind::not_finite, b);
}

template <class Space>
bool Projector<Space>::calc_derivative(double* z, double* rate) {
  if (options_.project_stages && options_.projection == Projection::mass) {
    // with S of the stage itself: a frozen one would make the stages' errors systematic
    calc_positions(system_.topology, z, ws_);
    calc_rows(system_.topology, system_.parameters, ws_);
    if (!calc_factor_at_rows() || !move_onto_joints(z) || !calc_factor_at_rows()) return false;
    project_velocity(system_, z, ws_);
    ++point_.counts.projection;
    calc_gamma(system_.topology, system_.parameters, ws_);
    return calc_rate(z, rate);
  }
  ++point_.counts.dg;
  ++point_.counts.accelerations;
  point_.counts.d2g += system_.topology.n_rows;
  const Topology& topology = system_.topology;
  bool kept, finite = true;
  if (!point_.light) {
    kept = finite = evaluate(topology, system_.parameters, ws_, run_drop_tolerance, z, rate);
  } else {
    // with bodies of little mass u̇ is corrected before it is written
    kept = calc_accelerations_at(topology, system_.parameters, ws_, run_drop_tolerance, z);
    if (kept && !point_.light->correct(ws_)) {
      return point_.fail(PointFailure::Kind::no_inertia, system_.light.front().body);
    }
    if (kept) finite = write_rate(topology, ws_, z, rate);
  }
  if (kept && finite) return point_.succeed();
  const int dropped = find_dropped_row(topology, ws_);
  return dropped >= 0 ? point_.fail(PointFailure::Kind::dependent_row, dropped)
                      : fail_not_finite(rate);
}

template <class Space>
bool Projector<Space>::move_onto_joints(double* z) {
  using Outcome = PositionProjection::Outcome;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    // |θ| = 1
    Space::normalise(z + system_.topology.layout.y(b));
  }
  // g = 0 by chord iterations with the factor in ws
  const PositionProjection projection = project_position(
      system_, z, ws_, point_.projection_tolerance, std::exchange(has_rows_of_guess_, false));
  point_.counts.iterations += projection.iterations;
  point_.counts.iterations_max = std::max(point_.counts.iterations_max, projection.iterations);
  point_.counts.dg += projection.iterations;
  point_.quality.iterations = projection.iterations;
  point_.quality.before = {projection.residual_in, projection.row_in};
  point_.quality.moved = projection.moved;
  if (projection.outcome == Outcome::converged) return true;
  const bool dependent = projection.outcome == Outcome::dependent;
  return point_.fail(
      dependent ? PointFailure::Kind::dependent_row : PointFailure::Kind::not_projected,
      projection.row, projection.residual);
}

// Onto M_θ ∩ M_hc ∩ M_inv; leaves positions, rows, factor and velocities of z in ws.
// slack: how many tolerances of the local error the invariants may correct.
template <class Space>
bool Projector<Space>::project(double t, double h, double slack, double* z, bool is_improved) {
  ws_.time = t;
  if (options_.projection == Projection::none) {
    calc_positions(system_.topology, z, ws_);
    calc_rows(system_.topology, system_.parameters, ws_);
    point_.quality.iterations = 0;
    point_.quality.position = point_.quality.before = find_largest_row(ws_.g);
    point_.quality.velocity = calc_velocity_residual(system_, z, ws_);
    if (!choose_rows(h, z, is_improved)) return false;
    point_.energy.calc(ws_);
  } else {
    ++point_.counts.projection;
    if (!move_onto_joints(z) || !choose_rows(h, z, is_improved)) return false;
    // J u = −g_t with the factor of the new point
    point_.quality.velocity = project_velocity(system_, z, ws_);
    if (invariants_are_held_) {
      hold_invariants(t, h, slack, z);
      point_.quality.velocity = calc_velocity_residual(system_, z, ws_);
    } else {
      point_.energy.calc(ws_);
    }
    point_.quality.position = find_largest_row(ws_.g);
  }
  // turns are counted from here on
  renew_references(system_.topology, ws_, z);
  observe(z);
  return is_closed_at(t, z);
}

template <class Space>
void Projector<Space>::hold_invariants(double t, double h, double slack, double* z) {
  const CorrectionTolerance tolerance{slack * options_.rtol, slack * options_.atol};
  if (options_.hold_energy) {
    point_.counts.df_inv += point_.energy.hold(options_.energy_correction, tolerance,
                                               {t, h, point_.difference}, z, ws_);
  } else {
    point_.counts.df_inv += point_.momenta.hold(t, tolerance, z, ws_);
    point_.energy.calc(ws_);
  }
  if (point_.user.empty()) return;
  point_.counts.df_inv += point_.user.hold(tolerance, options_.hold_energy, point_.momenta, z, ws_);
  point_.energy.calc(ws_);
}

// By the equations of all joints and their rates, those left out included. Without a projection joints
// drift, as the user wants it: the run goes on, and its status says at the end what has opened.
template <class Space>
bool Projector<Space>::is_closed_at(double t, const double* z) {
  PointFailure found;
  if (!(point_.quality.position.value <= rows_.least_opening())) {
    const int row = rows_.find_open_row(ws_);
    if (row >= 0) found = {PointFailure::Kind::open_joint, row, std::abs(ws_.g[row])};
  }
  if (found.index < 0 && !(point_.quality.velocity.value <= rows_.least_opening())) {
    calc_velocity_residual(system_, z, ws_);
    const int row = rows_.find_parting_row(ws_, ws_.mu.data());
    if (row >= 0) found = {PointFailure::Kind::parting_joint, row, std::abs(ws_.mu[row])};
  }
  if (found.index < 0) return true;
  if (options_.projection != Projection::none) {
    point_.failure = found;
    return false;
  }
  if (point_.opened.failure.index < 0) point_.opened = {t, found};
  return true;
}

template <class Space>
void Projector<Space>::observe(const double* z) {
  point_.quality.euler_parameters = calc_largest_defect<Space>(system_.topology, z);
}

template <class Space>
bool Projector<Space>::finish_step(double t, double h, double* z, double* rate) {
  point_.use_step_rows();
  point_.poses_are_current = true;
  const double begin = wall_seconds();
  // a step ends on M: invariants may correct one tolerance of the local error
  const bool projected = project(t, h, 1.0, z, false);
  point_.end_pivot = point_.quality.smallest_pivot;
  point_.counts.projection_seconds += wall_seconds() - begin;
  if (!projected || !is_on_curves()) return false;
  point_.remember_kinetic();
  calc_gamma(system_.topology, system_.parameters, ws_);
  return calc_rate(z, rate);
}

// An open curve ends; the straight line behind its end is for stages only.
template <class Space>
bool Projector<Space>::is_on_curves() {
  if (ws_.curves.empty()) return true;
  for (int k = 0; k < system_.topology.n_joints; ++k) {
    if (system_.topology.joints[k].kind != JointKind::point_on_curve) continue;
    const int curve = system_.parameters.joints[k].curve;
    if (!system_.parameters.curves[curve]->contains(ws_.curves[curve].sigma)) {
      return point_.fail(PointFailure::Kind::off_curve, k);
    }
  }
  return true;
}

template <class Space>
bool Projector<Space>::start(double* z, double* rate, double t) {
  ws_.time = t;
  ws_.forget_references();
  std::fill(ws_.turned.begin(), ws_.turned.end(), 0.0);
  if (!rank_is_known_) set_rank(find_rank(system_, z, t));
  point_.quality = {};
  calc_positions(system_.topology, z, ws_);
  calc_rows(system_.topology, system_.parameters, ws_);
  if (!choose_rows(0.0, z, false)) return false;
  rows_.accept(0.0);
  point_.quality.position = find_largest_row(ws_.g);
  point_.quality.velocity = calc_velocity_residual(system_, z, ws_);
  // the values that the invariants are to keep
  point_.momenta.start(ws_);
  point_.energy.start(z, ws_);
  point_.remember_kinetic();
  point_.user.start(z);
  observe(z);
  calc_gamma(system_.topology, system_.parameters, ws_);
  return calc_rate(z, rate);
}

template class Projector<Spatial>;
template class Projector<Planar>;

}  // namespace trammel
