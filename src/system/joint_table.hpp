// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The joint tables, one for each space: every joint is a number of basic constraints (paper, table
// "Different types of joints"; the others are ours). To add a joint that these
// can express, add a line.
//
//   in space                C  SO  O  D  CV  rows
//   spherical               1   0  0  0  0    3
//   universal               1   1  0  0  0    4   SO(a_i, a_j)
//   revolute                1   2  0  0  0    5   SO(a_i, a_j), SO(b_i, a_j)
//   cylindrical             0   2  2  0  0    4   SO as revolute, O(a_i), O(b_i)
//   translational           0   3  2  0  0    5   SO as revolute and SO(a_i, b_j), O(a_i), O(b_i)
//   fixed                   1   3  0  0  0    6   C, SO as translational
//   point_on_line           0   0  2  0  0    2   O(a_i), O(b_i)
//   distance                0   0  0  1  0    1
//   planar                  0   2  1  0  0    3   SO(a_i, a_j), SO(a_i, b_j), O(a_i)
//   point_in_plane          0   0  1  0  0    1   O(a_i)
//   parallel_axes           0   2  0  0  0    2   SO as revolute
//   perpendicular           0   1  0  0  0    1   SO(a_i, a_j)
//   orientation             0   3  0  0  0    3   SO as translational
//   revolute_spherical      0   0  1  1  0    2   O(a_i), D
//   universal_spherical     0   0  0  1  0    1
//   revolute_translational  0   2  2  0  0    4   SO(b_i, a_j), SO(b_i, b_j), O(a_i), O(b_i)
//   constant_velocity       1   0  0  0  1    4   CV(a_i, b_i, a_j, b_j)
//   point_on_curve          2 rows K, with data of their own: curve.hpp
//   generic                 as its list says
//   screw                   0   2  2  0  0    4   as cylindrical; its thread is a coordinate row
//   angle                   1 row A(a_i, a_j)
//   line_in_plane           0   1  1  0  0    2   SO(a_i, a_j), O(a_i)
//   cylindrical_spherical   1 row R(a_i)
//   revolute_cylindrical    0   2  0  0  0    3   SO as planar, R(a_i)
//   revolute_revolute       0   2  1  0  0    4   SO as planar, O(a_i), R(a_i)
//   axis_distance           1 row X(a_i, a_j)
//
//   in the plane            C  SO  O  D   rows
//   revolute                1   0  0  0    2
//   translational           0   1  1  0    2   SO(a_i, a_j), O(a_i)
//   fixed                   1   1  0  0    3   SO(a_i, a_j)
//   point_on_line           0   0  1  0    1   O(a_i)
//   distance                0   0  0  1    1
//   orientation             0   1  0  0    1   SO(a_i, a_j)
//   point_on_curve          1 row K
//   generic                 as its list says
//   A, R and X are of spatial models only
//
// The rows of a joint are in this order: C.x, C.y, C.z, SO…, O…, D, CV, K, A, R, X.
#pragma once

#include "space/space.hpp"
#include "trammel/joint_kind.hpp"

namespace trammel {

// Which vectors an SO row pairs: 0 stands for a, 1 for b.
struct VectorPair {
  int i, j;
};

struct JointLayout {
  int n_coincidence = 0;        // rows of C: 0, or one for each dimension
  int n_symmetric = 0;          // SO, of the first pairs of the list below
  int n_orthogonality = 0;      // O, of a_i, then b_i
  int n_distance = 0;           // D
  int n_constant_velocity = 0;  // CV
  int n_curve = 0;              // K
  VectorPair pair[3] = {{0, 0}, {1, 0}, {0, 1}};
  int n_angle = 0;          // A, of a_i and a_j
  int n_radial = 0;         // R, of a_i
  int n_axis_distance = 0;  // X, of a_i and a_j

  // 0: there is no such joint in this space, or its rows are a list (generic)
  constexpr int rows() const { return first_axis_distance() + n_axis_distance; }
  constexpr int first_symmetric() const { return n_coincidence; }
  constexpr int first_orthogonality() const { return first_symmetric() + n_symmetric; }
  constexpr int first_distance() const { return first_orthogonality() + n_orthogonality; }
  constexpr int first_constant_velocity() const { return first_distance() + n_distance; }
  constexpr int first_curve() const { return first_constant_velocity() + n_constant_velocity; }
  constexpr int first_angle() const { return first_curve() + n_curve; }
  constexpr int first_radial() const { return first_angle() + n_angle; }
  constexpr int first_axis_distance() const { return first_radial() + n_radial; }

