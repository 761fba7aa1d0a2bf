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

// Coefficients above this are exchanged away. Smaller: sets change for little, also near singular
// positions, where the one that was good before is the better choice; larger: joints open more.
constexpr double largest_coefficient = 4.0;
// Rows left out are looked at in at most so many combinations: the cost per point is bounded.
constexpr int most_groups = 8;
// Candidates that are tried per combination.
constexpr int most_tries = 3;
// The row that comes in must have a pivot above this part of its diagonal and of the smallest
// reference: pivots of rounding size decide nothing.
constexpr double sound_pivot = 1e-5;

// A fixed sign for each row, so that rows of one loop do not cancel each other in a combination.
double sign_of(int row) { return (static_cast<unsigned>(row) * 2654435761u) >> 31 ? -1.0 : 1.0; }

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
    open_limit_ = std::max({open_limit_, largest_growth * row.mismatch / system_.row_scale[row.row],
                            largest_turn * row.angle});
  }
  for (Base& base : bases_) {  // those to be exchanged are filled in within a step
    base.mask = rank.mask;
    base.reference.resize(n);
    base.size.resize(n);
    base.left_out.clear();
    for (const DependentRow& row : rank.dependent) base.left_out.push_back(row.row);
  }
  if (!rank.dependent.empty()) {
    std::fill(ws.mask.begin(), ws.mask.end(), 1.0);
    calc_positions(system_.topology, rank.reference.data(), ws);
    calc_rows(system_.topology, system_.parameters, ws);
    factor(ws);
    for (int r = 0; r < n; ++r) sigma_.push_back(std::sqrt(ws.diagonal[r]));
    solution_.resize(n);
    combination_.resize(n);
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
  point_base_ = step_.base;
  // most points: nothing was ever chosen
  if (choice_.bridged.empty() && choice_.base == step_.base) return;
  choice_.base = step_.base;
  choice_.bridged.clear();
  choice_.exchanged = false;
}

template <class Space>
void RowWatch<Space>::choose(Workspace<double, Space>& ws) {
  choice_.bridged.clear();
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

// ws.mu ← S mu, all rows; mu is none of the scratch in ws
template <class Space>
void RowWatch<Space>::calc_products(Workspace<double, Space>& ws,
                                    const LargeVector<double>& mu) const {
  calc_mass_step(system_.topology, system_.parameters, ws, mu.data());
  calc_j_times(system_.topology, ws, ws.twist.data(), ws.mu.data());
}

// For a row k of the base set the best d to take its place, or −1. With y = S_K⁻¹ e_k the product
// S y holds c_dk for all d at once, and the pivot of d after all others would be c_dk²/y_k.
template <class Space>
int RowWatch<Space>::find_row_to_take(Workspace<double, Space>& ws, int out) {
  const Base& base = base_of(choice_);
  LargeVector<double>& y = solution_;
  std::fill(y.begin(), y.end(), 0.0);
  y[out] = 1.0;
  solve(system_.topology.program, ws.factor(), y.data());
  const double inverse_pivot = y[out];
  calc_products(ws, y);
  int best = -1;
  double largest = largest_coefficient;
  for (const int d : base.left_out) {
    const double c = std::abs(ws.mu[d]);
    const double scaled = c * system_.row_size[out] / system_.row_size[d];
    if (!(scaled > largest) || !(c * sigma_[out] > sigma_[d])) continue;
    const double least = sound_pivot * base.smallest_reference * sigma_[d] * sigma_[d];
    if (!(c * c > least * inverse_pivot)) continue;
    largest = scaled;
    best = d;
  }
  return best;
}

// x = S_K⁻¹ S_Kd summed over the rows d of a group with signs: its largest entry names the row that
// is to go.
template <class Space>
typename RowWatch<Space>::Exchange RowWatch<Space>::find_exchange_in_group(
    Workspace<double, Space>& ws, int group, int n_groups) {
  const std::vector<int>& left_out = base_of(choice_).left_out;
  LargeVector<double>& x = combination_;
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = group; i < left_out.size(); i += n_groups) {
    x[left_out[i]] = sign_of(left_out[i]) / system_.row_size[left_out[i]];
  }
  calc_products(ws, x);
  std::copy(ws.mu.begin(), ws.mu.end(), x.begin());
  solve(system_.topology.program, ws.factor(), x.data());
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    int out = -1;
    double largest = largest_coefficient;
    for (int r = 0; r < system_.topology.n_rows; ++r) {
      const double scaled = std::abs(x[r]) * system_.row_size[r];
      if (scaled > largest && ws.mask[r] == 1.0) {
        largest = scaled;
        out = r;
      }
    }
    if (out < 0) break;
    if (const int in = find_row_to_take(ws, out); in >= 0) return {out, in};
    x[out] = 0.0;  // the next best
  }
  return {-1, -1};
}

template <class Space>
typename RowWatch<Space>::Exchange RowWatch<Space>::find_exchange(Workspace<double, Space>& ws) {
  const int n_groups = std::min<int>(most_groups, static_cast<int>(base_of(choice_).left_out.size()));
  for (int group = 0; group < n_groups; ++group) {
    const Exchange found = find_exchange_in_group(ws, group, n_groups);
    if (found.in >= 0) return found;
  }
  return {-1, -1};
}

// A copy of the base set of the choice, in the slot that no choice uses.
template <class Space>
typename RowWatch<Space>::Base& RowWatch<Space>::make_new_base() {
  int free = 0;
  while (free == step_.base || free == choice_.base || free == output_.base) ++free;
  bases_[free].mask = base_of(choice_).mask;
  bases_[free].left_out = base_of(choice_).left_out;
  bases_[free].smallest_reference = base_of(choice_).smallest_reference;
  choice_.base = point_base_ = free;
  choice_.exchanged = true;
  return bases_[free];
}

template <class Space>
bool RowWatch<Space>::improve(Workspace<double, Space>& ws) {
  Base* base = nullptr;
  const int most_exchanges = 2 * system_.topology.n_rows;  // each raises the volume: it ends anyway
  for (int n = 0; n < most_exchanges; ++n) {
    const Exchange found = find_exchange(ws);
    if (found.in < 0) break;
    if (base == nullptr) base = &make_new_base();
    base->mask[found.out] = row_left_out;
    base->mask[found.in] = 1.0;
    *std::find(base->left_out.begin(), base->left_out.end(), found.in) = found.out;
    ws.mask = base->mask;
    factor(ws);
  }
  if (base == nullptr) return false;
  std::sort(base->left_out.begin(), base->left_out.end());
  calc_reference(reference_z_.data(), true, *reference_ws_, *base);
  return true;
}

template <class Space>
int RowWatch<Space>::find_opened_row(const Workspace<double, Space>& ws) const {
  for (const int r : left_out()) {
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
  if (choice_.exchanged) ++n_exchanges_;
  choice_.exchanged = false;
  step_ = choice_;
}

template class RowWatch<Spatial>;
template class RowWatch<Planar>;

}  // namespace trammel
