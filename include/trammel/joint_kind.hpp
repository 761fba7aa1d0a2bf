// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of joints, spelled the same in the model file, C++ and reports.
#pragma once

namespace trammel {

// Rows of the joint tables over the basic constraints C, SO, O, D (src/system/joint_table.hpp).
// In space: the first six and screw. In the plane: revolute, translational, fixed, point_on_line, distance.
enum class JointKind {
  spherical,
  universal,
  revolute,
  cylindrical,
  translational,
  fixed,
  point_on_line,
  distance,
  screw
};

// Its word in the model file and in reports.
constexpr const char* to_word(JointKind kind) {
  switch (kind) {
    case JointKind::spherical:
      return "spherical";
    case JointKind::universal:
      return "universal";
    case JointKind::revolute:
      return "revolute";
    case JointKind::cylindrical:
      return "cylindrical";
    case JointKind::translational:
      return "translational";
    case JointKind::fixed:
      return "fixed";
    case JointKind::point_on_line:
      return "point_on_line";
    case JointKind::distance:
      return "distance";
    case JointKind::screw:
      return "screw";
  }
  return "?";
}

// What a joint leaves free, as a number: recorded, coupled and driven by this name.
//   angle     revolute, cylindrical, screw: of the second body against the first, about the axis
//   travel    cylindrical, screw, translational, planar point_on_line: along the axis
//   angle_i   universal: of the cross against the first body, about the axis fixed in that
//   angle_j   universal: of the second body against the cross, about the axis fixed in that body
enum class JointCoordinate { angle, travel, angle_i, angle_j };

}  // namespace trammel
