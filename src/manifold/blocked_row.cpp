// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// v from one back-substitution with the factor of S, then its largest share.
#include "manifold/blocked_row.hpp"

#include <algorithm>
#include <cmath>

#include "math/block_ldlt.hpp"

namespace trammel {

template <class Space>
int find_blocked_row(const SystemIn<Space>& system, Workspace<double, Space>& ws) {
  constexpr double least_share = 1e-6;  // of squares
  const Topology& topology = system.topology;
  // the smallest pivot, relative to the diagonal of its row
  int row = -1;
  double smallest = row_left_out;
  for (int r = 0; r < topology.n_rows; ++r) {
    if (ws.mask[r] != 1.0 || ws.inverse[r] == 0.0) continue;
    if (const double pivot = ws.pivot[r] / ws.diagonal[r]; pivot < smallest) {
      smallest = pivot;
      row = r;
    }
  }
  if (row < 0) return row;
  // v = L⁻ᵀ e_r: vᵀ S v = D_r
  LargeVector<double>& v = ws.mu;
  std::fill(v.begin(), v.end(), 0.0);
  v[row] = 1.0;
  solve_transposed(topology.program, ws.factor(), v.data());
  // of each row in the combination, rows scaled to unit length
  const auto share = [&](int r) { return ws.mask[r] == 1.0 ? v[r] * v[r] * ws.diagonal[r] : 0.0; };
  double all = 0.0, largest = 0.0;
  for (int r = 0; r < topology.n_rows; ++r) {
    all += share(r);
    if (share(r) > largest) {
      largest = share(r);
      row = r;
    }
  }
  largest = least_share * all;
  // a driver, if one takes part at all
  for (const DriverTopology& driver : topology.drivers) {
    const int r = topology.coordinate_rows[driver.coordinate_row].row;
    if (share(r) > largest) {
      largest = share(r);
      row = r;
    }
  }
  return row;
}

template int find_blocked_row(const SystemIn<Spatial>&, Workspace<double, Spatial>&);
template int find_blocked_row(const SystemIn<Planar>&, Workspace<double, Planar>&);

}  // namespace trammel
