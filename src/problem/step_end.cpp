// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A step's end in turns: what a run decides between the parts that code computes (coded_step.hpp), by
// the rules of MechanicalProblem::project.
#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "problem/mechanical_problem.hpp"

namespace trammel {

namespace {

constexpr int most_iterations = 11;  // more than that are left to the loops

}  // namespace

template <class Space>
bool MechanicalProblem<Space>::can_end_by_code() const {
  const bool scales = options_.energy_correction == EnergyCorrection::scaling ||
                      options_.energy_correction == EnergyCorrection::combined;
  return options_.projection == Projection::mass && !options_.project_stages &&
         (scales || !options_.hold_energy) && momenta_.is_idle(options_.hold_energy) &&
         user_.empty();
}

template <class Space>
StepRules<Space> MechanicalProblem<Space>::make_step_rules() const {
  StepRules<Space> rules{run_drop_tolerance,
                         options_.rtol,
                         options_.atol,
                         can_end_by_code(),
                         {},
                         false,
                         ws_.curves,
                         {}};
  for (int c = 0; c < system_.topology.n_components(); ++c) {
    rules.holds.push_back(options_.hold_energy && energy_.can_hold(c));
  }
  if (!watch_.step_left_out().empty()) {
    rules.left_out.assign(system_.topology.n_rows, 0);
    for (const int r : watch_.step_left_out()) rules.left_out[r] = 1;
  }
  rules.climbs = options_.energy_correction == EnergyCorrection::combined &&
                 rules.holds.size() == 1 && rules.holds[0] != 0;
  return rules;
}

template <class Space>
bool MechanicalProblem<Space>::begin_end(double t, bool is_output) {
  if (!watch_.has_all_rows()) return false;
  ws_.time = t;
  use_step_rows();
  chord_ = {};
  usual_newton_ = is_output ? 1 : quality_.newton;  // there the factor is that of the point
  climbs_ = false;
  return true;
}

template <class Space>
bool MechanicalProblem<Space>::begin_climb(double h, const CodeLayout& at, const LaneNumbers& of) {
  climbs_ = true;
  chord_ = {};
  usual_newton_ = 1;
  return energy_.has_to_climb(h, of[at.climb_norm2]) && of[at.climb] != 0.0;
}

// The row of a largest value that is known.
template <class Space>
LargestRow MechanicalProblem<Space>::find_row(double largest, const LaneNumbers& rows) const {
  if (!(largest > 0.0)) return {0.0, -1};
  int r = 0;
  while (r + 1 < system_.topology.n_rows && std::abs(rows[r]) != largest) ++r;
  return {largest, r};
}

template <class Space>
bool MechanicalProblem<Space>::is_closed(const CodeLayout& at, const LaneNumbers& of) const {
  return chord_.is_closed(of[at.noise] >= 0.0);
}

template <class Space>
Turn MechanicalProblem<Space>::judge_iteration(const CodeLayout& at, const LaneNumbers& of) {
  if (chord_.count() == 0 && !climbs_) quality_.met = find_row(of[at.largest_g], of.from(at.g));
  if (is_closed(at, of)) return Turn::closed;
  const ChordIteration::Verdict verdict = chord_.take(of[at.size2], of[at.small]);
  if (verdict != ChordIteration::Verdict::contracts || chord_.count() > most_iterations) {
    return Turn::ordinary;
  }
  return chord_.was_small() || chord_.count() >= usual_newton_ ? Turn::moved : Turn::again;
}

// What is known at a point on the joints, of a step's end or between steps; false: something is out of the
// ordinary, and nothing has been taken over but the quality of the point.
template <class Space>
Turn MechanicalProblem<Space>::take_point(double h, const CodeLayout& at, const LaneNumbers& of) {
  if (!(of[at.margin] > 0.0)) return Turn::ordinary;
  const double* pivot = of.first + at.pivot;
  if (of.stride > 1) {
    for (std::size_t r = 0; r < ws_.pivot.size(); ++r) {
      ws_.pivot[r] = of[at.pivot + static_cast<int>(r)];
    }
    pivot = ws_.pivot.data();
  }
  const auto smallest = watch_.find_smallest(pivot);
  if (!RowWatch<Space>::is_sound(smallest)) return Turn::ordinary;
  // a second projection of the velocities is out of the ordinary
  if (!(of[at.largest_before] <= 1e-13)) return Turn::ordinary;
  if (!climbs_) {
    quality_.newton = chord_.count();
    quality_.smallest_pivot = smallest.ratio;
    quality_.smallest_pivot_row = smallest.row;
  }
  int corrected = 0;
  if (options_.hold_energy) {
    const typename EnergyBalance<Space>::ScaledEnergies known{
        of.from(at.kinetic_before), of.from(at.gradient_power), of.from(at.steepness),
        of.from(at.lack),           of.from(at.growth),         of.from(at.kinetic),
        of.from(at.potential)};
    if (!climbs_ && options_.energy_correction == EnergyCorrection::combined &&
        energy_.may_climb(h, known)) {
      return Turn::climbing;
    }
    if (!energy_.take_scaled(known, corrected)) return Turn::ordinary;
  } else {
    energy_.set_energies(of.from(at.kinetic), of.from(at.potential));
  }
  if (!std::isfinite(energy_.kinetic())) return Turn::ordinary;
  if (!(of[at.largest_g] <= watch_.least_opening())) return Turn::ordinary;
  for (std::size_t k = 0; k < ws_.curves.size(); ++k) {
    const double sigma = of[at.sigma + static_cast<int>(k)];
    if (!system_.parameters.curves[k]->contains(sigma)) return Turn::ordinary;
  }
  quality_.velocity = find_row(of[at.largest_rate], of.from(at.rates));
  quality_.position = find_row(of[at.largest_g], of.from(at.g));
  quality_.euler_parameters = of[at.defect];
  in_bridge_ = false;
  counts_.df_inv += corrected;
  ++counts_.projection;
  counts_.newton += quality_.newton;
  counts_.newton_max = std::max(counts_.newton_max, quality_.newton);
  counts_.dg += quality_.newton + 1;
  ++counts_.distribution;
  return Turn::settled;
}

template <class Space>
Turn MechanicalProblem<Space>::settle_end(double h, const CodeLayout& at, const LaneNumbers& of) {
  watch_.reset();
  const Turn turn = take_point(h, at, of);
  if (turn != Turn::settled) return turn;
  poses_are_current_ = false;
  ++counts_.steps_by_code;
  counts_.steps_in_lanes += in_lanes_;
  counts_.d2g += system_.topology.n_rows;
  remember_kinetic();
  succeed();
  return Turn::settled;
}

// Leaves in ws_ what is recorded of a point: positions, velocities, drivers and λ.
template <class Space>
Turn MechanicalProblem<Space>::settle_output(double h, const CodeLayout& at,
                                             const LaneNumbers& of) {
  // one step of refinement may not be enough: by loops
  if (wants_reactions_ && !(of[at.refined_by] <= refined_enough * of[at.refined_of])) {
    return Turn::ordinary;
  }
  const Turn turn = take_point(h, at, of);
  if (turn != Turn::settled) return turn;
  const int lambda = wants_reactions_ ? at.refined : at.lambda;
  for (int r = 0; r < system_.topology.n_rows; ++r) ws_.lambda[r] = of[lambda + r];
  ++counts_.dg;  // the factor of the point as it was given
  succeed();
  return Turn::settled;
}

template <class Space>
bool MechanicalProblem<Space>::finish_ordinarily(const CodedStep<Space>& coded, int lane, double t,
                                                 double h, double* z, double* rate) {
  coded.get_factor(lane, ws_.values, ws_.inverse);
  return finish_by_loops(t, h, z, rate);
}

template bool MechanicalProblem<Spatial>::can_end_by_code() const;
template StepRules<Spatial> MechanicalProblem<Spatial>::make_step_rules() const;
template bool MechanicalProblem<Spatial>::begin_end(double, bool);
template bool MechanicalProblem<Spatial>::is_closed(const CodeLayout&, const LaneNumbers&) const;
template Turn MechanicalProblem<Spatial>::judge_iteration(const CodeLayout&, const LaneNumbers&);
template bool MechanicalProblem<Spatial>::begin_climb(double, const CodeLayout&,
                                                      const LaneNumbers&);
template Turn MechanicalProblem<Spatial>::settle_output(double, const CodeLayout&,
                                                        const LaneNumbers&);
template Turn MechanicalProblem<Spatial>::settle_end(double, const CodeLayout&, const LaneNumbers&);
template bool MechanicalProblem<Spatial>::finish_ordinarily(const CodedStep<Spatial>&, int, double,
                                                            double, double*, double*);
template bool MechanicalProblem<Planar>::can_end_by_code() const;
template StepRules<Planar> MechanicalProblem<Planar>::make_step_rules() const;
template bool MechanicalProblem<Planar>::begin_end(double, bool);
template bool MechanicalProblem<Planar>::is_closed(const CodeLayout&, const LaneNumbers&) const;
template Turn MechanicalProblem<Planar>::judge_iteration(const CodeLayout&, const LaneNumbers&);
template bool MechanicalProblem<Planar>::begin_climb(double, const CodeLayout&, const LaneNumbers&);
template Turn MechanicalProblem<Planar>::settle_output(double, const CodeLayout&,
                                                       const LaneNumbers&);
template Turn MechanicalProblem<Planar>::settle_end(double, const CodeLayout&, const LaneNumbers&);
template bool MechanicalProblem<Planar>::finish_ordinarily(const CodedStep<Planar>&, int, double,
                                                           double, double*, double*);

}  // namespace trammel
