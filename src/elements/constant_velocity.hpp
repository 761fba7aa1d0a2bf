// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// CV, the constant velocity constraint: two shafts turn by the same angle, however they are bent.
//
//   g   = ½(⟨s_b, t_a⟩ − ⟨s_a, t_b⟩),   s = R_i (a, b),  t = R_j (a, b)     (1 row, unit-free)
//
// (a, b) span the plane normal to the shaft of body i, and the same for body j. Let Q = R_iᵀ R_j in
// those axes, with the shafts as third axes: a turn by φ about the unit vector e. Its antisymmetric
// part gives g = ½(Q₂₁ − Q₁₂) = e₃ sin φ. Bending the joint is a turn about an axis e normal to the
// shaft, e₃ = 0; so g = 0 says that nothing but bending has happened. When both shafts then turn by
// ψ about themselves, Q becomes Z(−ψ) Q Z(ψ), a turn about the axis Z(−ψ)e, which is still normal
// to the shaft: the joint allows equal angles, and only those, at any bend.
//
// g is half the difference of two SO constraints, and so are α and γ:
//   ℓ = 0,  α_i = α_j = ½( t_a × s_b − t_b × s_a )
//   γ = ½( γ_SO(s_b, t_a) − γ_SO(s_a, t_b) )
//
// The gradient vanishes only where the shafts are folded back by 180 degrees (φ = π).
#pragma once

#include "elements/symmetric_orthogonality.hpp"

namespace trammel::constant_velocity {

// s, t as arrays (a, b).
template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_g(const Linear<Real, Space>* s,
                                          const Linear<Real, Space>* t) {
  return Real(0.5) * (dot(s[1], t[0]) - dot(s[0], t[1]));
}

template <class Real, class Space>
[[gnu::always_inline]] inline Angular<Real, Space> calc_alpha(const Linear<Real, Space>* s,
                                                              const Linear<Real, Space>* t) {
  return Real(0.5) * (cross(t[0], s[1]) - cross(t[1], s[0]));
}

template <class Real, class Space, Moving moving = Moving::both>
[[gnu::always_inline]] inline Real calc_gamma(const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j,
                                              const Linear<Real, Space>* s,
                                              const Linear<Real, Space>* t) {
  return Real(0.5) * (symmetric_orthogonality::calc_gamma<Real, Space, moving>(i, j, s[1], t[0]) -
                      symmetric_orthogonality::calc_gamma<Real, Space, moving>(i, j, s[0], t[1]));
}

}  // namespace trammel::constant_velocity
