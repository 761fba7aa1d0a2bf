// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// D, the distance constraint: point χ_i of body i and point χ_j of body j keep the distance L > 0.
//
//   g   = (⟨d, d⟩ − L²) / 2L,        d = x_j − x_i,  x = r + p,  p = R χ            (1 row, m)
//   ġ   = ⟨d, ḋ⟩ / L,                ḋ = v_j + ω_j×p_j − v_i − ω_i×p_i
//         ℓ = n,  α_i = p_i × n,  α_j = p_j × n,    n = d/L
//   γ   = ( ⟨ḋ, ḋ⟩ + ⟨d, ω_j×(ω_j×p_j) − ω_i×(ω_i×p_i)⟩ ) / L
//
// Near g = 0 it is |d| − L to first order, but a polynomial in the points: smooth everywhere, and
// its gradient vanishes only where the points meet. λ is the tension: the force on body j at x_j
// is −λ d/L.
#pragma once

#include "space/pose.hpp"

namespace trammel::distance {

template <class Real>
[[gnu::always_inline]] inline Real calc_g(const Real& length, const Real& squared_distance) {
  return Real(0.5) * (squared_distance / length - length);
}

template <class Real, class Space>
[[gnu::always_inline]] inline Row<Real, Space> calc_row(const Linear<Real, Space>& p_i,
                                                        const Linear<Real, Space>& p_j,
                                                        const Real& length,
                                                        const Linear<Real, Space>& d) {
  const Linear<Real, Space> n = (Real(1) / length) * d;
  return {n, cross(p_i, n), cross(p_j, n)};
}

// The ground needs no form of its own here: its ω and v are 0.
template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j,
                                              const Linear<Real, Space>& p_i,
                                              const Linear<Real, Space>& p_j, const Real& length,
                                              const Linear<Real, Space>& d) {
  const Linear<Real, Space> p_i1 = cross(i.omega, p_i);
  const Linear<Real, Space> p_j1 = cross(j.omega, p_j);
  const Linear<Real, Space> d1 = (j.v + p_j1) - (i.v + p_i1);
  const Linear<Real, Space> bend = cross(j.omega, p_j1) - cross(i.omega, p_i1);
  return (dot(d1, d1) + dot(d, bend)) / length;
}

}  // namespace trammel::distance
