// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the axes of two frames mean for the joint between them: its vectors in both bodies.
//
// z is the axis: of a hinge, a slide, a plane (its normal), the shaft of a joint with two of them, the pin of
// a slot. A universal joint turns about x of frame i and y of frame j, the slot is along x of frame i, the
// line in a plane along x of frame j. In the plane lines are along x.
#pragma once

#include "math/euler_parameters.hpp"
#include "trammel/model.hpp"

namespace trammel {

// The axes of a frame as vectors in the body.
struct FrameAxes {
  explicit FrameAxes(const NamedFrame& frame) {
    const Matrix3<double> R = calc_rotation(frame.orientation.data());
    x = R * Vector3<double>{1, 0, 0};
    y = R * Vector3<double>{0, 1, 0};
    z = R * Vector3<double>{0, 0, 1};
  }
  Vector3<double> x, y, z;
};

// Of a joint whose kind exists in that space.
LocalPlacement make_local(JointKind kind, const FramePlacement& frames, bool planar);

}  // namespace trammel
