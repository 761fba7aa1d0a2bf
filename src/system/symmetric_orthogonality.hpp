// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// SO, the symmetric orthogonality constraint: vector a of body i and vector b of body j stay
// perpendicular.
//
//   g   = ⟨s, t⟩,                    s = R_i a,  t = R_j b                   (1 row, unit-free)
//   ġ   = ⟨ω_i×s, t⟩ + ⟨s, ω_j×t⟩
//   J_i = ( 0, a × R_iᵀ t ),  J_j = ( 0, b × R_jᵀ s )
//   γ   = ⟨ω_i×(ω_i×s), t⟩ + 2⟨ω_i×s, ω_j×t⟩ + ⟨s, ω_j×(ω_j×t)⟩
//
// a, b unit vectors in the bodies' frames · s, t the same in the world
#pragma once

#include "system/pose.hpp"

namespace trammel::symmetric_orthogonality {

template <class Real, class Space>
[[gnu::always_inline]] inline void calc_row(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                     const Linear<Real, Space>& a, const Linear<Real, Space>& b,
                     const Linear<Real, Space>& s, const Linear<Real, Space>& t,
                     const Rows<Real, Space>& rows, int row) {
  rows.g[row] = dot(s, t);
  rows.linear[row] = Linear<Real, Space>::zero();
  rows.angular_i[row] = cross(a, transposed_times(i.R, t));
  rows.angular_j[row] = cross(b, transposed_times(j.R, s));
}

template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                       const Linear<Real, Space>& s, const Linear<Real, Space>& t) {
  const Linear<Real, Space> s1 = cross(i.omega, s);
  const Linear<Real, Space> t1 = cross(j.omega, t);
  return dot(cross(i.omega, s1), t) + Real(2) * dot(s1, t1) + dot(s, cross(j.omega, t1));
}

}  // namespace trammel::symmetric_orthogonality
