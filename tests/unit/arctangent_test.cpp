// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "math/arctangent.hpp"

using namespace trammel;

TEST_CASE("the angle of a vector agrees with the C library's") {
  double largest = 0.0;
  for (int k = 0; k <= 40000; ++k) {
    const double angle = (k - 20000) * (half_turn / 20000), length = 1e-3 + 0.37 * k;
    const double x = length * std::cos(angle), y = length * std::sin(angle);
    largest = std::max(largest, std::abs(calc_arctangent(y, x) - std::atan2(y, x)));
  }
  CHECK(largest <= 5e-16);
  for (double tiny : {1e-3, 1e-8, 1e-200}) {
    CHECK(calc_arctangent(tiny, 1.0) == doctest::Approx(std::atan2(tiny, 1.0)).epsilon(1e-15));
  }
  CHECK(calc_arctangent(0.0, 1.0) == 0.0);
  CHECK(calc_arctangent(0.0, -1.0) == half_turn);
  CHECK(calc_arctangent(1.0, 0.0) == 0.5 * half_turn);
  CHECK(calc_arctangent(-1.0, 0.0) == -0.5 * half_turn);
}
