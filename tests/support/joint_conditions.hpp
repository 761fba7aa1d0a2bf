// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What each kind of joint demands of the points and axes of its two bodies (docs/reference/joints), as numbers that are 0
// where it is closed.
#pragma once

#include <vector>

#include "support/joint_gaps.hpp"
#include "support/model_geometry.hpp"
#include "support/moving_frame.hpp"

namespace trammel::test {

class GapRows {
 public:
  std::vector<GapRow> list;
  void add(const Number& g, bool is_length) { list.push_back({g.value, g.rate, is_length}); }
  void add_all(const Moving& g, bool is_length) {
    for (int c = 0; c < 3; ++c) list.push_back({g.value[c], g.rate[c], is_length});
  }
};

// Both bodies of a joint as they are now.
struct JointPair {
  const JointGeometry& g;
  const MovingFrame &i, &j;

  Moving apart() const { return j.point(g.point_j) - i.point(g.point_i); }
  Moving a_i() const { return i.direction(g.a_i); }
  Moving b_i() const { return i.direction(g.b_i); }
  Moving a_j() const { return j.direction(g.a_j); }
  Moving b_j() const { return j.direction(g.b_j); }
  Moving axis_i() const { return unit(cross(a_i(), b_i())); }
  Moving axis_j() const { return unit(cross(a_j(), b_j())); }
};

// Joints of spatial and of planar models; nothing for curves and generic joints.
void add_spatial_conditions(JointKind kind, const JointPair& at, GapRows& rows);
void add_planar_conditions(JointKind kind, const JointPair& at, GapRows& rows);
// A constraint of a generic joint.
void add_basic_conditions(BasicKind kind, const JointPair& at, GapRows& rows);

}  // namespace trammel::test
