// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/table_slopes.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

bool have_same_sign(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

// The chords of all intervals, with two more at each end: h and δ at [k + 2] of interval k.
struct Chords {
  Chords(std::span<const double> x, std::span<const double> y, bool periodic) : n(x.size() - 1) {
    h.resize(n + 4);
    slope.resize(n + 4);
    for (std::size_t k = 0; k < n; ++k) {
      h[k + 2] = x[k + 1] - x[k];
      slope[k + 2] = (y[k + 1] - y[k]) / h[k + 2];
    }
    for (const std::size_t outside : {std::size_t(1), std::size_t(0), n + 2, n + 3}) {
      const bool left = outside < 2;
      const std::size_t next = left ? outside + 1 : outside - 1, after = 2 * next - outside;
      h[outside] = periodic ? h[left ? outside + n : outside - n] : h[next];
      // δ_{−1} = 2 δ_0 − δ_1
      slope[outside] = periodic ? slope[left ? outside + n : outside - n]
                       : n == 1 ? slope[2]
                                : 2.0 * slope[next] - slope[after];
    }
  }
  std::size_t n;
  std::vector<double> h, slope;
};

// The slope at the end of the first interval, from the parabola of three points, without a change
// of sign (Moler, Numerical Computing with MATLAB, 3.6).
double calc_end_slope(double h0, double h1, double slope0, double slope1) {
  const double m = ((2.0 * h0 + h1) * slope0 - h0 * slope1) / (h0 + h1);
  if (!have_same_sign(m, slope0)) return 0.0;
  if (!have_same_sign(slope0, slope1) && std::abs(m) > 3.0 * std::abs(slope0)) return 3.0 * slope0;
  return m;
}

double calc_monotone_slope(const Chords& chords, std::size_t k) {
  const double left = chords.slope[k + 1], right = chords.slope[k + 2];
  if (!have_same_sign(left, right)) return 0.0;
  const double w_left = 2.0 * chords.h[k + 2] + chords.h[k + 1];
  const double w_right = chords.h[k + 2] + 2.0 * chords.h[k + 1];
  return (w_left + w_right) / (w_left / left + w_right / right);
}

double calc_akima_slope(const Chords& chords, std::size_t k, double flat) {
  const double* slope = chords.slope.data() + k;
  const double w_left = std::abs(slope[3] - slope[2]), w_right = std::abs(slope[1] - slope[0]);
  if (!(w_left + w_right > flat)) return 0.5 * (slope[1] + slope[2]);
  return (w_left * slope[1] + w_right * slope[2]) / (w_left + w_right);
}

}  // namespace

std::vector<double> calc_table_slopes(std::span<const double> x, std::span<const double> y,
                                      Interpolation interpolation, bool periodic) {
  const Chords chords(x, y, periodic);
  const std::size_t n = chords.n;
  std::vector<double> m(n + 1);
  if (interpolation == Interpolation::akima) {
    constexpr double rounding = 1e-9;
    double steepest = 0.0;
    for (const double slope : chords.slope) steepest = std::max(steepest, std::abs(slope));
    for (std::size_t k = 0; k <= n; ++k) m[k] = calc_akima_slope(chords, k, rounding * steepest);
    return m;
  }
  for (std::size_t k = 0; k <= n; ++k) m[k] = calc_monotone_slope(chords, k);
  if (periodic) return m;
  const double *h = chords.h.data() + 2, *slope = chords.slope.data() + 2;
  m[0] = n == 1 ? slope[0] : calc_end_slope(h[0], h[1], slope[0], slope[1]);
  m[n] = n == 1 ? slope[0] : calc_end_slope(h[n - 1], h[n - 2], slope[n - 1], slope[n - 2]);
  return m;
}

}  // namespace trammel
