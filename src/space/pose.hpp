// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the constraints and forces see of a body, and what a constraint says of a row.
#pragma once

#include "space/space.hpp"

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

// A row of J in the world's frame (row_shape.hpp): J by (v, ω) of body j is (linear, alpha_j), of
// body i −(linear, alpha_i).
template <class Real, class Space = Spatial>
struct Row {
  Linear<Real, Space> linear;
  Angular<Real, Space> alpha_i;
  Angular<Real, Space> alpha_j;
};

// Which of a joint's bodies move: what belongs to the ground is left out of the code.
enum class Moving : unsigned char { both, only_i, only_j };
inline constexpr int n_moving = 3;

}  // namespace trammel
