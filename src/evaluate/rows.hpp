// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// g, J and γ of all joints, one loop for each kind: the joint table (system/joint_table.hpp) is
// unrolled at compile time, and there is no branch on the kind inside. See kernel.hpp for why all of
// this is in an unnamed namespace.
#pragma once

#include "elements/angle.hpp"
#include "elements/axis_distance.hpp"
#include "elements/coincidence.hpp"
#include "elements/constant_velocity.hpp"
#include "elements/distance.hpp"
#include "elements/orthogonality.hpp"
#include "elements/radial_distance.hpp"
#include "elements/symmetric_orthogonality.hpp"
#include "math/prefetch.hpp"
#include "math/unroll.hpp"
#include "system/arrays.hpp"
#include "system/parameters.hpp"
#include "system/row_shape.hpp"

namespace trammel {
namespace {

template <class Real, class Space>
struct JointWorld {
  Linear<Real, Space> s[2];      // R_i a_i, R_i b_i
  Linear<Real, Space> t[2];      // R_j a_j, R_j b_j
  Linear<Real, Space> p_i, p_j;  // R_i χ_i, R_j χ_j
};

// Writes rows where the shape keeps them: as what they are, or as general rows.
template <class Real, class Space, RowShape shape, Moving moving>
struct RowWriter {
  using Offsets = RowOffsets<Space, shape>;
  Real* data;

