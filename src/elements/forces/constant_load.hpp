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

#include <tuple>

#include "elements/forces/force_site.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct ConstantLoad {
  int body;
  Linear<Real, Space> point;      // m, where force_W acts, body frame
  Linear<Real, Space> force_W;    // N, world components
  Angular<Real, Space> torque_W;  // N m, world components
  Linear<Real, Space> force_B;    // N, body components
  Angular<Real, Space> torque_B;  // N m, body components, about the centre of mass

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = false};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body, self.point, self.force_W, self.torque_W, self.force_B,
                    self.torque_B);
  }
  int first_body() const { return body; }
  int second_body() const { return body; }

  // Returns the power.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const Pose<Real, Space>& pose = at.pose[body];
    const Linear<Real, Space> force = force_W + pose.R * force_B;
    const Angular<Real, Space> torque = torque_B + transposed_times(pose.R, torque_W) +
                                        cross(point, transposed_times(pose.R, force_W));
    at.force_W[body] += force;
    at.torque_B[body] += torque;
    return dot(force, pose.v) + dot(torque, pose.Omega);
  }
  // force_W acts at the point; so does force_B, whose moment is in torque_B.
  AppliedLoad<Real, Space> calc_load(const ForceSite<Real, Space>& at) const {
    const Pose<Real, Space>& pose = at.pose[body];
    const Linear<Real, Space> force = force_W + pose.R * force_B;
    const Angular<Real, Space> free = torque_B - cross(point, force_B);
    const Linear<Real, Space> v_p = pose.v + cross(pose.omega, pose.R * point);
    const Angular<Real, Space> torque = torque_W + pose.R * free;
    return {force, torque, dot(force, v_p) + dot(torque, pose.omega)};
  }
};

}  // namespace trammel
