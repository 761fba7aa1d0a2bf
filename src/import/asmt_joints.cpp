// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// .asmt: joints. Marker I is in body i, marker J in body j, axes are along z; where a pair of axes is at right
// angles the others may be opposite, too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "import/asmt.hpp"

namespace trammel::import {
namespace {

// Turned about x by half a turn: z and y the other way round.
const Place about_x{{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {}};

struct PlainJoint {
  const char* word;
  JointKind kind;
};
// Those that have no numbers of their own, or an offset along the normal.
constexpr PlainJoint plain_joints[] = {{"RevoluteJoint", JointKind::revolute},
                                       {"CylindricalJoint", JointKind::cylindrical},
                                       {"TranslationalJoint", JointKind::translational},
                                       {"FixedJoint", JointKind::fixed},
                                       {"SphericalJoint", JointKind::spherical},
                                       {"UniversalJoint", JointKind::universal},
                                       {"ConstantVelocityJoint", JointKind::constant_velocity},
                                       {"PointInPlaneJoint", JointKind::point_in_plane},
                                       {"PointInLineJoint", JointKind::point_on_line},
                                       {"PlanarJoint", JointKind::planar},
                                       {"LineInPlaneJoint", JointKind::line_in_plane},
                                       {"ParallelAxesJoint", JointKind::parallel_axes},
                                       {"PerpendicularJoint", JointKind::perpendicular},
                                       {"NoRotationJoint", JointKind::orientation}};

// Kinds with a distance, and what they are where that is 0.
struct DistanceJoint {
  const char* word;
  JointKind kind, at_zero;
};
constexpr DistanceJoint distance_joints[] = {
    {"SphSphJoint", JointKind::distance, JointKind::spherical},
    {"CylSphJoint", JointKind::cylindrical_spherical, JointKind::point_on_line},
    {"RevCylJoint", JointKind::revolute_cylindrical, JointKind::cylindrical},
    {"RevRevJoint", JointKind::revolute_revolute, JointKind::revolute}};

bool has_parallel_axes(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::cylindrical ||
         kind == JointKind::translational;
}

// Kind and numbers. False after an error.
bool read_kind(AsmtAssembly& assembly, int entry, ImportedJoint& joint) {
  AsmtTree& tree = assembly.tree;
  const std::string& word = tree[entry].text;
  for (const PlainJoint& plain : plain_joints) {
    if (word != plain.word) continue;
    joint.kind = plain.kind;
    const double offset = tree.number(entry, "offset", 0.0);
    joint.frame_i.at = joint.frame_i * Vec3{0, 0, offset};
    return true;
  }
  for (const DistanceJoint& distance : distance_joints) {
    if (word != distance.word) continue;
    const double length = tree.number(entry, "distanceIJ", 0.0);
    joint.kind = length == 0.0 ? distance.at_zero : distance.kind;
    if (length != 0.0) joint.length = std::abs(length);
    return true;
  }
  if (word == "AngleJoint") {
    const double angle = tree.number(entry, "theIzJz", 0.0);
    const bool is_parallel = std::abs(std::sin(angle)) < 1e-9;
    joint.kind = is_parallel ? JointKind::parallel_axes : JointKind::angle;
    if (!is_parallel) joint.axes_angle = std::acos(std::cos(angle));
    return true;
  }
  tree.report(entry, "unknown kind of joint");
  return false;
}

// Couplings, which leave bearings to other joints:
//   gear    β_J + (radiusI/radiusJ) β_I = const, β the direction in which a wheel sees the other
//   rack    I.x·r + pitchRadius·θ = const, I the rack, θ the angle of the pinion against it
//   screw   2π I.z·r − pitch·θ = const
bool read_coupling(AsmtAssembly& assembly, int entry, const AsmtMarker& i, const AsmtMarker& j) {
  AsmtTree& tree = assembly.tree;
  const std::string& word = tree[entry].text;
  Coupler coupler;
  if (word == "GearJoint") {
    Gear gear;
    const double first = tree.number(entry, "radiusI", 0.0),
                 second = tree.number(entry, "radiusJ", 0.0);
    gear.teeth_1 = std::abs(first);
    gear.teeth_2 = std::abs(second);
    gear.internal = first * second < 0;
    gear.frames = assembly.make_frames(i, j);
    coupler.law = gear;
  } else if (word == "RackPinionJoint") {
    RackAndPinion rack;
    rack.radius = tree.number(entry, "pitchRadius", 0.0);
    rack.frames = assembly.make_frames(j, i);
    coupler.law = rack;
  } else if (word == "ScrewJoint") {
    coupler.law = Thread{assembly.make_frames(i, j), tree.number(entry, "pitch", 0.0)};
  } else {
    return false;
  }
  coupler.name = assembly.make_name(entry, "coupling");
  assembly.mechanism.couplers.push_back(std::move(coupler));
  return true;
}

}  // namespace

void read_asmt_joint(AsmtAssembly& assembly, int entry) {
  if (assembly.tree[entry].text == "CurveCurveContact") return read_asmt_contact(assembly, entry);
  AsmtMarker i, j;
  if (!assembly.find_markers(entry, i, j)) return;
  ImportedJoint joint;
  joint.source = assembly.tree.source(entry);
  joint.body_i = i.body;
  joint.body_j = j.body;
  joint.frame_i = i.place;
  joint.frame_j = j.place;
  joint.is_in_tree = false;
  if (i.body == j.body) {
    assembly.log.leave_out("joint between two markers of one body",
                           assembly.tree.text(entry, "Name"), "it says nothing about the motion");
    return;
  }
  if (read_coupling(assembly, entry, i, j)) return;
  if (!read_kind(assembly, entry, joint)) return;
  joint.name = assembly.make_name(entry, "joint");
  const Place start_i = assembly.mechanism.place_of(i.body) * joint.frame_i;
  const Place start_j = assembly.mechanism.place_of(j.body) * joint.frame_j;
  const bool opposite = dot(column(start_i.turn, 2), column(start_j.turn, 2)) < 0;
  if ((has_parallel_axes(joint.kind) && opposite) || joint.kind == JointKind::constant_velocity) {
    joint.frame_j = joint.frame_j * about_x;
  }
  assembly.joints.emplace(assembly.path + "/" + assembly.tree.text(entry, "Name"),
                          static_cast<int>(assembly.mechanism.joints.size()));
  assembly.mechanism.joints.push_back(std::move(joint));
}

}  // namespace trammel::import
