// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// O, the orthogonality constraint: the vector from point χ_i of body i to point χ_j of body j
// stays perpendicular to the vector a of body i.
//
//   g   = ⟨s, d⟩ − ⟨a, χ_i⟩,         s = R_i a,  d = x_j − r_i,  x_j = r_j + p_j       (1 row, m)
//   ġ   = ⟨ω_i×s, d⟩ + ⟨s, ḋ⟩,       ḋ = v_j + ω_j×p_j − v_i
//   J_i = ( −s, a × R_iᵀ d ),  J_j = ( s, χ_j × R_jᵀ s )
//   γ   = ⟨ω_i×(ω_i×s), d⟩ + 2⟨ω_i×s, ḋ⟩ + ⟨s, ω_j×(ω_j×p_j)⟩
//
// Not singular where the two points meet: the gradient by r is s there as everywhere.
#pragma once

#include "system/pose.hpp"

namespace trammel::orthogonality {

// a_chi_i = ⟨a, χ_i⟩, a constant of the joint
template <class Real, class Space>
[[gnu::always_inline]] inline void calc_row(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                     const Linear<Real, Space>& a, Real a_chi_i, const Linear<Real, Space>& chi_j,
                     const Linear<Real, Space>& s, const Linear<Real, Space>& d,
                     const Rows<Real, Space>& rows, int row) {
  rows.g[row] = dot(s, d) - a_chi_i;
  rows.linear[row] = s;
  rows.angular_i[row] = cross(a, transposed_times(i.R, d));
  rows.angular_j[row] = cross(chi_j, transposed_times(j.R, s));
}

template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                       const Linear<Real, Space>& p_j, const Linear<Real, Space>& s,
                       const Linear<Real, Space>& d) {
  const Linear<Real, Space> s1 = cross(i.omega, s);
  const Linear<Real, Space> p1 = cross(j.omega, p_j);
  const Linear<Real, Space> d1 = (j.v + p1) - i.v;
  return dot(cross(i.omega, s1), d) + Real(2) * dot(s1, d1) + dot(s, cross(j.omega, p1));
}

}  // namespace trammel::orthogonality
