// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/row_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/distribution.hpp"
#include "kernel/joint_rows.hpp"

namespace trammel {

namespace {

constexpr std::size_t most_recorded = 1000;

// A row left out for good may open by this much (of its natural size), or by this many times what
// it was open at the start.
constexpr double largest_opening = 1e-6;
constexpr double largest_growth = 30.0;
// Hinges out of line by an angle open by twice that in half a turn, in rows of other lengths by
// more.
constexpr double largest_turn = 10.0;

// An exchange must leave every pivot above this part of its row's diagonal.
constexpr double sound_pivot = 1e-4;

}  // namespace

template <class Space>
void RowWatch<Space>::start(const RankReport& rank, Workspace<double, Space>& ws) {
  const int n = system_.topology.n_rows;
  bases_.resize(rank.dependent.empty() ? 1 : 4);
  if (!rank.dependent.empty()) {
    reference_z_ = rank.reference;
    reference_ws_ = std::make_unique<Workspace<double, Space>>(system_.topology);
  }
  open_limit_ = largest_opening;
  for (const DependentRow& row : rank.dependent) {
    left_out_.push_back(row.row);
    open_limit_ = std::max({open_limit_, largest_growth * row.mismatch / system_.row_scale[row.row],
                            largest_turn * row.angle});
  }
  for (Base& base : bases_) {  // those to be exchanged are filled in within a step
    base.mask = rank.mask;
    base.reference.resize(n);
    base.size.resize(n);
  }
  calc_reference(rank.reference.data(), false, ws, bases_.front());
  for (Choice* choice : {&step_, &choice_, &output_}) choice->bridged.reserve(n);
  bridges_.reserve(most_recorded);
}

// D and S_rr of the base set at the reference point. guarded: a base chosen elsewhere may be poor
// there; its references are then no less than those of a sound one.
template <class Space>
void RowWatch<Space>::calc_reference(const double* z, bool guarded, Workspace<double, Space>& ws,
                                     Base& base) const {
  ws.mask = base.mask;
  calc_positions(system_.topology, z, ws);
  calc_rows(system_.topology, system_.parameters, ws);
  factor(ws);
  base.smallest_reference = 1.0;
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    const bool kept = base.mask[r] == 1.0;
    base.size[r] = kept ? ws.diagonal[r] : 0.0;
    base.reference[r] = kept ? ws.pivot[r] : 0.0;
    if (!kept) continue;
    if (guarded) base.reference[r] = std::max(base.reference[r], 1e-3 * base.size[r]);
    base.smallest_reference = std::min(base.smallest_reference, base.reference[r] / base.size[r]);
  }
}

template <class Space>
void RowWatch<Space>::factor(Workspace<double, Space>& ws) const {
  calc_factor(system_.topology, system_.parameters, ws, 0.0);
}

template <class Space>
typename RowWatch<Space>::Smallest RowWatch<Space>::find_smallest(const double* pivot) const {
  Smallest smallest{std::numeric_limits<double>::max(), -1};
  const double* const references = base_of(choice_).reference.data();
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    const double reference = references[r];
    if (pivot[r] < smallest.ratio * reference) smallest = {pivot[r] / reference, r};
  }
  return smallest;
}

// The row k with the largest share in the combination that nearly vanishes at pivot `row`, rows
// scaled to unit diagonal; pivot: that of k behind all others.
template <class Space>
int RowWatch<Space>::find_largest_share(Workspace<double, Space>& ws, int row,
                                        double& pivot) const {
  LargeVector<double>& v = ws.mu;
  std::fill(v.begin(), v.end(), 0.0);
  v[row] = 1.0;
  solve_transposed(system_.topology.program, ws.factor(), v.data());
  double largest = 0.0;
  int k = row;
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    if (ws.mask[r] != 1.0) continue;
    const double share = v[r] * v[r] * base_of(choice_).size[r];
    if (share > largest) {
      largest = share;
      k = r;
    }
  }
  pivot = ws.pivot[row] / largest;
  return k;
}

template <class Space>
void RowWatch<Space>::reset() {
  // most points: nothing was ever chosen
  if (choice_.bridged.empty() && choice_.base == step_.base) return;
  choice_.base = step_.base;
  choice_.bridged.clear();
  choice_.exchanged = false;
}

