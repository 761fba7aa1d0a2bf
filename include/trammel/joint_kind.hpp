// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of joints, spelled the same in the model file, C++ and reports.
#pragma once

namespace trammel {

// Rows of the joint tables over the basic constraints C, SO, O, D (src/system/joint_table.hpp).
// In space: the first six. In the plane: revolute, translational, fixed, point_on_line, distance.
enum class JointKind {
  spherical,
  universal,
  revolute,
  cylindrical,
  translational,
  fixed,
  point_on_line,
  distance
};

}  // namespace trammel
