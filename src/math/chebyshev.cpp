// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/chebyshev.hpp"

#include <algorithm>
#include <cmath>

#include "math/sine_cosine.hpp"

namespace trammel {

Chebyshev::Chebyshev(int n) : n_(n), point_(n + 1), cosine_(2 * n) {
  constexpr double pi = 3.14159265358979323846;
  for (int k = 0; k < 2 * n; ++k) cosine_[k] = calc_sine_cosine(k * pi / n).cosine;
  for (int k = 0; k <= n; ++k) {
    const double sine = calc_sine_cosine(0.5 * k * pi / n).sine;
    point_[k] = k == n ? 1.0 : sine * sine;
  }
}

// c_j = 2/n Σ'' f_k T_j(x_k), x_k = −cos(kπ/n); the first and the last by half.
void Chebyshev::calc_coefficients(const double* values, double* c) const {
  for (int j = 0; j <= n_; ++j) {
    double sum = 0.5 * (values[0] + (j % 2 == 0 ? values[n_] : -values[n_]));
    for (int k = 1; k < n_; ++k) sum += values[k] * cosine_[j * k % (2 * n_)];
    const double scale = (j == 0 || j == n_ ? 1.0 : 2.0) / n_;
    c[j] = (j % 2 == 0 ? scale : -scale) * sum;
  }
}

// ∫T₀ = T₁, ∫T₁ = T₂/4, ∫T_j = T_{j+1}/(2(j+1)) − T_{j−1}/(2(j−1)), each from x = −1; ds = dx/2.
double Chebyshev::integrate(int n, const double* c, double s) {
  const double x = 2.0 * s - 1.0;
  double before = 1.0, at = x, sum = c[0] * (x + 1.0);  // T_{j−1}, T_j
  for (int j = 1; j <= n; ++j) {
    const double after = 2.0 * x * at - before;
    const double sign = j % 2 == 0 ? -1.0 : 1.0;  // T_{j±1}(−1)
    sum += j == 1 ? 0.25 * c[1] * (after - 1.0)
                  : 0.5 * c[j] * ((after - sign) / (j + 1) - (before - sign) / (j - 1));
    before = at;
    at = after;
  }
  return 0.5 * sum;
}

double Chebyshev::estimate_error(int n, const double* c) {
  constexpr double noise = 1e-13;
  double largest = 0.0;
  for (int j = 0; j <= n; ++j) largest = std::max(largest, std::abs(c[j]));
  const double tail = std::max({std::abs(c[n]), std::abs(c[n - 1]), std::abs(c[n - 2])});
  return tail <= noise * largest ? 0.0 : tail / n;
}

// Barycentric: weights (−1)^k, by half at the ends, over s − s_k.
void Chebyshev::calc_weights(double s, double* weights) const {
  double sum = 0.0;
  for (int k = 0; k <= n_; ++k) {
    if (s == point_[k]) {
      std::fill(weights, weights + n_ + 1, 0.0);
      weights[k] = 1.0;
      return;
    }
    const double half = k == 0 || k == n_ ? 0.5 : 1.0;
    weights[k] = (k % 2 == 0 ? half : -half) / (s - point_[k]);
    sum += weights[k];
  }
  for (int k = 0; k <= n_; ++k) weights[k] /= sum;
}

}  // namespace trammel
