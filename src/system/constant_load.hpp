// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Constant forces and torques on a body, given in the world (the components stay while the body
// turns) or in the body (they turn with it).
//
//   F   = F_W + R F_B                       force at the centre of mass, world
//   τ_B = τ_B0 + Rᵀ τ_W + χ × Rᵀ F_W        torque about the centre of mass, body frame
//   P   = ⟨F, v⟩ + ⟨τ_B, Ω⟩                 power; no potential is assumed
//
// The moment of F_B about the centre of mass is constant in the body and part of τ_B0.
#pragma once

#include "system/parameters.hpp"
#include "system/pose.hpp"

namespace trammel {

// Adds to force_W, torque_B; returns the power.
template <class Real, class Space>
[[gnu::always_inline]] inline Real add_constant_load(const ConstantLoad<Real, Space>& load, const Pose<Real, Space>& pose,
                              Linear<Real, Space>& force_W, Angular<Real, Space>& torque_B) {
  const Linear<Real, Space> force = load.force_W + pose.R * load.force_B;
  const Angular<Real, Space> torque = load.torque_B + transposed_times(pose.R, load.torque_W) +
                                      cross(load.point, transposed_times(pose.R, load.force_W));
  force_W += force;
  torque_B += torque;
  return dot(force, pose.v) + dot(torque, pose.Omega);
}

}  // namespace trammel
