// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A bushing: two frames, at x_i with axes B_i = R_i A_i and at x_j with axes B_j = R_j A_j, coupled
// by a 6×6 stiffness and damping. Unloaded where they are the same.
//
//   D = x_j − x_i,   d = B_iᵀ D                translation in the axes of frame i
//   Q = B_iᵀ B_j,    φ = rotation vector of Q   (math/rotation_vector.hpp), |φ| < π
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
#include <tuple>

#include "elements/forces/force_site.hpp"
#include "math/rotation_vector.hpp"

namespace trammel {

// n_u is 6, in the plane 3
template <class Real, class Space = Spatial>
struct BushingForce {
  static constexpr std::size_t n = Space::n_u;
  using Load = std::array<Real, n>;
  using Matrix = std::array<std::array<Real, n>, n>;

  int body_i, body_j;
  Linear<Real, Space> point_i, point_j;  // m
  Rotation<Real, Space> axes_i, axes_j;  // bushing axes to body axes
  Matrix stiffness;                      // N/m, N, N m/rad; symmetric
  Matrix damping;                        // likewise per s

  static constexpr ForceTraits traits{.has_potential = true, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body_i, self.body_j, self.point_i, self.point_j, self.axes_i, self.axes_j,
                    self.stiffness, self.damping);
  }
  int first_body() const { return body_i; }
  int second_body() const { return body_j; }

  // Returns the power of the damping.
  Real add_force(const ForceSite<Real, Space>& site) const {
    const Geometry at = calc_geometry(site);
    const Load rate = calc_rate(at, site);
    const Load damped = multiply(damping, rate);
    // s = −K e − C ė
    Load s = multiply(stiffness, at.e);
    for (std::size_t k = 0; k < n; ++k) s[k] = -(s[k] + damped[k]);
    add_load(at, site, s);
    return -multiply(rate, damped);
  }
  // ∇U
  void add_gradient(const ForceSite<Real, Space>& site) const {
    const Geometry at = calc_geometry(site);
    add_load(at, site, multiply(stiffness, at.e));
  }
  Real calc_energy(const ForceSite<Real, Space>& site) const {
    const Geometry at = calc_geometry(site);
    return Real(0.5) * multiply(at.e, multiply(stiffness, at.e));
  }
  // Components along the axes of frame i; force and torque act on body j.
  void show(const ForceSite<Real, Space>& site, auto&& out) const {
    const Geometry at = calc_geometry(site);
    const Load rate = calc_rate(at, site), damped = multiply(damping, rate);
    Load s = multiply(stiffness, at.e);
    for (std::size_t k = 0; k < n; ++k) s[k] = -(s[k] + damped[k]);
    const auto linear = [](const Load& v) { return Linear<Real, Space>::load(v.data()); };
    const auto angular = [](const Load& v) {
      return Angular<Real, Space>::load(v.data() + Space::dimension);
    };
    out("force", "N", linear(s));
    out("torque", "N m", angular(s));
    out("displacement", "m", linear(at.e));
    out("rotation", "rad", angular(at.e));
    out("displacement_rate", "m/s", linear(rate));
    out("rotation_rate", "rad/s", angular(rate));
    out("power", "W", multiply(s, rate));
    out("energy", "J", calc_energy(site));
  }

 private:
  struct Geometry {
    Rotation<Real, Space> B_i, B_j;
    Linear<Real, Space> p_i, p_j;  // R χ
    Linear<Real, Space> D;
    RotationVector<Angular<Real, Space>, Real> rotation;
    Load e;
  };

  // R A: row k is Aᵀ (row k of R)
  static Rotation<Real, Space> turn(const Rotation<Real, Space>& R,
                                    const Rotation<Real, Space>& A) {
    Rotation<Real, Space> product;
    for (std::size_t k = 0; k < std::size(product.row); ++k) {
      product.row[k] = transposed_times(A, R.row[k]);
    }
    return product;
  }
  // AᵀB: row k is Bᵀ (column k of A)
  static Rotation<Real, Space> turn_back(const Rotation<Real, Space>& A,
                                         const Rotation<Real, Space>& B) {
    const auto unit = Rotation<Real, Space>::identity();
    Rotation<Real, Space> product;
    for (std::size_t k = 0; k < std::size(product.row); ++k) {
      product.row[k] = transposed_times(B, A * unit.row[k]);
    }
    return product;
  }
  static Load multiply(const Matrix& matrix, const Load& e) {
    Load product;
    for (std::size_t r = 0; r < n; ++r) {
      product[r] = Real(0);
      for (std::size_t c = 0; c < n; ++c) product[r] += matrix[r][c] * e[c];
    }
    return product;
  }
  static Real multiply(const Load& a, const Load& b) {
    Real sum(0);
    for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
  }

  Geometry calc_geometry(const ForceSite<Real, Space>& site) const {
    const Pose<Real, Space>&i = site.pose[body_i], &j = site.pose[body_j];
    Geometry at;
    at.B_i = turn(i.R, axes_i);
    at.B_j = turn(j.R, axes_j);
    at.p_i = i.R * point_i;
    at.p_j = j.R * point_j;
    // D = x_j − x_i
    at.D = (j.r + at.p_j) - (i.r + at.p_i);
    // φ of Q = B_iᵀ B_j
    at.rotation = calc_rotation_vector(turn_back(at.B_i, at.B_j));
    // e = (B_iᵀ D, φ)
    transposed_times(at.B_i, at.D).store(at.e.data());
    at.rotation.phi.store(at.e.data() + Space::dimension);
    return at;
  }
  // ė
  Load calc_rate(const Geometry& at, const ForceSite<Real, Space>& site) const {
    const Pose<Real, Space>&i = site.pose[body_i], &j = site.pose[body_j];
    // B_iᵀ (ẋ_j − ẋ_i − ω_i × D), T(φ) B_jᵀ (ω_j − ω_i)
    const Linear<Real, Space> D1 =
        (j.v + cross(j.omega, at.p_j)) - (i.v + cross(i.omega, at.p_i)) - cross(i.omega, at.D);
    Load rate;
    transposed_times(at.B_i, D1).store(rate.data());
    trammel::calc_rate(at.rotation, transposed_times(at.B_j, j.omega - i.omega))
        .store(rate.data() + Space::dimension);
    return rate;
  }
  // The forces on both bodies of the load s = (f, m) on e.
  void add_load(const Geometry& at, const ForceSite<Real, Space>& site, const Load& s) const {
    // F = B_i f, M = B_j Tᵀ m; on both bodies F acts at x_j
    const Linear<Real, Space> F = at.B_i * Linear<Real, Space>::load(s.data());
    const Angular<Real, Space> M =
        at.B_j * calc_moment(at.rotation, Angular<Real, Space>::load(s.data() + Space::dimension));
    site.force_W[body_j] += F;
    site.force_W[body_i] -= F;
    site.torque_B[body_j] += transposed_times(site.pose[body_j].R, M + cross(at.p_j, F));
    site.torque_B[body_i] -= transposed_times(site.pose[body_i].R, M + cross(at.p_i + at.D, F));
  }
};

}  // namespace trammel
