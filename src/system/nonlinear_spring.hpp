// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A spring along the line between two points whose law is given by the user; the geometry is that
// of spring_damper.hpp.
//
//   formula of the tension   f(ℓ, ℓ̇, …)            P = −f ℓ̇, no potential is assumed
//   table of the tension     f(ℓ), a spline         U = ∫ f dℓ, exact
//   formula of the energy    U(ℓ)                   f = dU/dℓ, exact
//
// and c ℓ̇ for the damping, P = −c ℓ̇².
#pragma once

#include <span>

#include "system/force_elements.hpp"
#include "system/spring_damper.hpp"

namespace trammel {

template <class Real, class Space>
inline SpringDamperParameters<Real, Space> line_of(
    const NonlinearSpringParameters<Real, Space>& spring) {
  return {spring.body_i, spring.body_j, spring.point_i, spring.point_j, 0, 0, 0};
}

// The tension that has a potential; 0 for a formula of the tension.
template <class Real, class Space>
inline Real calc_elastic_tension(const NonlinearSpringParameters<Real, Space>& spring,
                                 Real length) {
  if (const auto* table = std::get_if<std::shared_ptr<const Spline>>(&spring.law)) {
    return (*table)->evaluate(length).value;
  }
  if (const auto* energy = std::get_if<CompiledFunction>(&spring.law)) {
    return energy->evaluate(length).first;
  }
  return 0;
}

template <class Real, class Space>
inline Real calc_elastic_energy(const NonlinearSpringParameters<Real, Space>& spring, Real length) {
  if (const auto* table = std::get_if<std::shared_ptr<const Spline>>(&spring.law)) {
    return (*table)->integrate(length);
  }
  if (const auto* energy = std::get_if<CompiledFunction>(&spring.law)) {
    return energy->evaluate(length).value;
  }
  return 0;
}

// Adds to the forces of both bodies; returns the power of what has no potential. `slots`: those of
// the spring are set here.
template <class Real, class Space>
inline Real add_nonlinear_spring(const NonlinearSpringParameters<Real, Space>& spring,
                                 std::span<Real> slots, const Pose<Real, Space>& i,
                                 const Pose<Real, Space>& j, Linear<Real, Space>* force_W,
                                 Angular<Real, Space>* torque_B) {
  const SpringDamperParameters<Real, Space> line = line_of(spring);
  const SpringGeometry<Real, Space> geometry = calc_spring_geometry(line, i, j);
  Real tension = spring.damping * geometry.rate;
  if (const auto* formula = std::get_if<StateFunction>(&spring.law)) {
    slots[own_slot] = geometry.length;
    slots[rate_slot] = geometry.rate;
    tension += formula->evaluate(slots);
  }
  add_tension(line, i, j, geometry.n, tension + calc_elastic_tension(spring, geometry.length),
              force_W, torque_B);
  return -tension * geometry.rate;
}

}  // namespace trammel
