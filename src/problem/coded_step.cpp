// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the code of each part for all lanes, and lets every run decide what to take from it.
#include "problem/coded_step.hpp"

#include <algorithm>

#include "evaluate/step_judgement.hpp"
namespace trammel {

namespace {

constexpr double output_slack = 1e3;  // tolerances that the energy may correct between steps

}  // namespace

template <class Space>
CodedStep<Space>::CodedStep(Code code, int lanes, const Topology& topology)
    : code_(std::move(code)),
      lanes_(lanes),
      dimension_(topology.layout.size()),
      n_y_(Space::n_y * topology.n_bodies),
      n_u_(Space::n_u * topology.n_bodies),
      n_components_(topology.n_components()),
      factor_(code_->layout().factor_size * lanes),
      end_factor_(factor_.size()),
      results_(code_->layout().results_size * lanes),
      parameters_(code_->layout().parameters_size * lanes),
      start_(dimension_ * lanes),
      state_(dimension_),
      rate_(dimension_) {
  for (int k = 0; k < static_cast<int>(topology.references.size()); ++k) {
    if (topology.references[k].coordinate >= 0)
      followed_.push_back({topology.layout.reference(k), k});
  }
}

template <class Space>
std::unique_ptr<CodedStep<Space>> CodedStep<Space>::make(const Code& code, const Topology& topology,
                                                         int lanes) {
  if (!code) return nullptr;
  return std::unique_ptr<CodedStep>(new CodedStep(code, lanes, topology));
}

template <class Space>
void CodedStep<Space>::set_member(int lane, const SystemIn<Space>& member) {
  const std::vector<double> list = code_->list_parameters(member);
  for (std::size_t k = 0; k < list.size(); ++k) parameters_[k * lanes_ + lane] = list[k];
}

template <class Space>
void CodedStep<Space>::set_time(int lane, double t, std::span<const DriverLaw<double>> laws) {
  const auto& at = code_->layout();
  parameters_[at.time * lanes_ + lane] = t;
  double* law = parameters_.data() + at.laws * lanes_ + lane;
  for (const DriverLaw<double>& driver : laws) {
    for (const double x : {driver.value, driver.first, driver.second}) {
      *law = x;
      law += lanes_;
    }
  }
}

template <class Space>
void CodedStep<Space>::set_curves(std::span<const CurveState<double, Space>> curves) {
  double* frame = parameters_.data() + code_->layout().curve_frames;
  for (const CurveState<double, Space>& curve : curves) {
    curve.e.store(frame);
    frame += Space::dimension;
    for (const Linear<double, Space>& n : curve.n) {
      n.store(frame);
      frame += Space::dimension;
    }
  }
}

template <class Space>
template <class Chosen>
void CodedStep<Space>::copy(const Chosen& is_chosen, const double* from, int n, double* to) const {
  bool all = true;
  for (int lane = 0; lane < lanes_; ++lane) all = all && is_chosen(lane);
  if (all) {
    std::copy(from, from + n * lanes_, to);
    return;
  }
  for (int lane = 0; lane < lanes_; ++lane) {
    if (!is_chosen(lane)) continue;
    for (int k = lane; k < n * lanes_; k += lanes_) to[k] = from[k];
  }
}

template <class Space>
void CodedStep<Space>::get_factor(int lane, std::span<double> values,
                                  std::span<double> inverse) const {
  const auto& at = code_->layout();
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = factor_[(at.values + k) * lanes_ + lane];
  }
  for (std::size_t k = 0; k < inverse.size(); ++k) {
    inverse[k] = factor_[(at.inverse + k) * lanes_ + lane];
  }
}

template <class Space>
void CodedStep<Space>::calc_errors(const CodedEnd<Space>* const* runs, double* z0, double* z1,
                                   double* high, double* low, Errors* errors) {
  const auto& at = code_->layout();
  for (int lane = 0; lane < lanes_; ++lane) {
    if (runs[lane] == nullptr) continue;
    for (int c = 0; c < n_components_; ++c) {
      parameters_[(at.step_kinetic + c) * lanes_ + lane] = runs[lane]->point().step_kinetic[c];
    }
  }
  double* const arrays[] = {z0, z1, high, low, parameters_.data()};
  code_->errors().run(arrays);
  const double* error = parameters_.data() + at.error * lanes_;
  for (int lane = 0; lane < lanes_; ++lane) errors[lane] = {error[lane], error[lanes_ + lane]};
}

