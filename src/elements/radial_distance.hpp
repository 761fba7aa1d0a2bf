// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// R, the radial distance constraint: point χ_j of body j keeps the distance L > 0 from the axis through
// point χ_i of body i along its unit vector a.
//
//   g   = (⟨d, d⟩ − c² − L²) / 2L,   d = x_j − x_i,  c = ⟨d, s⟩,  s = R_i a         (1 row, m)
//   ġ   = (⟨d, ḋ⟩ − c ċ) / L,        ċ = ⟨ḋ, s⟩ + ⟨d, ω_i×s⟩
//         ℓ = e,  α_i = (p_i + c s) × e,  α_j = p_j × e,     e = (d − c s)/L
//   γ   = ( ⟨ḋ, ḋ⟩ + ⟨d, b⟩ − ċ² − c c̈₀ ) / L
//         b = ω_j×(ω_j×p_j) − ω_i×(ω_i×p_i),  c̈₀ = ⟨b, s⟩ + 2⟨ḋ, ω_i×s⟩ + ⟨d, ω_i×(ω_i×s)⟩
//
// D for the part of d across the axis. It acts along the normal from the axis to the point, between
// x_j and its foot x_i + c s.
#pragma once

#include "space/pose.hpp"

namespace trammel::radial_distance {

template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_g(const Real& length, const Linear<Real, Space>& s,
                                          const Linear<Real, Space>& d) {
  const Real along = dot(d, s);
  return Real(0.5) * ((dot(d, d) - along * along) / length - length);
}

template <class Real, class Space>
[[gnu::always_inline]] inline Row<Real, Space> calc_row(const Linear<Real, Space>& p_i,
                                                        const Linear<Real, Space>& p_j,
                                                        const Real& length,
                                                        const Linear<Real, Space>& s,
                                                        const Linear<Real, Space>& d) {
  const Linear<Real, Space> along = dot(d, s) * s;
  const Linear<Real, Space> e = (Real(1) / length) * (d - along);
  return {e, cross(p_i + along, e), cross(p_j, e)};
}

// The ground needs no form of its own here: its ω and v are 0.
template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j,
                                              const Linear<Real, Space>& p_i,
                                              const Linear<Real, Space>& p_j, const Real& length,
                                              const Linear<Real, Space>& s,
                                              const Linear<Real, Space>& d) {
  const Linear<Real, Space> p_i1 = cross(i.omega, p_i), p_j1 = cross(j.omega, p_j);
  const Linear<Real, Space> s1 = cross(i.omega, s);
  const Linear<Real, Space> d1 = (j.v + p_j1) - (i.v + p_i1);
  const Linear<Real, Space> bend = cross(j.omega, p_j1) - cross(i.omega, p_i1);
  const Real c = dot(d, s), c1 = dot(d1, s) + dot(d, s1);
  const Real c2 = dot(bend, s) + Real(2) * dot(d1, s1) + dot(d, cross(i.omega, s1));
  return (dot(d1, d1) + dot(d, bend) - c1 * c1 - c * c2) / length;
}

}  // namespace trammel::radial_distance
