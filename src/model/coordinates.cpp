// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/coordinates.hpp"

#include <algorithm>
#include <numbers>

namespace trammel {

std::vector<JointCoordinate> list_coordinates(JointKind kind, bool) {
  using C = JointCoordinate;
  switch (kind) {
    case JointKind::revolute: return {C::angle};
    case JointKind::cylindrical:
    case JointKind::screw: return {C::angle, C::travel};
    case JointKind::translational:
    case JointKind::point_on_line: return {C::travel};
    case JointKind::universal: return {C::angle_i, C::angle_j};
    default: break;
  }
  return {};
}

bool has_coordinate(JointKind kind, bool planar, JointCoordinate coordinate) {
  const std::vector<JointCoordinate> all = list_coordinates(kind, planar);
  return std::find(all.begin(), all.end(), coordinate) != all.end();
}

std::optional<JointCoordinate> find_coordinate(const Joint& joint, bool planar,
                                               std::optional<JointCoordinate> named) {
  const std::vector<JointCoordinate> all = list_coordinates(joint.kind, planar);
  if (!named) return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
  return has_coordinate(joint.kind, planar, *named) ? named : std::nullopt;
}

const char* to_word(JointCoordinate coordinate) {
  switch (coordinate) {
    case JointCoordinate::angle: return "angle";
    case JointCoordinate::travel: return "travel";
    case JointCoordinate::angle_i: return "angle_i";
    case JointCoordinate::angle_j: return "angle_j";
  }
  return "?";
}

std::string find_common_body(const Joint& a, const Joint& b) {
  const bool i = a.body_i == b.body_i || a.body_i == b.body_j;
  const bool j = a.body_j == b.body_i || a.body_j == b.body_j;
  return i == j ? std::string() : i ? a.body_i : a.body_j;
}

namespace {

// A coordinate counts the second body against the first: +1 where the carrier is the first.
double calc_sign(const ModelIndex& index, const std::string& joint, const std::string& other) {
  const Joint& of = index.joint_of(joint);
  return of.body_i == find_common_body(of, index.joint_of(other)) ? 1.0 : -1.0;
}

using FrameKind = FrameCoordinate::Kind;

CouplerSum::Term of_joint(const std::string& joint, JointCoordinate coordinate,
                          double coefficient) {
  return {coefficient, LinearCoupler::Term{joint, coordinate, coefficient, {}}};
}

CoupledFrames swap(const CoupledFrames& frames) {
  return {frames.body_j, frames.body_i, frames.frame_j, frames.frame_i};
}

// Both wheels against the line between their centres.
CouplerSum make_sum_of_wheels(const CoupledFrames& frames, double first, double second) {
  return {{{first, FrameCoordinate{FrameKind::wheel, frames, frames.body_i}},
           {second, FrameCoordinate{FrameKind::wheel, swap(frames), frames.body_j}}},
          1.0,
          {}};
}

CouplerSum make_sum(const ModelIndex& index, const Gear& gear) {
  const double sense = gear.internal ? -1.0 : 1.0;
  CouplerSum sum;
  if (gear.frames) {
    sum = make_sum_of_wheels(*gear.frames, gear.teeth_1, sense * gear.teeth_2);
  } else {
    const double first = gear.teeth_1 * calc_sign(index, gear.joint_1, gear.joint_2);
    const double second = gear.teeth_2 * calc_sign(index, gear.joint_2, gear.joint_1);
    sum.terms = {of_joint(gear.joint_1, JointCoordinate::angle, first),
                 of_joint(gear.joint_2, JointCoordinate::angle, sense * second)};
  }
  sum.factor = 1.0 / gear.teeth_1;
  return sum;
}

// With frames: the rack is body j, and the pinion's origin moves along x of the rack as the rack moves back.
CouplerSum make_sum(const ModelIndex& index, const RackAndPinion& rack) {
  if (rack.frames) {
    const CoupledFrames of_rack = swap(*rack.frames);
    return {{{1.0, FrameCoordinate{FrameKind::along_x, of_rack, of_rack.body_i}},
             {rack.radius, FrameCoordinate{FrameKind::turn, of_rack, of_rack.body_j}}},
            1.0,
            {}};
  }
  const double travel = calc_sign(index, rack.slide, rack.hinge);
  const double turn = -rack.radius * calc_sign(index, rack.hinge, rack.slide);
  return {{of_joint(rack.slide, JointCoordinate::travel, travel),
           of_joint(rack.hinge, JointCoordinate::angle, turn)},
          1.0,
          {}};
}

CouplerSum make_sum(const ModelIndex& index, const Belt& belt) {
  const double sense = belt.crossed ? 1.0 : -1.0;
  if (belt.frames) return make_sum_of_wheels(*belt.frames, belt.radius_1, sense * belt.radius_2);
  const double first = belt.radius_1 * calc_sign(index, belt.joint_1, belt.joint_2);
  const double second = belt.radius_2 * calc_sign(index, belt.joint_2, belt.joint_1);
  return {{of_joint(belt.joint_1, JointCoordinate::angle, first),
           of_joint(belt.joint_2, JointCoordinate::angle, sense * second)},
          1.0,
          {}};
}

CouplerSum make_sum(const ModelIndex&, const LinearCoupler& coupler) {
  CouplerSum sum{{}, 1.0, coupler.value};
  for (const LinearCoupler::Term& term : coupler.terms) {
    sum.terms.push_back({term.coefficient, term});
  }
  return sum;
}

CouplerSum make_sum(const ModelIndex&, const Thread& thread) {
  const std::string& moving =
      thread.frames.body_j == ground ? thread.frames.body_i : thread.frames.body_j;
  return {{{1.0, FrameCoordinate{FrameKind::along_z, thread.frames, moving}},
           {-thread.pitch / (2.0 * std::numbers::pi),
            FrameCoordinate{FrameKind::turn, thread.frames, moving}}},
          1.0,
          {}};
}

}  // namespace

CouplerSum make_sum(const ModelIndex& index, const Coupler& coupler) {
  return std::visit([&](const auto& law) { return make_sum(index, law); }, coupler.law);
}

}  // namespace trammel
