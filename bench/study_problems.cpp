// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "study_problems.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace trammel::study {

namespace {

Model read(const std::string& name) {
  return read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + name);
}

Body make_bar(const std::string& name, Vec3 position, double length) {
  Body body;
  body.name = name;
  body.mass = 1.0;
  const double across = length * length / 12.0;
  body.inertia = Mat3{{{0.05 * across, 0, 0}, {0, across, 0}, {0, 0, across}}};
  body.position = position;
  return body;
}

// A bar on a spherical joint, swinging round: two frequencies.
Model make_spherical_pendulum() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {make_bar("bar", {0.5, 0, 0}, 1.0)};
  model.bodies[0].velocity = {0, 1.0, 0};
  model.bodies[0].angular_velocity = {0, 0, 2.0};
  model.joints = {
      {"pivot", JointKind::spherical, "ground", "bar", WorldPlacement{{0, 0, 0}, {}, {}}}};
  model.simulation.t_end = 10.0;
  return model;
}

// The same with unequal moments across the bar: a heavy body without symmetry, where energy and vertical
// angular momentum do not fix the orbit.
Model make_unsymmetric_pendulum() {
  Model model = make_spherical_pendulum();
  (*model.bodies[0].inertia)[2][2] *= 1.02;
  return model;
}

// The gallery's double pendulum without damper; turned so that the bars start at the angle given from
// the downward vertical.
Model make_double_pendulum(double angle, double t_end) {
  Model model = read("gallery/double_pendulum.yaml");
  model.forces.clear();
  const double s = std::sin(angle), c = std::cos(angle), g = 9.80665;
  model.gravity = {g * c, -g * s, 0};  // the bars lie along x
  model.simulation.t_end = t_end;
  return model;
}

// Two pendulums that know nothing of each other, ten times different in frequency.
Model make_unconnected() {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {make_bar("slow", {2.5, 0, 0}, 5.0), make_bar("fast", {20.025, 0, 0}, 0.05)};
  model.joints = {
      {"a", JointKind::revolute, "ground", "slow", WorldPlacement{{0, 0, 0}, Vec3{0, 0, 1}, {}}},
      {"b", JointKind::revolute, "ground", "fast", WorldPlacement{{20, 0, 0}, Vec3{0, 0, 1}, {}}}};
  model.simulation.t_end = 5.0;
  return model;
}

// Three bars joined by spherical joints, thrown.
Model make_free_chain() {
  Model model;
  model.gravity = {0, 0, -9.81};
  for (int k = 0; k < 3; ++k) {
    model.bodies.push_back(make_bar("bar_" + std::to_string(k), {0.5 + k, 0, 0}, 1.0));
  }
  model.bodies[0].angular_velocity = {1, 2, 3};
  model.bodies[1].velocity = {1, 2, 3};
  model.bodies[2].angular_velocity = {0, -2, 1};
  for (int k = 0; k < 2; ++k) {
    model.joints.push_back({"pin_" + std::to_string(k), JointKind::spherical, model.bodies[k].name,
                            model.bodies[k + 1].name, WorldPlacement{{1.0 + k, 0, 0}, {}, {}}});
  }
  model.simulation.t_end = 5.0;
  return model;
}

Model make_free_flyer() {
  Model model = read("gallery/free_body.yaml");
  model.gravity = {0, -9.81, 0};
  model.bodies[0].velocity = {1, 20, 3};
  return model;
}

}  // namespace

std::vector<Problem> make_problems() {
  return {{"pendulum (paper)", read("paper/pendulum.yaml")},
          {"quadrangle (paper)", read("paper/quadrangle.yaml")},
          {"crank (paper)", read("paper/crank.yaml")},
          {"heavy top", read("gallery/heavy_top.yaml")},
          {"spherical pendulum", make_spherical_pendulum()},
          {"spherical pendulum, unsymmetric", make_unsymmetric_pendulum()},
          {"double pendulum, regular", make_double_pendulum(0.3, 10.0)},
          {"double pendulum, chaotic", make_double_pendulum(2.0, 3.0)},
          {"double pendulum, damped", read("gallery/double_pendulum.yaml"), true},
          {"free flyer, turning", make_free_flyer(), false, -1, 0.1},
          {"free chain", make_free_chain()},
          {"two unconnected: the slow", make_unconnected(), false, 0},
          {"two unconnected: the fast", make_unconnected(), false, 1}};
}

Model perturb(const Model& model, std::uint32_t index) {
  std::mt19937 generator(20'000 + index);
  // by hand: distributions of the standard library may differ between machines
  const auto random = [&] { return static_cast<double>(generator()) / 2147483648.0 - 1.0; };
  Model perturbed = model;
  double fastest = 1.0, fastest_turn = 1.0;
  for (const Body& body : model.bodies) {
    for (double v : body.velocity) fastest = std::max(fastest, std::abs(v));
    for (double w : body.angular_velocity) fastest_turn = std::max(fastest_turn, std::abs(w));
  }
  for (Body& body : perturbed.bodies) {
    const double heavier = 1.0 + 0.01 * random();
    if (body.mass) body.mass = *body.mass * heavier;
    if (body.inertia) {
      for (auto& row : *body.inertia) {
        for (double& x : row) x *= heavier;
      }
    }
    for (double& v : body.velocity) v += 0.01 * fastest * random();
    for (double& w : body.angular_velocity) w += 0.01 * fastest_turn * random();
  }
  return perturbed;
}

}  // namespace trammel::study
