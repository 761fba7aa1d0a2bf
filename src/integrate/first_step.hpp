// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The size of the first step (Hairer, Nørsett, Wanner I, II.4): a step that changes the state by a
// hundredth of its size, then one whose error term of order q, estimated by an Euler step, is a hundredth
// of the tolerance.
#pragma once

#include <algorithm>

#include "integrate/concepts.hpp"
#include "math/power.hpp"

namespace trammel {

// From z at t, with ż = rate, by a method of this order; at most to t_end. next_rate, scratch: [dimension]
template <Problem P>
double estimate_first_step(P& problem, int order, double t, double t_end, const double* z,
                           const double* rate, double* next_rate, double* scratch) {
  const int n = problem.dimension();
  const double longest = t_end - t;
  const double d0 = problem.calc_state_norm(z);
  const double d1 = problem.calc_error_norm(z, z, rate);
  // ‖ż‖ h₀ = 0.01 ‖z‖
  double h0 = d1 > 0.0 ? std::min(0.01 * d0 / d1, longest) : 1e-3 * longest;
  for (int attempt = 0; attempt < 20; ++attempt, h0 *= 0.1) {
    // an Euler step; ‖z̈‖ from the slopes at both ends
    for (int i = 0; i < n; ++i) scratch[i] = z[i] + h0 * rate[i];
    if (!problem.calc_derivative(t + h0, scratch, next_rate)) continue;
    for (int i = 0; i < n; ++i) scratch[i] = (next_rate[i] - rate[i]) / h0;
    const double d2 = problem.calc_error_norm(z, z, scratch);
    // max(‖ż‖, ‖z̈‖) h₁^q = 0.01
    const double steepest = std::max(d1, d2);
    const double h1 = steepest > 0.0 ? power(0.01 / steepest, 1.0 / order) : longest;
    return std::min({100.0 * h0, h1, longest});
  }
  return h0;
}

}  // namespace trammel