  [[gnu::always_inline]] void write_pinned(const Linear<Real, Space>& p_i,
                                           const Linear<Real, Space>& p_j) const {
    if constexpr (shape.pinned > 0) {
      if constexpr (moving != Moving::only_j) p_i.store(data + Offsets::arm_i);
      if constexpr (moving != Moving::only_i) p_j.store(data + Offsets::arm_j);
    } else {
      unroll<Space::dimension>([&](auto k) __attribute__((always_inline)) {
        write_general<k>({Rotation<Real, Space>::identity().row[k], Space::calc_arm(p_i, k),
                          Space::calc_arm(p_j, k)});
      });
    }
  }
  template <int row>
  [[gnu::always_inline]] void write_angular(const Angular<Real, Space>& alpha) const {
    if constexpr (shape.angular > 0) {
      alpha.store(data + Offsets::angular(row - shape.pinned));
    } else {
      write_general<row>({Linear<Real, Space>::zero(), alpha, alpha});
    }
  }
  template <int row>
  [[gnu::always_inline]] void write_general(const Row<Real, Space>& entry) const {
    constexpr int k = row - shape.pinned - shape.angular;
    entry.linear.store(data + Offsets::linear(k));
    if constexpr (moving != Moving::only_j) entry.alpha_i.store(data + Offsets::alpha_i(k));
    if constexpr (moving != Moving::only_i) entry.alpha_j.store(data + Offsets::alpha_j(k));
  }
};

template <bool with_gamma, class Real, class Space, JointLayout layout, RowShape shape,
          Moving moving>
[[gnu::always_inline]] inline void calc_joint(const JointParameters<Real, Space>& joint,
                                              const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j, Real* data, Real* g,
                                              Real* gamma) {
  using V = Linear<Real, Space>;
  constexpr bool i_moves = moving != Moving::only_j, j_moves = moving != Moving::only_i;
  const RowWriter<Real, Space, shape, moving> writer{data};
  const auto turn_i = [&](const V& v) __attribute__((always_inline)) {
    if constexpr (i_moves)
      return i.R * v;
    else
      return v;
  };
  const auto turn_j = [&](const V& v) __attribute__((always_inline)) {
    if constexpr (j_moves)
      return j.R * v;
    else
      return v;
  };
  // vectors and points of the joint in the world's frame; those of the ground are given in it
  JointWorld<Real, Space> world;
  unroll<2>([&](auto v) __attribute__((always_inline)) {
    if constexpr (layout.uses_i(v)) world.s[v] = turn_i(joint.vector_i[v]);
    if constexpr (layout.uses_j(v)) world.t[v] = turn_j(joint.vector_j[v]);
  });
  constexpr bool has_points = layout.n_coincidence + layout.n_orthogonality + layout.n_distance +
                                  layout.n_radial + layout.n_axis_distance >
                              0;
  V x_i = V::zero(), x_j = V::zero();  // the joint's points
  if constexpr (has_points) {
    world.p_i = turn_i(joint.point_i);
    world.p_j = turn_j(joint.point_j);
    x_i = i_moves ? i.r + world.p_i : world.p_i;
    x_j = j_moves ? j.r + world.p_j : world.p_j;
  }

  // C: g = x_j − x_i
  if constexpr (layout.n_coincidence > 0) {
    (x_j - x_i).store(g);
    writer.write_pinned(world.p_i, world.p_j);
    if constexpr (with_gamma) {
      coincidence::calc_gamma<Real, Space, moving>(i, j, world.p_i, world.p_j).store(gamma);
    }
  }
  // SO: g = ⟨s, t⟩, α = t × s
  unroll<layout.n_symmetric>([&](auto k) __attribute__((always_inline)) {
    constexpr int row = layout.first_symmetric() + k;
    const V &s = world.s[layout.pair[k].i], &t = world.t[layout.pair[k].j];
    g[row] = dot(s, t);
    writer.template write_angular<row>(cross(t, s));
    if constexpr (with_gamma) {
      gamma[row] = symmetric_orthogonality::calc_gamma<Real, Space, moving>(i, j, s, t);
    }
  });
  // O: g = ⟨s, x_j − r_i⟩ − offset, where offset = ⟨a_i, χ_i⟩
  if constexpr (layout.n_orthogonality > 0) {
    const V d = i_moves ? x_j - i.r : x_j;
    unroll<layout.n_orthogonality>([&](auto k) __attribute__((always_inline)) {
      constexpr int row = layout.first_orthogonality() + k;
      g[row] = dot(world.s[k], d) - joint.offset[k];
      writer.template write_general<row>(
          orthogonality::calc_row<Real, Space>(world.p_j, world.s[k], d));
      if constexpr (with_gamma) {
        gamma[row] = orthogonality::calc_gamma<Real, Space, moving>(i, j, world.p_j, world.s[k], d);
      }
    });
  }
  // D: g = (|x_j − x_i|² − L²)/2L
  if constexpr (layout.n_distance > 0) {
    constexpr int row = layout.first_distance();
    const V span = x_j - x_i;
    g[row] = distance::calc_g(joint.length, dot(span, span));
    writer.template write_general<row>(
        distance::calc_row<Real, Space>(world.p_i, world.p_j, joint.length, span));
    if constexpr (with_gamma) {
      gamma[row] = distance::calc_gamma(i, j, world.p_i, world.p_j, joint.length, span);
    }
  }
  // CV: g = ½ (⟨b_i, a_j⟩ − ⟨a_i, b_j⟩)
  if constexpr (layout.n_constant_velocity > 0) {
    constexpr int row = layout.first_constant_velocity();
    g[row] = constant_velocity::calc_g<Real, Space>(world.s, world.t);
    writer.template write_angular<row>(
        constant_velocity::calc_alpha<Real, Space>(world.s, world.t));
    if constexpr (with_gamma) {
      gamma[row] = constant_velocity::calc_gamma<Real, Space, moving>(i, j, world.s, world.t);
    }
  }
  // A: g = ⟨s, t⟩ − cos θ, the rest as SO
  if constexpr (layout.n_angle > 0) {
    constexpr int row = layout.first_angle();
    const V &s = world.s[0], &t = world.t[0];
    g[row] = angle::calc_g(joint.length, dot(s, t));
    writer.template write_angular<row>(cross(t, s));
    if constexpr (with_gamma) {
      gamma[row] = symmetric_orthogonality::calc_gamma<Real, Space, moving>(i, j, s, t);
    }
  }
  // R: g = (|d|² − ⟨d, s⟩² − L²)/2L
  if constexpr (layout.n_radial > 0) {
    constexpr int row = layout.first_radial();
    const V d = x_j - x_i;
    const V& s = world.s[0];
    g[row] = radial_distance::calc_g<Real, Space>(joint.length, s, d);
    writer.template write_general<row>(
        radial_distance::calc_row<Real, Space>(world.p_i, world.p_j, joint.length, s, d));
    if constexpr (with_gamma) {
      gamma[row] = radial_distance::calc_gamma(i, j, world.p_i, world.p_j, joint.length, s, d);
    }
  }
  // X: g = ⟨d, m⟩ − L|m|, m = s × t
  if constexpr (layout.n_axis_distance > 0) {
    constexpr int row = layout.first_axis_distance();
    const V d = x_j - x_i;
    const V &s = world.s[0], &t = world.t[0];
    g[row] = axis_distance::calc_g<Real, Space>(joint.length, s, t, d);
    writer.template write_general<row>(
        axis_distance::calc_row<Real, Space>(world.p_i, world.p_j, joint.length, s, t, d));
    if constexpr (with_gamma) {
      gamma[row] = axis_distance::calc_gamma(i, j, world.p_i, world.p_j, joint.length, s, t, d);
    }
  }
}

// ---- groups of one kind: a function each, chosen from a table

template <class Real, class Space>
using GroupKernel = void (*)(const Arrays<Real, Space>&, const ParameterArrays<Real, Space>&,
                             int begin, int end);

template <bool with_gamma, class Real, class Space, JointLayout layout, Moving moving>
void calc_joint_group(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                      int begin, int end) {
  constexpr RowShape shape = RowShapes<Space>::all[find_shape_of<Space>(layout)];
  for (int k = begin; k < end; ++k) {
    const int index = at.grouped_joints[k];
    const JointTopology& joint = at.joints[index];
    // fetch what a later round will read
    if (k + rounds_ahead < end) {
      const int ahead = at.grouped_joints[k + rounds_ahead];
      const JointTopology& later = at.joints[ahead];
      prefetch<sizeof(JointParameters<Real, Space>)>(parameters.joints + ahead);
      prefetch<sizeof(Pose<Real, Space>)>(at.pose + later.body_j);
      prefetch<128>(at.row_data + later.data);
    }
    calc_joint<with_gamma, Real, Space, layout, shape, moving>(
        parameters.joints[index], at.pose[joint.body_i], at.pose[joint.body_j],
        at.row_data + joint.data, at.g + joint.row, at.gamma + joint.row);
  }
}

// The constraints of generic joints: rows of any sort, all of them stored as general ones.
template <bool with_gamma, class Real, class Space, JointLayout layout>
void calc_basic_group(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                      int begin, int end) {
  constexpr RowShape shape{0, 0, layout.rows()};
  for (int k = begin; k < end; ++k) {
    const BasicTopology& basic = at.basic_constraints[k];
    calc_joint<with_gamma, Real, Space, layout, shape, Moving::both>(
        parameters.basic_constraints[k], at.pose[basic.body_i], at.pose[basic.body_j],
        at.row_data + basic.data, at.g + basic.row, at.gamma + basic.row);
  }
}

// Rows that a layout does not give here: those of curves have data of their own (joint_rows.cpp),
// generic joints are a list of basic constraints.
template <class Real, class Space>
void calc_nothing(const Arrays<Real, Space>&, const ParameterArrays<Real, Space>&, int, int) {}

template <class Real, class Space>
struct RowTables {
  GroupKernel<Real, Space> joints[n_joint_kinds][n_moving];
  GroupKernel<Real, Space> basic_constraints[n_basic_kinds];
};

template <bool with_gamma, class Real, class Space>
constexpr RowTables<Real, Space> make_row_tables() {
  RowTables<Real, Space> tables{};
  unroll<n_joint_kinds>([&](auto k) {
    constexpr JointLayout layout = layout_of<Space>(static_cast<JointKind>(int(k)));
    unroll<n_moving>([&](auto m) {
      if constexpr (layout.rows() == 0 || layout.n_curve > 0) {
        tables.joints[k][m] = calc_nothing<Real, Space>;
      } else {
        tables.joints[k][m] =
            calc_joint_group<with_gamma, Real, Space, layout, static_cast<Moving>(int(m))>;
      }
    });
  });
  unroll<n_basic_kinds>([&](auto k) {
    constexpr JointLayout layout = layout_of<Space>(static_cast<BasicKind>(int(k)));
    if constexpr (layout.rows() == 0) {
      tables.basic_constraints[k] = calc_nothing<Real, Space>;
    } else {
      tables.basic_constraints[k] = calc_basic_group<with_gamma, Real, Space, layout>;
    }
  });
  return tables;
}

// g and J, and γ on request; needs positions, and velocities for γ. Of a piece of the joints; with
// the last one the constraints of generic joints.
template <bool with_gamma, class Real, class Space>
void calc_rows(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
               const JointPiece& joints) {
  static constexpr RowTables<Real, Space> tables = make_row_tables<with_gamma, Real, Space>();
  for (int k = 0; k < at.n_groups; ++k) {
    const JointGroup& group = at.groups[k];
    const IndexRange range = joints.of(group);
    tables.joints[static_cast<int>(group.kind)][static_cast<int>(group.moving)](
        at, parameters, range.begin, range.end);
  }
  if (!joints.is_last()) return;
  for (int k = 0; k < at.n_basic_groups; ++k) {
    const BasicGroup& group = at.basic_groups[k];
    tables.basic_constraints[static_cast<int>(group.kind)](at, parameters, group.begin, group.end);
  }
}

}  // namespace
}  // namespace trammel
