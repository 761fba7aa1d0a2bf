// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// det J of a dense J, by its LU factor.
#include "manifold/branch_sign.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evaluate/accelerations.hpp"

namespace trammel {

namespace {

constexpr int largest_matrix = 200;  // a dense factor of it is made once per step of continuation

// Of the matrix A, by rows, which is overwritten: elimination with the largest pivot of each column. Most
// entries below a pivot are 0, as a row belongs to two bodies.
int find_determinant_sign(int n, double* A) {
  int sign = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int r = k + 1; r < n; ++r) {
      if (std::abs(A[n * r + k]) > std::abs(A[n * pivot + k])) pivot = r;
    }
    double* const row = A + n * k;
    if (pivot != k) {
      std::swap_ranges(row, row + n, A + n * pivot);
      sign = -sign;
    }
    if (row[k] < 0.0) sign = -sign;
    for (int r = k + 1; r < n; ++r) {
      double* const other = A + n * r;
      if (other[k] == 0.0) continue;
      const double factor = other[k] / row[k];
      for (int c = k + 1; c < n; ++c) other[c] -= factor * row[c];
    }
  }
  return sign;
}

}  // namespace

template <class Space>
int BranchSign<Space>::calc_sign(Workspace<double, Space>& ws) const {
  const Topology& topology = system_.topology;
  const int n = Space::n_u * topology.n_bodies;
  std::vector<int> kept;
  for (int r = 0; r < topology.n_rows; ++r) {
    if (ws.mask[r] == 1.0) kept.push_back(r);
  }
  // J is square where as many rows are kept as there are velocities
  if (n > largest_matrix || static_cast<int>(kept.size()) != n) return 0;
  std::vector<double> J(static_cast<std::size_t>(n) * n);
  std::vector<Twist<double, Space>> w(topology.n_bodies + 1, Twist<double, Space>::zero());
  std::vector<double> rates(topology.n_rows);
  // J column by column: J w of unit velocities, linear ones in units of the mechanism's length
  for (int b = 0; b < topology.n_bodies; ++b) {
    const double length = system_.length[b];
    for (int k = 0; k < Space::n_u; ++k) {
      std::array<double, Space::n_u> unit{};
      unit[k] = k < Space::dimension ? length : 1.0;
      w[b] = {Linear<double, Space>::load(unit.data()),
              Angular<double, Space>::load(unit.data() + Space::dimension)};
      calc_j_times(topology, ws, w.data(), rates.data());
      for (int r = 0; r < n; ++r) J[n * r + Space::n_u * b + k] = rates[kept[r]];
    }
    w[b] = Twist<double, Space>::zero();
  }
  return find_determinant_sign(n, J.data());
}

template <class Space>
bool BranchSign<Space>::changes(Workspace<double, Space>& ws) {
  asked_sign_ = calc_sign(ws);
  asked_mask_.assign(ws.mask.begin(), ws.mask.end());
  return sign_ * asked_sign_ < 0 && mask_ == asked_mask_;
}

template class BranchSign<Spatial>;
template class BranchSign<Planar>;

}  // namespace trammel
