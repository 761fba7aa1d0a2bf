// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// The rules of Projector, on numbers that code has computed; each test that fails leaves the point to it.
#include "problem/coded_end.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/coordinate_rows.hpp"
#include "problem/coded_step.hpp"

namespace trammel {

namespace {

constexpr int most_iterations = 11;  // more than that are left to the loops

// Whether ends of steps can come from code: what they hold and project is what the code knows.
template <class Space>
bool can_end_by_code(const RunPoint<Space>& point) {
  const SimulationOptions& options = point.options;
  const bool scales = options.energy_correction == EnergyCorrection::scaling ||
                      options.energy_correction == EnergyCorrection::combined;
  return options.projection == Projection::mass && !options.project_stages &&
         (scales || !options.hold_energy) && point.momenta.is_idle(options.hold_energy) &&
         point.user.empty();
}

}  // namespace

template <class Space>
StepRules<Space> make_step_rules(const RunPoint<Space>& point) {
  const SimulationOptions& options = point.options;
  const Topology& topology = point.system.topology;
  StepRules<Space> rules{run_drop_tolerance,
                         options.rtol,
                         options.atol,
                         can_end_by_code(point) && point.rows.step_left_out().empty(),
                         {},
                         false,
                         point.ws.curves,
                         {}};
  for (int c = 0; c < topology.n_components(); ++c) {
    rules.holds.push_back(options.hold_energy && point.energy.can_hold(c));
  }
  if (!point.rows.step_left_out().empty()) {
    rules.left_out.assign(topology.n_rows, 0);
    for (const int r : point.rows.step_left_out()) rules.left_out[r] = 1;
  }
  rules.shifts = options.energy_correction == EnergyCorrection::combined &&
                 rules.holds.size() == 1 && rules.holds[0] != 0;
  rules.refines = options.record.reactions;
  return rules;
}

template <class Space>
void CodedEnd<Space>::count_evaluation() {
  ++point_.counts.evaluations_by_code;
  point_.counts.evaluations_in_lanes += in_lanes_;
  ++point_.counts.dg;
  ++point_.counts.accelerations;
  point_.counts.d2g += system_.topology.n_rows;
  point_.failure = {};
}

template <class Space>
bool CodedEnd<Space>::take_evaluation(bool fine) {
  if (!fine || !rows_.has_all_rows()) return false;
  count_evaluation();
  return true;
}

template <class Space>
EndProgress CodedEnd<Space>::begin(double t, bool is_output) {
  if (!rows_.has_all_rows()) return EndProgress::fallen_back;
  ws_.time = t;
  point_.use_step_rows();
  chord_ = {};
  usual_moves_ =
      is_output ? 1 : point_.quality.iterations;  // there the factor is that of the point
  shifted_ = false;
  return EndProgress::iterating;
}

template <class Space>
bool CodedEnd<Space>::begin_shift(double h, const Layout& layout, const LaneNumbers& numbers) {
  shifted_ = true;
  chord_ = {};
  usual_moves_ = 1;
  return point_.energy.has_to_shift(h, numbers[layout.shift_norm2]) && numbers[layout.shift] != 0.0;
}

// The row of a largest value that is known.
template <class Space>
LargestRow CodedEnd<Space>::find_row(double largest, const LaneNumbers& rows) const {
  if (!(largest > 0.0)) return {0.0, -1};
  int r = 0;
  while (r + 1 < system_.topology.n_rows && std::abs(rows[r]) != largest) ++r;
  return {largest, r};
}

template <class Space>
bool CodedEnd<Space>::is_closed(const Layout& layout, const LaneNumbers& numbers) const {
  return chord_.is_closed(numbers[layout.noise] >= 0.0);
}

template <class Space>
EndProgress CodedEnd<Space>::judge_iteration(const Layout& layout, const LaneNumbers& numbers) {
  if (chord_.count() == 0 && !shifted_)
    point_.quality.before = find_row(numbers[layout.largest_g], numbers.from(layout.g));
  // g is rounding, or the last move was small
  if (is_closed(layout, numbers)) return EndProgress::closed;
  const ChordIteration::Verdict verdict = chord_.take(numbers[layout.size2], numbers[layout.small]);
  if (verdict != ChordIteration::Verdict::contracts || chord_.count() > most_iterations) {
    return EndProgress::fallen_back;
  }
  return chord_.was_small() || chord_.count() >= usual_moves_ ? EndProgress::unchecked
                                                              : EndProgress::iterating;
}

// What is known at a point on the joints, of a step's end or between steps; false: something is out of the
// ordinary, and nothing has been taken over but the quality of the point.
template <class Space>
EndProgress CodedEnd<Space>::take_point(double h, const Layout& layout,
                                        const LaneNumbers& numbers) {
  // a pivot was dropped
  if (!(numbers[layout.margin] > 0.0)) return EndProgress::fallen_back;
  const double* pivot = numbers.first + layout.pivot;
  if (numbers.stride > 1) {
    for (std::size_t r = 0; r < ws_.pivot.size(); ++r) {
      ws_.pivot[r] = numbers[layout.pivot + static_cast<int>(r)];
    }
    pivot = ws_.pivot.data();
  }
  // near a singular position
  const auto smallest = rows_.find_smallest(pivot);
  if (!ActiveRows<Space>::is_sound(smallest)) return EndProgress::fallen_back;
  // a second projection of the velocities is out of the ordinary
  if (!(numbers[layout.largest_before] <= 1e-13)) return EndProgress::fallen_back;
  if (!shifted_) {
    point_.quality.iterations = chord_.count();
    point_.quality.smallest_pivot = smallest.ratio;
    point_.quality.smallest_pivot_row = smallest.row;
  }
  int corrected = 0;
  if (options_.hold_energy) {
    const typename EnergyBalance<Space>::ScaledEnergies known{
        numbers.from(layout.kinetic_before), numbers.from(layout.gradient_power),
        numbers.from(layout.steepness),      numbers.from(layout.deficit),
        numbers.from(layout.growth),         numbers.from(layout.kinetic),
        numbers.from(layout.potential)};
    if (!shifted_ && options_.energy_correction == EnergyCorrection::combined &&
        point_.energy.may_shift(h, known)) {
      return EndProgress::may_shift;
    }
    if (!point_.energy.take_scaled(known, corrected)) return EndProgress::fallen_back;
  } else {
    point_.energy.set_energies(numbers.from(layout.kinetic), numbers.from(layout.potential));
  }
  if (!std::isfinite(point_.energy.kinetic())) return EndProgress::fallen_back;
  // a joint may be open, or opening
  if (!(numbers[layout.largest_g] <= rows_.least_opening())) return EndProgress::fallen_back;
  if (!(numbers[layout.largest_rate] <= rows_.least_opening())) return EndProgress::fallen_back;
  for (std::size_t k = 0; k < ws_.curves.size(); ++k) {
    // behind the end of a curve
    const double sigma = numbers[layout.sigma + static_cast<int>(k)];
    if (!system_.parameters.curves[k]->contains(sigma)) return EndProgress::fallen_back;
  }
  point_.quality.velocity = find_row(numbers[layout.largest_rate], numbers.from(layout.rates));
  point_.quality.position = find_row(numbers[layout.largest_g], numbers.from(layout.g));
  point_.quality.euler_parameters = numbers[layout.defect];
  point_.in_passage = false;
  point_.counts.df_inv += corrected;
  ++point_.counts.projection;
  point_.counts.iterations += point_.quality.iterations;
  point_.counts.iterations_max = std::max(point_.counts.iterations_max, point_.quality.iterations);
  point_.counts.dg += point_.quality.iterations + 1;
  ++point_.counts.accelerations;
  return EndProgress::done;
}

template <class Space>
EndProgress CodedEnd<Space>::complete_end(double h, const Layout& layout,
                                          const LaneNumbers& numbers) {
  rows_.reset();
  const EndProgress progress = take_point(h, layout, numbers);
  if (progress != EndProgress::done) return progress;
  point_.poses_are_current = false;
  ++point_.counts.steps_by_code;
  point_.counts.steps_in_lanes += in_lanes_;
  point_.counts.d2g += system_.topology.n_rows;
  point_.remember_kinetic();
  point_.succeed();
  return EndProgress::done;
}

// Leaves in ws_ what is recorded of a point: positions, velocities, drivers and λ.
template <class Space>
EndProgress CodedEnd<Space>::complete_output(double h, const Layout& layout,
                                             const LaneNumbers& numbers) {
  // one step of refinement may not be enough: by loops
  if (options_.record.reactions &&
      !(numbers[layout.refined_by] <= refined_enough * numbers[layout.refined_of])) {
    return EndProgress::fallen_back;
  }
  const EndProgress progress = take_point(h, layout, numbers);
  if (progress != EndProgress::done) return progress;
  const int lambda = options_.record.reactions ? layout.refined : layout.lambda;
  for (int r = 0; r < system_.topology.n_rows; ++r) ws_.lambda[r] = numbers[lambda + r];
  if (options_.record.reactions) {
    // code leaves zeros with the sign that loops do not have
    const double* const known = numbers.first + layout.reactions;
    for (std::size_t k = 0; k < point_.reactions.size(); ++k) point_.reactions[k] = known[k] + 0.0;
  }
  ++point_.counts.dg;  // the factor of the point as it was given
  point_.succeed();
  return EndProgress::done;
}

template <class Space>
bool CodedEnd<Space>::finish_by_loops(const CodedStep<Space>& coded, int lane, double t, double h,
                                      double* z, double* rate) {
  coded.get_factor(lane, ws_.values, ws_.inverse);
  ws_.stages.provide(Stage::factor);
  return projector_.finish_step(t, h, z, rate);
}

template <class Space>
std::span<const DriverLaw<double>> CodedEnd<Space>::calc_laws_at(double t) {
  ws_.time = t;
  calc_laws(system_.parameters, ws_);
  return ws_.law;
}

template <class Space>
EndProgress CodedEnd<Space>::complete(bool is_output, double h, const Layout& layout,
                                      const LaneNumbers& numbers) {
  return is_output ? complete_output(h, layout, numbers) : complete_end(h, layout, numbers);
}

template class CodedEnd<Spatial>;
template class CodedEnd<Planar>;
template StepRules<Spatial> make_step_rules(const RunPoint<Spatial>&);
template StepRules<Planar> make_step_rules(const RunPoint<Planar>&);

}  // namespace trammel
