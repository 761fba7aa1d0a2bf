// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The rigid motion of a group of bodies that has the group's linear and angular momentum:
//
//   c = Σ m r / Σ m,  v_c = Σ m v / Σ m                            centre of mass
//   L = Σ (r − c) × m (v − v_c) + R 𝕀 Ω                            about c, world frame
//   I_c ω = L,  I_c = Σ R 𝕀 Rᵀ + m (|d|² I − d dᵀ),  d = r − c     in the plane Σ 𝕀 + m |d|²
//
// What the bodies do beyond it carries no momentum, and is orthogonal to it in the mass metric.
#pragma once

#include "space/pose.hpp"
#include "system/parameters.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class RigidMotion {
 public:
  using Position = Linear<double, Space>;
  using Spin = Angular<double, Space>;

  // first pass over the bodies, each moving with w; then find_centre, or fix_centre to turn about a
  // given fixed point
  void add_mass(const BodyParameters<double, Space>& body, const Pose<double, Space>& pose,
                const Twist<double, Space>& w);
  void find_centre();
  void fix_centre(const Position& point);
  // second pass, then find_rotation
  void add_spin(const BodyParameters<double, Space>& body, const Pose<double, Space>& pose,
                const Twist<double, Space>& w);
  void find_rotation();
  // instead: only the rotation about the axis n, ω = n ⟨n, L⟩/⟨n, I_c n⟩
  void find_rotation_about(const Spin& n);

  // The velocity of a body in this motion, and in one with another v_c and ω.
  Twist<double, Space> at(const Pose<double, Space>& pose) const {
    return at(pose, velocity_, omega_);
  }
  Twist<double, Space> at(const Pose<double, Space>& pose, const Position& velocity,
                          const Spin& omega) const;

  double mass() const { return mass_; }
  const Position& centre() const { return centre_; }
  const Position& velocity() const { return velocity_; }
  const Spin& spin() const { return spin_; }
  Spin solve_inertia(const Spin& spin) const {  // I_c⁻¹ L
    return Space::solve_inertia(inertia_, spin);
  }
  double calc_inertia_about(const Spin& n) const { return Space::calc_inertia_about(inertia_, n); }

 private:
  double mass_ = 0.0;
  Position centre_ = Position::zero();                                      // Σ m r, then c
  Position velocity_ = Position::zero();                                    // Σ m v, then v_c
  Spin spin_ = Spin::zero();                                                // L
  typename Space::template Inertia<double> inertia_ = Space::no_inertia();  // I_c
  Spin omega_ = Spin::zero();
};

}  // namespace trammel
