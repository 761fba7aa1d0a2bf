// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/coordinate_tracker.hpp"

#include <algorithm>
#include <cmath>

#include "elements/coordinate.hpp"
#include "system/state.hpp"

namespace trammel {

template <class Space>
CoordinateTracker<Space>::CoordinateTracker(const SystemIn<Space>& system)
    : system_(system),
      reference_(system.topology.coordinates.size(), -1),
      driver_(reference_),
      value_(reference_.size()),
      rate_(reference_.size()) {
  Seen& seen = seen_.emplace_back();
  for (std::vector<double>* of : {&seen.value, &seen.rate, &seen.turn}) of->resize(value_.size());
  const Topology& topology = system.topology;
  for (std::size_t k = 0; k < topology.references.size(); ++k) {
    const int c = topology.references[k].coordinate;
    if (c >= 0) reference_[c] = static_cast<int>(k);
  }
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const CoordinateRow& row = topology.coordinate_rows[topology.drivers[k].coordinate_row];
    driver_[topology.terms[row.term_begin].coordinate] = static_cast<int>(k);
  }
}

template <class Space>
double CoordinateTracker<Space>::calc_fastest(const double* z) const {
  const ConstState<Space> state(system_.topology.layout, z);
  double largest = 0.0;
  for (int b = 0; b < state.n_bodies(); ++b) {
    const auto Omega = state.angular_velocity(b);
    largest = std::max(largest, dot(Omega, Omega));
  }
  return std::sqrt(largest);
}

// β_j − β_i of the state z, with the revolutions that were taken out of it
template <class Space>
double CoordinateTracker<Space>::calc_turn(std::size_t c, const double* z,
                                           const Workspace<double, Space>& ws) const {
  const Topology& topology = system_.topology;
  const ConstState<Space> state(topology.layout, z);
  const auto beta = [&](int body) {
    if (body == topology.ground()) return 0.0;
    return ws.turned[body] + Space::calc_attitude(state.y(body));
  };
  return beta(topology.coordinates[c].body_j) - beta(topology.coordinates[c].body_i);
}

template <class Space>
double CoordinateTracker<Space>::guess(std::size_t c, double t, const double* z,
                                       const Workspace<double, Space>& ws, const Seen& seen) const {
  if (reference_[c] >= 0) return ws.reference_value[reference_[c]];
  if (driver_[c] >= 0) return ws.drive[driver_[c]].value;
  if constexpr (Space::counts_turns) {
    return seen.value[c] + (calc_turn(c, z, ws) - seen.turn[c]);
  }
  return seen.value[c] + 0.5 * (t - seen.t) * (seen.rate[c] + rate_[c]);
}

template <class Space>
void CoordinateTracker<Space>::calc(double t, const double* z, const Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  std::size_t last = seen_.size() - 1;
  while (last > 0 && seen_[last].t > t) --last;
  for (std::size_t c = 0; c < topology.coordinates.size(); ++c) {
    const CoordinateTopology& of = topology.coordinates[c];
    const Pose<double, Space>&i = ws.pose[of.body_i], &j = ws.pose[of.body_j];
    const CoordinateGradient<double, Space> q =
        calc_coordinate(of.kind, system_.parameters.coordinates[c], i, j);
    rate_[c] = q.calc_rate(i, j);
    value_[c] = q.value;
    if (is_unwrapped(of.kind)) {
      value_[c] += full_turn * count_turns(q.value, guess(c, t, z, ws, seen_[last]));
    }
  }
}

template <class Space>
void CoordinateTracker<Space>::see(double t, const double* z, const Workspace<double, Space>& ws,
                                   Seen& seen) const {
  seen.t = t;
  seen.value = value_;
  seen.rate = rate_;
  if constexpr (Space::counts_turns) {
    for (std::size_t c = 0; c < seen.turn.size(); ++c) seen.turn[c] = calc_turn(c, z, ws);
  }
}

template <class Space>
void CoordinateTracker<Space>::keep(double t, const double* z, const Workspace<double, Space>& ws) {
  calc(t, z, ws);
  turned_ = 0.0;
  forget_notes();
  see(t, z, ws, seen_.front());
}

template <class Space>
void CoordinateTracker<Space>::note(double t, const double* z, const Workspace<double, Space>& ws) {
  if (value_.empty()) return;
  calc(t, z, ws);
  seen_.push_back(seen_.front());
  see(t, z, ws, seen_.back());
}

template <class Space>
void CoordinateTracker<Space>::start(const double* z, const Workspace<double, Space>& ws, double t,
                                     const std::vector<double>* near) {
  Seen& seen = seen_.front();
  seen.t = t;
  for (std::size_t c = 0; c < value_.size(); ++c) {
    seen.value[c] = near != nullptr ? (*near)[c] : system_.coordinate_near[c];
    if constexpr (Space::counts_turns) {
      seen.turn[c] = calc_turn(c, z, ws);
    }
  }
  fastest_ = calc_fastest(z);
  keep(t, z, ws);
}

template <class Space>
bool CoordinateTracker<Space>::on_step(double h, const double* z) {
  const double fastest = calc_fastest(z);
  turned_ += h * (fastest_ + fastest);  // of two bodies against each other: twice the mean
  fastest_ = fastest;
  return turned_ > 1.0;
}

template class CoordinateTracker<Spatial>;
template class CoordinateTracker<Planar>;

}  // namespace trammel
