// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Workspace: everything that depends on the state, one per thread, allocated once.
#pragma once

#include <limits>
#include <vector>

#include "math/block_ldlt.hpp"
#include "system/curve.hpp"
#include "system/parameters.hpp"
#include "system/pose.hpp"
#include "system/topology.hpp"

namespace trammel {

// What stands in a mask for a row that takes no part.
inline constexpr double row_left_out = std::numeric_limits<double>::infinity();

// World vectors of a joint, kept from the rows for γ and for the reactions.
template <class Real, class Space = Spatial>
struct JointVectors {
  Linear<Real, Space> s[2];      // R_i a_i, R_i b_i
  Linear<Real, Space> t[2];      // R_j a_j, R_j b_j
  Linear<Real, Space> p_i, p_j;  // R_i χ_i, R_j χ_j
  Linear<Real, Space> d;         // O: r_j + p_j − r_i; D alone: r_j + p_j − r_i − p_i
};

// A velocity, an acceleration or a small displacement of a body: (dr, φ).
template <class Real, class Space = Spatial>
struct Twist {
  Linear<Real, Space> linear;    // world frame
  Angular<Real, Space> angular;  // body frame
  static constexpr Twist zero() {
    return {Linear<Real, Space>::zero(), Angular<Real, Space>::zero()};
  }
};

// What a driver asks for at ws.time: the offset of its row, f, or its rate, f˙, and their derivatives.
template <class Real>
struct DriverValue {
  Real value;   // f: given, or the integral of the rate
  Real first;   // f˙
  Real second;  // f¨
};

template <class Real, class Space>
struct ConjugateGradients;  // dynamics/conjugate_gradients.hpp

template <class Real, class Space = Spatial>
struct Workspace {
  explicit Workspace(const Topology& topology);

  // ---- set by the caller
  Real time = Real(0);  // s

  // ---- computed by calc_positions, calc_velocities
  std::vector<Pose<Real, Space>> pose;  // [bodies + 1], the ground last

  std::vector<Real> reference;          // [references] ρ of the state

  // ---- computed by calc_rows
  std::vector<Real> g;                             // [rows] m, or unit-free
  std::vector<Linear<Real, Space>> linear;         // [rows + entries] J by v_j, and minus J by v_i
  std::vector<Angular<Real, Space>> angular_i;     // [rows] J by Ω_i
  std::vector<Angular<Real, Space>> angular_j;     // [rows + entries] J by Ω_j
  std::vector<JointVectors<Real, Space>> vectors;  // [joints]
  std::vector<Real> reference_value;               // [references] q, turns counted, of those that follow
  std::vector<DriverValue<Real>> drive;            // [drivers]
  std::vector<JointVectors<Real, Space>> basic_vectors;  // [topology.basics]

  // ---- references kept between accepted steps; the rest computed by calc_rows
  std::vector<CurveState<Real, Space>> curves;  // [topology.n_curves]
  std::vector<Real> turned;                     // [bodies] rad, whole turns taken out of β (plane)

  // ---- computed by calc_gamma
  std::vector<Real> gamma;           // [rows]
  std::vector<Real> reference_rate;  // [references] ρ̇

  // ---- chosen by the caller: which rows calc_factor and solve see
  std::vector<Real> mask;  // [rows] 1: the row takes part, row_left_out: its multiplier is 0

  // ---- computed by calc_factor
  std::vector<Real> values;    // [program.n_values] S, then L
  std::vector<Real> diagonal;  // [rows] of S, times the mask
  std::vector<Real> pivot;     // [rows] D
  std::vector<Real> inverse;   // [rows] D⁻¹
  // where it is set, the values hold only the blocks on the diagonal, each with its own factor
  ConjugateGradients<Real, Space>* iterative = nullptr;

  // ---- computed by calc_forces, calc_accelerations
  std::vector<Linear<Real, Space>> force_W;    // [bodies + 1] N, at the centre of mass
  std::vector<Angular<Real, Space>> torque_B;  // [bodies + 1] N m
  std::vector<Real> power;                     // [components] W, of forces without a potential
  std::vector<Real> lambda;                    // [rows] multipliers

  // ---- scratch: of calc_accelerations and the projections; the ground's twist stays 0
  std::vector<Twist<Real, Space>> twist;  // [bodies + 1]
  std::vector<Real> mu;                   // [rows]
  std::vector<Real> reach;         // [components] m, largest coordinate of a centre of mass
  std::vector<Real> slots;                // [slots] of calc_forces, for formulas

  BlockFactor<Real> factor() {
    return {values.data(), pivot.data(), inverse.data(), diagonal.data()};
  }
  // The points of curves are searched on the whole curve at the next calc_rows.
  void forget_references() {
    for (CurveState<Real, Space>& curve : curves) curve.known = false;
  }
  Rows<Real, Space> rows(int row) {
    return {g.data() + row, linear.data() + row, angular_i.data() + row, angular_j.data() + row};
  }
};

template <class Real, class Space>
Workspace<Real, Space>::Workspace(const Topology& topology)
    : pose(topology.n_bodies + 1,
           Pose<Real, Space>{Rotation<Real, Space>::identity(), Linear<Real, Space>::zero(),
                             Linear<Real, Space>::zero(), Angular<Real, Space>::zero(),
                             Angular<Real, Space>::zero()}),
      reference(topology.references.size()),
      g(topology.n_rows),
      linear(topology.n_rows + topology.entries.size()),
      angular_i(topology.n_rows),
      angular_j(topology.n_rows + topology.entries.size()),
      vectors(topology.n_joints),
      reference_value(topology.references.size()),
      drive(topology.drivers.size()),
      basic_vectors(topology.basics.size()),
      curves(topology.n_curves),
      turned(topology.n_bodies),
      gamma(topology.n_rows),
      reference_rate(topology.references.size()),
      mask(topology.n_rows, Real(1)),
      values(topology.program.n_values),
      diagonal(topology.n_rows),
      pivot(topology.n_rows),
      inverse(topology.n_rows),
      force_W(topology.n_bodies + 1),
      torque_B(topology.n_bodies + 1),
      power(topology.components.size()),
      lambda(topology.n_rows),
      twist(topology.n_bodies + 1, Twist<Real, Space>::zero()),
      mu(topology.n_rows),
      reach(topology.components.size()),
      slots(topology.n_slots) {}

}  // namespace trammel
