// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A, the angle constraint: vector a of body i and vector b of body j keep the angle θ.
//
//   g   = ⟨s, t⟩ − cos θ,            s = R_i a,  t = R_j b                   (1 row, unit-free)
//   J and γ as those of SO (symmetric_orthogonality.hpp), which is A at a right angle
//
// a, b unit vectors. The gradient t × s has the length sin θ: it vanishes where the vectors are parallel,
// which is two equations and another constraint (two SO).
#pragma once

namespace trammel::angle {

template <class Real>
[[gnu::always_inline]] inline Real calc_g(const Real& cosine, const Real& product) {
  return product - cosine;
}

}  // namespace trammel::angle
