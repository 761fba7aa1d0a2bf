// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Sine and cosine without the C library against the C library in long double.
#include "math/sine_cosine.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/random_model.hpp"

using namespace trammel;

namespace {

// The larger of both errors at x.
double calc_error(double x) {
  const SineCosine<double> at = calc_sine_cosine(x);
  const long double exact = x;
  return static_cast<double>(
      std::max(std::abs(at.sine - std::sin(exact)), std::abs(at.cosine - std::cos(exact))));
}

}  // namespace

TEST_CASE("sine and cosine are right to 2^-52, for every angle a mechanism can reach") {
  test::Random random(11);
  double largest = 0.0, far = 0.0;
  for (double range : {1e-8, 1.0, 10.0, 1e3, 8e5}) {
    for (int k = 0; k < 100'000; ++k) {
      largest = std::max(largest, calc_error(random.uniform(-range, range)));
    }
  }
  CHECK(largest < 0x1p-52);
  // beyond that the rounding of the angle itself is larger
  for (int k = 0; k < 100'000; ++k) {
    const double x = random.uniform(-1e12, 1e12);
    far = std::max(far, calc_error(x) / std::abs(x));
  }
  CHECK(far < 0x1p-52);
}

TEST_CASE("sine and cosine at the quadrants, and of what is no angle") {
  const double quarter = std::acos(-1.0) / 2;
  for (int n = -8; n <= 8; ++n) CHECK(calc_error(n * quarter) < 0x1p-53);
  CHECK(calc_sine_cosine(0.0).sine == 0.0);
  CHECK(calc_sine_cosine(0.0).cosine == 1.0);
  CHECK(std::isnan(calc_sine_cosine(std::numeric_limits<double>::quiet_NaN()).sine));
  CHECK(std::isnan(calc_sine_cosine(std::numeric_limits<double>::infinity()).cosine));
}
