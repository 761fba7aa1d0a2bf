// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Points of M that no step ends at: output points, and points of a motion that is given.
#include <algorithm>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "problem/mechanical_problem.hpp"

namespace trammel {

template <class Space>
void MechanicalProblem<Space>::calc_rows_of_guess(double t, double* z) {
  ws_.time = t;
  use_step_rows();
  has_rows_of_guess_ = guesses_are_close_;
  for (int b = 0; guesses_are_close_ && b < system_.topology.n_bodies; ++b) {
    Space::normalise(z + system_.topology.layout.y(b));
  }
  calc_positions(system_.topology, z, ws_);
  calc_rows(system_.topology, system_.parameters, ws_);
}

template <class Space>
bool MechanicalProblem<Space>::finish_given(double t, double h, bool is_end, double* z,
                                            double* rate) {
  const Topology& topology = system_.topology;
  const double begin = now();
  calc_rows_of_guess(t, z);
  if (is_end) {
    watch_.reset();
  } else {
    watch_.begin_output();
  }
  bool projected = calc_factor_at_rows();
  if (projected) projected = project(t, h, 1e3, z, !watch_.is_bridge() && improve_rows());
  if (!is_end) watch_.end_output();
  counts_.projection_seconds += now() - begin;
  if (!projected || !is_on_curves()) return false;
  if (is_end) remember_kinetic();
  calc_rows_and_gamma(topology, system_.parameters, ws_);
  if (!calc_accelerations()) return false;
  refine_with_power(topology, system_.parameters, ws_);
  return write_rates(z, rate);
}

// Rows are exchanged before the projection: within a step they may go bad unnoticed by its ends. Pivots
// say whether that is worth a look, and so does an exchange at the end of the step.
template <class Space>
void MechanicalProblem<Space>::improve_rows_of_output() {
  if (watch_.is_bridge() || !watch_.has_spare_rows()) return;
  const double smallest = watch_.find_smallest(ws_).ratio;
  if (watch_.is_exchanged_after_output() || smallest < std::max(1e-3, 0.5 * end_pivot_)) {
    improve_rows();
  }
}

// Code for output points takes as long to generate as some hundred of them by loops.
template <class Space>
bool MechanicalProblem<Space>::finish_output_by_code(double t, double h, double* z) {
  constexpr int outputs_before_code = 100;
  const bool possible = coded_ != nullptr && coded_->has_ends() && !guesses_are_close_;
  if (!possible || outputs_by_loops_ < outputs_before_code) {
    ++outputs_by_loops_;
    return false;
  }
  if (!coded_->has_output_code() && !coded_->make_output_code(system_, make_step_rules())) {
    return false;
  }
  if (coded_->misses_climb()) coded_->make_output_climb(system_, make_step_rules());
  if (!coded_->finish_output(*this, t, h, z)) return false;
  calc_positions(system_.topology, z, ws_);
  calc_velocities(system_.topology, z, ws_);
  if (wants_reactions_) calc_rows(system_.topology, system_.parameters, ws_);
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::finish_output(double t, double h, double* z) {
  if (finish_output_by_code(t, h, z)) return true;
  const double begin = now();
  // the factor in ws is that of the step's end: renew it before the chord iterations
  calc_rows_of_guess(t, z);
  watch_.begin_output();
  bool projected = calc_factor_at_rows();
  if (projected) {
    improve_rows_of_output();
    projected = project(t, h, 1e3, z, true);
  }
  watch_.end_output();
  counts_.projection_seconds += now() - begin;
  if (!projected) return false;
  calc_rows_and_gamma(system_.topology, system_.parameters, ws_);
  if (!calc_accelerations()) return false;
  if (wants_reactions_) refine_distribution(system_.topology, system_.parameters, ws_);
  return true;
}

template void MechanicalProblem<Spatial>::calc_rows_of_guess(double, double*);
template bool MechanicalProblem<Spatial>::finish_given(double, double, bool, double*, double*);
template void MechanicalProblem<Spatial>::improve_rows_of_output();
template bool MechanicalProblem<Spatial>::finish_output_by_code(double, double, double*);
template bool MechanicalProblem<Spatial>::finish_output(double, double, double*);
template void MechanicalProblem<Planar>::calc_rows_of_guess(double, double*);
template bool MechanicalProblem<Planar>::finish_given(double, double, bool, double*, double*);
template void MechanicalProblem<Planar>::improve_rows_of_output();
template bool MechanicalProblem<Planar>::finish_output_by_code(double, double, double*);
template bool MechanicalProblem<Planar>::finish_output(double, double, double*);

}  // namespace trammel
