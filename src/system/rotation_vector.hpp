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

#include <algorithm>
#include <cmath>

#include "math/vector2.hpp"
#include "math/vector3.hpp"

namespace trammel {

// Angle of sine and cosine: the C library's, as the angle of a bushing is far from every branch.
template <class Angular>
struct RotationVector {
  Angular phi;
  double c;  // of the rate; not used in the plane
};

inline RotationVector<Vector3<double>> calc_rotation_vector(const Matrix3<double>& Q) {
  const double trace = Q.row[0].x + Q.row[1].y + Q.row[2].z;
  const double cosine = 0.5 * std::sqrt(std::max(1.0 + trace, 1e-30));
  const Vector3<double> q =
      (0.25 / cosine) *
      Vector3<double>{Q.row[2].y - Q.row[1].z, Q.row[0].z - Q.row[2].x, Q.row[1].x - Q.row[0].y};
  const double s2 = dot(q, q), sine = std::sqrt(s2);
  if (sine < 1e-2) {
    // α/sin(α/2) = 2 (1 + s²/6 + 3s⁴/40 + 5s⁶/112 + 35s⁸/1152), c = 1/12 + α²/720 + α⁴/30240
    const double ratio =
        2.0 * (1.0 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * 35.0 / 1152))));
    const double a2 = ratio * ratio * s2;
    return {ratio * q, 1.0 / 12 + a2 * (1.0 / 720 + a2 * (1.0 / 30240 + a2 / 1209600))};
  }
  const double angle = 2.0 * std::atan2(sine, cosine);
  return {(angle / sine) * q, (1.0 - 0.5 * angle * cosine / sine) / (angle * angle)};
}

inline RotationVector<Vector1<double>> calc_rotation_vector(const Matrix2<double>& Q) {
  return {{std::atan2(Q.row[1].x, Q.row[0].x)}, 0.0};
}

// φ̇ of w
inline Vector3<double> calc_rate(const RotationVector<Vector3<double>>& at,
                                 const Vector3<double>& w) {
  const Vector3<double> turned = cross(at.phi, w);
  return w + 0.5 * turned + at.c * cross(at.phi, turned);
}
inline Vector1<double> calc_rate(const RotationVector<Vector1<double>>&, const Vector1<double>& w) {
  return w;
}

// The moment about the axes of w with the power ⟨m, φ̇⟩.
inline Vector3<double> calc_moment(const RotationVector<Vector3<double>>& at,
                                   const Vector3<double>& m) {
  const Vector3<double> turned = cross(at.phi, m);
  return m - 0.5 * turned + at.c * cross(at.phi, turned);
}
inline Vector1<double> calc_moment(const RotationVector<Vector1<double>>&,
                                   const Vector1<double>& m) {
  return m;
}

}  // namespace trammel
