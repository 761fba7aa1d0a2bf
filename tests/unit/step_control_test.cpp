// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The size of the next step from the errors of the last two.
#include "integrate/step_control.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "integrate/tableau.hpp"

using namespace trammel;

namespace {

constexpr double h = 0.1;
const StepLaw& law = dop853().law;

// q = 8, β = 0.03
double calc_pi_factor(double err, double err_old) {
  return 0.85 * std::pow(err, -(1.0 / 8 - 0.75 * 0.03)) * std::pow(err_old, 0.03);
}

}  // namespace

TEST_CASE("an error that grows shortens the next step before it fails") {
  StepController control(true);
  control.after_accepted(law, h, 0.01);
  // ten times the error with the same step: ten times more is expected, which is just the tolerance
  CHECK(control.after_accepted(law, h, 0.1) == doctest::Approx(0.85 * h).epsilon(1e-9));
  CHECK(calc_pi_factor(0.1, 0.01) > 0.85);
}

TEST_CASE("an error that stays or falls leaves the step to the PI controller") {
  StepController steady(true), falling(true);
  steady.after_accepted(law, h, 0.2);
  CHECK(steady.after_accepted(law, h, 0.2) == doctest::Approx(calc_pi_factor(0.2, 0.2) * h));
  falling.after_accepted(law, h, 0.4);
  CHECK(falling.after_accepted(law, h, 0.1) == doctest::Approx(calc_pi_factor(0.1, 0.4) * h));
}

TEST_CASE("the trend is that of the error for equal steps") {
  // half the step and 2⁻⁸ of the error: no trend
  StepController control(true);
  control.after_accepted(law, 2 * h, 0.9);
  const double err = 0.9 / 256;
  CHECK(control.after_accepted(law, h, err) == doctest::Approx(calc_pi_factor(err, 0.9) * h));
}

TEST_CASE("the classical controller knows one error") {
  StepController control(false);
  control.after_accepted(law, h, 0.01);
  CHECK(control.after_accepted(law, h, 0.1) == doctest::Approx(0.9 * std::pow(0.1, -1.0 / 8) * h));
}

TEST_CASE("after a rejection the step does not grow") {
  StepController control(true);
  const double shorter = control.after_rejected(law, h, 16.0);
  CHECK(shorter == doctest::Approx(0.85 * std::pow(16.0, -1.0 / 8) * h));
  CHECK(control.after_accepted(law, shorter, 1e-6) == shorter);
  CHECK(control.after_accepted(law, shorter, 1e-6) > shorter);
}

TEST_CASE("errors of another order, or from before a discontinuity, are no trend") {
  StepController control(true), fresh(true);
  StepLaw other = law;
  other.exponent = 1.0 / 5;
  control.after_accepted(law, h, 0.01);
  CHECK(control.after_accepted(other, h, 0.1) == fresh.after_accepted(other, h, 0.1));
  control.forget();
  CHECK(control.after_accepted(other, h, 0.3) ==
        StepController(true).after_accepted(other, h, 0.3));
  CHECK(fresh.after_accepted(other, h, 0.3) != StepController(true).after_accepted(other, h, 0.3));
}

TEST_CASE("a law may ask for more safety") {
  StepLaw careful = law;
  careful.safety = 0.5;
  CHECK(StepController(true).after_accepted(careful, h, 0.5) ==
        doctest::Approx(0.5 * StepController(true).after_accepted(law, h, 0.5)));
}
