// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The joint table: every joint is a number of basic constraints (paper, table "Different types
// of joints"; fixed is ours). To add a joint that C, SO and O can express, add a line.
//
//   kind            C  SO  O   rows
//   spherical       1   0  0    3
//   universal       1   1  0    4    SO(a_i, a_j)
//   revolute        1   2  0    5    SO(a_i, a_j), SO(b_i, a_j)
//   cylindrical     0   2  2    4    SO as above, O(a_i), O(b_i)
//   translational   0   3  2    5    SO(a_i, a_j), SO(b_i, a_j), SO(a_i, b_j), O(a_i), O(b_i)
//   fixed           1   3  0    6    C, SO as translational
//
// Rows of a joint stand in this order: C.x, C.y, C.z, SO…, O….
#pragma once

#include "trammel/joint_kind.hpp"

namespace trammel {

struct JointLayout {
  const char* name;
  int n_coincidence;   // C, 3 rows each (0 or 1)
  int n_symmetric;     // SO
  int n_orthogonality;  // O
  constexpr int rows() const { return 3 * n_coincidence + n_symmetric + n_orthogonality; }
  // which of the joint's vectors take part
  constexpr bool uses_a_i() const { return n_symmetric > 0 || n_orthogonality > 0; }
  constexpr bool uses_b_i() const { return n_symmetric > 1 || n_orthogonality > 1; }
  constexpr bool uses_a_j() const { return n_symmetric > 0; }
  constexpr bool uses_b_j() const { return n_symmetric > 2; }
};

inline constexpr JointLayout joint_table[] = {
    {"spherical", 1, 0, 0},   {"universal", 1, 1, 0},     {"revolute", 1, 2, 0},
    {"cylindrical", 0, 2, 2}, {"translational", 0, 3, 2}, {"fixed", 1, 3, 0},
};
inline constexpr int n_joint_kinds = 6;

constexpr const JointLayout& layout_of(JointKind kind) {
  return joint_table[static_cast<int>(kind)];
}

// Which vectors the SO rows pair, in order: (a_i, a_j), (b_i, a_j), (a_i, b_j).
// 0 stands for a, 1 for b.
inline constexpr int symmetric_pair_i[] = {0, 1, 0};
inline constexpr int symmetric_pair_j[] = {0, 0, 1};

}  // namespace trammel
