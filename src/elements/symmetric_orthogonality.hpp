// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// SO, the symmetric orthogonality constraint: vector a of body i and vector b of body j stay
// perpendicular.
//
//   g   = ⟨s, t⟩,                    s = R_i a,  t = R_j b                   (1 row, unit-free)
//   ġ   = ⟨ω_i×s, t⟩ + ⟨s, ω_j×t⟩ = ⟨t×s, ω_j − ω_i⟩
//         ℓ = 0,  α_i = α_j = t × s
//   γ   = ⟨ω_i×(ω_i×s), t⟩ + 2⟨ω_i×s, ω_j×t⟩ + ⟨s, ω_j×(ω_j×t)⟩
//
// a, b unit vectors in the bodies' frames · s, t the same in the world
#pragma once

#include "space/pose.hpp"

namespace trammel::symmetric_orthogonality {

template <class Real, class Space, Moving moving = Moving::both>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j,
                                              const Linear<Real, Space>& s,
                                              const Linear<Real, Space>& t) {
  if constexpr (moving == Moving::only_j) {
    return dot(s, cross(j.omega, cross(j.omega, t)));
  } else if constexpr (moving == Moving::only_i) {
    return dot(cross(i.omega, cross(i.omega, s)), t);
  } else {
    const Linear<Real, Space> s1 = cross(i.omega, s);
    const Linear<Real, Space> t1 = cross(j.omega, t);
    return dot(cross(i.omega, s1), t) + Real(2) * dot(s1, t1) + dot(s, cross(j.omega, t1));
  }
}

}  // namespace trammel::symmetric_orthogonality
