// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// v/|v| for every finite v ≠ 0. The squares of components above 1e154 or below 1e-162 are not finite
// or vanish, so such a vector is scaled first.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/vector3.hpp"

namespace trammel {

// v times a power of two, so that its components can be squared; a vector of ordinary length as it is.
inline Vector3<double> bring_into_range(const Vector3<double>& v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > 1e100 || largest < 1e-100)) return v;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return {std::ldexp(v.x, -exponent), std::ldexp(v.y, -exponent), std::ldexp(v.z, -exponent)};
}

inline Vector3<double> make_unit(const Vector3<double>& v) {
  const Vector3<double> scaled = bring_into_range(v);
  return (1.0 / std::sqrt(dot(scaled, scaled))) * scaled;
}

}  // namespace trammel
