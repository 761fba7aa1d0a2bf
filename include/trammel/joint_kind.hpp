// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of joints, spelled the same in the model file, C++ and reports.
#pragma once

namespace trammel {

// Rows of the joint tables over the basic constraints (src/system/joint_table.hpp); which of them
// exist in space and which in the plane is in src/model/joint_rules.hpp and docs/reference/joints.
enum class JointKind {
  spherical,
  universal,
  revolute,
  cylindrical,
  translational,
  fixed,
  point_on_line,
  distance,
  planar,
  point_in_plane,
  parallel_axes,
  perpendicular,
  orientation,
  revolute_spherical,
  universal_spherical,
  revolute_translational,
  constant_velocity,
  point_on_curve,
  generic,
  screw,
  angle,
  line_in_plane,
  cylindrical_spherical,
  revolute_cylindrical,
  revolute_revolute,
  axis_distance
};

// The basic constraints that joints are made of, and a generic joint lists.
enum class BasicKind {
  coincidence,              // C
  symmetric_orthogonality,  // SO
  orthogonality,            // O
  distance,                 // D
  constant_velocity,        // CV
  angle,                    // A
  radial_distance,          // R
  axis_distance             // X
};

// The word of a kind in the model file and in reports.
constexpr const char* to_word(JointKind kind) {
  switch (kind) {
    case JointKind::spherical: return "spherical";
    case JointKind::universal: return "universal";
    case JointKind::revolute: return "revolute";
    case JointKind::cylindrical: return "cylindrical";
    case JointKind::translational: return "translational";
    case JointKind::fixed: return "fixed";
    case JointKind::point_on_line: return "point_on_line";
    case JointKind::distance: return "distance";
    case JointKind::planar: return "planar";
    case JointKind::point_in_plane: return "point_in_plane";
    case JointKind::parallel_axes: return "parallel_axes";
    case JointKind::perpendicular: return "perpendicular";
    case JointKind::orientation: return "orientation";
    case JointKind::revolute_spherical: return "revolute_spherical";
    case JointKind::universal_spherical: return "universal_spherical";
    case JointKind::revolute_translational: return "revolute_translational";
    case JointKind::constant_velocity: return "constant_velocity";
    case JointKind::point_on_curve: return "point_on_curve";
    case JointKind::generic: return "generic";
    case JointKind::screw: return "screw";
    case JointKind::angle: return "angle";
    case JointKind::line_in_plane: return "line_in_plane";
    case JointKind::cylindrical_spherical: return "cylindrical_spherical";
    case JointKind::revolute_cylindrical: return "revolute_cylindrical";
    case JointKind::revolute_revolute: return "revolute_revolute";
    case JointKind::axis_distance: return "axis_distance";
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
