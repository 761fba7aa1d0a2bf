// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// C, the coincidence constraint: point χ_i of body i and point χ_j of body j are the same point.
//
//   g   = x_j − x_i,                 x = r + p,  p = R χ             (3 rows, in the plane 2; m)
//   ġ   = v_j + ω_j×p_j − v_i − ω_i×p_i
//   J_j = ( I, −R_j [χ_j]× ),  J_i = −( I, −R_i [χ_i]× )
//         row k of −R[χ]× is χ × (row k of R); in the plane the two rows are −p.y and p.x
//   γ   = ω_j×(ω_j×p_j) − ω_i×(ω_i×p_i)                        (g̈ = J u̇ + γ)
//
// i, j bodies · χ point in a body's frame · R rotation, body to world · ω angular velocity, world
#pragma once

#include "system/pose.hpp"

namespace trammel::coincidence {

template <class Real, class Space>
[[gnu::always_inline]] inline void calc_rows(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                      const Linear<Real, Space>& chi_i, const Linear<Real, Space>& chi_j,
                      const Linear<Real, Space>& p_i, const Linear<Real, Space>& p_j,
                      const Rows<Real, Space>& rows) {
  ((j.r + p_j) - (i.r + p_i)).store(rows.g);
  const Rotation<Real, Space> unit = Rotation<Real, Space>::identity();
  for (int k = 0; k < Space::dimension; ++k) {
    rows.linear[k] = unit.row[k];
    rows.angular_i[k] = Space::calc_opposite_arm_row(i.R, chi_i, p_i, k);
    rows.angular_j[k] = Space::calc_arm_row(j.R, chi_j, p_j, k);
  }
}

template <class Real, class Space>
[[gnu::always_inline]] inline void calc_gamma(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                       const Linear<Real, Space>& p_i, const Linear<Real, Space>& p_j,
                       Real* gamma) {
  (cross(j.omega, cross(j.omega, p_j)) - cross(i.omega, cross(i.omega, p_i))).store(gamma);
}

}  // namespace trammel::coincidence
