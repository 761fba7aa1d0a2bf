// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A smooth function on an interval by its values at the Chebyshev points
//
//   s_k = ½ (1 − cos(kπ/n)) ∈ [0, 1],  k = 0 … n:
//
// its interpolating polynomial Σ c_j T_j(2s − 1), the integral of that (Clenshaw and Curtis), and, by
// the size of the last coefficients, how much it misses (Trefethen, Approximation Theory and
// Approximation Practice, chapters 3, 5, 19).
#pragma once

#include <vector>

namespace trammel {

class Chebyshev {
 public:
  explicit Chebyshev(int n);

  int n() const { return n_; }
  double point(int k) const { return point_[k]; }  // s_k

  // c from the values at the points; [n + 1] each.
  void calc_coefficients(const double* values, double* c) const;

  // ∫₀ˢ of the polynomial with the coefficients c.
  static double integrate(int n, const double* c, double s);

  // What the integral over [0, 1] may miss, from the last coefficients; 0 where they are rounding.
  static double estimate_error(int n, const double* c);

  // The weights l_k(s) of the values in the polynomial at s; [n + 1].
  void calc_weights(double s, double* weights) const;

 private:
  int n_;
  std::vector<double> point_;   // [n + 1]
  std::vector<double> cosine_;  // [2n] cos(kπ/n)
};

}  // namespace trammel
