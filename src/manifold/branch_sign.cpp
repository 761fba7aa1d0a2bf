// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "manifold/branch_sign.hpp"

#include <array>

#include <Eigen/Dense>

#include "evaluate/accelerations.hpp"

namespace trammel {

namespace {

constexpr int largest_matrix = 200;  // a dense factor of it is made once per step of continuation

}  // namespace

template <class Space>
int BranchSign<Space>::calc_sign(Workspace<double, Space>& ws) const {
  const Topology& topology = system_.topology;
  const int n = Space::n_u * topology.n_bodies;
  std::vector<int> kept;
  for (int r = 0; r < topology.n_rows; ++r) {
    if (ws.mask[r] == 1.0) kept.push_back(r);
  }
  if (n > largest_matrix || static_cast<int>(kept.size()) != n) return 0;
  Eigen::MatrixXd J(n, n);
  std::vector<Twist<double, Space>> w(topology.n_bodies + 1, Twist<double, Space>::zero());
  std::vector<double> rates(topology.n_rows);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const double length = system_.length[b];
    for (int k = 0; k < Space::n_u; ++k) {
      std::array<double, Space::n_u> unit{};
      unit[k] = k < Space::dimension ? length : 1.0;
      w[b] = {Linear<double, Space>::load(unit.data()),
              Angular<double, Space>::load(unit.data() + Space::dimension)};
      calc_j_times(topology, ws, w.data(), rates.data());
      for (int r = 0; r < n; ++r) J(r, Space::n_u * b + k) = rates[kept[r]];
    }
    w[b] = Twist<double, Space>::zero();
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(J);
  double sign = static_cast<double>(factor.permutationP().determinant());
  for (int k = 0; k < n; ++k) sign *= factor.matrixLU()(k, k) < 0.0 ? -1.0 : 1.0;
  return sign > 0.0 ? 1 : -1;
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
