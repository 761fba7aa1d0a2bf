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
#include <vector>

#include "model/joint_rules.hpp"

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

// The six joints of the paper's constraints.
inline constexpr std::array<JointKind, 6> all_joint_kinds = {
    JointKind::spherical,   JointKind::universal,     JointKind::revolute,
    JointKind::cylindrical, JointKind::translational, JointKind::fixed};

// Every kind of joint there is in a space, but the screw, whose thread is a coupler's row.
inline std::vector<JointKind> joint_kinds_in(bool planar) {
  std::vector<JointKind> kinds;
  for (const JointWord& entry : joint_rules::joints) {
    if (entry.kind == JointKind::screw) continue;
    if (rules_of(entry.kind, planar).exists) kinds.push_back(entry.kind);
  }
  return kinds;
}

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

// n: of any length but 0
inline Vec3 make_perpendicular(Random& random, const Vec3& n) {
  const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  while (true) {
    const Vec3 v = cross(n, random.unit_vector());
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length >= 0.1 * size) return {v[0] / length, v[1] / length, v[2] / length};
  }
}

inline Vec3 in_plane(const Vec3& v) { return {v[0], v[1], 0.0}; }

// Points and vectors that have nothing to do with where the bodies are.
inline LocalPlacement make_random_placement(Random& random, const JointRules& rules, bool planar) {
  const auto project = [&](const Vec3& v) { return planar ? in_plane(v) : v; };
  LocalPlacement placement;
  placement.point_i = project(random.vector());
  placement.point_j = project(random.vector());
  const auto has = [&](unsigned vector) { return (rules.vectors & vector) != 0; };
  if (has(vector_bit::a_i)) placement.a_i = project(random.unit_vector());
  if (has(vector_bit::b_i)) placement.b_i = make_perpendicular(random, *placement.a_i);
  if (has(vector_bit::a_j)) placement.a_j = project(random.unit_vector());
  if (has(vector_bit::b_j)) placement.b_j = make_perpendicular(random, *placement.a_j);
  return placement;
}

inline BasicConstraint make_random_constraint(Random& random, BasicKind kind, bool planar) {
  const JointRules& rules = rules_of(kind, planar);
  BasicConstraint basic{kind, make_random_placement(random, rules, planar)};
  if (rules.points == 2) basic.length = random.uniform(0.5, 2.0);
  if (rules.has_angle) basic.angle = random.uniform(0.5, 2.5);
  if (rules.has_offset) basic.offset = random.uniform(-1.0, 1.0);
  return basic;
}

// A bent circle of radius 10, large against everything else: every point has a near one on it.
inline Curve make_random_curve(Random& random, bool planar) {
  Curve curve;
  curve.closed = random.uniform(0, 1) < 0.5;
  const int n = 12;
  for (int k = 0; k < n; ++k) {
    const double angle = 6.283185307179586 * k / n;
    const Vec3 bend = random.vector(1.0);
    curve.points.push_back({10 * std::cos(angle) + bend[0] - 10, 10 * std::sin(angle) + bend[1],
                            planar ? 0.0 : bend[2]});
  }
  return curve;
}

// A joint with data in both bodies' frames. Of the generic joint: a list of all basic constraints
// but one, as many as two bodies can have between them.
inline Joint make_random_joint(Random& random, const std::string& name, JointKind kind,
                               const std::string& body_i, const std::string& body_j,
                               bool planar = false) {
  const JointRules& rules = rules_of(kind, planar);
  Joint joint{name, kind, body_i, body_j, make_random_placement(random, rules, planar)};
  if (rules.points == 2) joint.length = random.uniform(0.5, 2.0);
  if (rules.has_angle) joint.angle = random.uniform(0.5, 2.5);
  if (rules.has_offset) joint.offset = random.uniform(-1.0, 1.0);
  if (kind == JointKind::point_on_curve) joint.curve = make_random_curve(random, planar);
  if (kind != JointKind::generic) return joint;
  using enum BasicKind;
  const bool first = random.uniform(0, 1) < 0.5;
  const std::vector<BasicKind> list =
      planar ? (first ? std::vector{coincidence, symmetric_orthogonality}
                      : std::vector{symmetric_orthogonality, orthogonality, BasicKind::distance})
      : first
          ? std::vector{coincidence, symmetric_orthogonality, orthogonality, BasicKind::distance}
      : random.uniform(0, 1) < 0.5
          ? std::vector{orthogonality, constant_velocity, BasicKind::distance, orthogonality,
                        symmetric_orthogonality}
          : std::vector{angle, radial_distance, BasicKind::axis_distance, orthogonality,
                        constant_velocity};
  for (const BasicKind basic : list) {
    joint.constraints.push_back(make_random_constraint(random, basic, planar));
  }
  return joint;
}

// ---- the same in the plane

inline Body make_random_planar_body(Random& random, const std::string& name) {
  Body body = make_random_body(random, name);
  const double beta = random.uniform(-6.0, 6.0);
  body.position = in_plane(body.position);
  body.orientation = {std::cos(beta / 2), 0, 0, std::sin(beta / 2)};
  body.velocity = in_plane(body.velocity);
  body.angular_velocity = {0, 0, body.angular_velocity[2]};
  return body;
}

// A joint at a world point that holds at the initial configuration as it is.
inline Joint make_fitting_joint(Random& random, const std::string& name, JointKind kind,
                                const std::string& body_i, const std::string& body_j) {
  const JointRules& rules = rules_of(kind, false);
  WorldPlacement placement;
  placement.point = random.vector();
  if (rules.points == 2) placement.point_j = random.vector();
  switch (rules.world) {
    case WorldVectors::none:
    case WorldVectors::attitude: break;
    case WorldVectors::around: placement.axis = random.unit_vector(); break;
    case WorldVectors::normal:
      placement.axis = random.unit_vector();
      if (placement.point_j && rules.is_level) {  // normal to the link, too
        const Vec3 &p = placement.point, &q = *placement.point_j;
        placement.axis = make_perpendicular(random, {q[0] - p[0], q[1] - p[1], q[2] - p[2]});
      }
      break;
    case WorldVectors::cross:
    case WorldVectors::slot:
      placement.axis = random.unit_vector();
      placement.axis_j = make_perpendicular(random, *placement.axis);
      break;
    case WorldVectors::axes:
    case WorldVectors::shafts:
      placement.axis = random.unit_vector();
      placement.axis_j = random.unit_vector();
      break;
  }
  return {name, kind, body_i, body_j, placement};
}

}  // namespace trammel::test
