// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Linear drag of a body in a medium at rest.
//
//   F = −c v at the centre of mass,   τ = −c_r ω        P = −c|v|² − c_r|ω|²
#pragma once

#include "system/force_elements.hpp"
#include "system/pose.hpp"

namespace trammel {

// Adds to force_W, torque_B; returns the power.
template <class Real, class Space>
inline Real add_drag(const DragParameters<Real, Space>& drag, const Pose<Real, Space>& pose,
                     Linear<Real, Space>& force_W, Angular<Real, Space>& torque_B) {
  force_W -= drag.linear * pose.v;
  torque_B -= drag.angular * pose.Omega;
  return -(drag.linear * dot(pose.v, pose.v) + drag.angular * dot(pose.Omega, pose.Omega));
}

}  // namespace trammel
