// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// step(x, x0, y0, x1, y1): from y0 before x0 to y1 after x1, twice continuously differentiable.
//
//   s = (x − x0)/(x1 − x0),   y = y0 + (y1 − y0) s³ (10 − 15 s + 6 s²)   for 0 ≤ s ≤ 1
//
// First and second derivative of the quintic vanish at both ends.
#pragma once

#include <limits>

#include "math/jet.hpp"

namespace trammel {

inline double value_of(double x) { return x; }
inline double value_of(const Jet& x) { return x.value; }
inline double make_number(double x, double) { return x; }
inline Jet make_number(double x, const Jet&) { return {x, 0.0, 0.0}; }

// arguments: x, x0, y0, x1, y1. Where x0 < x1 does not hold there is no such function: NaN.
template <class Real>
Real calc_step(const Real* arguments) {
  const Real &x = arguments[0], &x0 = arguments[1], &y0 = arguments[2], &x1 = arguments[3],
             &y1 = arguments[4];
  const auto number = [&](double value) { return make_number(value, x); };
  if (!(value_of(x0) < value_of(x1))) return number(std::numeric_limits<double>::quiet_NaN());
  if (value_of(x) <= value_of(x0)) return y0;
  if (value_of(x) >= value_of(x1)) return y1;
  const Real s = (x - x0) / (x1 - x0);
  return y0 + (y1 - y0) * s * s * s * (number(10) - s * (number(15) - number(6) * s));
}

}  // namespace trammel
