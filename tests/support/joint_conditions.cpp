// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "support/joint_conditions.hpp"

#include <cmath>

namespace trammel::test {
namespace {

void add_same_attitude(const JointPair& at, GapRows& rows) {
  if (at.g.a_i.norm() > 0) {  // axis along axis, and no turn about it
    rows.add_all(cross(at.axis_i(), at.a_j()), false);
    rows.add(dot(at.a_i(), at.b_j()), false);
    return;
  }
  for (int c = 0; c < 3; ++c) {  // each axis of body j where it was drawn in body i
    const Moving now = at.j.direction(Vector::Unit(c));
    rows.add_all(now - at.i.direction(at.g.attitude.col(c)), false);
  }
}

// Point j on the line through point i along the axis of body i.
void add_on_line(const JointPair& at, GapRows& rows) {
  rows.add_all(cross(at.axis_i(), at.apart()), true);
}

// Point j as far from the axis through point i as it has to be.
void add_radius(const JointPair& at, GapRows& rows) {
  rows.add(norm(cross(at.a_i(), at.apart())) - at.g.length, true);
}

void add_axis_distance(const JointPair& at, GapRows& rows) {
  rows.add(dot(at.apart(), unit(cross(at.a_i(), at.a_j()))) - at.g.length, true);
}

}  // namespace

void add_spatial_conditions(JointKind kind, const JointPair& at, GapRows& rows) {
  switch (kind) {
    case JointKind::spherical: return rows.add_all(at.apart(), true);
    case JointKind::universal:
      rows.add_all(at.apart(), true);
      return rows.add(dot(at.a_i(), at.a_j()), false);
    case JointKind::revolute:
      rows.add_all(at.apart(), true);
      return rows.add_all(cross(at.axis_i(), at.a_j()), false);
    case JointKind::cylindrical:
    case JointKind::screw:
      add_on_line(at, rows);
      return rows.add_all(cross(at.axis_i(), at.a_j()), false);
    case JointKind::translational: add_on_line(at, rows); return add_same_attitude(at, rows);
    case JointKind::fixed: rows.add_all(at.apart(), true); return add_same_attitude(at, rows);
    case JointKind::point_on_line: return add_on_line(at, rows);
    case JointKind::distance:
    case JointKind::universal_spherical: return rows.add(norm(at.apart()) - at.g.length, true);
    case JointKind::planar:
      rows.add(dot(at.a_i(), at.apart()) - at.g.offset, true);
      return rows.add_all(cross(at.a_i(), at.axis_j()), false);
    case JointKind::point_in_plane: return rows.add(dot(at.a_i(), at.apart()) - at.g.offset, true);
    case JointKind::parallel_axes: return rows.add_all(cross(at.axis_i(), at.a_j()), false);
    case JointKind::perpendicular: return rows.add(dot(at.a_i(), at.a_j()), false);
    case JointKind::orientation: return add_same_attitude(at, rows);
    case JointKind::revolute_spherical:
      rows.add(dot(at.a_i(), at.apart()), true);
      return rows.add(norm(at.apart()) - at.g.length, true);
    case JointKind::revolute_translational:
      rows.add_all(cross(at.b_i(), at.axis_j()), false);
      return add_on_line(at, rows);
    case JointKind::constant_velocity: {
      rows.add_all(at.apart(), true);
      const Number p = dot(at.b_i(), at.a_j()), q = dot(at.a_i(), at.b_j());
      return rows.add({0.5 * (p.value - q.value), 0.5 * (p.rate - q.rate)}, false);
    }
    case JointKind::angle: return rows.add(dot(at.a_i(), at.a_j()) - std::cos(at.g.angle), false);
    case JointKind::line_in_plane:
      rows.add(dot(at.a_i(), at.apart()) - at.g.offset, true);
      return rows.add(dot(at.a_i(), at.a_j()), false);
    case JointKind::cylindrical_spherical: return add_radius(at, rows);
    case JointKind::revolute_revolute: rows.add(dot(at.a_i(), at.apart()), true); [[fallthrough]];
    case JointKind::revolute_cylindrical:
      rows.add_all(cross(at.a_i(), at.axis_j()), false);
      return add_radius(at, rows);
    case JointKind::axis_distance: return add_axis_distance(at, rows);
    case JointKind::point_on_curve:
    case JointKind::generic: return;
  }
}

void add_planar_conditions(JointKind kind, const JointPair& at, GapRows& rows) {
  const auto add_no_turn = [&] {
    if (at.g.a_i.norm() > 0) return rows.add(dot(at.a_i(), at.a_j()), false);
    add_same_attitude(at, rows);
  };
  switch (kind) {
    case JointKind::revolute: return rows.add_all(at.apart(), true);
    case JointKind::translational: rows.add(dot(at.a_i(), at.apart()), true); return add_no_turn();
    case JointKind::fixed: rows.add_all(at.apart(), true); return add_no_turn();
    case JointKind::point_on_line: return rows.add(dot(at.a_i(), at.apart()) - at.g.offset, true);
    case JointKind::distance: return rows.add(norm(at.apart()) - at.g.length, true);
    case JointKind::orientation: return add_no_turn();
    default: return;
  }
}

void add_basic_conditions(BasicKind kind, const JointPair& at, GapRows& rows) {
  switch (kind) {
    case BasicKind::coincidence: return rows.add_all(at.apart(), true);
    case BasicKind::symmetric_orthogonality: return rows.add(dot(at.a_i(), at.a_j()), false);
    case BasicKind::orthogonality: return rows.add(dot(at.a_i(), at.apart()) - at.g.offset, true);
    case BasicKind::angle: return rows.add(dot(at.a_i(), at.a_j()) - std::cos(at.g.angle), false);
    case BasicKind::radial_distance: return add_radius(at, rows);
    case BasicKind::axis_distance: return add_axis_distance(at, rows);
    case BasicKind::distance: return rows.add(norm(at.apart()) - at.g.length, true);
    case BasicKind::constant_velocity: {
      const Number p = dot(at.b_i(), at.a_j()), q = dot(at.a_i(), at.b_j());
      return rows.add({0.5 * (p.value - q.value), 0.5 * (p.rate - q.rate)}, false);
    }
  }
}

}  // namespace trammel::test
