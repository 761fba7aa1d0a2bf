// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The literals of the Radau tables against the equations that define them, in long double.
#include "integrate/radau_tables.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace trammel;

namespace {

using Long = long double;
constexpr double rounding = 2e-16;

// P_s(2x − 1) − P_{s−1}(2x − 1) and its slope
struct Polynomial {
  Long value, slope;
};
Polynomial calc_radau_polynomial(int s, Long x) {
  const Long u = 2 * x - 1;
  Long p0 = 1, p1 = u, d0 = 0, d1 = 2;
  for (int k = 2; k <= s; ++k) {
    const Long p2 = ((2 * k - 1) * u * p1 - (k - 1) * p0) / k;
    const Long d2 = ((2 * k - 1) * (2 * p1 + u * d1) - (k - 1) * d0) / k;
    p0 = p1, p1 = p2, d0 = d1, d1 = d2;
  }
  return {p1 - p0, d1 - d0};
}

}  // namespace

TEST_CASE("the nodes of Radau IIA are zeros of Legendre's polynomials, and A integrates powers") {
  for (const int s : {3, 5, 7}) {
    CAPTURE(s);
    const RadauTable& table = radau_table(s);
    REQUIRE(table.n_stages == s);
    CHECK(table.order() == 2 * s - 1);
    CHECK(table.c.back() == 1.0);
    for (int i = 0; i < s; ++i) {
      CHECK((i == 0 ? table.c[0] > 0.0 : table.c[i] > table.c[i - 1]));
      const Polynomial at = calc_radau_polynomial(s, table.c[i]);
      CHECK(std::abs(static_cast<double>(at.value / at.slope)) <= rounding);
      for (int k = 1; k <= s; ++k) {
        Long sum = 0;
        for (int j = 0; j < s; ++j)
          sum += Long(table.a[i * s + j]) * std::pow(Long(table.c[j]), k - 1);
        CHECK(std::abs(static_cast<double>(sum - std::pow(Long(table.c[i]), k) / k)) <
              s * rounding);
      }
    }
    // the weights are the last row: quadrature of order 2s − 1
    for (int k = 1; k <= 2 * s - 1; ++k) {
      Long sum = 0;
      for (int j = 0; j < s; ++j)
        sum += Long(table.a[(s - 1) * s + j]) * std::pow(Long(table.c[j]), k - 1);
      CHECK(std::abs(static_cast<double>(sum - Long(1) / k)) < s * rounding);
    }
  }
}

TEST_CASE("eigenvalues and eigenvectors of the inverse of A") {
  for (const int s : {3, 5, 7}) {
    CAPTURE(s);
    const RadauTable& table = radau_table(s);
    const auto multiply = [&](const std::vector<double>& x, const std::vector<double>& y, int i,
                              int j) {
      Long sum = 0, size = 0;
      for (int k = 0; k < s; ++k) {
        const Long term = Long(x[i * s + k]) * Long(y[k * s + j]);
        sum += term;
        size += std::abs(term);
      }
      return std::pair(sum, static_cast<double>(size));
    };
    REQUIRE(2 * table.n_pairs() + 1 == s);
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) {
        const double unit = i == j ? 1.0 : 0.0;
        const auto [aa, size_a] = multiply(table.a, table.inverse_a, i, j);
        CHECK(std::abs(static_cast<double>(aa) - unit) < 3 * rounding * size_a);
        const auto [tt, size_tt] = multiply(table.t, table.inverse_t, i, j);
        CHECK(std::abs(static_cast<double>(tt) - unit) < 3 * rounding * size_tt);
        // A⁻¹ T = T Λ, column j
        const auto [at, size_at] = multiply(table.inverse_a, table.t, i, j);
        Long expected = Long(table.real_eigenvalue) * Long(table.t[i * s]);
        if (j > 0) {
          const auto& [re, im] = table.eigenvalue[(j - 1) / 2];
          const bool is_real_part = j % 2 == 1;
          const int p = is_real_part ? j : j - 1;
          const Long real = table.t[i * s + p], imaginary = table.t[i * s + p + 1];
          CHECK(im > 0.0);
          expected = is_real_part ? re * real - im * imaginary : im * real + re * imaginary;
        }
        CHECK(std::abs(static_cast<double>(at - expected)) < 3 * rounding * size_at);
      }
    }
    for (int j = 0; j < s; ++j) {
      CHECK(table.t[(s - 1) * s + j] == (j == 0 || j % 2 == 1 ? 1.0 : 0.0));
    }
  }
}

TEST_CASE("the error estimate of Radau IIA is a quadrature of order s with f₀ as a stage") {
  for (const int s : {3, 5, 7}) {
    CAPTURE(s);
    const RadauTable& table = radau_table(s);
    for (int k = 1; k <= s; ++k) {
      // b̂ = Aᵀ(e + unit_s)
      Long sum = 0;
      for (int i = 0; i < s; ++i) {
        Long b = 0;
        for (int j = 0; j < s; ++j) {
          b += Long(table.a[j * s + i]) * (Long(table.error[j]) + (j == s - 1 ? 1 : 0));
        }
        sum += b * std::pow(Long(table.c[i]), k - 1);
      }
      const Long expected = Long(1) / k - (k == 1 ? 1 / Long(table.real_eigenvalue) : 0);
      CHECK(std::abs(static_cast<double>(sum - expected)) < 30 * rounding);
    }
  }
}
