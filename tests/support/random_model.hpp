// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Random mechanisms and states, from a fixed seed.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <trammel/trammel.hpp>

namespace trammel::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  // Uniform in [low, high): from the engine's bits, the same on every machine.
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  Vec3 vector(double size = 1.0) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vec3 unit_vector() {
    while (true) {
      const Vec3 v = vector();
      const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      if (length > 0.1 && length < 1.0) return {v[0] / length, v[1] / length, v[2] / length};
    }
  }
  EulerParameters orientation() {
    while (true) {
      const EulerParameters q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      if (length > 0.1 && length < 1.0) {
        return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
      }
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline constexpr std::array<JointKind, 6> all_joint_kinds = {
    JointKind::spherical,   JointKind::universal,     JointKind::revolute,
    JointKind::cylindrical, JointKind::translational, JointKind::fixed};

inline constexpr std::array<JointKind, 5> all_planar_joint_kinds = {
    JointKind::revolute, JointKind::translational, JointKind::fixed, JointKind::point_on_line,
    JointKind::distance};

inline Body make_random_body(Random& random, const std::string& name) {
  Body body;
  body.name = name;
  body.mass = random.uniform(0.5, 3.0);
  const double a = random.uniform(0.1, 1.0), b = random.uniform(0.1, 1.0);
  const double c = std::sqrt(a * a + b * b);  // meets the triangle inequality
  body.inertia = Mat3{{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
  body.position = random.vector();
  body.orientation = random.orientation();
  body.velocity = random.vector(2.0);
  body.angular_velocity = random.vector(2.0);
  return body;
}

inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Vec3 make_perpendicular(Random& random, const Vec3& n) {
  while (true) {
    const Vec3 v = cross(n, random.unit_vector());
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0.1) return {v[0] / length, v[1] / length, v[2] / length};
  }
}

// A joint with data in both bodies' frames that has nothing to do with where the bodies are.
inline Joint make_random_joint(Random& random, const std::string& name, JointKind kind,
                               const std::string& body_i, const std::string& body_j) {
  LocalPlacement placement;
  placement.point_i = random.vector();
  placement.point_j = random.vector();
  if (kind != JointKind::spherical) {
    placement.a_i = random.unit_vector();
    placement.a_j = random.unit_vector();
  }
  const bool axis = kind != JointKind::spherical && kind != JointKind::universal;
  if (axis) placement.b_i = make_perpendicular(random, *placement.a_i);
  if (kind == JointKind::translational || kind == JointKind::fixed) {
    placement.b_j = make_perpendicular(random, *placement.a_j);
  }
  return {name, kind, body_i, body_j, placement};
}

// ---- the same in the plane

inline Vec3 in_plane(const Vec3& v) { return {v[0], v[1], 0.0}; }

inline Body make_random_planar_body(Random& random, const std::string& name) {
  Body body = make_random_body(random, name);
  const double beta = random.uniform(-6.0, 6.0);
  body.position = in_plane(body.position);
  body.orientation = {std::cos(beta / 2), 0, 0, std::sin(beta / 2)};
  body.velocity = in_plane(body.velocity);
  body.angular_velocity = {0, 0, body.angular_velocity[2]};
  return body;
}

inline Joint make_random_planar_joint(Random& random, const std::string& name, JointKind kind,
                                      const std::string& body_i, const std::string& body_j) {
  LocalPlacement placement;
  placement.point_i = in_plane(random.vector());
  placement.point_j = in_plane(random.vector());
  const bool both = kind == JointKind::translational || kind == JointKind::fixed;
  if (both || kind == JointKind::point_on_line) placement.a_i = in_plane(random.unit_vector());
  if (both) placement.a_j = in_plane(random.unit_vector());
  Joint joint{name, kind, body_i, body_j, placement};
  if (kind == JointKind::distance) joint.length = random.uniform(0.5, 2.0);
  return joint;
}

// A joint at a world point that holds at the initial configuration as it is.
inline Joint make_fitting_joint(Random& random, const std::string& name, JointKind kind,
                                const std::string& body_i, const std::string& body_j) {
  WorldPlacement placement;
  placement.point = random.vector();
  if (kind != JointKind::spherical && kind != JointKind::fixed) {
    placement.axis = random.unit_vector();
    if (kind == JointKind::universal) placement.axis_j = make_perpendicular(random, *placement.axis);
  }
  return {name, kind, body_i, body_j, placement};
}

}  // namespace trammel::test
