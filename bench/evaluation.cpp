// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/projection.hpp"
#include "math/block_ldlt.hpp"
#include "system/row_shape.hpp"

namespace trammel::bench {

Evaluation::Evaluation(const System& system)
    : handle_(system),
      system_(as_spatial(handle_.data())),
      ws_(system_.topology),
      z_(system_.initial.begin(), system_.initial.end()) {
  const StateLayout& layout = system_.topology.layout;
  for (int b = 0; b < bodies(); ++b) {
    for (int k = 0; k < 6; ++k) z_[layout.u(b) + k] = 0.01 * ((7 * b + 3 * k) % 5 - 2);
  }
  z_off_ = z_;
  for (int b = 0; b < bodies(); ++b) z_off_[layout.y(b)] += 1e-7 * std::sin(b);
  scratch_ = rate_ = z_;
  calc_rows_of();
  calc_factor_of();
}

void Evaluation::evaluate() {
  trammel::evaluate(system_.topology, system_.parameters, ws_, run_drop_tolerance, z_.data(),
                    rate_.data());
}

void Evaluation::calc_rows_of() {
  calc_positions(system_.topology, z_.data(), ws_);
  calc_velocities(system_.topology, z_.data(), ws_);
  calc_rows_and_gamma(system_.topology, system_.parameters, ws_);
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
                       const Vector3<double>& alpha) {
    if (body == topology.ground()) return;
    const Vector3<double> angular = sign * transposed_times(ws_.pose[body].R, alpha);
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
  for (int k = 0; k < topology.n_joints; ++k) {
    const JointTopology& joint = topology.joints[k];
    for (int r = 0; r < joint.n_rows; ++r) {
      const Row<double> row = get_row(topology, ws_, k, r);
      add(joint.row + r, joint.body_i, -1.0, row.linear, row.alpha_i);
      add(joint.row + r, joint.body_j, 1.0, row.linear, row.alpha_j);
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
  const int* coupling = topology.couplings.data();
  for (int b = 0; b < topology.n_bodies; ++b) {
    for (int p = topology.schur_side_begin[b]; p < topology.schur_side_begin[b + 1]; ++p) {
      for (int q = p + 1; q < topology.schur_side_begin[b + 1]; ++q, ++coupling) {
        const int offset = *coupling < 0 ? ~*coupling : *coupling;
        const int m = RowShapes<Spatial>::all[topology.schur_sides[p].shape].rows();
        const int n = RowShapes<Spatial>::all[topology.schur_sides[q].shape].rows();
        for (int r = 0; r < n; ++r) {
          for (int c = 0; c < m; ++c) {
            blocks_[offset + r * m + c] =
                at(topology.schur_sides[q].row + r, topology.schur_sides[p].row + c);
          }
        }
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
