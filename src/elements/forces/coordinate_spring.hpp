// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A spring, a damper and a load along a coordinate q of a joint (elements/coordinate.hpp): a torque for an
// unwrapped angle, a force for a travel.
//
//   Q = −k (q − q₀) − c q̇ + f          positive: it makes q grow
//   forces Jᵀ Q on the two bodies,      J the gradient of q: q̇ = J u
//   U = ½ k (q − q₀)²                   P = (f − c q̇) q̇
//
//   formula of the load   f(q, q̇, …)            no potential is assumed
//   table of the load     f(q), a spline         U −= ∫ f dq, exact
//   formula of the energy U(q)                   f = −dU/dq, exact
#pragma once

#include <tuple>

#include "elements/forces/force_site.hpp"
#include "elements/forces/state_function.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct CoordinateSpringForce {
  int body_i, body_j;
  int coordinate;
  int reference;   // that counts its revolutions, or −1
  Real stiffness;  // N m/rad or N/m
  Real damping;    // N m s/rad or N s/m
  Real free;       // rad or m
  SpringLaw law;   // N m or N, or J

  static constexpr ForceTraits traits{.has_potential = true, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body_i, self.body_j, self.coordinate, self.reference, self.stiffness,
                    self.damping, self.free, self.law);
  }
  int first_body() const { return body_i; }
  int second_body() const { return body_j; }
  const StateFunction* formula() const { return law.formula(); }

  // Returns the power of what has no potential.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const CoordinateGradient<Real, Space> q = at.calc(coordinate);
    const Real value = at.unwrap(q, reference);
    const Real rate = q.calc_rate(at.pose[body_i], at.pose[body_j]);
    // what has no potential: damper and formula; its power is Q q̇
    Real load = -damping * rate;
    load += law.calc_free_load(at.slots, value, rate);
    add_load(at, q, load + calc_elastic_load(value));
    return load * rate;
  }
  // ∇U
  void add_gradient(const ForceSite<Real, Space>& at) const {
    const CoordinateGradient<Real, Space> q = at.calc(coordinate);
    add_load(at, q, -calc_elastic_load(at.unwrap(q, reference)));
  }
  Real calc_energy(const ForceSite<Real, Space>& at) const {
    const Real q = at.unwrap(at.calc(coordinate), reference);
    // ½ k (q − q₀)², minus ∫ f dq of a table or plus U
    const Real energy = Real(0.5) * stiffness * (q - free) * (q - free);
    return law.is_table() ? energy - law.calc_energy(q) : energy + law.calc_energy(q);
  }
  // The load acts on body j, positive where it makes q grow.
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const CoordinateGradient<Real, Space> q = at.calc(coordinate);
    const Real value = at.unwrap(q, reference);
    const Real rate = q.calc_rate(at.pose[body_i], at.pose[body_j]);
    Real load = calc_elastic_load(value) - damping * rate;
    load += law.calc_free_load(at.slots, value, rate);
    if (at.coordinates[coordinate].kind == CoordinateKind::angle) {
      out("torque", "N m", load);
      out("angle", "rad", value);
      out("angle_rate", "rad/s", rate);
    } else {
      out("force", "N", load);
      out("travel", "m", value);
      out("travel_rate", "m/s", rate);
    }
    out("power", "W", load * rate);
    if (stiffness != Real(0) || law.has_potential()) out("energy", "J", calc_energy(at));
  }

 private:
  // The part of Q that has a potential.
  Real calc_elastic_load(const Real& q) const {
    // −k (q − q₀), and the load of a table or −U' of an energy
    const Real load = -stiffness * (q - free);
    return law.is_energy() ? load - law.calc_load(q) : load + law.calc_load(q);
  }
  void add_load(const ForceSite<Real, Space>& at, const CoordinateGradient<Real, Space>& q,
                const Real& Q) const {
    add_coordinate_load(at, body_i, body_j, q, Q);
  }
};

}  // namespace trammel
