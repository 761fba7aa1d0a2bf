// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mechanisms with stiff forces: those on which implicit steps are measured.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "support/reference.hpp"

namespace trammel::test {

// A four-bar whose last pin is a bushing, in a plane of space; crank, coupler and rocker have 1 kg each.
inline Model make_four_bar(double stiffness, double damping, double crank_speed, double gravity) {
  const double points[4][2] = {
      {0, 0}, {0, 0.4}, {0.9539392014169457, 0.7}, {1.3239392014169457, -0.0094}};
  const char* const names[] = {"crank", "coupler", "rocker"};
  std::string text =
      fmt::format("trammel: 1\nname: bushed\ngravity: [0, 0, {}]\nbodies:\n", -gravity);
  for (int k = 0; k < 3; ++k) {
    const double dx = points[k + 1][0] - points[k][0], dz = points[k + 1][1] - points[k][1];
    const double length2 = dx * dx + dz * dz;
    text += fmt::format(
        "  {}: {{mass: 1, inertia: [{}, {}, {}], position: [{}, 0, {}], orientation: {{axis: [0, "
        "1, 0], "
        "angle: {}}}, velocity: [{}, 0, 0], angular_velocity: [0, {}, 0]}}\n",
        names[k], 0.01 * length2, length2 / 12, length2 / 12, (points[k][0] + points[k + 1][0]) / 2,
        (points[k][1] + points[k + 1][1]) / 2, std::atan2(-dz, dx),
        k == 0 ? 0.2 * crank_speed : 0.0, k == 0 ? crank_speed : 0.0);
  }
  text += "joints:\n";
  for (int k = 0; k < 3; ++k) {
    text += fmt::format(
        "  pin_{}: {{kind: revolute, bodies: [{}, {}], at: [{}, 0, {}], axis: [0, 1, 0]}}\n", k,
        k == 0 ? "ground" : names[k - 1], names[k], points[k][0], points[k][1]);
  }
  text += fmt::format(
      "forces:\n  bush: {{kind: bushing, bodies: [ground, rocker], at: [{}, 0, {}], "
      "stiffness: [{}, {}, {}, 0, 0, 0], damping: [{}, {}, {}, 0, 0, 0]}}\nsimulation: {{t_end: "
      "2}}\n",
      points[3][0], points[3][1], stiffness, stiffness, stiffness, damping, damping, damping);
  return read_model_text(text, "bushed.yaml");
}

// A hanging chain of n bars with ball joints and a bushing that resists bending in each.
inline Model make_chain(int n, double stiffness, double damping) {
  constexpr double length = 0.1, mass = 0.1;
  std::string bodies, joints, forces;
  for (int b = 0; b < n; ++b) {
    const std::string before = b == 0 ? "ground" : fmt::format("b{}", b - 1);
    bodies += fmt::format("  b{}: {{mass: {}, inertia: [{}, {}, {}], position: [{}, 0, 0]}}\n", b,
                          mass, 0.02 * mass * length * length, mass * length * length / 12,
                          mass * length * length / 12, length * (b + 0.5));
    joints += fmt::format("  j{}: {{kind: spherical, bodies: [{}, b{}], at: [{}, 0, 0]}}\n", b,
                          before, b, length * b);
    forces += fmt::format(
        "  f{}: {{kind: bushing, bodies: [{}, b{}], at: [{}, 0, 0], stiffness: [0, 0, 0, {}, {}, "
        "{}], "
        "damping: [0, 0, 0, {}, {}, {}]}}\n",
        b, before, b, length * b, stiffness, stiffness, stiffness, damping, damping, damping);
  }
  return read_model_text("trammel: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + bodies + "joints:\n" +
                             joints + "forces:\n" + forces + "simulation: {t_end: 1}\n",
                         "chain.yaml");
}

inline SimulationOptions with_radau(SimulationOptions options, double tolerance) {
  options = with_tolerance(options, tolerance, Method::radau);
  options.hold_energy = false;
  options.output_interval = options.t_end;  // evaluations are those of the steps
  return options;
}

// A rotor of 10 kg at 100 rad/s, 1 mm out of its axis, in two bearings of the ground that are ten times as stiff
// along x as along y.
inline Model make_rotor() {
  std::string forces;
  for (const double z : {-0.4, 0.5}) {
    forces += fmt::format(
        "  at_{}: {{kind: bushing, bodies: [ground, rotor], points: [[0, 0, {}], [0.001, 0, {}]], "
        "stiffness: [1.1e7, 1e6, 1e6, 0, 0, 0], damping: [5265, 1265, 1265, 0, 0, 0]}}\n",
        z < 0 ? "foot" : "head", z, z);
  }
  return read_model_text(
      "trammel: 1\nname: rotor\nbodies:\n  rotor: {mass: 10, inertia: [0.3, 0.3, 0.1], "
      "angular_velocity: [0, 0, 100]}\nforces:\n" +
          forces + "simulation: {t_end: 1}\n",
      "rotor.yaml");
}

// A hammer that falls on a hard stop, 1e8 N m/rad^1.5 with some damping, and rebounds.
inline Model make_hammer() {
  return read_model_text(
      "trammel: 1\nname: hammer\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  hammer: {mass: 1, inertia: [0.001, 0.05, 0.05], position: [0.5, 0, 0]}\njoints:\n"
      "  hinge: {kind: revolute, bodies: [ground, hammer], at: [0, 0, 0], axis: [0, 1, 0]}\n"
      "forces:\n  stop: {kind: joint_spring_damper, joint: hinge, "
      "load: \"-1e8*max(0, angle - pi/6)^1.5*(1 + 0.1*rate)\"}\nsimulation: {t_end: 1.5}\n",
      "hammer.yaml");
}

}  // namespace trammel::test
