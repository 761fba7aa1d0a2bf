// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// X, the distance of two crossed axes: the axis through χ_i along a in body i and the one through χ_j
// along b in body j keep the distance L along their common normal.
//
//   g   = ⟨d, m⟩ − L|m|,             d = x_j − x_i,  m = s × t,  s = R_i a,  t = R_j b     (1 row, m)
//   ġ   = ⟨ḋ, m⟩ + ⟨e, ṁ⟩,           e = d − L m/|m|,  ṁ = (ω_i×s)×t + s×(ω_j×t)
//         ℓ = m,  α_i = p_i × m − s × (t × e),  α_j = p_j × m + t × (e × s)
//   γ   = ⟨b, m⟩ + 2⟨ḋ, ṁ⟩ + ⟨e, m̈₀⟩ − L (|ṁ|² − ⟨m, ṁ⟩²/|m|²)/|m|
//         b = ω_j×(ω_j×p_j) − ω_i×(ω_i×p_i)
//         m̈₀ = (ω_i×(ω_i×s))×t + 2 (ω_i×s)×(ω_j×t) + s×(ω_j×(ω_j×t))
//
// a, b unit vectors · L has a sign: it is positive where d points along m. |m| is the sine of the angle
// between the axes; g is the distance to close times that sine, and the gradient vanishes where the axes
// become parallel: for these there is R with two SO.
#pragma once

#include <cmath>

#include "space/pose.hpp"

namespace trammel::axis_distance {

// |m|. Below 1e-5 not a number, by the second root, which adds nothing otherwise: near parallel axes the
// equation holds at any distance, so that the joint counts as open.
template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_sine(const Linear<Real, Space>& m) {
  using std::sqrt;
  const Real square = dot(m, m);
  return sqrt(square) + Real(1e-300) * sqrt(square - Real(1e-10));
}

template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_g(const Real& length, const Linear<Real, Space>& s,
                                          const Linear<Real, Space>& t,
                                          const Linear<Real, Space>& d) {
  const Linear<Real, Space> m = cross(s, t);
  return dot(d, m) - length * calc_sine<Real, Space>(m);
}

// d less the part of it that is asked for
template <class Real, class Space>
[[gnu::always_inline]] inline Linear<Real, Space> calc_excess(const Real& length,
                                                              const Linear<Real, Space>& m,
                                                              const Linear<Real, Space>& d) {
  return d - (length / calc_sine<Real, Space>(m)) * m;
}

template <class Real, class Space>
[[gnu::always_inline]] inline Row<Real, Space> calc_row(
    const Linear<Real, Space>& p_i, const Linear<Real, Space>& p_j, const Real& length,
    const Linear<Real, Space>& s, const Linear<Real, Space>& t, const Linear<Real, Space>& d) {
  const Linear<Real, Space> m = cross(s, t), e = calc_excess<Real, Space>(length, m, d);
  return {m, cross(p_i, m) - cross(s, cross(t, e)), cross(p_j, m) + cross(t, cross(e, s))};
}

// The ground needs no form of its own here: its ω and v are 0.
template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_gamma(
    const Pose<Real, Space>& i, const Pose<Real, Space>& j, const Linear<Real, Space>& p_i,
    const Linear<Real, Space>& p_j, const Real& length, const Linear<Real, Space>& s,
    const Linear<Real, Space>& t, const Linear<Real, Space>& d) {
  using std::sqrt;
  using V = Linear<Real, Space>;
  const V p_i1 = cross(i.omega, p_i), p_j1 = cross(j.omega, p_j);
  const V s1 = cross(i.omega, s), t1 = cross(j.omega, t);
  const V d1 = (j.v + p_j1) - (i.v + p_i1);
  const V bend = cross(j.omega, p_j1) - cross(i.omega, p_i1);
  const V m = cross(s, t), m1 = cross(s1, t) + cross(s, t1);
  const V m2 =
      cross(cross(i.omega, s1), t) + Real(2) * cross(s1, t1) + cross(s, cross(j.omega, t1));
  const V e = calc_excess<Real, Space>(length, m, d);
  const Real sine = sqrt(dot(m, m)), change = dot(m, m1) / sine;
  return dot(bend, m) + Real(2) * dot(d1, m1) + dot(e, m2) -
         length * ((dot(m1, m1) - change * change) / sine);
}

}  // namespace trammel::axis_distance
