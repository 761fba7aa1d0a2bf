// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the constraints and forces see of a body, and where a constraint writes its rows.
#pragma once

#include "math/vector3.hpp"

namespace trammel {

// A body at the current state; the ground is one too, with R = I and zeros.
template <class Real>
struct Pose {
  Matrix3<Real> R;      // body to world
  Vector3<Real> r;      // m, centre of mass, from the system's origin
  Vector3<Real> v;      // m/s, world
  Vector3<Real> omega;  // rad/s, ω = R Ω, world
  Vector3<Real> Omega;  // rad/s, body
};

// The rows of one joint. Every constraint here is unchanged by a common translation of both
// bodies, so the linear part of J_i is minus that of J_j and is stored once:
//   J_j = ( linear, angular_j ),  J_i = ( −linear, angular_i ).
template <class Real>
struct Rows {
  Real* g;
  Vector3<Real>* linear;     // world frame
  Vector3<Real>* angular_i;  // frame of body i
  Vector3<Real>* angular_j;  // frame of body j
};

}  // namespace trammel
