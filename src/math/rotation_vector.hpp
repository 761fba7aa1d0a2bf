// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The rotation vector φ of a rotation Q: axis times angle, |φ| < π, and its rate.
//
//   cos(α/2) = ½√(1 + tr Q),  sin(α/2) n = (Q32 − Q23, Q13 − Q31, Q21 − Q12)/(4 cos(α/2)),  φ = α n
//   Q̇ = Q [w]×   ⟹   φ̇ = w + ½ φ×w + c φ×(φ×w),     c = (1 − (α/2) cot(α/2))/α²
//
// The operator before w is the inverse of the right Jacobian of the exponential (Bullo and Murray).
// Its transpose, which turns moments about φ into moments about the axes of w, has −½ instead of ½.
// In the plane φ is the angle itself and φ̇ = w. At half a turn φ is not unique: it jumps there.
#pragma once

#include <cmath>

#include "math/choices.hpp"
#include "math/functions.hpp"
#include "math/vector2.hpp"
#include "math/vector3.hpp"

namespace trammel {

template <class Angular, class Real>
struct RotationVector {
  Angular phi;
  Real c;  // of the rate; not used in the plane
};

// Of s = sin(α/2), s² and cos(α/2): α/s, and c. The C library's arctangent will do: the angle of a bushing
// is far from every branch.
double calc_angle_ratio(double s2, double sine, double cosine);
double calc_rate_factor(double s2, double sine, double cosine);
Traced calc_angle_ratio(const Traced& s2, const Traced& sine, const Traced& cosine);
Traced calc_rate_factor(const Traced& s2, const Traced& sine, const Traced& cosine);

template <class Real>
RotationVector<Vector3<Real>, Real> calc_rotation_vector(const Matrix3<Real>& Q) {
  using std::sqrt;
  const Real trace = Q.row[0].x + Q.row[1].y + Q.row[2].z;
  const Real cosine = Real(0.5) * sqrt(greater(Real(1.0) + trace, Real(1e-30)));
  const Vector3<Real> q =
      (Real(0.25) / cosine) *
      Vector3<Real>{Q.row[2].y - Q.row[1].z, Q.row[0].z - Q.row[2].x, Q.row[1].x - Q.row[0].y};
  const Real s2 = dot(q, q), sine = sqrt(s2);
  return {calc_angle_ratio(s2, sine, cosine) * q, calc_rate_factor(s2, sine, cosine)};
}
template <class Real>
RotationVector<Vector1<Real>, Real> calc_rotation_vector(const Matrix2<Real>& Q) {
  return {{calc_angle(Q.row[1].x, Q.row[0].x)}, Real(0)};
}

// φ̇ of w
template <class Real>
Vector3<Real> calc_rate(const RotationVector<Vector3<Real>, Real>& at, const Vector3<Real>& w) {
  const Vector3<Real> turned = cross(at.phi, w);
  return w + Real(0.5) * turned + at.c * cross(at.phi, turned);
}
template <class Real>
Vector1<Real> calc_rate(const RotationVector<Vector1<Real>, Real>&, const Vector1<Real>& w) {
  return w;
}

// The moment about the axes of w with the power ⟨m, φ̇⟩.
template <class Real>
Vector3<Real> calc_moment(const RotationVector<Vector3<Real>, Real>& at, const Vector3<Real>& m) {
  const Vector3<Real> turned = cross(at.phi, m);
  return m - Real(0.5) * turned + at.c * cross(at.phi, turned);
}
template <class Real>
Vector1<Real> calc_moment(const RotationVector<Vector1<Real>, Real>&, const Vector1<Real>& m) {
  return m;
}

}  // namespace trammel
