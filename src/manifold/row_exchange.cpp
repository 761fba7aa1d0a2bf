// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients c_dk of rows left out by products and solves with the factor of the kept rows.
#include "manifold/row_exchange.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "evaluate/accelerations.hpp"

namespace trammel {

namespace {

// Smaller: sets change for little, also near singular positions, where the one that was good before
// is the better choice; larger: joints open more.
constexpr double largest_coefficient = 4.0;
// Candidates that are tried per combination.
constexpr int most_tries = 3;

// A fixed sign for each row, so that rows of one loop do not cancel each other in a combination.
double sign_of(int row) { return (static_cast<unsigned>(row) * 2654435761u) >> 31 ? -1.0 : 1.0; }

// Walsh function k at look n. Over 2ᵐ looks the signs of 2ᵐ rows are orthogonal: the mean square of
// what is seen is the sum of the squares of the coefficients.
double walsh(unsigned k, unsigned n) { return std::popcount(k & n) % 2 == 0 ? 1.0 : -1.0; }

}  // namespace

template <class Space>
RowExchange<Space>::RowExchange(const SystemIn<Space>& system, std::vector<double> sigma)
    : system_(system),
      sigma_(std::move(sigma)),
      solution_(system.topology.n_rows),
      combination_(system.topology.n_rows) {}

// products ← S mu, all rows; may be the same vector
template <class Space>
void RowExchange<Space>::calc_products(const Parameters<double, Space>& parameters,
                                       const LargeVector<double>& mu, LargeVector<double>& products,
                                       Workspace<double, Space>& ws) const {
  calc_mass_step(system_.topology, parameters, ws, mu.data());
  calc_j_times(system_.topology, ws, ws.twist.data(), products.data());
}

// For a row k of the base set the best d to take its place, or −1. With y = S_K⁻¹ e_k the product
// S y holds c_dk for all d at once, and the pivot of d after all others would be c_dk²/y_k.
template <class Space>
int RowExchange<Space>::find_row_to_take(const Parameters<double, Space>& parameters,
                                         const std::vector<int>& left_out, double least_pivot,
                                         Workspace<double, Space>& ws, int out) {
  // y = S_K⁻¹ e_k; y_k is the inverse of the pivot of k after all others
  std::fill(solution_.begin(), solution_.end(), 0.0);
  solution_[out] = 1.0;
  solve(system_.topology.program, ws.factor(), solution_.data());
  const double inverse_pivot = solution_[out];
  calc_products(parameters, solution_, ws.mu, ws);
  int best = -1;
  double largest = largest_coefficient;
  for (const int d : left_out) {
    // c_dk, and the same in units of the sizes of both rows
    const double c = std::abs(ws.mu[d]);
    const double scaled = c * system_.row_size[out] / system_.row_size[d];
    if (!(scaled > largest) || !(c * sigma_[out] > sigma_[d])) continue;
    // c²/y_k, the pivot of d, above the least part of its diagonal
    if (!(c * c > least_pivot * sigma_[d] * sigma_[d] * inverse_pivot)) continue;
    largest = scaled;
    best = d;
  }
  return best;
}

// x = S_K⁻¹ S_Kd summed over the rows d of a group with signs: its largest entry names the row that
// is to go.
template <class Space>
typename RowExchange<Space>::Pair RowExchange<Space>::find_in_group(
    const Parameters<double, Space>& parameters, const std::vector<int>& left_out,
    double least_pivot, Workspace<double, Space>& ws, int group, int n_groups) {
  LargeVector<double>& x = combination_;
  std::fill(x.begin(), x.end(), 0.0);
  unsigned k = 0;
  for (std::size_t i = group; i < left_out.size(); i += n_groups, ++k) {
    const int d = left_out[i];
    // the rows of the group, each with a sign
    x[d] = sign_of(d) * walsh(k, n_looks_) / system_.row_size[d];
  }
  // x ← S_K⁻¹ S_K· x
  calc_products(parameters, x, x, ws);
  solve(system_.topology.program, ws.factor(), x.data());
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    int out = -1;
    double largest = 0.0;
    for (int r = 0; r < system_.topology.n_rows; ++r) {
      // the kept row with the largest coefficient
      const double scaled = std::abs(x[r]) * system_.row_size[r];
      if (scaled > largest && ws.mask[r] == 1.0) {
        largest = scaled;
        out = r;
      }
    }
    largest_ = std::max(largest_, largest);
    if (!(largest > largest_coefficient)) break;
    const int in = find_row_to_take(parameters, left_out, least_pivot, ws, out);
    if (in >= 0) return {out, in};
    x[out] = 0.0;  // the next best
  }
  return {-1, -1};
}

template <class Space>
typename RowExchange<Space>::Pair RowExchange<Space>::find(
    const Parameters<double, Space>& parameters, const std::vector<int>& left_out,
    double least_pivot, int most_groups, Workspace<double, Space>& ws) {
  largest_ = 0.0;
  const int n_groups = std::min(most_groups, static_cast<int>(left_out.size()));
  if (most_groups == quick) ++n_looks_;
  for (int group = 0; group < n_groups; ++group) {
    const Pair found = find_in_group(parameters, left_out, least_pivot, ws, group, n_groups);
    if (found.in >= 0) return found;
  }
  return {-1, -1};
}

template <class Space>
void RowExchange<Space>::apply(const Pair& pair, LargeVector<double>& mask,
                               std::vector<int>& left_out) {
  mask[pair.out] = row_left_out;
  mask[pair.in] = 1.0;
  *std::find(left_out.begin(), left_out.end(), pair.in) = pair.out;
  std::sort(left_out.begin(), left_out.end());
}

template class RowExchange<Spatial>;
template class RowExchange<Planar>;

}  // namespace trammel