  // A row without force: g is a cosine or a sine, not a length.
  constexpr bool turns(int row) const {
    return (row >= first_symmetric() && row < first_orthogonality()) ||
           (row >= first_constant_velocity() && row < first_curve()) ||
           (row >= first_angle() && row < first_radial());
  }
  // A row on the distance of points or axes, whose length is given.
  constexpr bool is_distance(int row) const {
    return (row >= first_distance() && row < first_constant_velocity()) || row >= first_radial();
  }

  // Which of the joint's vectors take part: 0 stands for a, 1 for b.
  constexpr bool uses_i(int vector) const {
    bool uses = n_orthogonality > vector || n_constant_velocity > 0;
    if (vector == 0) uses = uses || n_angle + n_radial + n_axis_distance > 0;
    for (int k = 0; k < n_symmetric; ++k) uses = uses || pair[k].i == vector;
    return uses;
  }
  constexpr bool uses_j(int vector) const {
    bool uses = n_constant_velocity > 0;
    if (vector == 0) uses = uses || n_angle + n_axis_distance > 0;
    for (int k = 0; k < n_symmetric; ++k) uses = uses || pair[k].j == vector;
    return uses;
  }
};

inline constexpr int n_joint_kinds = 26;
inline constexpr int n_basic_kinds = 8;

template <class Space>
struct JointTable;
// clang-format off
template <>
struct JointTable<Spatial> {
  // in the order of JointKind
  static constexpr JointLayout joints[n_joint_kinds] = {
      {3},                                   // spherical
      {3, 1},                                // universal
      {3, 2},                                // revolute
      {0, 2, 2},                             // cylindrical
      {0, 3, 2},                             // translational
      {3, 3},                                // fixed
      {0, 0, 2},                             // point_on_line
      {0, 0, 0, 1},                          // distance
      {0, 2, 1, 0, 0, 0, {{0, 0}, {0, 1}, {}}},  // planar
      {0, 0, 1},                             // point_in_plane
      {0, 2},                                // parallel_axes
      {0, 1},                                // perpendicular
      {0, 3},                                // orientation
      {0, 0, 1, 1},                          // revolute_spherical
      {0, 0, 0, 1},                          // universal_spherical
      {0, 2, 2, 0, 0, 0, {{1, 0}, {1, 1}, {}}},  // revolute_translational
      {3, 0, 0, 0, 1},                       // constant_velocity
      {0, 0, 0, 0, 0, 2},                    // point_on_curve
      {},                                    // generic
      {0, 2, 2},                             // screw
      {.n_angle = 1},                        // angle
      {0, 1, 1},                             // line_in_plane
      {.n_radial = 1},                       // cylindrical_spherical
      {.n_symmetric = 2, .pair = {{0, 0}, {0, 1}, {}}, .n_radial = 1},  // revolute_cylindrical
      {.n_symmetric = 2, .n_orthogonality = 1, .pair = {{0, 0}, {0, 1}, {}}, .n_radial = 1},
                                             // revolute_revolute
      {.n_axis_distance = 1}};               // axis_distance
  // in the order of BasicKind: C, SO, O, D, CV, A, R, X
  static constexpr JointLayout basic_constraints[n_basic_kinds] = {
      {3}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1},
      {.n_angle = 1}, {.n_radial = 1}, {.n_axis_distance = 1}};
};
template <>
struct JointTable<Planar> {
  static constexpr JointLayout joints[n_joint_kinds] = {
      {},            // spherical
      {},            // universal
      {2},           // revolute
      {},            // cylindrical
      {0, 1, 1},     // translational
      {2, 1},        // fixed
      {0, 0, 1},     // point_on_line
      {0, 0, 0, 1},  // distance
      {},            // planar
      {},            // point_in_plane
      {},            // parallel_axes
      {},            // perpendicular
      {0, 1},        // orientation
      {},            // revolute_spherical
      {},            // universal_spherical
      {},            // revolute_translational
      {},            // constant_velocity
      {0, 0, 0, 0, 0, 1},  // point_on_curve
      {},            // generic
      {},            // screw
      {},            // angle
      {},            // line_in_plane
      {},            // cylindrical_spherical
      {},            // revolute_cylindrical
      {},            // revolute_revolute
      {}};           // axis_distance
  static constexpr JointLayout basic_constraints[n_basic_kinds] = {
      {2}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {}, {}, {}, {}};
};
// clang-format on

template <class Space>
constexpr const JointLayout& layout_of(JointKind kind) {
  return JointTable<Space>::joints[static_cast<int>(kind)];
}
template <class Space>
constexpr const JointLayout& layout_of(BasicKind kind) {
  return JointTable<Space>::basic_constraints[static_cast<int>(kind)];
}

}  // namespace trammel
