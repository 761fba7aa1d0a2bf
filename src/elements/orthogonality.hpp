// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// O, the orthogonality constraint: the vector from point χ_i of body i to point χ_j of body j
// stays perpendicular to the vector a of body i.
//
//   g   = ⟨s, d⟩ − ⟨a, χ_i⟩,         s = R_i a,  d = x_j − r_i,  x_j = r_j + p_j       (1 row, m)
//   ġ   = ⟨ω_i×s, d⟩ + ⟨s, ḋ⟩,       ḋ = v_j + ω_j×p_j − v_i
//         ℓ = s,  α_i = d × s,  α_j = p_j × s
//   γ   = ⟨ω_i×(ω_i×s), d⟩ + 2⟨ω_i×s, ḋ⟩ + ⟨s, ω_j×(ω_j×p_j)⟩
//
// Not singular where the two points meet: the gradient by r is s there as everywhere.
#pragma once

#include "space/pose.hpp"

namespace trammel::orthogonality {

template <class Real, class Space>
[[gnu::always_inline]] inline Row<Real, Space> calc_row(const Linear<Real, Space>& p_j,
                                                        const Linear<Real, Space>& s,
                                                        const Linear<Real, Space>& d) {
  return {s, cross(d, s), cross(p_j, s)};
}

template <class Real, class Space, Moving moving = Moving::both>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j,
                                              const Linear<Real, Space>& p_j,
                                              const Linear<Real, Space>& s,
                                              const Linear<Real, Space>& d) {
  if constexpr (moving == Moving::only_j) {
    return dot(s, cross(j.omega, cross(j.omega, p_j)));
  } else if constexpr (moving == Moving::only_i) {
    const Linear<Real, Space> s1 = cross(i.omega, s);
    return dot(cross(i.omega, s1), d) - Real(2) * dot(s1, i.v);
  } else {
    const Linear<Real, Space> s1 = cross(i.omega, s);
    const Linear<Real, Space> p1 = cross(j.omega, p_j);
    const Linear<Real, Space> d1 = (j.v + p1) - i.v;
    return dot(cross(i.omega, s1), d) + Real(2) * dot(s1, d1) + dot(s, cross(j.omega, p1));
  }
}

}  // namespace trammel::orthogonality
