// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A force or torque of fixed direction, in the world or in the body, whose size is a function of
// the state. A vector of three formulas is three of them.
//
//   F = f (F_W + R F_B),   τ_B = f (τ_B0 + Rᵀ τ_W + χ × Rᵀ F_W)    f = f(t, positions, speeds)
//   P = ⟨F, v⟩ + ⟨τ_B, Ω⟩                                          no potential is assumed
#pragma once

#include <span>

#include "system/force_elements.hpp"
#include "system/pose.hpp"

namespace trammel {

// Adds to force_W, torque_B; returns the power.
template <class Real, class Space>
inline Real add_scaled_load(const ScaledLoad<Real, Space>& load, std::span<const Real> slots,
                            const Pose<Real, Space>& pose, Linear<Real, Space>& force_W,
                            Angular<Real, Space>& torque_B) {
  const Real f = load.factor.evaluate(slots);
  const Linear<Real, Space> force = f * (load.force_W + pose.R * load.force_B);
  const Angular<Real, Space> torque =
      f * (load.torque_B + transposed_times(pose.R, load.torque_W) +
           cross(load.point, transposed_times(pose.R, load.force_W)));
  force_W += force;
  torque_B += torque;
  return dot(force, pose.v) + dot(torque, pose.Omega);
}

}  // namespace trammel
