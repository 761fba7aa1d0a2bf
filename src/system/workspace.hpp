// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Workspace: everything that depends on the state, one per thread, allocated once.
#pragma once

#include <limits>
#include <vector>

#include "elements/curve.hpp"
#include "math/block_ldlt.hpp"
#include "math/large_vector.hpp"
#include "system/arrays.hpp"
#include "system/parameters.hpp"
#include "system/stages.hpp"

namespace trammel {

// The mask of a row that takes no part.
inline constexpr double row_left_out = std::numeric_limits<double>::infinity();

// What a driver asks for at ws.time: the offset of its row, f, or its rate, f˙, and their derivatives.
template <class Real>
struct DriverValue {
  Real value;   // f: given, or the integral of the rate
  Real first;   // f˙
  Real second;  // f¨
};

// The law of a driver at ws.time with two derivatives.
template <class Real>
struct DriverLaw {
  Real value, first, second;
};

template <class Real, class Space>
struct ConjugateGradients;  // evaluate/conjugate_gradients.hpp

template <class Real, class Space = Spatial>
struct Workspace {
  explicit Workspace(const Topology& topology);

  Stages stages;  // which of the following are there

  // ---- set by the caller
  Real time = Real(0);  // s

  // ---- computed by calc_positions, calc_velocities
  LargeVector<Pose<Real, Space>> pose;  // [bodies + 1], the ground last

  std::vector<Real> reference;  // [references] ρ of the state
  std::vector<Real> state;      // [states] x of the state

  // ---- computed by calc_rows
  LargeVector<Real> g;                   // [rows] m, or unit-free
  LargeVector<Real> row_data;            // [topology.n_numbers] J, joint by joint (row_shape.hpp)
  std::vector<Real> reference_value;     // [references] q, turns counted, of those that follow
  std::vector<Real> term_value;          // [terms] q, of terms f(q)
  std::vector<Real> term_slope;          // [terms] f', 1 of the other terms
  std::vector<DriverLaw<Real>> law;      // [drivers]
  std::vector<DriverValue<Real>> drive;  // [drivers]
  double law_time = std::numeric_limits<double>::quiet_NaN();  // s, of the laws

  // ---- references kept between accepted steps; the rest computed by calc_rows
  std::vector<CurveState<Real, Space>> curves;  // [topology.n_curves]
  std::vector<Real> turned;                     // [bodies] rad, whole turns taken out of β (plane)

  // ---- computed by calc_gamma
  LargeVector<Real> gamma;           // [rows]
  std::vector<Real> reference_rate;  // [references] ρ̇

  // ---- chosen by the caller: which rows calc_factor and solve see
  LargeVector<Real> mask;  // [rows] 1: the row takes part, row_left_out: its multiplier is 0

  // ---- computed by calc_factor
  LargeVector<Real> values;    // [program.n_values] S, then L
  LargeVector<Real> diagonal;  // [rows] of S, times the mask
  LargeVector<Real> pivot;     // [rows] D
  LargeVector<Real> inverse;   // [rows] D⁻¹; these three: of the program, welds of hubs included
  LargeVector<Real> whole;     // [program.n_rows] scratch of solve, with hubs
  // where it is set, the values hold only the blocks on the diagonal, each with its own factor
  ConjugateGradients<Real, Space>* iterative = nullptr;

  // ---- computed by calc_forces, calc_accelerations
  LargeVector<Linear<Real, Space>> force_W;    // [bodies + 1] N, at the centre of mass
  LargeVector<Angular<Real, Space>> torque_B;  // [bodies + 1] N m
  std::vector<Real> power;                     // [components] W, of forces without a potential
  LargeVector<Real> lambda;                    // [rows] multipliers
  std::vector<Real> state_rate;                // [states] ẋ

