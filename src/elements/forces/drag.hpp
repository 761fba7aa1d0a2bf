// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Linear drag of a body in a medium at rest.
//
//   F = −c v at the centre of mass,   τ = −c_r ω        P = −c|v|² − c_r|ω|²
#pragma once

#include <tuple>

#include "elements/forces/force_site.hpp"

namespace trammel {

struct Drag;

template <class Real, class Space = Spatial>
struct DragForce {
  int body;
  Real linear;   // N s/m
  Real angular;  // N m s/rad

  using Law = Drag;
  static DragForce make(const auto& law, const auto& places) {
    return {places.body(law.body), law.linear, law.angular};
  }

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = false};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body, self.linear, self.angular);
  }
  int first_body() const { return body; }
  int second_body() const { return body; }

  // Returns the power.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const Pose<Real, Space>& pose = at.pose[body];
    at.force_W[body] -= linear * pose.v;
    at.torque_B[body] -= angular * pose.Omega;
    return -(linear * dot(pose.v, pose.v) + angular * dot(pose.Omega, pose.Omega));
  }
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const Pose<Real, Space>& pose = at.pose[body];
    const Linear<Real, Space> force = -linear * pose.v;
    const Angular<Real, Space> torque = -angular * pose.omega;
    out("force", "N", force);
    out("torque", "N m", torque);
    out("power", "W", dot(force, pose.v) + dot(torque, pose.omega));
  }
};

}  // namespace trammel
