// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/coordinates.hpp"

#include <algorithm>

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

CouplerSum make_sum(const ModelIndex& index, const Gear& gear) {
  const double first = gear.teeth_1 * calc_sign(index, gear.joint_1, gear.joint_2);
  const double second = gear.teeth_2 * calc_sign(index, gear.joint_2, gear.joint_1);
  return {{{gear.joint_1, JointCoordinate::angle, first},
           {gear.joint_2, JointCoordinate::angle, gear.internal ? -second : second}},
          1.0 / gear.teeth_1,
          {}};
}

CouplerSum make_sum(const ModelIndex& index, const RackAndPinion& rack) {
  const double travel = calc_sign(index, rack.slide, rack.hinge);
  const double turn = -rack.radius * calc_sign(index, rack.hinge, rack.slide);
  return {
      {{rack.slide, JointCoordinate::travel, travel}, {rack.hinge, JointCoordinate::angle, turn}},
      1.0,
      {}};
}

CouplerSum make_sum(const ModelIndex& index, const Belt& belt) {
  const double first = belt.radius_1 * calc_sign(index, belt.joint_1, belt.joint_2);
  const double second = belt.radius_2 * calc_sign(index, belt.joint_2, belt.joint_1);
  return {{{belt.joint_1, JointCoordinate::angle, first},
           {belt.joint_2, JointCoordinate::angle, belt.crossed ? second : -second}},
          1.0,
          {}};
}

CouplerSum make_sum(const ModelIndex&, const LinearCoupler& coupler) {
  return {coupler.terms, 1.0, coupler.value};
}

}  // namespace

CouplerSum make_sum(const ModelIndex& index, const Coupler& coupler) {
  return std::visit([&](const auto& law) { return make_sum(index, law); }, coupler.law);
}

}  // namespace trammel
