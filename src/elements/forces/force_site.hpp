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

// What is known of a kind of force beforehand.
struct ForceTraits {
  bool has_potential;  // calc_energy and add_gradient are there
  bool is_internal;    // equal and opposite on two bodies: momenta of the pair are kept
};

}  // namespace trammel
