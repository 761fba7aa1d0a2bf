// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// C, the coincidence constraint: point χ_i of body i and point χ_j of body j are the same point.
//
//   g   = x_j − x_i,                 x = r + p,  p = R χ             (3 rows, in the plane 2; m)
//   ġ   = v_j + ω_j×p_j − v_i − ω_i×p_i
//         row k: ℓ = e_k,  α_j = p_j × e_k,  α_i = p_i × e_k
//   γ   = ω_j×(ω_j×p_j) − ω_i×(ω_i×p_i)                        (g̈ = J u̇ + γ)
//
// i, j bodies · χ point in a body's frame · R rotation, body to world · ω angular velocity, world
#pragma once

#include "space/pose.hpp"

namespace trammel::coincidence {

template <class Real, class Space, Moving moving = Moving::both>
[[gnu::always_inline]] inline Linear<Real, Space> calc_gamma(const Pose<Real, Space>& i,
                                                             const Pose<Real, Space>& j,
                                                             const Linear<Real, Space>& p_i,
                                                             const Linear<Real, Space>& p_j) {
  if constexpr (moving == Moving::only_j) {
    return cross(j.omega, cross(j.omega, p_j));
  } else if constexpr (moving == Moving::only_i) {
    return -cross(i.omega, cross(i.omega, p_i));
  } else {
    return cross(j.omega, cross(j.omega, p_j)) - cross(i.omega, cross(i.omega, p_i));
  }
}

}  // namespace trammel::coincidence
