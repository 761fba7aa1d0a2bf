// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A chain of the study of conditioning as the library gets it: Model and state.
#pragma once

#include <string>
#include <trammel/trammel.hpp>
#include <utility>
#include <vector>

#include "chain_recursion.hpp"

namespace trammel::bench {

inline Model make_chain_model(const Chain& chain) {
  Model model;
  model.name = "chain";
  model.gravity = {chain.gravity[0], chain.gravity[1], chain.gravity[2]};
  for (std::size_t k = 0; k < chain.rods.size(); ++k) {
    const ChainRod& rod = chain.rods[k];
    Body body;
    body.name = std::to_string(k);
    body.mass = rod.mass;
    body.inertia = Mat3{{{rod.inertia[0], 0, 0}, {0, rod.inertia[1], 0}, {0, 0, rod.inertia[2]}}};
    model.bodies.push_back(std::move(body));
    LocalPlacement at;
    at.point_i = {k == 0 ? 0.0 : 0.5, 0, 0};
    at.point_j = {-0.5, 0, 0};
    if (chain.revolute) {
      const int axis = hinge_axis(k);
      Vec3 a{}, b{}, n{};
      n[axis] = a[(axis + 1) % 3] = b[(axis + 2) % 3] = 1.0;
      at.a_i = a;
      at.b_i = b;
      at.a_j = n;
    }
    model.joints.push_back({"j" + std::to_string(k),
                            chain.revolute ? JointKind::revolute : JointKind::spherical,
                            k == 0 ? ground : std::to_string(k - 1), std::to_string(k), at});
  }
  return model;
}

// Positions do not enter the accelerations of a chain; they are set so that the joints are closed.
inline std::vector<BodyState> make_chain_state(const Chain& chain) {
  std::vector<BodyState> state(chain.rods.size());
  V3<long double> end{}, speed{};
  for (std::size_t k = 0; k < state.size(); ++k) {
    const ChainRod& rod = chain.rods[k];
    const RodMotion<long double> at = make_rod_motion<long double>(rod);
    const V3<long double> centre = end + at.c, v = speed + cross3(at.omega, at.c);
    for (int i = 0; i < 3; ++i) {
      state[k].position[i] = static_cast<double>(centre[i]);
      state[k].velocity[i] = static_cast<double>(v[i]);
      state[k].angular_velocity[i] = static_cast<double>(rod.Omega[i]);
    }
    for (int i = 0; i < 4; ++i) state[k].orientation[i] = static_cast<double>(rod.theta[i]);
    end = end + at.l;
    speed = speed + cross3(at.omega, at.l);
  }
  return state;
}

}  // namespace trammel::bench
