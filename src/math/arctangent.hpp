// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The angle of the vector (x, y), in (−π, π], from + − × ÷ only: the C library's may differ in the
// last bit between processors.
//
//   φ₀   a rough angle, within 0.004 rad, from the ratio of the smaller to the larger component
//   δ    = atan t,  t = (y cos φ₀ − x sin φ₀) / (x cos φ₀ + y sin φ₀)      what φ₀ lacks
//   φ    = φ₀ + δ,  δ by its series: |t| < 0.004, so four terms are exact to rounding
//
// The error is below 4·10⁻¹⁶, and small angles are exact relative to their size.
#pragma once

#include "math/sine_cosine.hpp"

namespace trammel {

inline constexpr double half_turn = 3.14159265358979323846;
inline constexpr double full_turn = 6.28318530717958647693;

inline double calc_arctangent(double y, double x) {
  const double ax = x < 0.0 ? -x : x, ay = y < 0.0 ? -y : y;
  const bool steep = ay > ax;
  const double large = steep ? ay : ax;
  if (large == 0.0) return 0.0;
  const double ratio = (steep ? ax : ay) / large;
  // atan r ≈ r (π/4 + 0.273 (1 − r)) for 0 ≤ r ≤ 1
  double rough = ratio * (0.25 * half_turn + 0.273 * (1.0 - ratio));
  if (steep) rough = 0.5 * half_turn - rough;
  if (x < 0.0) rough = half_turn - rough;
  if (y < 0.0) rough = -rough;
  const SineCosine<double> at = calc_sine_cosine(rough);
  const double t = (y * at.cosine - x * at.sine) / (x * at.cosine + y * at.sine);
  const double tt = t * t;
  const double angle = rough + t * (1.0 - tt * (1.0 / 3.0 - tt * (0.2 - tt / 7.0)));
  if (angle > half_turn) return half_turn;
  return angle < -half_turn ? -half_turn : angle;
}

}  // namespace trammel
