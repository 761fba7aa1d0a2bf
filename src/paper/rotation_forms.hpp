// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// R(θ) x as a quadratic form in θ ∈ R⁴, with its derivatives, as printed in the paper (R = H̃Hᵀ,
// homogeneous: off S³ it is |θ|² times a rotation).
//
//   R(θ) x = B(θ, θ; x),   B(θ, φ; x) = A(θ, x) φ    symmetric in θ and φ
//   d(Rx)(φ) = 2 A(θ, x) φ,   d²(Rx)(φ, ψ) = 2 A(φ, x) ψ
//   ⟨l, R(θ) x⟩ = θᵀ Q(l, x) θ
//
// With quaternions, B(θ, φ; x) is the vector part of θ x φ̄.
#pragma once

#include <Eigen/Dense>

namespace trammel::paper {

using Vector3 = Eigen::Vector3d;
using Vector4 = Eigen::Vector4d;
using Matrix3 = Eigen::Matrix3d;
using Matrix4 = Eigen::Matrix4d;
using Matrix34 = Eigen::Matrix<double, 3, 4>;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

inline Matrix3 make_hat(const Vector3& a) {
  Matrix3 m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

// The rows span T_θ S³; Ω = 2 H θ₁.
inline Matrix34 make_H(const Vector4& t) {
  Matrix34 h;
  h << -t[1], t[0], t[3], -t[2],  //
      -t[2], -t[3], t[0], t[1],   //
      -t[3], t[2], -t[1], t[0];
  return h;
}

inline Matrix34 make_A(const Vector4& theta, const Vector3& x) {
  const Vector3 v = theta.tail<3>();
  const double scalar = -v.dot(x);  // θ x = (scalar, vector)
  const Vector3 vector = theta[0] * x + v.cross(x);
  Matrix34 a;
  a.col(0) = vector;
  a.rightCols<3>() = -scalar * Matrix3::Identity() - make_hat(vector);
  return a;
}

inline Matrix4 make_Q(const Vector3& l, const Vector3& x) {
  Matrix4 q;
  const double s = l.dot(x);
  const Vector3 c = x.cross(l);
  q(0, 0) = s;
  q.block<1, 3>(0, 1) = c.transpose();
  q.block<3, 1>(1, 0) = c;
  q.block<3, 3>(1, 1) = x * l.transpose() + l * x.transpose() - s * Matrix3::Identity();
  return q;
}

inline Vector3 rotate(const Vector4& theta, const Vector3& x) { return make_A(theta, x) * theta; }

}  // namespace trammel::paper