template <class Space>
void RowWatch<Space>::choose(Workspace<double, Space>& ws, double closed_to) {
  choice_.bridged.clear();
  if (!left_out_.empty() && exchange(ws, closed_to)) return;
  while (true) {
    // of the rows that still take part
    Smallest smallest{std::numeric_limits<double>::max(), -1};
    for (int r = 0; r < system_.topology.n_rows; ++r) {
      if (ws.mask[r] != 1.0) continue;
      const double ratio = ws.pivot[r] / base_of(choice_).reference[r];
      if (ratio < smallest.ratio) smallest = {ratio, r};
    }
    if (smallest.row < 0 || is_sound(smallest)) break;
    double pivot = 0.0;
    const int k = find_largest_share(ws, smallest.row, pivot);
    if (pivot >= bridge_below * base_of(choice_).smallest_reference) break;
    ws.mask[k] = row_left_out;
    choice_.bridged.push_back(k);
    factor(ws);
  }
}

// Exchanges the row that spoils the base set for one of those left out. false: it cannot be done,
// the factor in ws is that of the base set again.
template <class Space>
bool RowWatch<Space>::exchange(Workspace<double, Space>& ws, double closed_to) {
  const int n = system_.topology.n_rows;
  const LargeVector<double>& mask = base_of(choice_).mask;
  for (int r = 0; r < n; ++r) {
    if (mask[r] != 1.0 && !(std::abs(ws.g[r]) <= closed_to * system_.row_scale[r])) {
      return false;
    }
  }
  const auto smallest_pivot = [&] {
    double smallest = 1.0;
    for (int r = 0; r < n; ++r) {
      if (ws.mask[r] == 1.0) smallest = std::min(smallest, ws.pivot[r] / ws.diagonal[r]);
    }
    return smallest;
  };
  const Smallest spoiled = find_smallest(ws);
  double pivot = 0.0;
  const int out = find_largest_share(ws, spoiled.row, pivot);
  int best = -1;
  double best_pivot = sound_pivot;
  for (int in = 0; in < n; ++in) {
    if (mask[in] == 1.0) continue;
    ws.mask = mask;
    ws.mask[out] = row_left_out;
    ws.mask[in] = 1.0;
    factor(ws);
    if (const double reached = smallest_pivot(); reached > best_pivot) {
      best = in;
      best_pivot = reached;
    }
  }
  ws.mask = mask;
  if (best >= 0) {
    ws.mask[out] = row_left_out;
    ws.mask[best] = 1.0;
    int free = 0;
    while (free == step_.base || free == choice_.base || free == output_.base) ++free;
    bases_[free].mask = ws.mask;
    choice_.base = free;
    choice_.exchanged = true;
    calc_reference(reference_z_.data(), true, *reference_ws_, bases_[free]);
  }
  factor(ws);
  return best >= 0;
}

template <class Space>
int RowWatch<Space>::find_opened_row(const Workspace<double, Space>& ws) const {
  for (const int r : left_out_) {
    if (!(std::abs(ws.g[r]) <= open_limit_ * system_.row_scale[r])) return r;
  }
  return -1;
}

template <class Space>
void RowWatch<Space>::accept(double t) {
  if (choice_.bridged.empty() && step_.bridged.empty() && !choice_.exchanged) return;
  const int n_bridged = static_cast<int>(choice_.bridged.size());
  if (n_bridged > 0 && step_.bridged.empty()) {
    ++n_bridges_;
    if (bridges_.size() < most_recorded) {
      bridges_.push_back({t, choice_.bridged.front(), n_bridged});
    }
  } else if (n_bridged > 0 && bridges_.size() == static_cast<std::size_t>(n_bridges_)) {
    bridges_.back().n_rows = std::max(bridges_.back().n_rows, n_bridged);
  }
  if (choice_.exchanged) {
    ++n_exchanges_;
    left_out_.clear();  // as many as before: nothing is allocated
    for (int r = 0; r < system_.topology.n_rows; ++r) {
      if (base_of(choice_).mask[r] != 1.0) left_out_.push_back(r);
    }
  }
  choice_.exchanged = false;
  step_ = choice_;
}

template class RowWatch<Spatial>;
template class RowWatch<Planar>;

}  // namespace trammel
