// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A force or torque of fixed direction, in the world or in the body, whose size is a function of
// the state. A vector of three formulas is three of them.
//
//   F = f (F_W + R F_B),   τ_B = f (τ_B0 + Rᵀ τ_W + χ × Rᵀ F_W)    f = f(t, positions, speeds)
//   P = ⟨F, v⟩ + ⟨τ_B, Ω⟩                                          no potential is assumed
#pragma once

#include <tuple>

#include "elements/forces/force_site.hpp"
#include "elements/forces/state_function.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct ScaledLoad {
  int body;
  Linear<Real, Space> point;      // m, where force_W acts, body frame
  Linear<Real, Space> force_W;    // a unit vector or 0, world components
  Angular<Real, Space> torque_W;  // likewise
  Linear<Real, Space> force_B;    // body components
  Angular<Real, Space> torque_B;  // about the centre of mass
  StateFunction factor;           // N or N m

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = false};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body, self.point, self.force_W, self.torque_W, self.force_B, self.torque_B,
                    self.factor);
  }
  int first_body() const { return body; }
  int second_body() const { return body; }
  const StateFunction* formula() const { return &factor; }

  // Returns the power.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const Pose<Real, Space>& pose = at.pose[body];
    const Real f = factor.evaluate(std::span<const Real>(at.slots));
    // f times the unit vector, and its moment about the centre of mass in the body's frame
    const Linear<Real, Space> force = f * (force_W + pose.R * force_B);
    const Angular<Real, Space> torque = f * (torque_B + transposed_times(pose.R, torque_W) +
                                             cross(point, transposed_times(pose.R, force_W)));
    at.force_W[body] += force;
    at.torque_B[body] += torque;
    return dot(force, pose.v) + dot(torque, pose.Omega);
  }
  AppliedLoad<Real, Space> calc_load(const ForceSite<Real, Space>& at) const {
    const Pose<Real, Space>& pose = at.pose[body];
    const Real f = factor.evaluate(std::span<const Real>(at.slots));
    const Linear<Real, Space> force = f * (force_W + pose.R * force_B);
    // without the moment of the force: about the point where it acts
    const Angular<Real, Space> free = torque_B - cross(point, force_B);
    const Linear<Real, Space> v_p = pose.v + cross(pose.omega, pose.R * point);
    const Angular<Real, Space> torque = f * (torque_W + pose.R * free);
    return {force, torque, dot(force, v_p) + dot(torque, pose.omega)};
  }
};

}  // namespace trammel
