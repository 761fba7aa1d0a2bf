// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "integrate/step_control.hpp"

#include <algorithm>

#include "math/power.hpp"

namespace trammel {

namespace {
// 0.9 belongs to the paper's runs. 0.85 costs as much at equal error and leaves fewer rejections.
constexpr double classical_safety = 0.9, pi_safety = 0.85;
constexpr double smallest_error = 1e-14;  // an error of 0 asks for the largest growth, not for ∞
constexpr double smallest_last_error = 1e-4;
}  // namespace

StepController::StepController(bool pi, double max_growth)
    : pi_(pi), safety_(pi ? pi_safety : classical_safety), max_growth_(max_growth) {
  forget();
}

void StepController::forget() {
  last_error_ = smallest_last_error;
  last_step_ = last_exponent_ = 0.0;
  last_rejected_ = false;
}

double StepController::after_accepted(const StepLaw& law, double h, double err) {
  const double safety = safety_ * law.safety;
  const double beta = pi_ ? law.pi_beta : 0.0;
  const double e = std::max(err, smallest_error);
  double factor = safety * power(e, -(law.exponent - 0.75 * beta));
  if (pi_) {
    if (law.exponent != last_exponent_) last_error_ = smallest_last_error, last_step_ = 0.0;
    if (beta > 0.0) factor *= power(last_error_, beta);
    if (last_step_ > 0.0) {
      const double predicted = power(last_error_ / (e * e), law.exponent);
      factor = std::min(factor, safety * h / last_step_ * predicted);
    }
  }
  const double grow = max_growth_ > 0.0 ? max_growth_ : law.grow;
  factor = std::clamp(factor, law.shrink, std::max(law.shrink, last_rejected_ ? 1.0 : grow));
  if (factor > 1.0 && factor <= law.keep) factor = 1.0;
  last_error_ = std::max(err, smallest_last_error);
  last_step_ = h;
  last_exponent_ = law.exponent;
  last_rejected_ = false;
  return h * factor;
}

double StepController::after_rejected(const StepLaw& law, double h, double err) {
  last_rejected_ = true;
  const double factor = safety_ * law.safety * power(err, -law.exponent);
  return h * std::max(law.shrink, std::min(1.0, factor));
}

double StepController::after_failure(double h) {
  last_rejected_ = true;
  return 0.25 * h;
}

}  // namespace trammel
