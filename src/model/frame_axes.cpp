// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/frame_axes.hpp"

#include "model/joint_rules.hpp"

namespace trammel {

LocalPlacement make_local(JointKind kind, const FramePlacement& frames, bool planar) {
  const FrameAxes i(frames.frame_i), j(frames.frame_j);
  LocalPlacement local{frames.frame_i.position, frames.frame_j.position, {}, {}, {}, {}};
  const auto set_i = [&](const Vector3<double>& a, const Vector3<double>& b) {
    local.a_i = {a.x, a.y, a.z};
    local.b_i = {b.x, b.y, b.z};
  };
  const auto set_j = [&](const Vector3<double>& a, const Vector3<double>& b) {
    local.a_j = {a.x, a.y, a.z};
    local.b_j = {b.x, b.y, b.z};
  };
  switch (rules_of(kind, planar).world) {
    case WorldVectors::none: break;
    case WorldVectors::attitude:
      set_i(i.x, i.y);
      planar ? set_j(j.y, j.z) : set_j(j.z, j.y);
      break;
    case WorldVectors::cross:
      kind == JointKind::universal ? set_i(i.x, i.z) : set_i(i.z, i.x);
      if (kind == JointKind::universal) set_j(j.y, j.z);
      if (kind == JointKind::perpendicular) set_j(j.z, j.y);
      if (kind == JointKind::line_in_plane) set_j(j.x, j.y);
      break;
    case WorldVectors::axes:
      set_i(i.z, i.x);
      set_j(j.z, j.x);
      break;
    case WorldVectors::around:
      planar ? set_i(i.y, i.z) : set_i(i.x, i.y);
      planar ? set_j(j.x, j.z) : set_j(j.z, j.y);
      break;
    case WorldVectors::normal:
      set_i(i.z, i.x);
      set_j(j.x, j.y);
      break;
    case WorldVectors::slot:  // a_i = e × n of the line e = x and the pin n = z
      set_i(-i.y, i.z);
      set_j(j.x, j.y);
      break;
    case WorldVectors::shafts:
      set_i(i.x, i.y);
      set_j(j.x, j.y);
      break;
  }
  // those that the kind does not have, as for joints placed by vectors
  const unsigned needed = rules_of(kind, planar).vectors;
  if ((needed & vector_bit::a_i) == 0) local.a_i.reset();
  if ((needed & vector_bit::b_i) == 0) local.b_i.reset();
  if ((needed & vector_bit::a_j) == 0) local.a_j.reset();
  if ((needed & vector_bit::b_j) == 0) local.b_j.reset();
  return local;
}

}  // namespace trammel
