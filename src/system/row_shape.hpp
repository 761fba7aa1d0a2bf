// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How the rows of a joint are stored. Every constraint here is unchanged by a common motion of both
// bodies, so a row acts on body j as it acts, opposite, on body i:
//
//   ġ = ⟨ℓ, v_j⟩ + ⟨α_j, ω_j⟩ − ⟨ℓ, v_i⟩ − ⟨α_i, ω_i⟩          ω: angular velocity, world frame
//
// Vectors are in the world's frame. There are three sorts of rows, and of each only what is not
// known at compile time is kept:
//
//   pinned    C: ℓ = e_k, α = p × e_k              the arms p_i, p_j of the joint's point, for all of them
//   angular   SO, CV, A: ℓ = 0, α_i = α_j          α
//   general   O, D, K, R, X                              ℓ, α_i, α_j
//
// The numbers of a joint: p_i, p_j, then α of each angular row, then ℓ, α_i, α_j of each general row.
// A row of coordinates (topology.hpp) is general, with one set of numbers for each of its bodies,
// which take the place of body j.
#pragma once

#include "system/joint_table.hpp"

namespace trammel {

struct RowShape {
  int pinned = 0;  // rows of C: 0, or one for each dimension
  int angular = 0;
  int general = 0;

  constexpr int rows() const { return pinned + angular + general; }
  constexpr bool operator==(const RowShape&) const = default;
};

// The shapes that are worth code of their own; joints of another are stored with general rows only.
template <class Space>
struct RowShapes;
template <>
struct RowShapes<Spatial> {
  static constexpr int count = 12;
  static constexpr RowShape all[count] = {{3, 0, 0}, {3, 1, 0}, {3, 2, 0}, {3, 3, 0},
                                          {0, 2, 2}, {0, 3, 2}, {0, 0, 1}, {0, 0, 2},
                                          {0, 0, 3}, {0, 0, 4}, {0, 0, 5}, {0, 0, 6}};
};
template <>
struct RowShapes<Planar> {
  static constexpr int count = 6;
  static constexpr RowShape all[count] = {{2, 0, 0}, {2, 1, 0}, {0, 1, 1},
                                          {0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
};

template <class Space>
constexpr int find_shape(const RowShape& shape) {
  for (int k = 0; k < RowShapes<Space>::count; ++k) {
    if (RowShapes<Space>::all[k] == shape) return k;
  }
  return -1;
}

// The shape in which so many general rows are stored.
template <class Space>
constexpr int find_general_shape(int rows) {
  return find_shape<Space>({0, 0, rows});
}

// The shape in which the rows of a layout are stored, as an index into RowShapes.
template <class Space>
constexpr int find_shape_of(const JointLayout& layout) {
  const int own = find_shape<Space>(
      {layout.n_coincidence, layout.n_symmetric + layout.n_constant_velocity + layout.n_angle,
       layout.n_orthogonality + layout.n_distance + layout.n_curve + layout.n_radial +
           layout.n_axis_distance});
  return own >= 0 ? own : find_general_shape<Space>(layout.rows());
}

// Where the numbers of a shape are, from the first number of the joint.
template <class Space, RowShape shape>
struct RowOffsets {
  static constexpr int dimension = Space::dimension;
  static constexpr int general_size = dimension + 2 * Space::n_angular;
  static constexpr int first_angular = shape.pinned > 0 ? 2 * dimension : 0;
  static constexpr int first_general = first_angular + Space::n_angular * shape.angular;
  static constexpr int size = first_general + general_size * shape.general;

  static constexpr int arm_i = 0;
  static constexpr int arm_j = dimension;
  static constexpr int angular(int k) { return first_angular + Space::n_angular * k; }
  static constexpr int linear(int k) { return first_general + general_size * k; }
  static constexpr int alpha_i(int k) { return linear(k) + dimension; }
  static constexpr int alpha_j(int k) { return alpha_i(k) + Space::n_angular; }
};

// Numbers of a joint of the shape with this index.
template <class Space>
constexpr int count_numbers(int shape) {
  const RowShape& of = RowShapes<Space>::all[shape];
  return (of.pinned > 0 ? 2 * Space::dimension : 0) + Space::n_angular * of.angular +
         (Space::dimension + 2 * Space::n_angular) * of.general;
}

}  // namespace trammel
