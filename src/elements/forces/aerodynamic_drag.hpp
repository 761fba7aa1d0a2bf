// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Drag quadratic in speed, at a point χ of a body, in air that moves with velocity v_a everywhere.
//
//   v_p = v + ω × Rχ,   w = v_p − v_a,   F = −k |w| w at the point,   k = ½ ρ c_d A        P = ⟨F, v_p⟩
//
// Smooth at w = 0: ∂F/∂w = −k (|w| 1 + w wᵀ/|w|) goes to 0 there, and is 0 by the rule for √ at 0
// (math/derivatives.hpp). With wind the power may be positive.
#pragma once

#include <cmath>
#include <tuple>

#include "elements/forces/force_site.hpp"

namespace trammel {

struct AerodynamicDrag;

template <class Real, class Space = Spatial>
struct AerodynamicDragForce {
  int body;
  Real k;                     // N s²/m²
  Linear<Real, Space> point;  // m, χ
  Linear<Real, Space> wind;   // m/s, v_a, world

  using Law = AerodynamicDrag;
  static AerodynamicDragForce make(const auto& law, const auto& places) {
    const int body = places.body(law.body);
    return {body, 0.5 * law.density * law.drag_coefficient * law.area,
            places.point(body, law.point), places.world_vector(law.wind)};
  }

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = false};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body, self.k, self.point, self.wind);
  }
  int first_body() const { return body; }
  int second_body() const { return body; }

  // Returns the power.
  Real add_force(const ForceSite<Real, Space>& at) const {
    using std::sqrt;
    const Pose<Real, Space>& pose = at.pose[body];
    const Linear<Real, Space> v_p = pose.v + cross(pose.omega, pose.R * point);
    const Linear<Real, Space> w = v_p - wind;
    // k |w| w with the velocity w of the point relative to the wind
    const Linear<Real, Space> drag = (k * sqrt(dot(w, w))) * w;
    at.force_W[body] -= drag;
    at.torque_B[body] -= cross(point, transposed_times(pose.R, drag));
    return -dot(drag, v_p);
  }
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    using std::sqrt;
    const Pose<Real, Space>& pose = at.pose[body];
    const Linear<Real, Space> v_p = pose.v + cross(pose.omega, pose.R * point);
    const Linear<Real, Space> w = v_p - wind;
    const Linear<Real, Space> force = (-k * sqrt(dot(w, w))) * w;
    out("force", "N", force);
    out("power", "W", dot(force, v_p));
  }
};

}  // namespace trammel
