// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/reaction_share.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "evaluate/accelerations.hpp"

namespace trammel {

template <class Space>
void ReactionShare<Space>::calc_weighted_reactions(int count, const Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  const std::size_t rows = topology.n_rows, wide = weighted_.size() / count;
  wrenches_.resize(count);
  for (int k = 0; k < topology.n_joints; ++k) {
    calc_reactions(topology, system_.parameters, ws, vectors_.data(), count, k, wrenches_.data());
    const double by_force = std::sqrt(system_.compliance[2 * k]);
    const double by_moment = std::sqrt(system_.compliance[2 * k + 1]);
    for (int v = 0; v < count; ++v) {
      double* const weighted = weighted_.data() + v * wide + 6 * k;
      (by_force * Space::export_linear(wrenches_[v].force)).store(weighted);
      (by_moment * Space::export_angular(wrenches_[v].moment)).store(weighted + 3);
    }
  }
  for (int v = 0; v < count; ++v) {
    double* load = weighted_.data() + v * wide + 6 * topology.n_joints;
    for (const CoordinateRow& at : topology.coordinate_rows) {
      *load++ = vectors_[v * rows + at.row] / system_.length[0];
    }
  }
}

template <class Space>
void ReactionShare<Space>::share(const std::vector<int>& left_out, Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  const std::size_t n = left_out.size(), rows = topology.n_rows,
                    wide = 6 * topology.n_joints + topology.coordinate_rows.size();
  if (n == 0 || is_too_large(n)) return;
  vectors_.assign((n + 1) * rows, 0.0);
  weighted_.resize((n + 1) * wide);
  LargeVector<double>& unit = ws.mu;
  for (std::size_t d = 0; d < n; ++d) {
    double* null = vectors_.data() + d * rows;
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[left_out[d]] = 1.0;
    calc_mass_step(topology, system_.parameters, ws, unit.data());
    calc_j_times(topology, ws, ws.twist.data(), null);
    solve_schur(topology, system_.parameters, ws, null);
    for (std::size_t r = 0; r < rows; ++r) null[r] = -null[r];
    null[left_out[d]] = 1.0;
  }
  std::copy(ws.lambda.begin(), ws.lambda.end(), vectors_.data() + n * rows);
  calc_weighted_reactions(static_cast<int>(n) + 1, ws);
  // least squares: weighted reactions of λ by those of the null vectors
  using Matrix = Eigen::Map<const Eigen::MatrixXd>;
  const auto columns = static_cast<Eigen::Index>(n), height = static_cast<Eigen::Index>(wide);
  const Matrix of_null(weighted_.data(), height, columns);
  const Eigen::Map<const Eigen::VectorXd> of_lambda(weighted_.data() + n * wide, height);
  // normal equations, and once more for what rounding has left
  const Eigen::LDLT<Eigen::MatrixXd> gram(of_null.transpose() * of_null);
  Eigen::VectorXd share = gram.solve(of_null.transpose() * of_lambda);
  share += gram.solve(of_null.transpose() * (of_lambda - of_null * share));
  for (std::size_t d = 0; d < n; ++d) {
    const double* null = vectors_.data() + d * rows;
    for (std::size_t r = 0; r < rows; ++r) {
      ws.lambda[r] -= share[static_cast<Eigen::Index>(d)] * null[r];
    }
  }
}

template class ReactionShare<Spatial>;
template class ReactionShare<Planar>;

}  // namespace trammel
