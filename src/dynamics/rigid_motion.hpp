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
  // first pass over the bodies, then find_centre
  void add_mass(const BodyParameters<double>& body, const Pose<double>& pose);
  void find_centre();
  // second pass, then find_rotation
  void add_spin(const BodyParameters<double>& body, const Pose<double>& pose);
  void find_rotation();

  // The velocity of a body in this motion.
  Twist<double> at(const Pose<double>& pose) const;

 private:
  using Vector = Vector3<double>;
  double mass_ = 0.0;
  Vector centre_ = Vector::zero();    // Σ m r, then c
  Vector velocity_ = Vector::zero();  // Σ m v, then v_c
  Vector spin_ = Vector::zero();      // L
  Matrix3<double> inertia_{{Vector::zero(), Vector::zero(), Vector::zero()}};  // I_c
  Vector omega_ = Vector::zero();
};

}  // namespace trammel
