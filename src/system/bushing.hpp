// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A bushing: two frames, at x_i with axes B_i = R_i A_i and at x_j with axes B_j = R_j A_j, coupled
// by a 6×6 stiffness and damping. Unloaded where they are the same.
//
//   D = x_j − x_i,   d = B_iᵀ D                translation in the axes of frame i
//   Q = B_iᵀ B_j,    φ = rotation vector of Q   (rotation_vector.hpp), |φ| < π
//   e = (d, φ) ∈ R⁶, in the plane R³
//
//   ḋ = B_iᵀ (ẋ_j − ẋ_i − ω_i × D),    φ̇ = T(φ) w,   w = B_jᵀ (ω_j − ω_i)
//
//   U = ½⟨e, K e⟩      exact for any displacement: the forces below are its gradient
//   s = (f, m) = −K e − C ė,           P = −⟨ė, C ė⟩ of the damping
//
// The virtual power ⟨f, ḋ⟩ + ⟨m, φ̇⟩ gives the forces on the bodies:
//
//   F = B_i f  on body j at x_j; −F on body i, at the same place x_j (the term ω_i × D)
//   M = B_j Tᵀ m  on body j, −M on body i
//
// For small angles this is the usual linear bushing with six uncoupled or coupled rates. For large
// ones φ is the measure of rotation: a pure twist by α about one axis gives the moment k α.
#pragma once

#include <array>

#include "system/force_elements.hpp"
#include "system/pose.hpp"
#include "system/rotation_vector.hpp"

namespace trammel {

template <class Real, class Space>
struct BushingGeometry {
  Rotation<Real, Space> B_i, B_j;
  Linear<Real, Space> p_i, p_j;  // R χ
  Linear<Real, Space> D;
  RotationVector<Angular<Real, Space>> rotation;
  std::array<Real, Space::n_u> e;
};

template <class Real, class Space>
using BushingMatrix = std::array<std::array<Real, Space::n_u>, Space::n_u>;

// R A: row k is Aᵀ (row k of R)
template <class Matrix>
inline Matrix multiply(const Matrix& R, const Matrix& A) {
  Matrix product;
  for (std::size_t k = 0; k < std::size(product.row); ++k) {
    product.row[k] = transposed_times(A, R.row[k]);
  }
  return product;
}

// AᵀB: row k is Bᵀ (column k of A)
template <class Matrix>
inline Matrix multiply_transposed(const Matrix& A, const Matrix& B) {
  const Matrix unit = Matrix::identity();
  Matrix product;
  for (std::size_t k = 0; k < std::size(product.row); ++k) {
    product.row[k] = transposed_times(B, A * unit.row[k]);
  }
  return product;
}

template <class Real, class Space>
inline BushingGeometry<Real, Space> calc_bushing_geometry(
    const BushingParameters<Real, Space>& bushing, const Pose<Real, Space>& i,
    const Pose<Real, Space>& j) {
  BushingGeometry<Real, Space> at;
  at.B_i = multiply(i.R, bushing.axes_i);
  at.B_j = multiply(j.R, bushing.axes_j);
  at.p_i = i.R * bushing.point_i;
  at.p_j = j.R * bushing.point_j;
  at.D = (j.r + at.p_j) - (i.r + at.p_i);
  at.rotation = calc_rotation_vector(multiply_transposed(at.B_i, at.B_j));
  transposed_times(at.B_i, at.D).store(at.e.data());
  at.rotation.phi.store(at.e.data() + Space::dimension);
  return at;
}

template <class Real, class Space>
inline std::array<Real, Space::n_u> calc_bushing_rate(const BushingGeometry<Real, Space>& at,
                                                      const Pose<Real, Space>& i,
                                                      const Pose<Real, Space>& j) {
  const Linear<Real, Space> D1 =
      (j.v + cross(j.omega, at.p_j)) - (i.v + cross(i.omega, at.p_i)) - cross(i.omega, at.D);
  std::array<Real, Space::n_u> rate;
  transposed_times(at.B_i, D1).store(rate.data());
  calc_rate(at.rotation, transposed_times(at.B_j, j.omega - i.omega))
      .store(rate.data() + Space::dimension);
  return rate;
}

template <class Real, std::size_t n>
inline std::array<Real, n> multiply(const std::array<std::array<Real, n>, n>& matrix,
                                    const std::array<Real, n>& e) {
  std::array<Real, n> product{};
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) product[r] += matrix[r][c] * e[c];
  }
  return product;
}

template <class Real, std::size_t n>
inline Real dot(const std::array<Real, n>& a, const std::array<Real, n>& b) {
  Real sum(0);
  for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// Adds the forces on both bodies of the load s = (f, m) on e.
template <class Real, class Space>
inline void add_bushing_load(const BushingParameters<Real, Space>& bushing,
                             const BushingGeometry<Real, Space>& at, const Pose<Real, Space>& i,
                             const Pose<Real, Space>& j, const std::array<Real, Space::n_u>& s,
                             Linear<Real, Space>* force_W, Angular<Real, Space>* torque_B) {
  const Linear<Real, Space> F = at.B_i * Linear<Real, Space>::load(s.data());
  const Angular<Real, Space> M =
      at.B_j * calc_moment(at.rotation, Angular<Real, Space>::load(s.data() + Space::dimension));
  force_W[bushing.body_j] += F;
  force_W[bushing.body_i] -= F;
  torque_B[bushing.body_j] += transposed_times(j.R, M + cross(at.p_j, F));
  torque_B[bushing.body_i] -= transposed_times(i.R, M + cross(at.p_i + at.D, F));
}

// Adds to the forces of both bodies; returns the power of the damping.
template <class Real, class Space>
inline Real add_bushing(const BushingParameters<Real, Space>& bushing, const Pose<Real, Space>& i,
                        const Pose<Real, Space>& j, Linear<Real, Space>* force_W,
                        Angular<Real, Space>* torque_B) {
  const BushingGeometry<Real, Space> at = calc_bushing_geometry(bushing, i, j);
  const auto rate = calc_bushing_rate(at, i, j);
  const auto damping = multiply(bushing.damping, rate);
  auto s = multiply(bushing.stiffness, at.e);
  for (std::size_t k = 0; k < s.size(); ++k) s[k] = -(s[k] + damping[k]);
  add_bushing_load(bushing, at, i, j, s, force_W, torque_B);
  return -dot(rate, damping);
}

// force_W, torque_B += ∇U
template <class Real, class Space>
inline void add_bushing_gradient(const BushingParameters<Real, Space>& bushing,
                                 const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                                 Linear<Real, Space>* force_W, Angular<Real, Space>* torque_B) {
  const BushingGeometry<Real, Space> at = calc_bushing_geometry(bushing, i, j);
  add_bushing_load(bushing, at, i, j, multiply(bushing.stiffness, at.e), force_W, torque_B);
}

template <class Real, class Space>
inline Real calc_bushing_energy(const BushingParameters<Real, Space>& bushing,
                                const Pose<Real, Space>& i, const Pose<Real, Space>& j) {
  const auto at = calc_bushing_geometry(bushing, i, j);
  return Real(0.5) * dot(at.e, multiply(bushing.stiffness, at.e));
}

}  // namespace trammel
