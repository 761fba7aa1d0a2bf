// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a force element sees of the state, and where it leaves its forces.
#pragma once

#include <span>

#include "elements/coordinate.hpp"
#include "space/pose.hpp"

namespace trammel {

template <class Real, class Space>
struct ForceSite {
  const Pose<Real, Space>* pose;   // [bodies + 1], the ground last
  Linear<Real, Space>* force_W;    // [bodies + 1] N, at the centre of mass
  Angular<Real, Space>* torque_B;  // [bodies + 1] N m
  std::span<Real> slots;           // what formulas read: state_function.hpp
  const CoordinateTopology* coordinates;
  const CoordinateParameters<Real, Space>* coordinate_parameters;
  const Real* reference;  // ρ of the state, which count the revolutions of angles

  CoordinateGradient<Real, Space> calc(int coordinate) const {
    const CoordinateTopology& of = coordinates[coordinate];
    return calc_coordinate(of.kind, coordinate_parameters[coordinate], pose[of.body_i],
                           pose[of.body_j]);
  }
  // Its value with whole revolutions counted; ρ: −1 for a travel, which has none.
  Real unwrap(const CoordinateGradient<Real, Space>& q, int rho) const {
    if (rho < 0) return q.value;
    return q.value + Real(full_turn) * count_turns(q.value, reference[rho]);
  }
};

// Adds Jᵀ Q of a load Q along a coordinate of a joint.
template <class Real, class Space>
void add_coordinate_load(const ForceSite<Real, Space>& at, int body_i, int body_j,
                         const CoordinateGradient<Real, Space>& q, const Real& Q) {
  at.force_W[body_j] += Q * q.row.linear;
  at.force_W[body_i] -= Q * q.row.linear;
  at.torque_B[body_j] += Q * transposed_times(at.pose[body_j].R, q.row.alpha_j);
  at.torque_B[body_i] -= Q * transposed_times(at.pose[body_i].R, q.row.alpha_i);
}

// What is known of a kind of force at compile time.
// Besides add_force every element has show(site, out), which calls out(word, unit, value) for each number
// or vector that is recorded of it: its load, length or angle, rate, the power P it delivers to the
// mechanism (of all its forces, those with a potential included) and its energy.

// The load of an element with fixed components, in the world.
template <class Real, class Space>
struct AppliedLoad {
  Linear<Real, Space> force;
  Angular<Real, Space> torque;  // besides the moment of the force
  Real power;

  void show(bool is_torque, auto&& out) const {
    if (is_torque) {
      out("torque", "N m", torque);
    } else {
      out("force", "N", force);
    }
    out("power", "W", power);
  }
};

struct ForceTraits {
  bool has_potential;  // calc_energy and add_gradient are there
  bool is_internal;    // equal and opposite on two bodies: momenta of the pair are kept
};

}  // namespace trammel