  // ---- scratch: of calc_accelerations and the projections; the ground's twist stays 0
  LargeVector<Twist<Real, Space>> twist;  // [bodies + 1]
  LargeVector<Twist<Real, Space>>
      world_twist;          // [bodies + 1] with the angular part in the world's frame
  LargeVector<Real> mu;     // [rows]
  std::vector<Real> reach;  // [components] m, largest coordinate of a centre of mass
  std::vector<Real> slots;  // [slots] of calc_forces, for formulas

  BlockFactor<Real> factor() {
    return {values.data(), pivot.data(), inverse.data(), diagonal.data(), whole.data()};
  }
  // The points of curves are searched on the whole curve at the next calc_rows.
  void forget_references() {
    for (CurveState<Real, Space>& curve : curves) curve.known = false;
  }

  Arrays<Real, Space> arrays;  // of this workspace

  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
};

template <class Real, class Space>
Workspace<Real, Space>::Workspace(const Topology& topology)
    : pose(topology.n_bodies + 1,
           Pose<Real, Space>{Rotation<Real, Space>::identity(), Linear<Real, Space>::zero(),
                             Linear<Real, Space>::zero(), Angular<Real, Space>::zero(),
                             Angular<Real, Space>::zero()}),
      reference(topology.references.size()),
      state(topology.layout.n_states),
      g(topology.n_rows),
      row_data(topology.n_numbers),
      reference_value(topology.references.size()),
      term_value(topology.terms.size()),
      term_slope(topology.terms.size(), Real(1)),
      law(topology.drivers.size()),
      drive(topology.drivers.size()),
      curves(topology.n_curves),
      turned(topology.n_bodies),
      gamma(topology.n_rows),
      reference_rate(topology.references.size()),
      mask(topology.n_rows, Real(1)),
      values(topology.program.n_values),
      diagonal(topology.program.n_rows),
      pivot(topology.program.n_rows),
      inverse(topology.program.n_rows),
      whole(topology.clones.empty() ? 0 : topology.program.n_rows),
      force_W(topology.n_bodies + 1),
      torque_B(topology.n_bodies + 1),
      power(topology.components.size()),
      lambda(topology.n_rows),
      state_rate(topology.layout.n_states),
      twist(topology.n_bodies + 1, Twist<Real, Space>::zero()),
      world_twist(topology.n_bodies + 1, Twist<Real, Space>::zero()),
      mu(topology.n_rows),
      reach(topology.components.size()),
      slots(topology.n_slots),
      arrays{topology.n_bodies,
             topology.n_joints,
             topology.n_rows,
             topology.n_components(),
             topology.layout.u(0),
             topology.layout.work(0),
             topology.common_shape,
             topology.joints.data(),
             topology.grouped_joints.data(),
             topology.groups.data(),
             static_cast<int>(topology.groups.size()),
             topology.basic_constraints.data(),
             topology.basic_groups.data(),
             static_cast<int>(topology.basic_groups.size()),
             topology.coordinate_rows.data(),
             static_cast<int>(topology.coordinate_rows.size()),
             topology.entries.data(),
             static_cast<int>(topology.entries.size()),
             topology.component_of.data(),
             topology.body_order.data(),
             topology.schur_side_begin.data(),
             topology.schur_sides.data(),
             topology.couplings.data(),
             topology.clones.data(),
             static_cast<int>(topology.clones.size()),
             topology.clone_sides.data(),
             topology.fill.data(),
             static_cast<int>(topology.fill.size()),
             &topology.program,
             pose.data(),
             g.data(),
             row_data.data(),
             gamma.data(),
             mask.data(),
             values.data(),
             diagonal.data(),
             pivot.data(),
             inverse.data(),
             force_W.data(),
             torque_B.data(),
             power.data(),
             lambda.data(),
             twist.data(),
             world_twist.data()} {
  // the rows of welds: arms of length 0, α = e_k
  if (topology.clones.empty()) return;
  Real* const alpha = row_data.data() + topology.weld.data + 2 * Space::dimension;
  for (int k = 0; k < Space::n_angular; ++k) alpha[(Space::n_angular + 1) * k] = Real(1);
}

}  // namespace trammel
