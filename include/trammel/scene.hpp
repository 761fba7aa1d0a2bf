// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Scene: what a picture of the mechanism needs besides the motion. Part of Results, so that a
// finished run can be drawn without its Model. Frames are those of the model file: a body's frame
// is the one of the model, the ground's is the world.
#pragma once

#include <string>
#include <vector>

#include "trammel/shape.hpp"
#include "trammel/types.hpp"

namespace trammel {

inline constexpr int ground_index = -1;  // the ground, where a body's index is expected

struct SceneBody {
  std::string name;
  double mass = 0.0;           // kg
  Mat3 inertia{};              // kg m², about the centre of mass, body axes
  std::vector<Shape> shapes;   // at least one
  bool inertia_shape = false;  // the model gives no shape: this is the box of the same inertia
  Vec3 com{};                  // m, centre of mass
};

struct SceneJoint {
  std::string name;
  std::string kind;           // the word of the model file
  int body_i = ground_index;  // into Scene::bodies
  int body_j = ground_index;
  Vec3 point_i{}, point_j{};  // m, the joint's point, in body i and in body j
  Vec3 axis_i{}, axis_j{};    // its axis, unit vectors in body i and in body j; zero = none.
                              // universal: the two axes of the cross
};

// Where and how a force element or a driver acts.
// line: along the line of its two points, positive in tension.
// joint: about (a torque) or along (a force) the axis of a joint, on body j.
// point: on body j at point j, components in the world.
// bushing: in all directions, along axes fixed in body i.
// body: on body j as a whole.
enum class ActionShape { line, joint, point, bushing, body };

struct SceneForce {
  std::string name;
  std::string kind;  // the word of the model file; of a driver: "driver"
  ActionShape shape = ActionShape::line;
  int body_i = ground_index;
  int body_j = ground_index;
  Vec3 point_i{}, point_j{};                // m, in body i and in body j
  int joint = -1;                           // into Scene::joints, or none
  Vec3 axis{};                              // of the joint, unit vector in body j; zero = none
  EulerParameters orientation{1, 0, 0, 0};  // of a bushing: its axes to body i
  double free_length = 0.0;                 // m, of a spring_damper
};

// A point that the model names, fixed in a body.
struct ScenePoint {
  std::string name;
  int body = ground_index;
  Vec3 point{};  // m, in the body
};

struct Scene {
  int dimension = 3;               // 2: everything moves in the plane z = 0
  Vec3 gravity{};                  // m/s²
  double length = 0.0;             // m, natural size of the mechanism: what arms and bodies measure
  std::vector<SceneBody> bodies;   // in the order of the model file, as in Results
  std::vector<SceneJoint> joints;  // likewise
  std::vector<SceneForce> forces;
  std::vector<SceneForce> drivers;
  std::vector<ScenePoint> points;
};

}  // namespace trammel
