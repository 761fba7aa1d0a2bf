// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The derivative of a function at 0 by differences of eighth order in long double: with a step of 1e-3 of
// the length on which the function bends, some 15 digits.
#pragma once

namespace trammel::test {

// f'(0) ≈ Σ wₖ (f(kh) − f(−kh))/h, k = 1 … 4
inline constexpr long double central_weights[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};

template <class Function>
long double calc_central_difference(long double h, Function&& f) {
  long double sum = 0.0L;
  for (int k = 1; k <= 4; ++k) {
    const long double step = static_cast<long double>(k) * h;
    sum += central_weights[k - 1] * (f(step) - f(-step));
  }
  return sum / h;
}

}  // namespace trammel::test
