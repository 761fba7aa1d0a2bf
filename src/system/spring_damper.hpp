// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A spring and a damper along the line between two points.
//
//   d = x_j − x_i,  ℓ = |d|,  n = d/ℓ,  ℓ̇ = ⟨n, ḋ⟩
//   f = k (ℓ − ℓ₀) + c ℓ̇             tension: +f n on body i at x_i, −f n on body j at x_j
//   U = ½ k (ℓ − ℓ₀)²                 P = −c ℓ̇²
//
// Where the two points meet (ℓ = 0) the direction is not defined; the force is taken as 0 there.
#pragma once

#include <cmath>

#include "math/choices.hpp"
#include "system/parameters.hpp"
#include "system/pose.hpp"

namespace trammel {

template <class Real, class Space>
struct SpringGeometry {
  Linear<Real, Space> n;  // unit vector from point i to point j, or 0
  Real length;      // m
  Real rate;        // m/s
};

template <class Real, class Space>
[[gnu::always_inline]] inline SpringGeometry<Real, Space> calc_spring_geometry(
    const SpringDamperParameters<Real, Space>& spring, const Pose<Real, Space>& i,
    const Pose<Real, Space>& j) {
  using std::sqrt;
  const Linear<Real, Space> p_i = i.R * spring.point_i;
  const Linear<Real, Space> p_j = j.R * spring.point_j;
  const Linear<Real, Space> d = (j.r + p_j) - (i.r + p_i);
  const Linear<Real, Space> d1 = (j.v + cross(j.omega, p_j)) - (i.v + cross(i.omega, p_i));
  const Real length = sqrt(dot(d, d));
  const Linear<Real, Space> n = inverse_or_zero(length) * d;
  return {n, length, dot(n, d1)};
}

// Adds the tension f to the forces of both bodies.
template <class Real, class Space>
[[gnu::always_inline]] inline void add_tension(const SpringDamperParameters<Real, Space>& spring,
                        const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                        const Linear<Real, Space>& n, Real f, Linear<Real, Space>* force_W,
                        Angular<Real, Space>* torque_B) {
  const Linear<Real, Space> fn = f * n;
  force_W[spring.body_i] += fn;
  force_W[spring.body_j] -= fn;
  torque_B[spring.body_i] += cross(spring.point_i, transposed_times(i.R, fn));
  torque_B[spring.body_j] -= cross(spring.point_j, transposed_times(j.R, fn));
}

template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_spring_energy(const SpringDamperParameters<Real, Space>& spring, Real length) {
  const Real stretch = length - spring.free_length;
  return Real(0.5) * spring.stiffness * stretch * stretch;
}

}  // namespace trammel
