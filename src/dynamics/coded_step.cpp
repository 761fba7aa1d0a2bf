// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/coded_step.hpp"

#include <algorithm>

#include "dynamics/mechanical_problem.hpp"

namespace trammel {

template <class Space>
CodedStep<Space>::CodedStep(Code code, int lanes, int dimension)
    : code_(std::move(code)),
      lanes_(lanes),
      dimension_(dimension),
      factor_(code_->layout().factor_size * lanes),
      end_factor_(factor_.size()),
      results_(code_->layout().results_size * lanes),
      parameters_(code_->n_parameters() * lanes),
      row_(code_->layout().results_size + code_->layout().factor_size),
      square_(row_.size()),
      move_(row_.size()),
      start_(lanes, std::vector<double>(dimension)),
      state_(dimension),
      rate_(dimension) {}

template <class Space>
typename CodedStep<Space>::Code CodedStep<Space>::make_code(
    const std::vector<const SystemIn<Space>*>& members, int lanes, bool with_ends) {
  return StepCode<Space>::make(members, lanes, run_drop_tolerance, with_ends);
}

template <class Space>
std::unique_ptr<CodedStep<Space>> CodedStep<Space>::make(const Code& code,
                                                         const Topology& topology, int lanes) {
  if (!code) return nullptr;
  return std::unique_ptr<CodedStep>(new CodedStep(code, lanes, topology.layout.size()));
}

template <class Space>
void CodedStep<Space>::set_member(int lane, const SystemIn<Space>& member) {
  const std::vector<double> list = code_->list_parameters(member);
  for (std::size_t k = 0; k < list.size(); ++k) parameters_[k * lanes_ + lane] = list[k];
}

template <class Space>
const double* CodedStep<Space>::get(const std::vector<double>& from, int offset, int n, int lane,
                                    std::vector<double>& into) const {
  if (lanes_ == 1) return from.data() + offset;
  for (int k = 0; k < n; ++k) into[k] = from[(offset + k) * lanes_ + lane];
  return into.data();
}

template <class Space>
void CodedStep<Space>::read_lane(const double* z, int lane, std::vector<double>& into) const {
  if (lanes_ == 1) {
    std::copy(z, z + dimension_, into.begin());
    return;
  }
  for (int k = 0; k < dimension_; ++k) into[k] = z[k * lanes_ + lane];
}

template <class Space>
void CodedStep<Space>::write_lane(const double* from, int n, int offset, int lane,
                                  double* z) const {
  if (lanes_ == 1) {
    std::copy(from, from + n, z + offset);
    return;
  }
  for (int k = 0; k < n; ++k) z[(offset + k) * lanes_ + lane] = from[k];
}

template <class Space>
void CodedStep<Space>::get_factor(int lane, std::vector<double>& values,
                                  std::vector<double>& inverse) const {
  const auto& at = code_->layout();
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = factor_[(at.values + k) * lanes_ + lane];
  }
  for (std::size_t k = 0; k < inverse.size(); ++k) {
    inverse[k] = factor_[(at.inverse + k) * lanes_ + lane];
  }
}

template <class Space>
void CodedStep<Space>::evaluate(double* z, double* rate, bool* fine) {
  code_->evaluate(arrays(z, rate, false));
  const auto& at = code_->layout();
  for (int lane = 0; lane < lanes_; ++lane) {
    fine[lane] = results_[at.margin * lanes_ + lane] > 0.0 &&
                 results_[at.not_finite * lanes_ + lane] == 0.0;
  }
}

template <class Space>
void CodedStep<Space>::finish(MechanicalProblem<Space>* const* problems, const double* t,
                              const double* h, double* z, double* rate, bool* fine) {
  using Turn = typename MechanicalProblem<Space>::Turn;
  const auto& at = code_->layout();
  Turn turn[4] = {Turn::ordinary, Turn::ordinary, Turn::ordinary, Turn::ordinary};
  bool any = false;
  int rows = 0, bodies = 0, components = 0;
  for (int lane = 0; lane < lanes_; ++lane) {
    if (problems[lane] == nullptr) continue;
    const Topology& topology = problems[lane]->system().topology;
    rows = topology.n_rows;
    bodies = topology.n_bodies;
    components = topology.n_components();
    read_lane(z, lane, start_[lane]);
    if (!problems[lane]->begin_end(t[lane], start_[lane].data())) continue;
    turn[lane] = Turn::again;
    any = true;
  }
  const int n_y = Space::n_y * bodies;
  // onto the joints
  for (bool first = true; any; first = false) {
    if (first) code_->arrive(arrays(z, rate, false));
    else code_->iterate(arrays(z, rate, false));
    any = false;
    for (int lane = 0; lane < lanes_; ++lane) {
      if (problems[lane] == nullptr || turn[lane] != Turn::again) continue;
      if (first) {
        const double* normalised = get(results_, at.y + n_y, n_y, lane, move_);
        write_lane(normalised, n_y, 0, lane, z);
      }
      const double* y = lanes_ == 1 ? z : (read_lane(z, lane, state_), state_.data());
      const double* squares = get(results_, at.linear2, 2 * bodies, lane, square_);
      turn[lane] = problems[lane]->judge_iteration(get_result(at.g, rows, lane), squares,
                                                   squares + bodies, y);
      if (turn[lane] != Turn::again) continue;
      write_lane(get(results_, at.y, n_y, lane, move_), n_y, 0, lane, z);
      any = true;
    }
  }
  // velocities, and what is held
  const auto is_coded = [&](int lane) {
    return problems[lane] != nullptr && turn[lane] == Turn::closed;
  };
  const bool some = [&] {
    for (int lane = 0; lane < lanes_; ++lane) {
      if (is_coded(lane)) return true;
    }
    return false;
  }();
  if (some) {
    code_->settle(arrays(z, rate, true));
    for (int lane = 0; lane < lanes_; ++lane) {
      if (!is_coded(lane)) continue;
      read_lane(z, lane, state_);
      const double* u = get(results_, at.u, Space::n_u * bodies, lane, move_);
      std::copy(u, u + Space::n_u * bodies, state_.begin() + n_y);
      const double* energies = get(results_, at.kinetic, 2 * components, lane, square_);
      const bool sound = results_[at.margin * lanes_ + lane] > 0.0;
      const bool settled =
          sound && problems[lane]->settle_end(
                       h[lane], get(end_factor_, at.pivot, rows, lane, row_),
                       get(results_, at.rates, rows, lane, move_), energies, energies + components,
                       state_.data());
      if (!settled) turn[lane] = Turn::ordinary;
      else write_lane(state_.data(), dimension_, 0, lane, z);
    }
    code_->restart(arrays(z, rate, true));
  }
  for (int lane = 0; lane < lanes_; ++lane) {
    if (problems[lane] == nullptr) continue;
    if (is_coded(lane)) {
      read_lane(z, lane, state_);
      fine[lane] = problems[lane]->complete_end(
          get_result(at.rates, rows, lane), get(results_, at.kinetic, components, lane, square_),
          state_.data(), results_[at.not_finite * lanes_ + lane] == 0.0);
    } else {
      fine[lane] = problems[lane]->finish_ordinarily(*this, lane, t[lane], h[lane],
                                                     start_[lane].data(), rate_.data());
      write_lane(start_[lane].data(), dimension_, 0, lane, z);
      write_lane(rate_.data(), dimension_, 0, lane, rate);
    }
  }
}

template class CodedStep<Spatial>;
template class CodedStep<Planar>;

}  // namespace trammel
