// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a model file may say about each kind of joint: its word, the spaces it exists in, the
// vectors it needs in the bodies' frames, and what an axis in the world means for it. The reader,
// the checks and compile all read these tables; the equations are in src/system/joint_table.hpp.
#pragma once

#include <string_view>

#include "trammel/joint_kind.hpp"

namespace trammel {

// The vectors of a joint, as bits.
namespace vector_bit {
inline constexpr unsigned a_i = 1, b_i = 2, a_j = 4, b_j = 8;
}

// How the vectors follow from axes in the world at t = 0; n is `axis`, a and b complete it to
// right-handed axes.
enum class WorldVectors {
  none,      // there are no vectors
  attitude,  // no axis: any axes, the same in both bodies, so that the attitude of t = 0 is kept
  cross,     // axes, at right angles: a_i and a_j
  around,    // axis: a_i = a, b_i = b, a_j = n, b_j = b
  normal,    // axis: a_i = n, a_j = a, b_j = b
  slot,      // axes, at right angles, the line e of body i and the pin n of body j:
             // a_i = e × n, b_i = n, and a_j, b_j normal to n
  axes,      // axes, at any angle: a_i and a_j
  shafts     // axis, or axes: the shafts of both bodies; a_i, b_i normal to one, a_j, b_j to the
             // other, so that a fold about a_i = a_j takes one shaft into the other
};

// What the length of a joint with two points is.
enum class LengthOf {
  points,     // their distance
  from_axis,  // that of point j from the axis a_i through point i
  of_axes     // that of the axes a_i and a_j through the points, along their common normal
};

struct JointRules {
  bool exists = false;
  unsigned vectors = 0;  // needed in the bodies' frames: vector_bit
  WorldVectors world = WorldVectors::none;
  int points = 1;  // 0: rotations only, 1: one point, 2: two ends a distance apart
  LengthOf length = LengthOf::points;
  bool is_level = true;  // of WorldVectors::normal with two points: these are level along the axis
  bool has_offset = false;  // of the plane or line normal to a_i
  bool has_angle = false;   // between a_i and a_j
};

struct JointWord {
  constexpr JointWord(JointKind of, const JointRules& space, const JointRules& plane)
      : kind(of), word(to_word(of)), in_space(space), in_plane(plane) {}
  JointKind kind;
  std::string_view word;
  JointRules in_space, in_plane;
};

struct BasicWord {
  BasicKind kind;
  std::string_view word;
  JointRules in_space, in_plane;
};

namespace joint_rules {

using namespace vector_bit;
inline constexpr unsigned axis = a_i | b_i | a_j;
inline constexpr unsigned all = axis | b_j;

// In the order of JointKind.
inline constexpr JointWord joints[] = {
    {JointKind::spherical, {true}, {}},
    {JointKind::universal, {true, a_i | a_j, WorldVectors::cross}, {}},
    {JointKind::revolute, {true, axis, WorldVectors::around}, {true}},
    {JointKind::cylindrical, {true, axis, WorldVectors::around}, {}},
    {JointKind::translational,
     {true, all, WorldVectors::around},
     {true, a_i | a_j, WorldVectors::around}},
    {JointKind::fixed,
     {true, all, WorldVectors::attitude},
     {true, a_i | a_j, WorldVectors::attitude}},
    {JointKind::point_on_line,
     {true, a_i | b_i, WorldVectors::around},
     {.exists = true, .vectors = a_i, .world = WorldVectors::around, .has_offset = true}},
    {JointKind::distance, {true, 0, WorldVectors::none, 2}, {true, 0, WorldVectors::none, 2}},
    {JointKind::planar,
     {.exists = true,
      .vectors = a_i | a_j | b_j,
      .world = WorldVectors::normal,
      .has_offset = true},
     {}},
    {JointKind::point_in_plane,
     {.exists = true, .vectors = a_i, .world = WorldVectors::normal, .has_offset = true},
     {}},
    {JointKind::parallel_axes, {true, axis, WorldVectors::around, 0}, {}},
    {JointKind::perpendicular, {true, a_i | a_j, WorldVectors::cross, 0}, {}},
    {JointKind::orientation,
     {true, all, WorldVectors::attitude, 0},
     {true, a_i | a_j, WorldVectors::attitude, 0}},
    {JointKind::revolute_spherical, {true, a_i, WorldVectors::normal, 2}, {}},
    {JointKind::universal_spherical, {true, 0, WorldVectors::none, 2}, {}},
    {JointKind::revolute_translational, {true, all, WorldVectors::slot}, {}},
    {JointKind::constant_velocity, {true, all, WorldVectors::shafts}, {}},
    {JointKind::point_on_curve, {true}, {true}},
    {JointKind::generic, {true}, {true}},
    {JointKind::screw, {true, axis, WorldVectors::around}, {}},
    {JointKind::angle,
     {.exists = true,
      .vectors = a_i | a_j,
      .world = WorldVectors::axes,
      .points = 0,
      .has_angle = true},
     {.exists = false, .points = 0}},
    {JointKind::line_in_plane,
     {.exists = true, .vectors = a_i | a_j, .world = WorldVectors::cross, .has_offset = true},
     {}},
    {JointKind::cylindrical_spherical,
     {true, a_i, WorldVectors::normal, 2, LengthOf::from_axis, false},
     {}},
    {JointKind::revolute_cylindrical,
     {true, a_i | a_j | b_j, WorldVectors::normal, 2, LengthOf::from_axis, false},
     {}},
    {JointKind::revolute_revolute,
     {true, a_i | a_j | b_j, WorldVectors::normal, 2, LengthOf::from_axis},
     {}},
    {JointKind::axis_distance, {true, a_i | a_j, WorldVectors::axes, 2, LengthOf::of_axes}, {}}};

// The constraints of a generic joint, in the order of BasicKind.
inline constexpr BasicWord basic_constraints[] = {
    {BasicKind::coincidence, "C", {true}, {true}},
    {BasicKind::symmetric_orthogonality,
     "SO",
     {true, a_i | a_j, WorldVectors::cross, 0},
     {true, a_i | a_j, WorldVectors::cross, 0}},
    {BasicKind::orthogonality,
     "O",
     {.exists = true, .vectors = a_i, .world = WorldVectors::normal, .has_offset = true},
     {.exists = true, .vectors = a_i, .world = WorldVectors::normal, .has_offset = true}},
    {BasicKind::distance, "D", {true, 0, WorldVectors::none, 2}, {true, 0, WorldVectors::none, 2}},
    {BasicKind::constant_velocity,
     "CV",
     {true, all, WorldVectors::shafts, 0},
     {false, 0, WorldVectors::none, 0}},
    {BasicKind::angle,
     "A",
     {.exists = true,
      .vectors = a_i | a_j,
      .world = WorldVectors::axes,
      .points = 0,
      .has_angle = true},
     {.exists = false, .points = 0}},
    {BasicKind::radial_distance,
     "R",
     {true, a_i, WorldVectors::normal, 2, LengthOf::from_axis, false},
     {}},
    {BasicKind::axis_distance,
     "X",
     {true, a_i | a_j, WorldVectors::axes, 2, LengthOf::of_axes},
     {}}};

}  // namespace joint_rules

constexpr const JointRules& rules_of(JointKind kind, bool planar) {
  const JointWord& entry = joint_rules::joints[static_cast<int>(kind)];
  return planar ? entry.in_plane : entry.in_space;
}
constexpr const JointRules& rules_of(BasicKind kind, bool planar) {
  const BasicWord& entry = joint_rules::basic_constraints[static_cast<int>(kind)];
  return planar ? entry.in_plane : entry.in_space;
}
constexpr std::string_view to_word(BasicKind kind) {
  return joint_rules::basic_constraints[static_cast<int>(kind)].word;
}

}  // namespace trammel
