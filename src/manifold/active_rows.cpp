// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Judging pivots, leaving rows out for a passage, exchanging rows of the base set.
#include "manifold/active_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"

namespace trammel {

namespace {

constexpr std::size_t most_recorded = 1000;

// A joint is open when a row of it exceeds this part of the size of the smaller body it joins, or
// this angle. Where redundant joints contradict each other and the model allows that
// (redundancy_tolerance), the limit is what it allows.
constexpr double largest_opening = 1e-6;
// Its points or axes move apart when a row opens by more than this many limits while the mechanism
// turns by a radian or travels its own length. Rows that are out of line by so little that they count
// as agreeing (agreed_angle) stay below. A slower motion than least_speed (1/s) is judged as one that
// is as fast: by one limit per second.
constexpr double openings_per_radian = 10.0, least_speed = 1.0 / openings_per_radian;
// Redundant joints that agree to this part of their size, and in line to this angle, do not
// contradict each other.
constexpr double agreed_opening = 1e-9, agreed_angle = 1e-6;

// Half of what is exchanged away: it takes some steps to become large.
constexpr double small_coefficient = 2.0;
// A coefficient that has grown by a factor has made a pivot fall by its square.
constexpr double fallen_pivot = 0.5;
// The row that comes in must have a pivot above this part of its diagonal and of the smallest
// reference: pivots of rounding size decide nothing.
constexpr double sound_pivot = 1e-5;

}  // namespace

template <class Space>
void ActiveRows<Space>::start(const RankReport& rank, Workspace<double, Space>& ws) {
  const int n = system_.topology.n_rows;
  bases_.resize(rank.dependent.empty() ? 1 : 4);
  if (!rank.dependent.empty()) {
    reference_z_ = rank.reference;
    reference_ws_ = std::make_unique<Workspace<double, Space>>(system_.topology);
  }
  // redundant rows that contradict each other are open by what the model allows
  open_limit_ = largest_opening;
  for (const DependentRow& row : rank.dependent) {
    if (row.mismatch > agreed_opening * system_.row_size[row.row] || row.angle > agreed_angle) {
      open_limit_ = std::max(largest_opening, system_.redundancy_tolerance);
    }
  }
  allow_opening(largest_opening);
  for (Base& base : bases_) {  // those to be exchanged are filled in within a step
    base.mask = rank.mask;
    base.reference.resize(n);
    base.size.resize(n);
    base.left_out.clear();
    for (const DependentRow& row : rank.dependent) base.left_out.push_back(row.row);
  }
  if (!rank.dependent.empty()) {
    // the scale of each row for exchanges: √S_rr at the reference
    std::fill(ws.mask.begin(), ws.mask.end(), 1.0);
    calc_positions(system_.topology, rank.reference.data(), ws);
    calc_rows(system_.topology, system_.parameters, ws);
    factor(ws);
    std::vector<double> sigma(n);
    for (int r = 0; r < n; ++r) sigma[r] = std::sqrt(ws.diagonal[r]);
    exchange_ = std::make_unique<RowExchange<Space>>(system_, std::move(sigma));
    seen_pivot_.resize(n);
  }
  calc_reference(rank.reference.data(), false, ws, bases_.front());
  for (Choice* choice : {&step_, &choice_, &output_}) choice->dropped.reserve(n);
  passages_.reserve(most_recorded);
}

template <class Space>
void ActiveRows<Space>::allow_opening(double least) {
  open_limit_ = std::max(open_limit_, least);
  least_opening_ = open_limit_;
  for (const double size : system_.row_size) {
    least_opening_ = std::min(least_opening_, open_limit_ * size);
  }
}

// D and S_rr of the base set at the reference point. guarded: a base chosen elsewhere may be poor
// there; its references are then no less than those of a sound one.
template <class Space>
void ActiveRows<Space>::calc_reference(const double* z, bool guarded, Workspace<double, Space>& ws,
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
void ActiveRows<Space>::factor(Workspace<double, Space>& ws) const {
  calc_factor(system_.topology, system_.parameters, ws, 0.0);
}

template <class Space>
typename ActiveRows<Space>::Smallest ActiveRows<Space>::find_smallest(const double* pivot) const {
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
int ActiveRows<Space>::find_largest_share(Workspace<double, Space>& ws, int row,
                                          double& pivot) const {
  LargeVector<double>& v = ws.mu;
  std::fill(v.begin(), v.end(), 0.0);
  // v = L⁻ᵀ e_r: vᵀ S v = D_r
  v[row] = 1.0;
  solve_transposed(system_.topology.program, ws.factor(), v.data());
  double largest = 0.0;
  int k = row;
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    if (ws.mask[r] != 1.0) continue;
    // v_r² S_rr: rows scaled to unit length
    const double share = v[r] * v[r] * base_of(choice_).size[r];
    if (share > largest) {
      largest = share;
      k = r;
    }
  }
  // D_r / (v_k² S_kk): what would be left of k after all others
  pivot = ws.pivot[row] / largest;
  return k;
}

template <class Space>
void ActiveRows<Space>::reset() {
  point_base_ = step_.base;
  // most points: nothing was ever chosen
  if (choice_.dropped.empty() && choice_.base == step_.base) return;
  choice_.base = step_.base;
  choice_.dropped.clear();
  choice_.exchanged = false;
}

template <class Space>
void ActiveRows<Space>::choose(Workspace<double, Space>& ws) {
  choice_.dropped.clear();
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
    // the rest determines k well enough: nothing to leave out
    if (pivot >= drop_below * base_of(choice_).smallest_reference) break;
    // S without row k
    ws.mask[k] = row_left_out;
    choice_.dropped.push_back(k);
    factor(ws);
  }
}

// A copy of the base set of the choice, in the slot that no choice uses.
template <class Space>
typename ActiveRows<Space>::Base& ActiveRows<Space>::make_new_base() {
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
bool ActiveRows<Space>::is_due(const Workspace<double, Space>& ws) {
  if (waits_ == 0) return true;
  --waits_;
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    if (ws.pivot[r] < fallen_pivot * seen_pivot_[r]) return true;
  }
  return false;
}

template <class Space>
bool ActiveRows<Space>::improve(Workspace<double, Space>& ws) {
  using Exchange = RowExchange<Space>;
  Base* base = nullptr;
  const int most_exchanges = 2 * system_.topology.n_rows;  // each raises the volume: it ends anyway
  for (int n = 0; n < most_exchanges; ++n) {
    const Base& now = base_of(choice_);
    const auto found =
        exchange_->find(system_.parameters, now.left_out, sound_pivot * now.smallest_reference,
                        base == nullptr ? Exchange::quick : Exchange::thorough, ws);
    if (found.in < 0) break;
    if (base == nullptr) base = &make_new_base();
    exchange_->apply(found, base->mask, base->left_out);
    ws.mask = base->mask;
    factor(ws);
  }
  // where each row was looked at by itself
  const bool is_sure = base_of(choice_).left_out.size() <= std::size_t{Exchange::quick};
  waits_ = base == nullptr && is_sure && exchange_->largest() < small_coefficient ? 1 : 0;
  if (waits_ > 0) std::copy_n(ws.pivot.begin(), seen_pivot_.size(), seen_pivot_.begin());
  if (base == nullptr) return false;
  // the pivots of the new set are judged by its own at the reference point
  calc_reference(reference_z_.data(), true, *reference_ws_, *base);
  return true;
}

template <class Space>
int ActiveRows<Space>::find_open_row(const Workspace<double, Space>& ws) const {
  double largest = open_limit_;
  int open = -1;
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    // not ≤: a row that is not a number is open
    const double opening = std::abs(ws.g[r]) / system_.row_size[r];
    if (!(opening <= largest)) {
      largest = opening;
      open = r;
    }
  }
  return open;
}

