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

#include "system/parameters.hpp"
#include "system/pose.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class RigidMotion {
 public:
  // first pass over the bodies, then find_centre
  void add_mass(const BodyParameters<double, Space>& body, const Pose<double, Space>& pose);
  void find_centre();
  // second pass, then find_rotation
  void add_spin(const BodyParameters<double, Space>& body, const Pose<double, Space>& pose);
  void find_rotation();

  // The velocity of a body in this motion.
  Twist<double, Space> at(const Pose<double, Space>& pose) const;

 private:
  using Position = Linear<double, Space>;
  using Spin = Angular<double, Space>;
  double mass_ = 0.0;
  Position centre_ = Position::zero();                                      // Σ m r, then c
  Position velocity_ = Position::zero();                                    // Σ m v, then v_c
  Spin spin_ = Spin::zero();                                                // L
  typename Space::template Inertia<double> inertia_ = Space::no_inertia();  // I_c
  Spin omega_ = Spin::zero();
};

}  // namespace trammel
