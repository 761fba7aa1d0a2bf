// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Armature I of a joint coordinate q, ½ I q̇² in the kinetic energy: a rotor of that inertia on an axle of the
// ground (of a travel: a slide of that mass, at right angles to gravity), coupled to the joint,
//
//   q_rotor − q = const
//
// which is exact: it has one degree of freedom less one equation, and T = ½ I q̇_rotor². The rotor of `knee` is the
// body `knee_rotor`, and the coupler `knee_armature` has the torque that it takes to accelerate it.
#pragma once

#include <functional>
#include <string>

#include "trammel/model.hpp"

namespace trammel {

// find(joint, coordinate): q and q̇ at t = 0, with which the rotor starts.
struct CoordinateStart {
  double value = 0.0, rate = 0.0;
};
using FindStart = std::function<CoordinateStart(const std::string&, JointCoordinate)>;
Model add_rotors(const Model& model, const FindStart& find);

bool has_armature(const Joint& joint);

}  // namespace trammel