template <class Space>
int ActiveRows<Space>::find_parting_row(const Workspace<double, Space>& ws,
                                        const double* rates) const {
  double speed = least_speed;  // the largest of |Ω| and |v|/L
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const auto& pose = ws.pose[b];
    speed = std::max({speed, std::sqrt(dot(pose.Omega, pose.Omega)),
                      std::sqrt(dot(pose.v, pose.v)) / system_.length[b]});
  }
  double largest = openings_per_radian * open_limit_ * speed;
  int parting = -1;
  for (int r = 0; r < system_.topology.n_rows; ++r) {
    const double rate = std::abs(rates[r]) / system_.row_size[r];
    if (!(rate <= largest)) {
      largest = rate;
      parting = r;
    }
  }
  return parting;
}

template <class Space>
bool ActiveRows<Space>::accept(double t) {
  if (choice_.dropped.empty() && step_.dropped.empty() && !choice_.exchanged) return false;
  const int n_dropped = static_cast<int>(choice_.dropped.size());
  // a passage begins, or goes on
  if (n_dropped > 0 && step_.dropped.empty()) {
    ++n_passages_;
    if (passages_.size() < most_recorded) {
      passages_.push_back({t, choice_.dropped.front(), n_dropped});
    }
  } else if (n_dropped > 0 && passages_.size() == static_cast<std::size_t>(n_passages_)) {
    passages_.back().n_rows = std::max(passages_.back().n_rows, n_dropped);
  }
  if (choice_.exchanged) ++n_exchanges_;
  choice_.exchanged = false;
  step_ = choice_;
  return true;
}

template class ActiveRows<Spatial>;
template class ActiveRows<Planar>;

}  // namespace trammel
