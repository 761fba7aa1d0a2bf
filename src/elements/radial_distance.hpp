// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// R, the radial distance constraint: point χ_j of body j keeps the distance L > 0 from the axis through
// point χ_i of body i along its unit vector a.
//
//   g   = (⟨e, e⟩ − L²) / 2L,        e = d − c s,  d = x_j − x_i,  c = ⟨d, s⟩,  s = R_i a   (1 row, m)
//   ġ   = ⟨e, ė⟩ / L,                ė = ḋ − ċ s − c ṡ,  ṡ = ω_i×s,  ċ = ⟨ḋ, s⟩ + ⟨d, ṡ⟩
//         ℓ = n,  α_i = (p_i + c s) × n,  α_j = p_j × n,     n = e/L
//   γ   = ( ⟨ė, ė⟩ + ⟨e, b − 2ċ ṡ − c ω_i×ṡ⟩ ) / L          (⟨e, s⟩ = 0)
//         b = ω_j×(ω_j×p_j) − ω_i×(ω_i×p_i)
//
// D for the part e of d across the axis, which is formed first: a point far along the axis loses no
// digits. It acts along the normal from the axis to the point, between
// x_j and its foot x_i + c s.
#pragma once

#include "space/pose.hpp"

namespace trammel::radial_distance {

template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_g(const Real& length, const Linear<Real, Space>& s,
                                          const Linear<Real, Space>& d) {
  const Linear<Real, Space> e = d - dot(d, s) * s;
  return Real(0.5) * (dot(e, e) / length - length);
}

template <class Real, class Space>
[[gnu::always_inline]] inline Row<Real, Space> calc_row(const Linear<Real, Space>& p_i,
                                                        const Linear<Real, Space>& p_j,
                                                        const Real& length,
                                                        const Linear<Real, Space>& s,
                                                        const Linear<Real, Space>& d) {
  const Linear<Real, Space> along = dot(d, s) * s;
  const Linear<Real, Space> n = (Real(1) / length) * (d - along);
  return {n, cross(p_i + along, n), cross(p_j, n)};
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
  const Linear<Real, Space> e = d - c * s, e1 = (d1 - c1 * s) - c * s1;
  const Linear<Real, Space> turn = Real(2) * c1 * s1 + c * cross(i.omega, s1);
  return (dot(e1, e1) + dot(e, bend - turn)) / length;
}

}  // namespace trammel::radial_distance
