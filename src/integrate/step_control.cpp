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
}  // namespace

StepController::StepController(const Tableau& tableau, bool pi, double max_growth)
    : safety_(pi ? pi_safety : classical_safety),
      alpha_(tableau.error_exponent - (pi ? 0.75 * tableau.pi_beta : 0.0)),
      beta_(pi ? tableau.pi_beta : 0.0),
      classical_exponent_(tableau.error_exponent),
      shrink_(tableau.shrink),
      grow_(max_growth > 0.0 ? max_growth : tableau.grow) {}

double StepController::after_accepted(double h, double err) {
  const double e = std::max(err, smallest_error);
  double factor = safety_ * power(e, -alpha_);
  if (beta_ > 0.0) {
    factor *= power(last_error_, beta_);
    if (last_step_ > 0.0) {
      const double predicted = power(last_error_ / (e * e), classical_exponent_);
      factor = std::min(factor, safety_ * h / last_step_ * predicted);
    }
  }
  factor = std::clamp(factor, shrink_, last_rejected_ ? 1.0 : grow_);
  last_error_ = std::max(err, 1e-4);
  last_step_ = h;
  last_rejected_ = false;
  return h * factor;
}

double StepController::after_rejected(double h, double err) {
  last_rejected_ = true;
  return h * std::max(shrink_, std::min(1.0, safety_ * power(err, -classical_exponent_)));
}

double StepController::after_failure(double h) {
  last_rejected_ = true;
  return 0.25 * h;
}

}  // namespace trammel
