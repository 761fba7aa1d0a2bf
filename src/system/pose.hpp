// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the constraints and forces see of a body, and where a constraint writes its rows.
#pragma once

#include "system/space.hpp"

namespace trammel {

// A body at the current state; the ground is one too, with R = I and zeros.
template <class Real, class Space = Spatial>
struct Pose {
  Rotation<Real, Space> R;     // body to world
  Linear<Real, Space> r;       // m, centre of mass, from the system's origin
  Linear<Real, Space> v;       // m/s, world
  Angular<Real, Space> omega;  // rad/s, ω = R Ω, world
  Angular<Real, Space> Omega;  // rad/s, body
};

// The rows of one joint. Every constraint here is unchanged by a common translation of both
// bodies, so the linear part of J_i is minus that of J_j and is stored once:
//   J_j = ( linear, angular_j ),  J_i = ( −linear, angular_i ).
template <class Real, class Space = Spatial>
struct Rows {
  Real* g;
  Linear<Real, Space>* linear;      // world frame
  Angular<Real, Space>* angular_i;  // frame of body i
  Angular<Real, Space>* angular_j;  // frame of body j
};

}  // namespace trammel
