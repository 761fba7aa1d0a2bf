// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Points of M that no step ends at: output points, and points of a motion that is given.
#include <algorithm>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "math/cpu_clock.hpp"
#include "problem/projector.hpp"

namespace trammel {

template <class Space>
void Projector<Space>::calc_rows_of_guess(double t, double* z) {
  ws_.time = t;
  point_.use_step_rows();
  has_rows_of_guess_ = guesses_are_close_;
  for (int b = 0; guesses_are_close_ && b < system_.topology.n_bodies; ++b) {
    Space::normalise(z + system_.topology.layout.y(b));
  }
  calc_positions(system_.topology, z, ws_);
  calc_rows(system_.topology, system_.parameters, ws_);
}

template <class Space>
bool Projector<Space>::finish_given(double t, double h, bool is_end, double* z, double* rate) {
  const Topology& topology = system_.topology;
  const double begin = wall_seconds();
  calc_rows_of_guess(t, z);
  if (is_end) {
    rows_.reset();
  } else {
    rows_.begin_output();
  }
  bool projected = calc_factor_at_rows();
  if (projected) projected = project(t, h, 1e3, z, !rows_.is_passage() && improve_rows());
  if (!is_end) rows_.end_output();
  point_.counts.projection_seconds += wall_seconds() - begin;
  if (!projected || !is_on_curves()) return false;
  if (is_end) point_.remember_kinetic();
  calc_gamma(topology, system_.parameters, ws_);
  if (!calc_accelerations()) return false;
  // λ and u̇ to the last digits: the power of drivers is integrated from them
  refine_with_power(topology, system_.parameters, ws_);
  return write_rates(z, rate);
}

template <class Space>
bool Projector<Space>::finish_output(double t, double h, double* z) {
  const double begin = wall_seconds();
  // the factor in ws is that of the step's end: renew it before the chord iterations
  calc_rows_of_guess(t, z);
  rows_.begin_output();
  bool projected = calc_factor_at_rows();
  if (projected) {
    improve_rows_of_output();
    // invariants may correct a thousand tolerances: the point does not feed back into the motion
    projected = project(t, h, 1e3, z, true);
  }
  rows_.end_output();
  point_.counts.projection_seconds += wall_seconds() - begin;
  if (!projected) return false;
  calc_gamma(system_.topology, system_.parameters, ws_);
  if (!calc_accelerations()) return false;
  // λ and u̇ to the last digits, where they are recorded
  const bool refined = options_.record.reactions || options_.record.accelerations;
  if (refined) refine_distribution(system_.topology, system_.parameters, ws_);
  return true;
}

template void Projector<Spatial>::calc_rows_of_guess(double, double*);
template bool Projector<Spatial>::finish_given(double, double, bool, double*, double*);
template bool Projector<Spatial>::finish_output(double, double, double*);
template void Projector<Planar>::calc_rows_of_guess(double, double*);
template bool Projector<Planar>::finish_given(double, double, bool, double*, double*);
template bool Projector<Planar>::finish_output(double, double, double*);

}  // namespace trammel
