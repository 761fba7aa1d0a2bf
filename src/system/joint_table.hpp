// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The joint tables, one for each space: every joint is a number of basic constraints (paper, table
// "Different types of joints"; fixed and all planar joints are ours). To add a joint that C, SO, O
// and D can express, add a line.
//
//   in space        C  SO  O   rows
//   spherical       1   0  0    3
//   universal       1   1  0    4    SO(a_i, a_j)
//   revolute        1   2  0    5    SO(a_i, a_j), SO(b_i, a_j)
//   cylindrical     0   2  2    4    SO as above, O(a_i), O(b_i)
//   translational   0   3  2    5    SO(a_i, a_j), SO(b_i, a_j), SO(a_i, b_j), O(a_i), O(b_i)
//   fixed           1   3  0    6    C, SO as translational
//   screw           0   2  2    4    as cylindrical; its thread is a coordinate row
//
//   in the plane    C  SO  O  D   rows
//   revolute        1   0  0  0    2
//   translational   0   1  1  0    2    SO(a_i, a_j), O(a_i)
//   fixed           1   1  0  0    3    SO(a_i, a_j)
//   point_on_line   0   0  1  0    1    O(a_i)
//   distance        0   0  0  1    1
//
// Rows of a joint stand in this order: C.x, C.y, C.z, SO…, O…, D.
#pragma once

#include "system/space.hpp"
#include "trammel/joint_kind.hpp"

namespace trammel {

struct JointLayout {
  int n_coincidence = 0;    // rows of C: 0, or one for each dimension
  int n_symmetric = 0;      // SO
  int n_orthogonality = 0;  // O
  int n_distance = 0;       // D
  // 0: there is no such joint in this space
  constexpr int rows() const { return n_coincidence + n_symmetric + n_orthogonality + n_distance; }
  // which of the joint's vectors take part
  constexpr bool uses_a_i() const { return n_symmetric > 0 || n_orthogonality > 0; }
  constexpr bool uses_b_i() const { return n_symmetric > 1 || n_orthogonality > 1; }
  constexpr bool uses_a_j() const { return n_symmetric > 0; }
  constexpr bool uses_b_j() const { return n_symmetric > 2; }
};

inline constexpr int n_joint_kinds = 9;

// In the order of JointKind: spherical, universal, revolute, cylindrical, translational, fixed,
// point_on_line, distance, screw.
template <class Space>
struct JointTable;
template <>
struct JointTable<Spatial> {
  static constexpr JointLayout layout[n_joint_kinds] = {
      {3, 0, 0, 0}, {3, 1, 0, 0}, {3, 2, 0, 0}, {0, 2, 2, 0}, {0, 3, 2, 0}, {3, 3, 0, 0}, {}, {},
      {0, 2, 2, 0}};
};
template <>
struct JointTable<Planar> {
  static constexpr JointLayout layout[n_joint_kinds] = {
      {}, {}, {2, 0, 0, 0}, {}, {0, 1, 1, 0}, {2, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {}};
};

template <class Space>
constexpr const JointLayout& layout_of(JointKind kind) {
  return JointTable<Space>::layout[static_cast<int>(kind)];
}

// Which vectors the SO rows pair, in order: (a_i, a_j), (b_i, a_j), (a_i, b_j).
// 0 stands for a, 1 for b.
inline constexpr int symmetric_pair_i[] = {0, 1, 0};
inline constexpr int symmetric_pair_j[] = {0, 0, 1};

}  // namespace trammel
