// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A spring, a damper and a load along a coordinate q of a joint (coordinate.hpp): a torque for an
// angle, counted over turns, a force for a travel.
//
//   Q = −k (q − q₀) − c q̇ + f          positive: it makes q grow
//   forces Jᵀ Q on the two bodies,      J the gradient of q: q̇ = J u
//   U = ½ k (q − q₀)²                   P = (f − c q̇) q̇
//
//   formula of the load   f(q, q̇, …)            no potential is assumed
//   table of the load     f(q), a spline         U −= ∫ f dq, exact
//   formula of the energy U(q)                   f = −dU/dq, exact
#pragma once

#include <span>

#include "system/coordinate.hpp"
#include "system/force_elements.hpp"
#include "system/workspace.hpp"

namespace trammel {

// q with its turns counted; a travel has none.
template <class Real, class Space>
inline Real count_over_turns(const CoordinateGradient<Real, Space>& q, int reference,
                             const Workspace<Real, Space>& ws) {
  if (reference < 0) return q.value;
  return q.value + full_turn * count_turns(q.value, ws.reference[reference]);
}

template <class Real, class Space>
inline CoordinateGradient<Real, Space> calc_followed(const Topology& topology,
                                                     const Parameters<Real, Space>& parameters,
                                                     int coordinate,
                                                     const Workspace<Real, Space>& ws) {
  const CoordinateTopology& of = topology.coordinates[coordinate];
  return calc_coordinate(of.kind, parameters.coordinates[coordinate], ws.pose[of.body_i],
                         ws.pose[of.body_j]);
}

// The part of Q that has a potential.
template <class Real>
inline Real calc_elastic_load(const CoordinateSpringParameters<Real>& spring, Real q) {
  Real load = -spring.stiffness * (q - spring.free);
  if (const auto* table = std::get_if<std::shared_ptr<const Spline>>(&spring.law)) {
    load += (*table)->evaluate(q).value;
  } else if (const auto* energy = std::get_if<CompiledFunction>(&spring.law)) {
    load -= energy->evaluate(q).first;
  }
  return load;
}

template <class Real>
inline Real calc_coordinate_energy(const CoordinateSpringParameters<Real>& spring, Real q) {
  Real energy = Real(0.5) * spring.stiffness * (q - spring.free) * (q - spring.free);
  if (const auto* table = std::get_if<std::shared_ptr<const Spline>>(&spring.law)) {
    energy -= (*table)->integrate(q);
  } else if (const auto* formula = std::get_if<CompiledFunction>(&spring.law)) {
    energy += formula->evaluate(q).value;
  }
  return energy;
}

// Adds Jᵀ Q to the forces of both bodies.
template <class Real, class Space>
inline void add_coordinate_load(const CoordinateTopology& of,
                                const CoordinateGradient<Real, Space>& q, Real Q,
                                Workspace<Real, Space>& ws) {
  ws.force_W[of.body_j] += Q * q.row.linear;
  ws.force_W[of.body_i] -= Q * q.row.linear;
  ws.torque_B[of.body_j] += Q * transposed_times(ws.pose[of.body_j].R, q.row.alpha_j);
  ws.torque_B[of.body_i] -= Q * transposed_times(ws.pose[of.body_i].R, q.row.alpha_i);
}

// Adds to the forces of both bodies; returns the power of what has no potential.
template <class Real, class Space>
inline Real add_coordinate_spring(const Topology& topology,
                                  const Parameters<Real, Space>& parameters,
                                  const CoordinateSpringParameters<Real>& spring,
                                  Workspace<Real, Space>& ws) {
  const CoordinateTopology& of = topology.coordinates[spring.coordinate];
  const CoordinateGradient<Real, Space> q =
      calc_followed(topology, parameters, spring.coordinate, ws);
  const Real value = count_over_turns(q, spring.reference, ws);
  const Real rate = q.calc_rate(ws.pose[of.body_i], ws.pose[of.body_j]);
  Real load = -spring.damping * rate;
  if (const auto* formula = std::get_if<StateFunction>(&spring.law)) {
    ws.slots[own_slot] = value;
    ws.slots[rate_slot] = rate;
    load += formula->evaluate(ws.slots);
  }
  add_coordinate_load(of, q, load + calc_elastic_load(spring, value), ws);
  return load * rate;
}

}  // namespace trammel
