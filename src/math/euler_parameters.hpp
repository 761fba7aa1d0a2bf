// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Euler parameters θ ∈ S³ ⊂ R⁴, scalar first: rotation, rates, retraction.
//
//   R = H̃ Hᵀ,  Ω = 2 H θ₁,  θ₁ = ½ Hᵀ Ω   (paper, section 2.2 and 3.2)
//
//        ⎛ −θ¹   θ⁰   θ³  −θ² ⎞
//   H  = ⎜ −θ²  −θ³   θ⁰   θ¹ ⎟    rows: an orthonormal basis of T_θ S³
//        ⎝ −θ³   θ²  −θ¹   θ⁰ ⎠
//
// R is evaluated for θ/|θ|, so that constraints do not change when θ is off S³ by a radial
// error and their gradient is tangent to S³ there.
#pragma once

#include <cmath>

#include "math/vector3.hpp"

namespace trammel {

template <class Real>
[[gnu::always_inline]] inline Real squared_length4(const Real* theta) {
  return theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2] + theta[3] * theta[3];
}

// R(θ/|θ|)
template <class Real>
[[gnu::always_inline]] inline Matrix3<Real> calc_rotation(const Real* theta) {
  const Real w = theta[0], x = theta[1], y = theta[2], z = theta[3];
  const Real s = Real(2) / squared_length4(theta);
  const Real sx = s * x, sy = s * y, sz = s * z;
  const Real xx = sx * x, yy = sy * y, zz = sz * z;
  const Real xy = sx * y, xz = sx * z, yz = sy * z;
  const Real wx = sx * w, wy = sy * w, wz = sz * w;
  const Real one(1);
  return {{{one - (yy + zz), xy - wz, xz + wy},
           {xy + wz, one - (xx + zz), yz - wx},
           {xz - wy, yz + wx, one - (xx + yy)}}};
}

// rate = Hᵀ(θ) c: θ₁ for c = ½Ω.
template <class Real>
[[gnu::always_inline]] inline void calc_ht_times(const Real* theta, const Vector3<Real>& c,
                                                 Real* rate) {
  rate[0] = -theta[1] * c.x - theta[2] * c.y - theta[3] * c.z;
  rate[1] = theta[0] * c.x + theta[2] * c.z - theta[3] * c.y;
  rate[2] = theta[0] * c.y + theta[3] * c.x - theta[1] * c.z;
  rate[3] = theta[0] * c.z + theta[1] * c.y - theta[2] * c.x;
}

// H(θ) d: the tangent part of d ∈ R⁴ in the basis of H; 2|H δθ| is the angle of a small error δθ.
template <class Real>
[[gnu::always_inline]] inline Vector3<Real> calc_h_times(const Real* theta, const Real* d) {
  return {-theta[1] * d[0] + theta[0] * d[1] + theta[3] * d[2] - theta[2] * d[3],
          -theta[2] * d[0] - theta[3] * d[1] + theta[0] * d[2] + theta[1] * d[3],
          -theta[3] * d[0] + theta[2] * d[1] - theta[1] * d[2] + theta[0] * d[3]};
}

// θ ← θ/|θ|. One step of the series for 1/√ would do near S³; the square root is exact anywhere.
template <class Real>
[[gnu::always_inline]] inline void normalise4(Real* theta) {
  using std::sqrt;
  const Real s = Real(1) / sqrt(squared_length4(theta));
  theta[0] *= s;
  theta[1] *= s;
  theta[2] *= s;
  theta[3] *= s;
}

// θ ← (θ + Hᵀ ½φ)/|…|: turns the body by the small rotation vector φ (body frame).
template <class Real>
[[gnu::always_inline]] inline void retract_rotation(Real* theta, const Vector3<Real>& phi) {
  Real d[4];
  calc_ht_times(theta, Real(0.5) * phi, d);
  theta[0] += d[0];
  theta[1] += d[1];
  theta[2] += d[2];
  theta[3] += d[3];
  normalise4(theta);
}

// The quaternion product a·b: R(a·b) = R(a) R(b).
template <class Real>
[[gnu::always_inline]] inline void multiply4(const Real* a, const Real* b, Real* product) {
  product[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  product[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  product[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  product[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

}  // namespace trammel
