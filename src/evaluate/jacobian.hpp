// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// J w, joint by joint, and Jᵀμ, body by body, from the rows as they are stored (system/row_shape.hpp):
//
//   J w     pinned: (v + ω×p)_j − (v + ω×p)_i   angular: ⟨α, ω_j − ω_i⟩   general: all terms
//   Jᵀμ     forces ±F, torques ±p×F, ±Σ μ α     with F = (μ_x, μ_y, μ_z) of the pinned rows
#pragma once

#include "math/unroll.hpp"
#include "system/arrays.hpp"
#include "system/row_shape.hpp"

namespace trammel {
namespace {

template <class Real, class Space, RowShape shape, Moving moving, bool with_gamma>
[[gnu::always_inline]] inline void calc_joint_rates(const Arrays<Real, Space>& at,
                                                    const JointTopology& joint,
                                                    const Twist<Real, Space>* w, Real* rates) {
  using V = Linear<Real, Space>;
  using A = Angular<Real, Space>;
  using Offsets = RowOffsets<Space, shape>;
  constexpr bool i_moves = moving != Moving::only_j, j_moves = moving != Moving::only_i;
  const Real* data = at.row_data + joint.data;
  const Twist<Real, Space>&i = w[joint.body_i], &j = w[joint.body_j];
  // J w, or J w + γ
  const auto put = [&](int row, const Real& rate) __attribute__((always_inline)) {
    rates[joint.row + row] = with_gamma ? rate + at.gamma[joint.row + row] : rate;
  };
  if constexpr (shape.pinned > 0) {
    // pinned: (v + ω×p)_j − (v + ω×p)_i
    const auto move = [&](const Twist<Real, Space>& twist, int arm) __attribute__((always_inline)) {
      return twist.linear + cross(twist.angular, V::load(data + arm));
    };
    Real rate[Space::dimension];
    if constexpr (!i_moves) {
      move(j, Offsets::arm_j).store(rate);
    } else if constexpr (!j_moves) {
      (-move(i, Offsets::arm_i)).store(rate);
    } else {
      (move(j, Offsets::arm_j) - move(i, Offsets::arm_i)).store(rate);
    }
    unroll<Space::dimension>([&](auto k) __attribute__((always_inline)) { put(k, rate[k]); });
  }
  if constexpr (shape.angular > 0) {
    // angular: ⟨α, ω_j − ω_i⟩
    const A turn = !i_moves ? j.angular : !j_moves ? -i.angular : j.angular - i.angular;
    unroll<shape.angular>([&](auto k) __attribute__((always_inline)) {
      put(shape.pinned + k, dot(A::load(data + Offsets::angular(k)), turn));
    });
  }
  if constexpr (shape.general > 0) {
    // general: ⟨ℓ, v_j − v_i⟩ + ⟨α_j, ω_j⟩ − ⟨α_i, ω_i⟩
    const V move = !i_moves ? j.linear : !j_moves ? -i.linear : j.linear - i.linear;
    unroll<shape.general>([&](auto k) __attribute__((always_inline)) {
      Real rate = dot(V::load(data + Offsets::linear(k)), move);
      if constexpr (j_moves) rate += dot(A::load(data + Offsets::alpha_j(k)), j.angular);
      if constexpr (i_moves) rate -= dot(A::load(data + Offsets::alpha_i(k)), i.angular);
      put(shape.pinned + shape.angular + k, rate);
    });
  }
}

// What the rows of a joint with multipliers μ do to one of its bodies.
template <class Real, class Space>
struct BodyForces {
  Linear<Real, Space> force = Linear<Real, Space>::zero();     // N
  Angular<Real, Space> torque = Angular<Real, Space>::zero();  // N m, world frame
};

template <class Real, class Space, RowShape shape>
[[gnu::always_inline]] inline void add_side_forces(const Arrays<Real, Space>& at,
                                                   const SchurSide& side, const Real* mu,
                                                   BodyForces<Real, Space>& on) {
  using V = Linear<Real, Space>;
  using A = Angular<Real, Space>;
  using Offsets = RowOffsets<Space, shape>;
  const Real* data = at.row_data + side.data;
  const Real* multiplier = mu + side.row;
  V force = V::zero();
  A torque = A::zero();
  if constexpr (shape.pinned > 0) {
    // F = (μ_x, μ_y, μ_z), τ = p × F
    force = V::load(multiplier);
    torque = cross(V::load(data + (side.side_j ? Offsets::arm_j : Offsets::arm_i)), force);
  }
  // angular: τ += Σ μ α
  unroll<shape.angular>([&](auto k) __attribute__((always_inline)) {
    torque += multiplier[shape.pinned + k] * A::load(data + Offsets::angular(k));
  });
  // general: F += Σ μ ℓ, τ += Σ μ α
  unroll<shape.general>([&](auto k) __attribute__((always_inline)) {
    const Real m = multiplier[shape.pinned + shape.angular + k];
    force += m * V::load(data + Offsets::linear(k));
    torque += m * A::load(data + (side.side_j ? Offsets::alpha_j(k) : Offsets::alpha_i(k)));
  });
  // the rows are those of body j against body i: on body i the opposite
  if (side.side_j) {
    on.force += force;
    on.torque += torque;
  } else {
    on.force -= force;
    on.torque -= torque;
  }
}

// ---- by groups

template <class Real, class Space>
struct JacobianTables {
  using Rates = void (*)(const Arrays<Real, Space>&, int, int, const Twist<Real, Space>*, Real*);
  using Forces = void (*)(const Arrays<Real, Space>&, const SchurSide&, const Real*,
                          BodyForces<Real, Space>&);
  Rates rates[RowShapes<Space>::count][n_moving];
  Rates rates_and_gamma[RowShapes<Space>::count][n_moving];
  Forces forces[RowShapes<Space>::count];
};

template <class Real, class Space, RowShape shape, Moving moving, bool with_gamma>
void calc_group_rates(const Arrays<Real, Space>& at, int begin, int end,
                      const Twist<Real, Space>* w, Real* rates) {
  for (int k = begin; k < end; ++k) {
    calc_joint_rates<Real, Space, shape, moving, with_gamma>(at, at.joints[at.grouped_joints[k]], w,
                                                             rates);
  }
}
template <class Real, class Space, RowShape shape>
void call_side_forces(const Arrays<Real, Space>& at, const SchurSide& side, const Real* mu,
                      BodyForces<Real, Space>& on) {
  add_side_forces<Real, Space, shape>(at, side, mu, on);
}

template <class Real, class Space>
constexpr JacobianTables<Real, Space> make_jacobian_tables() {
  JacobianTables<Real, Space> tables{};
  unroll<RowShapes<Space>::count>([&](auto s) {
    constexpr RowShape shape = RowShapes<Space>::all[s];
    unroll<n_moving>([&](auto m) {
      constexpr Moving moving = static_cast<Moving>(int(m));
      tables.rates[s][m] = calc_group_rates<Real, Space, shape, moving, false>;
      tables.rates_and_gamma[s][m] = calc_group_rates<Real, Space, shape, moving, true>;
    });
    tables.forces[s] = call_side_forces<Real, Space, shape>;
  });
  return tables;
}

template <class Real, class Space>
inline constexpr JacobianTables<Real, Space> jacobian_tables = make_jacobian_tables<Real, Space>();

// rates ← J w, or J w + γ, for twists w [bodies + 1] with both parts in the world's frame; that of the
// ground is 0. Of a piece of the joints; with the last one the rows of coordinates.
template <bool with_gamma, class Real, class Space>
void calc_rates(const Arrays<Real, Space>& at, const Twist<Real, Space>* w, Real* rates,
                const JointPiece& joints) {
  constexpr auto& tables = jacobian_tables<Real, Space>;
  for (int k = 0; k < at.n_groups; ++k) {
    const JointGroup& group = at.groups[k];
    const IndexRange range = joints.of(group);
    const auto& table = with_gamma ? tables.rates_and_gamma : tables.rates;
    table[group.shape][static_cast<int>(group.moving)](at, range.begin, range.end, w, rates);
  }
  if (!joints.is_last()) return;
  constexpr RowShape shape{0, 0, 1};
  using Offsets = RowOffsets<Space, shape>;
  for (int k = 0; k < at.n_coordinate_rows; ++k) {
    const CoordinateRow& row = at.coordinate_rows[k];
    Real sum(0);
    // coordinates: Σ ⟨ℓ, v⟩ + ⟨α, ω⟩ over the bodies of the row
    for (int e = row.entry_begin; e < row.entry_end; ++e) {
      const Real* data = at.row_data + at.entries[e].data;
      const Twist<Real, Space>& twist = w[at.entries[e].body];
      sum += dot(Linear<Real, Space>::load(data + Offsets::linear(0)), twist.linear) +
             dot(Angular<Real, Space>::load(data + Offsets::alpha_j(0)), twist.angular);
    }
    rates[row.row] = with_gamma ? sum + at.gamma[row.row] : sum;
  }
}

// Jᵀ μ on body_order[k]; in_place: every joint is C and nothing else (schur.hpp says why that is apart).
template <bool in_place, class Real, class Space>
[[gnu::always_inline]] inline BodyForces<Real, Space> calc_jt_times(const Arrays<Real, Space>& at,
                                                                    const Real* mu, int k) {
  BodyForces<Real, Space> on;
  const SchurSide* const end = at.schur_sides + at.schur_side_begin[k + 1];
  for (const SchurSide* side = at.schur_sides + at.schur_side_begin[k]; side != end; ++side) {
    if constexpr (in_place) {
      add_side_forces<Real, Space, RowShape{Space::dimension, 0, 0}>(at, *side, mu, on);
    } else {
      jacobian_tables<Real, Space>.forces[side->shape](at, *side, mu, on);
    }
  }
  return on;
}

}  // namespace
}  // namespace trammel
