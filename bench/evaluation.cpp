// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/distribution.hpp"
#include "dynamics/projection.hpp"
#include "math/block_ldlt.hpp"
#include "system/joint_rows.hpp"

namespace trammel::bench {

Evaluation::Evaluation(const System& system)
    : handle_(system),
      system_(as_spatial(handle_.data())),
      ws_(system_.topology),
      z_(system_.initial) {
  const StateLayout& layout = system_.topology.layout;
  for (int b = 0; b < bodies(); ++b) {
    for (int k = 0; k < 6; ++k) z_[layout.u(b) + k] = 0.01 * ((7 * b + 3 * k) % 5 - 2);
  }
  z_off_ = z_;
  for (int b = 0; b < bodies(); ++b) z_off_[layout.y(b)] += 1e-7 * std::sin(b);
  scratch_ = z_;
  calc_rows_of();
  calc_factor_of();
}

void Evaluation::evaluate() {
  calc_rows_of();
  calc_factor_of();
  calc_distribution_of();
}

void Evaluation::calc_rows_of() {
  calc_positions(system_.topology, z_.data(), ws_);
  calc_velocities(system_.topology, z_.data(), ws_);
  calc_rows(system_.topology, system_.parameters, ws_);
}

void Evaluation::calc_factor_of() {
  calc_factor(system_.topology, system_.parameters, ws_, run_drop_tolerance);
}

void Evaluation::calc_distribution_of() {
  calc_distribution(system_.topology, system_.parameters, ws_);
}

void Evaluation::project() {
  std::copy(z_off_.begin(), z_off_.end(), scratch_.begin());
  project_position(system_, scratch_.data(), ws_, 1e-12);
  project_velocity(system_, scratch_.data(), ws_);
}

// S = J M⁻¹ Jᵀ from J √M⁻¹, bodies as block columns of six
Eigen::SparseMatrix<double> Evaluation::make_schur_matrix() const {
  const Topology& topology = system_.topology;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(12 * static_cast<std::size_t>(rows()));
  const auto add = [&](int row, int body, double sign, const Vector3<double>& linear,
                       const Vector3<double>& angular) {
    if (body == topology.ground()) return;
    const auto& of = system_.parameters.bodies[body];
    const double l = sign * std::sqrt(of.inverse_mass);
    const Vector3<double>& i = of.inverse_inertia;
    const double values[] = {l * linear.x,
                             l * linear.y,
                             l * linear.z,
                             std::sqrt(i.x) * angular.x,
                             std::sqrt(i.y) * angular.y,
                             std::sqrt(i.z) * angular.z};
    for (int k = 0; k < 6; ++k) entries.emplace_back(row, 6 * body + k, values[k]);
  };
  for (const JointTopology& joint : topology.joints) {
    for (int r = joint.row; r < joint.row + joint.n_rows; ++r) {
      add(r, joint.body_i, -1.0, ws_.linear[r], ws_.angular_i[r]);
      add(r, joint.body_j, 1.0, ws_.linear[r], ws_.angular_j[r]);
    }
  }
  Eigen::SparseMatrix<double> J(rows(), 6 * bodies());
  J.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseMatrix<double> S = J * Eigen::SparseMatrix<double>(J.transpose());
  return S.triangularView<Eigen::Lower>();
}

void Evaluation::put_schur_matrix(const Eigen::SparseMatrix<double>& lower) {
  const Topology& topology = system_.topology;
  const BlockProgram& program = topology.program;
  const auto at = [&](int a, int b) { return lower.coeff(std::max(a, b), std::min(a, b)); };
  blocks_.assign(program.n_values, 0.0);
  for (std::size_t k = 0; k < program.size.size(); ++k) {
    const int m = program.size[k], row = program.row[k];
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c <= r; ++c) blocks_[program.diagonal[k] + r * m + c] = at(row + r, row + c);
      ws_.diagonal[row + r] = at(row + r, row + r);
    }
  }
  for (const SchurCoupling& coupling : topology.couplings) {
    for (int r = 0; r < coupling.n_q; ++r) {
      for (int c = 0; c < coupling.n_p; ++c) {
        blocks_[coupling.offset + r * coupling.n_p + c] =
            at(coupling.row_q + r, coupling.row_p + c);
      }
    }
  }
  restore_schur_matrix();
}

void Evaluation::restore_schur_matrix() {
  std::copy(blocks_.begin(), blocks_.end(), ws_.values.begin());
}

void Evaluation::factorise_only() {
  factorise(system_.topology.program, ws_.factor(), run_drop_tolerance);
}

void Evaluation::solve_only(std::vector<double>& b) {
  solve(system_.topology.program, ws_.factor(), b.data());
}

}  // namespace trammel::bench