// Iterates until every run is on its joints, or has fallen back. With the
// factor that is there or, where a run has been shifted, with that of the point it was shifted from.
template <class Space>
void CodedStep<Space>::move_onto_joints(const Place& place, CodedEnd<Space>* const* runs,
                                        bool is_first, double* z, double* rate) {
  const auto& at = code_->layout();
  for (bool first = is_first; has(EndProgress::iterating); first = false) {
    double* const factor = is_first ? place.factor : place.end_factor;
    if (first && place.is_output) {  // no stage has left a factor of it
      run(code_->evaluate(), z, rate, factor);
      if (!is_fine(0)) progress_[0] = EndProgress::fallen_back;
    }
    // g, and y moved by −M⁻¹JᵀS⁻¹g
    run(first ? code_->begin() : code_->iterate(), z, rate, factor);
    for (int lane = 0; lane < lanes_; ++lane) {
      const bool asks =
          progress_[lane] == EndProgress::iterating || progress_[lane] == EndProgress::unchecked;
      if (asks) progress_[lane] = runs[lane]->judge_iteration(at, results_of(lane));
    }
    const double* results = results_.data();
    if (first) {
      copy([&](int lane) { return progress_[lane] == EndProgress::closed; },
           results + at.normalised * lanes_, n_y_, z);
    }
    copy(
        [&](int lane) {
          return progress_[lane] == EndProgress::iterating ||
                 progress_[lane] == EndProgress::unchecked;
        },
        results + at.moved * lanes_, n_y_, z);
    if (has(EndProgress::iterating) || (!has(EndProgress::unchecked) && !has(EndProgress::closed)))
      continue;
    // everything at the new place; its g says whether a move that was not checked has closed the joints
    run(code_->complete(), z, rate, place.end_factor);
    for (int lane = 0; lane < lanes_; ++lane) {
      if (progress_[lane] != EndProgress::unchecked) continue;
      const bool closed = runs[lane]->is_closed(at, results_of(lane));
      progress_[lane] = closed ? EndProgress::closed : EndProgress::iterating;
    }
  }
}

// What each run on its joints does with the numbers.
template <class Space>
void CodedStep<Space>::complete(const Place& place, CodedEnd<Space>* const* runs, const double* h) {
  for (int lane = 0; lane < lanes_; ++lane) {
    if (progress_[lane] != EndProgress::closed) continue;
    const LaneNumbers numbers = results_of(lane);
    progress_[lane] = runs[lane]->complete(place.is_output, h[lane], code_->layout(), numbers);
    if (progress_[lane] == EndProgress::may_shift && code_->shift() == nullptr) {
      progress_[lane] = EndProgress::fallen_back;
    }
  }
}

// Runs that are complete stay as they are: completing them again gives the same.
template <class Space>
void CodedStep<Space>::shift(const Place& place, CodedEnd<Space>* const* runs, const double* h,
                             double* z, double* rate) {
  const auto& at = code_->layout();
  for (int lane = 0; lane < lanes_; ++lane) parameters_[at.step * lanes_ + lane] = h[lane];
  // y ← y ⊕ f P M⁻¹∇U, for the runs that have to
  run(*code_->shift(), z, rate, place.end_factor);
  for (int lane = 0; lane < lanes_; ++lane) {
    if (progress_[lane] != EndProgress::may_shift) continue;
    const bool shifts = runs[lane]->begin_shift(h[lane], at, results_of(lane));
    progress_[lane] = shifts ? EndProgress::iterating : EndProgress::closed;
    parameters_[at.tolerance * lanes_ + lane] = EnergyBalance<Space>::shift_tolerance;
  }
  const auto is_shifting = [&](int lane) { return progress_[lane] == EndProgress::iterating; };
  copy(is_shifting, results_.data() + at.moved * lanes_, n_y_, z);
  copy(is_shifting, results_.data() + at.projected * lanes_, n_u_, z + n_y_ * lanes_);
  move_onto_joints(place, runs, false, z, rate);
  complete(place, runs, h);
}

