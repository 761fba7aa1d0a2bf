// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A damper about the axis of a revolute or cylindrical joint.
//
//   n = R_j a_j,  ω_rel = ⟨ω_j − ω_i, n⟩
//   τ = −c ω_rel n on body j, +c ω_rel n on body i,     P = −c ω_rel²
#pragma once

#include <tuple>

#include "elements/forces/force_site.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct RotationalDamperForce {
  int body_i, body_j;
  Angular<Real, Space> axis_j;  // unit vector in body j
  Real damping;                 // N m s/rad

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body_i, self.body_j, self.axis_j, self.damping);
  }
  int first_body() const { return body_i; }
  int second_body() const { return body_j; }

  // Returns the power.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const Pose<Real, Space>&i = at.pose[body_i], &j = at.pose[body_j];
    const Angular<Real, Space> n = j.R * axis_j;
    const Real rate = dot(j.omega - i.omega, n);
    const Real moment = damping * rate;
    at.torque_B[body_i] += moment * transposed_times(i.R, n);
    at.torque_B[body_j] -= moment * axis_j;
    return -moment * rate;
  }
  // The torque acts on body j.
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const Pose<Real, Space>&i = at.pose[body_i], &j = at.pose[body_j];
    const Real rate = dot(j.omega - i.omega, j.R * axis_j);
    out("torque", "N m", -damping * rate);
    out("angle_rate", "rad/s", rate);
    out("power", "W", -damping * rate * rate);
  }
};

}  // namespace trammel
