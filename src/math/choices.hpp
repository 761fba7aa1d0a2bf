// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the kernel chooses between numbers. By name, so that numbers of other kinds can choose in
// their own way: lanes, each for itself (pack.hpp), and those that only write down what is done
// (math/trace.hpp).
#pragma once

namespace trammel {

[[gnu::always_inline]] inline double lesser(double a, double b) { return a < b ? a : b; }
[[gnu::always_inline]] inline double greater(double a, double b) { return a > b ? a : b; }

[[gnu::always_inline]] inline double inverse_or_zero(double a) { return a > 0.0 ? 1.0 / a : 0.0; }

[[gnu::always_inline]] inline double nearest(double a) { return __builtin_nearbyint(a); }

// a > 0 ? b : c
[[gnu::always_inline]] inline double choose_if_positive(double a, double b, double c) {
  return a > 0.0 ? b : c;
}

// kept, inverse ← pivot, 1/pivot where the pivot is above the limit, else 0, 0
[[gnu::always_inline]] inline void keep_or_drop(double pivot, double limit, double& kept,
                                                double& inverse) {
  const bool keep = pivot > limit;
  kept = keep ? pivot : 0.0;
  inverse = keep ? 1.0 / pivot : 0.0;
}

}  // namespace trammel
