// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "open_models.hpp"

#include <string>
#include <utility>

namespace trammel::bench {

namespace {

constexpr double length = 0.4;  // m, of all rods

Model make_empty(const char* name) {
  Model model;
  model.name = name;
  model.gravity = {0, -9.81, 0};
  model.simulation.t_end = 1.0;  // longer motions are chaotic: nobody's error would be small
  return model;
}

// A rod along x from the end of its parent (−1: from the origin), hinged there. All start unturned,
// so that joint coordinates start at 0; the velocities are made to fit the joints by the assembly.
void add_rod(Model& model, int parent, double mass, int axis, double swing) {
  const double across = mass * length * length / 12.0;
  Body rod;
  rod.name = "rod_" + std::to_string(model.bodies.size());
  rod.mass = mass;
  rod.inertia = Mat3{{{0.05 * across, 0, 0}, {0, 1.02 * across, 0}, {0, 0, across}}};
  rod.position = {parent < 0 ? 0.5 * length : model.bodies[parent].position[0] + length, 0, 0};
  rod.angular_velocity[axis] = swing;
  LocalPlacement at;
  at.point_i = {parent < 0 ? 0.0 : 0.5 * length, 0, 0};
  at.point_j = {-0.5 * length, 0, 0};
  Vec3 n{}, a{}, b{};
  n[axis] = a[(axis + 1) % 3] = b[(axis + 2) % 3] = 1.0;
  at.a_i = a;
  at.b_i = b;
  at.a_j = n;
  model.joints.push_back({"hinge_" + std::to_string(model.joints.size()), JointKind::revolute,
                          parent < 0 ? ground : model.bodies[parent].name, rod.name, at});
  model.bodies.push_back(std::move(rod));
}

}  // namespace

Model make_arm() {
  Model model = make_empty("arm of 7 hinges");
  for (int k = 0; k < 7; ++k) add_rod(model, k - 1, 4.0 - 0.5 * k, k % 2 == 0 ? 2 : 1, 1.0);
  return model;
}

// Brothers start in the same place: bodies do not touch. Different masses take them apart.
Model make_hinge_tree() {
  Model model = make_empty("tree of 30 hinges");
  for (int k = 0; k < 30; ++k) {
    add_rod(model, k == 0 ? -1 : (k - 1) / 2, 1.0 + 0.1 * (k % 3), k % 2 == 0 ? 2 : 1, k % 3 - 1.0);
  }
  return model;
}

}  // namespace trammel::bench
