// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// x^y = 2^(y·log₂ x): exponent and mantissa apart, two short series.
#include "math/power.hpp"

#include <cmath>
#include <numbers>

namespace trammel {

namespace {

// log₂ x = e + log₂ m, m ∈ [√½, √2); ln m = 2 artanh(s), s = (m − 1)/(m + 1), |s| ≤ 0.172.
double calc_log2(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double sum = 0.0;
  for (int k = 17; k >= 1; k -= 2) sum = sum * s2 + 1.0 / k;
  return exponent + 2.0 * s * sum / std::numbers::ln2;
}

// 2^z = 2^n e^f, |f| ≤ ½ ln 2.
double calc_exp2(double z) {
  const double n = std::floor(z + 0.5);
  const double f = (z - n) * std::numbers::ln2;
  double sum = 1.0;
  for (int k = 14; k >= 1; --k) sum = 1.0 + f * sum / k;
  return std::ldexp(sum, static_cast<int>(n));
}

}  // namespace

double power(double x, double y) { return calc_exp2(y * calc_log2(x)); }

}  // namespace trammel
