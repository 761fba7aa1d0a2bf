// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Between the user's frames (world, body frames as in the model file) and those inside a System
// (origin near the mechanism; principal axes, from the centre of mass).
#pragma once

#include <vector>

#include "system/arrays.hpp"
#include "system/system.hpp"
#include "trammel/results.hpp"

namespace trammel {

// State of the bodies as users see it → y and u of z.
template <class Space>
void import_state(const SystemIn<Space>& system, const std::vector<BodyState>& bodies, double* z);

// y and u of z → state of one body as users see it.
template <class Space>
BodyState export_body(const SystemIn<Space>& system, const double* z, int body);

struct UserAcceleration {
  Vec3 linear;   // m/s², of the origin of the body's frame, world axes
  Vec3 angular;  // rad/s², Ω̇, body axes
};

// u̇ of a body at the state z, as users see it.
template <class Space>
UserAcceleration export_acceleration(const SystemIn<Space>& system, const Twist<double, Space>& u1,
                                     const double* z, int body);

// The angular acceleration of a body as users see it.
template <class Space>
Vec3 export_angular(const SystemIn<Space>& system, const Angular<double, Space>& angular, int body);

// A vector along the axes inside of a body → along its axes as users see them.
template <class Space>
Vector3<double> export_body_axes(const SystemIn<Space>& system, const Vector3<double>& vector,
                                 int body);

}  // namespace trammel
