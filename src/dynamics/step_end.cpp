// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A step's end in turns: what a run decides between the parts that code computes (coded_step.hpp), by
// the rules of MechanicalProblem::project.
#include <algorithm>
#include <cmath>

#include "dynamics/mechanical_problem.hpp"

namespace trammel {

template <class Space>
bool MechanicalProblem<Space>::can_end_by_code() const {
  const bool scales = options_.energy_correction == EnergyCorrection::scaling ||
                      options_.energy_correction == EnergyCorrection::combined;
  return plain_ && options_.projection == Projection::mass && !options_.project_stages &&
         (scales || !options_.hold_energy) && momenta_.is_idle() && user_.empty() &&
         system_.parameters.springs.empty();
}

template <class Space>
bool MechanicalProblem<Space>::count_evaluation(bool fine) {
  if (!fine || !watch_.has_all_rows()) return false;
  ++counts_.dg;
  ++counts_.distribution;
  counts_.d2g += system_.topology.n_rows;
  return succeed();
}

template <class Space>
bool MechanicalProblem<Space>::begin_end(double t, const double* z) {
  if (!watch_.has_all_rows()) return false;
  ws_.time = t;
  use_step_rows();
  calc_reach(system_, z, ws_.reach);
  last_move_ = {largest_move, false};
  quality_.newton = 0;
  return true;
}

template <class Space>
typename MechanicalProblem<Space>::Turn MechanicalProblem<Space>::judge_iteration(
    const double* g, const double* linear2, const double* angular2, const double* y) {
  std::copy(g, g + ws_.g.size(), ws_.g.begin());
  if (quality_.newton == 0) quality_.met = find_largest_row(ws_.g);
  if (is_noise(system_, ws_) || last_move_.small) return Turn::closed;
  const Move move =
      judge_move(system_, linear2, angular2, projection_tolerance_, ws_.reach, y);
  const bool contracts = move.size <= slowest_contraction * last_move_.size || move.small;
  if (!(move.size <= largest_move) || !contracts || quality_.newton > 10) return Turn::ordinary;
  last_move_ = move;
  ++quality_.newton;
  return Turn::again;
}

template <class Space>
bool MechanicalProblem<Space>::settle_end(double h, const double* pivot, const double* rates,
                                          const double* kinetic, const double* potential,
                                          double* z) {
  watch_.reset();
  const auto smallest = watch_.find_smallest(pivot);
  if (!RowWatch<Space>::is_sound(smallest)) return false;
  // a second projection of the velocities is out of the ordinary
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    if (!(std::abs(rates[r]) <= 1e-13)) return false;
  }
  int corrected = 0;
  if (options_.hold_energy) {
    corrected = energy_.hold_known(options_.energy_correction, {options_.rtol, options_.atol}, h,
                                   kinetic, potential, z, ws_);
    if (corrected < 0) return false;
  } else {
    energy_.set_energies(kinetic, potential);
  }
  quality_.smallest_pivot = smallest.ratio;
  quality_.smallest_pivot_row = smallest.row;
  in_bridge_ = false;
  counts_.df_inv += corrected;
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::complete_end(const double* rates, const double* kinetic,
                                            const double* z, bool finite) {
  std::copy(rates, rates + ws_.mu.size(), ws_.mu.begin());
  quality_.velocity = find_largest_row(ws_.mu);
  quality_.position = find_largest_row(ws_.g);
  energy_.set_kinetic(kinetic);
  ++counts_.projection;
  counts_.newton += quality_.newton;
  counts_.newton_max = std::max(counts_.newton_max, quality_.newton);
  counts_.dg += quality_.newton + 1;
  ++counts_.distribution;
  counts_.d2g += system_.topology.n_rows;
  // the recorder looks at the bodies there
  kernel_.calc_positions(ws_.arrays, z);
  kernel_.calc_velocities(ws_.arrays, z);
  observe(z);
  remember_kinetic();
  return finite ? succeed() : fail_not_finite();
}

template <class Space>
bool MechanicalProblem<Space>::finish_ordinarily(const CodedStep<Space>& coded, int lane, double t,
                                                 double h, double* z, double* rate) {
  coded.get_factor(lane, ws_.values, ws_.inverse);
  return finish_by_loops(t, h, z, rate);
}

template bool MechanicalProblem<Spatial>::can_end_by_code() const;
template bool MechanicalProblem<Spatial>::count_evaluation(bool);
template bool MechanicalProblem<Spatial>::begin_end(double, const double*);
template MechanicalProblem<Spatial>::Turn MechanicalProblem<Spatial>::judge_iteration(
    const double*, const double*, const double*, const double*);
template bool MechanicalProblem<Spatial>::settle_end(double, const double*, const double*, const double*,
    const double*, double*);
template bool MechanicalProblem<Spatial>::complete_end(const double*, const double*, const double*, bool);
template bool MechanicalProblem<Spatial>::finish_ordinarily(const CodedStep<Spatial>&, int, double, double,
    double*, double*);
template bool MechanicalProblem<Planar>::can_end_by_code() const;
template bool MechanicalProblem<Planar>::count_evaluation(bool);
template bool MechanicalProblem<Planar>::begin_end(double, const double*);
template MechanicalProblem<Planar>::Turn MechanicalProblem<Planar>::judge_iteration(
    const double*, const double*, const double*, const double*);
template bool MechanicalProblem<Planar>::settle_end(double, const double*, const double*, const double*,
    const double*, double*);
template bool MechanicalProblem<Planar>::complete_end(const double*, const double*, const double*, bool);
template bool MechanicalProblem<Planar>::finish_ordinarily(const CodedStep<Planar>&, int, double, double,
    double*, double*);

}  // namespace trammel
