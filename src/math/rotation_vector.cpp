// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/rotation_vector.hpp"

namespace trammel {

namespace {

// Below this sine the series, above it the closed forms.
constexpr double small_sine = 1e-2;

// α/s = 2 (1 + s²/6 + 3s⁴/40 + 5s⁶/112 + 35s⁸/1152), and its derivative by s²
double calc_ratio_series(double s2) {
  return 2.0 * (1.0 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * 35.0 / 1152))));
}
double calc_ratio_slope(double s2) {
  return 2.0 * (1.0 / 6 + s2 * (3.0 / 20 + s2 * (15.0 / 112 + s2 * 140.0 / 1152)));
}
// c = 1/12 + α²/720 + α⁴/30240 + …, and its derivative by α²
double calc_factor_series(double a2) {
  return 1.0 / 12 + a2 * (1.0 / 720 + a2 * (1.0 / 30240 + a2 / 1209600));
}
double calc_factor_slope(double a2) { return 1.0 / 720 + a2 * (2.0 / 30240 + a2 * 3.0 / 1209600); }

// On traced numbers both are functions of s² and cos alone: a root of s² on the tape would have no
// derivative at 0, where these are smooth. By s² the series, or half the derivative by s over s:
//   α = 2 atan2(s, cos),  α_s = 2 cos/ρ², α_cos = −2 s/ρ²,  ρ² = s² + cos²
//   c = (1 − ½ α cos/s)/α²
template <int which>
double calc_ratio_by(const void*, double s2, double cosine, double) {
  const double sine = std::sqrt(s2);
  if (sine < small_sine) return which == 0 ? calc_ratio_slope(s2) : 0.0;
  const double rho2 = s2 + cosine * cosine;
  if (which == 1) return -2.0 / rho2;
  return 0.5 * (2.0 * cosine / rho2 - calc_angle_ratio(s2, sine, cosine)) / s2;
}
template <int which>
double calc_factor_by(const void*, double s2, double cosine, double) {
  const double sine = std::sqrt(s2);
  if (sine < small_sine) {
    const double ratio = calc_ratio_series(s2);
    const double slope = ratio * ratio + 2.0 * s2 * ratio * calc_ratio_slope(s2);  // of α² by s²
    return which == 0 ? calc_factor_slope(ratio * ratio * s2) * slope : 0.0;
  }
  const double rho2 = s2 + cosine * cosine;
  const double angle = 2.0 * std::atan2(sine, cosine), cotangent = cosine / sine;
  const double by_angle = -0.5 * cotangent / (angle * angle) -
                          2.0 * (1.0 - 0.5 * angle * cotangent) / (angle * angle * angle);
  const double by_cotangent = -0.5 / angle;
  if (which == 1) return -by_angle * 2.0 * sine / rho2 + by_cotangent / sine;
  return 0.5 * (by_angle * 2.0 * cosine / rho2 - by_cotangent * cotangent / sine) / sine;
}

double calc_ratio(const void*, double s2, double cosine, double) {
  return calc_angle_ratio(s2, std::sqrt(s2), cosine);
}
double calc_factor(const void*, double s2, double cosine, double) {
  return calc_rate_factor(s2, std::sqrt(s2), cosine);
}

using Calc = double (*)(const void*, double, double, double);
template <const Calc (&by)[2]>
Traced derive(const TracedFunction&, const Traced& a, const Traced& b, const Traced&, int which) {
  return Trace::current().call({by[which]}, {a, b});
}
constexpr Calc ratio_by[2] = {calc_ratio_by<0>, calc_ratio_by<1>};
constexpr Calc factor_by[2] = {calc_factor_by<0>, calc_factor_by<1>};

}  // namespace

double calc_angle_ratio(double s2, double sine, double cosine) {
  if (sine < small_sine) return calc_ratio_series(s2);
  return 2.0 * std::atan2(sine, cosine) / sine;
}

double calc_rate_factor(double s2, double sine, double cosine) {
  if (sine < small_sine) {
    const double ratio = calc_ratio_series(s2);
    return calc_factor_series(ratio * ratio * s2);
  }
  const double angle = 2.0 * std::atan2(sine, cosine);
  return (1.0 - 0.5 * angle * cosine / sine) / (angle * angle);
}

Traced calc_angle_ratio(const Traced& s2, const Traced&, const Traced& cosine) {
  return Trace::current().call({calc_ratio, nullptr, derive<ratio_by>}, {s2, cosine});
}
Traced calc_rate_factor(const Traced& s2, const Traced&, const Traced& cosine) {
  return Trace::current().call({calc_factor, nullptr, derive<factor_by>}, {s2, cosine});
}

}  // namespace trammel