// z of each run that ends as `done` is on M; that of others is of no use.
template <class Space>
void CodedStep<Space>::move_onto_manifold(const Place& place, CodedEnd<Space>* const* runs,
                                          const double* t, const double* h, double* z,
                                          double* rate) {
  const auto& at = code_->layout();
  for (int lane = 0; lane < 4; ++lane) {
    progress_[lane] = EndProgress::idle;
    if (lane >= lanes_ || runs[lane] == nullptr) continue;
    progress_[lane] = runs[lane]->begin(t[lane], place.is_output);
    set_time(lane, t[lane], runs[lane]->calc_laws_at(t[lane]));
    const auto set = [&](int place_of, double value) {
      parameters_[place_of * lanes_ + lane] = value;
    };
    set(at.tolerance, runs[lane]->point().projection_tolerance);
    const SimulationOptions& options = runs[lane]->point().options;
    const double slack = place.is_output ? output_slack : 1.0;
    set(at.energy_rtol, slack * options.rtol);
    set(at.energy_atol, slack * options.atol);
    set(at.shift_limit, calc_shift_limit(slack * options.rtol, slack * options.atol));
    for (int c = 0; c < n_components_; ++c) {
      set(at.start_energy + c, runs[lane]->point().energy.start(c));
    }
  }
  move_onto_joints(place, runs, true, z, rate);
  complete(place, runs, h);
  if (has(EndProgress::may_shift)) shift(place, runs, h, z, rate);
  // u of the runs that are on M
  copy([&](int lane) { return progress_[lane] == EndProgress::done; },
       results_.data() + at.u * lanes_, n_u_, z + n_y_ * lanes_);
  for (int lane = 0; lane < lanes_; ++lane) {
    if (progress_[lane] != EndProgress::done) continue;
    // references take the unwrapped coordinates
    for (const Followed& followed : followed_) {
      z[followed.state * lanes_ + lane] = results_of(lane)[at.reference_value + followed.reference];
    }
  }
}

template <class Space>
void CodedStep<Space>::finish(CodedEnd<Space>* const* runs, const double* t, const double* h,
                              double* z, double* rate, bool* fine) {
  std::copy(z, z + dimension_ * lanes_, start_.data());
  const Place place{false, factor_.data(), end_factor_.data()};
  move_onto_manifold(place, runs, t, h, z, rate);
  for (int lane = 0; lane < lanes_; ++lane) {
    if (progress_[lane] == EndProgress::done) fine[lane] = true;
    if (progress_[lane] != EndProgress::fallen_back) continue;
    // by loops, from the state that the step's stages have given
    for (int k = 0; k < dimension_; ++k) state_[k] = start_[k * lanes_ + lane];
    fine[lane] =
        runs[lane]->finish_by_loops(*this, lane, t[lane], h[lane], state_.data(), rate_.data());
    for (int k = 0; k < dimension_; ++k) {
      z[k * lanes_ + lane] = state_[k];
      rate[k * lanes_ + lane] = rate_[k];
    }
  }
}

template <class Space>
bool CodedStep<Space>::finish_output(CodedEnd<Space>& run, double t, double h, double* z) {
  output_factor_.resize(2 * factor_.size());
  const Place place{true, output_factor_.data(), output_factor_.data() + factor_.size()};
  std::copy(z, z + dimension_, state_.begin());
  CodedEnd<Space>* const runs[] = {&run};
  move_onto_manifold(place, runs, &t, &h, state_.data(), rate_.data());
  if (progress_[0] != EndProgress::done) return false;
  std::copy(state_.begin(), state_.end(), z);
  return true;
}

template class CodedStep<Spatial>;
template class CodedStep<Planar>;

}  // namespace trammel
