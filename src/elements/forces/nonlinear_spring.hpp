// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A spring along the line between two points with a user-defined force law; the geometry is that
// of spring_damper.hpp.
//
//   formula of the tension   f(ℓ, ℓ̇, …)            P = −f ℓ̇, no potential is assumed
//   table of the tension     f(ℓ), a spline         U = ∫ f dℓ, exact
//   formula of the energy    U(ℓ)                   f = dU/dℓ, exact
//
// and c ℓ̇ for the damping, P = −c ℓ̇².
#pragma once

#include "elements/forces/spring_damper.hpp"
#include "elements/forces/state_function.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct NonlinearSpringForce {
  SpringLine<Real, Space> line;
  SpringLaw law;
  Real damping;  // N s/m

  static constexpr ForceTraits traits{.has_potential = true, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.line, self.law, self.damping);
  }
  int first_body() const { return line.body_i; }
  int second_body() const { return line.body_j; }
  const StateFunction* formula() const { return law.formula(); }

  // Returns the power of what has no potential.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const auto geometry = line.calc_geometry(at);
    Real tension = damping * geometry.rate;
    tension += law.calc_free_load(at.slots, geometry.length, geometry.rate);
    line.add_tension(at, geometry.n, tension + law.calc_load(geometry.length));
    return -tension * geometry.rate;
  }
  // ∇U
  void add_gradient(const ForceSite<Real, Space>& at) const {
    const auto geometry = line.calc_geometry(at);
    line.add_tension(at, geometry.n, -law.calc_load(geometry.length));
  }
  Real calc_energy(const ForceSite<Real, Space>& at) const {
    return law.calc_energy(line.calc_geometry(at).length);
  }
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const auto geometry = line.calc_geometry(at);
    Real tension = damping * geometry.rate + law.calc_load(geometry.length);
    tension += law.calc_free_load(at.slots, geometry.length, geometry.rate);
    line.show(geometry, tension, out);
    if (law.has_potential()) out("energy", "J", calc_energy(at));
  }
};

}  // namespace trammel
