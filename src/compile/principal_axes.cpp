// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/principal_axes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace trammel {

PrincipalAxes calc_principal_axes(const Mat3& inertia) {
  const bool diagonal = inertia[0][1] == 0.0 && inertia[0][2] == 0.0 && inertia[1][2] == 0.0;
  if (diagonal) return {{inertia[0][0], inertia[1][1], inertia[2][2]}, {1.0, 0.0, 0.0, 0.0}};
  Eigen::Matrix3d I;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) I(r, c) = 0.5 * (inertia[r][c] + inertia[c][r]);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(I);
  Eigen::Matrix3d Q = solver.eigenvectors();
  if (Q.determinant() < 0.0) Q.col(0) = -Q.col(0);
  const Eigen::Quaterniond q(Q);
  const Eigen::Vector3d& d = solver.eigenvalues();
  return {{d[0], d[1], d[2]}, {q.w(), q.x(), q.y(), q.z()}};
}

}  // namespace trammel
