// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kinds of joints, spelled the same in the model file, C++ and reports.
#pragma once

namespace trammel {

// Rows of the joint table over the basic constraints C, SO, O (src/system/joint_table.hpp).
enum class JointKind { spherical, universal, revolute, cylindrical, translational, fixed };

}  // namespace trammel
