// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A damper about the axis of a revolute or cylindrical joint.
//
//   n = R_j a_j,  ω_rel = ⟨ω_j − ω_i, n⟩
//   τ = −c ω_rel n on body j, +c ω_rel n on body i,     P = −c ω_rel²
#pragma once

#include "system/parameters.hpp"
#include "system/pose.hpp"

namespace trammel {

// Adds to the torques of both bodies; returns the power.
template <class Real, class Space>
[[gnu::always_inline]] inline Real add_rotational_damper(const RotationalDamperParameters<Real, Space>& damper,
                                  const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                                  Angular<Real, Space>* torque_B) {
  const Angular<Real, Space> n = j.R * damper.axis_j;
  const Real rate = dot(j.omega - i.omega, n);
  const Real moment = damper.damping * rate;
  torque_B[damper.body_i] += moment * transposed_times(i.R, n);
  torque_B[damper.body_j] -= moment * damper.axis_j;
  return -moment * rate;
}

}  // namespace trammel
