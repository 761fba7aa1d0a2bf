// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// J w and Jᵀμ from the rows as they are stored (system/row_shape.hpp), group by group:
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
  const auto put = [&](int row, const Real& rate) __attribute__((always_inline)) {
    rates[joint.row + row] = with_gamma ? rate + at.gamma[joint.row + row] : rate;
  };
  if constexpr (shape.pinned > 0) {
    const auto move = [&](const Twist<Real, Space>& of, int arm) __attribute__((always_inline)) {
      return of.linear + cross(of.angular, V::load(data + arm));
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
    const A turn = !i_moves ? j.angular : !j_moves ? -i.angular : j.angular - i.angular;
    unroll<shape.angular>([&](auto k) __attribute__((always_inline)) {
      put(shape.pinned + k, dot(A::load(data + Offsets::angular(k)), turn));
    });
  }
  if constexpr (shape.general > 0) {
    const V move = !i_moves ? j.linear : !j_moves ? -i.linear : j.linear - i.linear;
    unroll<shape.general>([&](auto k) __attribute__((always_inline)) {
      Real rate = dot(V::load(data + Offsets::linear(k)), move);
      if constexpr (j_moves) rate += dot(A::load(data + Offsets::alpha_j(k)), j.angular);
      if constexpr (i_moves) rate -= dot(A::load(data + Offsets::alpha_i(k)), i.angular);
      put(shape.pinned + shape.angular + k, rate);
    });
  }
}

template <class Real, class Space, RowShape shape, Moving moving>
[[gnu::always_inline]] inline void add_joint_forces(const Arrays<Real, Space>& at,
                                                    const JointTopology& joint, const Real* mu) {
  using V = Linear<Real, Space>;
  using A = Angular<Real, Space>;
  using Offsets = RowOffsets<Space, shape>;
  constexpr bool i_moves = moving != Moving::only_j, j_moves = moving != Moving::only_i;
  const Real* data = at.row_data + joint.data;
  const Real* of = mu + joint.row;
  V force = V::zero();
  A torque_i = A::zero(), torque_j = A::zero();
  if constexpr (shape.pinned > 0) {
    force = V::load(of);
    if constexpr (i_moves) torque_i = cross(V::load(data + Offsets::arm_i), force);
    if constexpr (j_moves) torque_j = cross(V::load(data + Offsets::arm_j), force);
  }
  if constexpr (shape.angular > 0) {
    A both = of[shape.pinned] * A::load(data + Offsets::angular(0));
    unroll<shape.angular - 1>([&](auto k) __attribute__((always_inline)) {
      both += of[shape.pinned + k + 1] * A::load(data + Offsets::angular(k + 1));
    });
    if constexpr (i_moves) torque_i = shape.pinned > 0 ? torque_i + both : both;
    if constexpr (j_moves) torque_j = shape.pinned > 0 ? torque_j + both : both;
  }
  unroll<shape.general>([&](auto k) __attribute__((always_inline)) {
    const Real m = of[shape.pinned + shape.angular + k];
    force += m * V::load(data + Offsets::linear(k));
    if constexpr (i_moves) torque_i += m * A::load(data + Offsets::alpha_i(k));
    if constexpr (j_moves) torque_j += m * A::load(data + Offsets::alpha_j(k));
  });
  constexpr bool has_force = shape.pinned + shape.general > 0;
  if constexpr (i_moves) {
    if constexpr (has_force) at.force_W[joint.body_i] -= force;
    at.torque_W[joint.body_i] -= torque_i;
  }
  if constexpr (j_moves) {
    if constexpr (has_force) at.force_W[joint.body_j] += force;
    at.torque_W[joint.body_j] += torque_j;
  }
}

// ---- by groups

template <class Real, class Space>
struct JacobianTables {
  using Rates = void (*)(const Arrays<Real, Space>&, int, int, const Twist<Real, Space>*, Real*);
  using Forces = void (*)(const Arrays<Real, Space>&, int, int, const Real*);
  Rates rates[RowShapes<Space>::count][n_moving];
  Rates rates_and_gamma[RowShapes<Space>::count][n_moving];
  Forces forces[RowShapes<Space>::count][n_moving];
};

template <class Real, class Space, RowShape shape, Moving moving, bool with_gamma>
void calc_group_rates(const Arrays<Real, Space>& at, int begin, int end,
                      const Twist<Real, Space>* w, Real* rates) {
  for (int k = begin; k < end; ++k) {
    calc_joint_rates<Real, Space, shape, moving, with_gamma>(at, at.joints[at.grouped_joints[k]], w,
                                                             rates);
  }
}
template <class Real, class Space, RowShape shape, Moving moving>
void add_group_forces(const Arrays<Real, Space>& at, int begin, int end, const Real* mu) {
  for (int k = begin; k < end; ++k) {
    add_joint_forces<Real, Space, shape, moving>(at, at.joints[at.grouped_joints[k]], mu);
  }
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
      tables.forces[s][m] = add_group_forces<Real, Space, shape, moving>;
    });
  });
  return tables;
}

template <class Real, class Space>
inline constexpr JacobianTables<Real, Space> jacobian_tables = make_jacobian_tables<Real, Space>();

// rates ← J w, or J w + γ, for twists w [bodies + 1] with both parts in the world's frame; that of the
// ground is 0.
template <bool with_gamma, class Real, class Space>
void calc_rates(const Arrays<Real, Space>& at, const Twist<Real, Space>* w, Real* rates) {
  constexpr auto& tables = jacobian_tables<Real, Space>;
  for (int k = 0; k < at.n_groups; ++k) {
    const JointGroup& group = at.groups[k];
    const auto& table = with_gamma ? tables.rates_and_gamma : tables.rates;
    table[group.shape][static_cast<int>(group.moving)](at, group.begin, group.end, w, rates);
  }
  constexpr RowShape shape{0, 0, 1};
  using Offsets = RowOffsets<Space, shape>;
  for (int k = 0; k < at.n_coordinate_rows; ++k) {
    const CoordinateRow& row = at.coordinate_rows[k];
    Real sum(0);
    for (int e = row.entry_begin; e < row.entry_end; ++e) {
      const Real* data = at.row_data + at.entries[e].data;
      const Twist<Real, Space>& of = w[at.entries[e].body];
      sum += dot(Linear<Real, Space>::load(data + Offsets::linear(0)), of.linear) +
             dot(Angular<Real, Space>::load(data + Offsets::alpha_j(0)), of.angular);
    }
    rates[row.row] = with_gamma ? sum + at.gamma[row.row] : sum;
  }
}

// force_W, torque_W += Jᵀ μ
template <class Real, class Space>
void add_jt_times(const Arrays<Real, Space>& at, const Real* mu) {
  constexpr auto& tables = jacobian_tables<Real, Space>;
  for (int k = 0; k < at.n_groups; ++k) {
    const JointGroup& group = at.groups[k];
    tables.forces[group.shape][static_cast<int>(group.moving)](at, group.begin, group.end, mu);
  }
  constexpr RowShape shape{0, 0, 1};
  using Offsets = RowOffsets<Space, shape>;
  for (int e = 0; e < at.n_entries; ++e) {
    const RowEntry& entry = at.entries[e];
    const Real* data = at.row_data + entry.data;
    at.force_W[entry.body] +=
        mu[entry.row] * Linear<Real, Space>::load(data + Offsets::linear(0));
    at.torque_W[entry.body] +=
        mu[entry.row] * Angular<Real, Space>::load(data + Offsets::alpha_j(0));
  }
}

}  // namespace
}  // namespace trammel
