// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The rigid motion of a group of bodies that has the group's linear and angular momentum:
//
//   c = Σ m r / Σ m,  v_c = Σ m v / Σ m                            centre of mass
//   L = Σ (r − c) × m (v − v_c) + R 𝕀 Ω                            about c, world frame
//   I_c ω = L,  I_c = Σ R 𝕀 Rᵀ + m (|d|² I − d dᵀ),  d = r − c
//
// What the bodies do beyond it carries no momentum, and is orthogonal to it in the mass metric.
#pragma once

#include "system/parameters.hpp"
#include "system/pose.hpp"
#include "system/workspace.hpp"

namespace trammel {

class RigidMotion {
 public:
  using Vector = Vector3<double>;

  // first pass over the bodies, each moving with w; then find_centre, or fix_centre to turn about a
  // given point that stands still
  void add_mass(const BodyParameters<double>& body, const Pose<double>& pose,
                const Twist<double>& w);
  void find_centre();
  void fix_centre(const Vector& point);
  // second pass, then find_rotation
  void add_spin(const BodyParameters<double>& body, const Pose<double>& pose,
                const Twist<double>& w);
  void find_rotation();
  // instead: only the rotation about the axis n, ω = n ⟨n, L⟩/⟨n, I_c n⟩
  void find_rotation_about(const Vector& n);

  // The velocity of a body in this motion, and in one with another v_c and ω.
  Twist<double> at(const Pose<double>& pose) const { return at(pose, velocity_, omega_); }
  Twist<double> at(const Pose<double>& pose, const Vector& velocity, const Vector& omega) const;

  double mass() const { return mass_; }
  const Vector& centre() const { return centre_; }
  const Vector& velocity() const { return velocity_; }
  const Vector& spin() const { return spin_; }
  Vector solve_inertia(const Vector& spin) const;     // I_c⁻¹ L
  double calc_inertia_about(const Vector& n) const { return dot(n, inertia_ * n); }

 private:
  double mass_ = 0.0;
  Vector centre_ = Vector::zero();    // Σ m r, then c
  Vector velocity_ = Vector::zero();  // Σ m v, then v_c
  Vector spin_ = Vector::zero();      // L
  Matrix3<double> inertia_{{Vector::zero(), Vector::zero(), Vector::zero()}};  // I_c
  Vector omega_ = Vector::zero();
};

}  // namespace trammel
