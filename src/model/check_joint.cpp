// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one joint: its bodies, and the vectors its kind needs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/euler_parameters.hpp"
#include "model/check_parts.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

constexpr double angle_tolerance = 1e-6;  // of a right angle, as a cosine

bool exists(JointKind kind, bool planar) {
  switch (kind) {
    case JointKind::spherical:
    case JointKind::universal:
    case JointKind::cylindrical:
    case JointKind::screw:
      return !planar;
    case JointKind::point_on_line:
    case JointKind::distance:
      return planar;
    case JointKind::revolute:
    case JointKind::translational:
    case JointKind::fixed:
      break;
  }
  return true;
}

// Which of a_i, b_i, a_j, b_j a kind uses in the plane.
std::array<bool, 4> calc_needed_in_plane(JointKind kind) {
  const bool both = kind == JointKind::translational || kind == JointKind::fixed;
  return {both || kind == JointKind::point_on_line, false, both, false};
}

// Which of a_i, b_i, a_j, b_j a kind uses in space.
std::array<bool, 4> calc_needed_in_space(JointKind kind) {
  switch (kind) {
    case JointKind::spherical:
      return {false, false, false, false};
    case JointKind::universal:
      return {true, false, true, false};
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::screw:
      return {true, true, true, false};
    case JointKind::translational:
    case JointKind::fixed:
    case JointKind::point_on_line:
    case JointKind::distance:
      break;
  }
  return {true, true, true, true};
}

double calc_length(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

double calc_cosine(const Vec3& a, const Vec3& b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / (calc_length(a) * calc_length(b));
}

class JointCheck {
 public:
  JointCheck(const Model& model, std::size_t index, std::vector<Finding>& findings)
      : model_(model),
        joint_(model.joints[index]),
        planar_(model.dimension == 2),
        index_(index),
        findings_(findings) {}

  // False when there is nothing more to say of the joint.
  bool check_kind() {
    if (exists(joint_.kind, planar_)) return true;
    if (planar_) {
      add("kind", fmt::format("there is no {} joint in a planar model", to_word(joint_.kind)),
          "use revolute, translational, fixed, point_on_line or distance");
    } else {
      add("kind", fmt::format("a {} joint exists in planar models only", to_word(joint_.kind)),
          "a planar model says 'dimension: 2'");
    }
    return false;
  }

  // True when both are there and not the same.
  bool check_bodies(const NameTable& bodies) {
    const bool i = check_reference(joint_.body_i, bodies, at("bodies[0]"), findings_);
    const bool j = check_reference(joint_.body_j, bodies, at("bodies[1]"), findings_);
    if (!i || !j || joint_.body_i != joint_.body_j) return i && j;
    add("bodies", joint_.body_i == ground ? "joins the ground with itself"
                                          : "joins the body '" + joint_.body_i + "' with itself");
    return false;
  }

  void check_compliance() {
    if (!joint_.compliance) return;
    const auto check = [&](const char* field, double value) {
      if (!(value > 0 && std::isfinite(value))) {
        add(field, fmt::format("must be greater than 0, got {}", value));
      }
    };
    check("compliance.force", joint_.compliance->force);
    check("compliance.moment", joint_.compliance->moment);
  }

  void check_length(const NameTable& bodies) {
    const auto* local = std::get_if<LocalPlacement>(&joint_.placement);
    if (joint_.kind != JointKind::distance) {
      if (joint_.length) {
        add("length", fmt::format("a {} joint has no use for 'length'", to_word(joint_.kind)));
      }
    } else if (joint_.length && !(*joint_.length > 0 && std::isfinite(*joint_.length))) {
      add("length", fmt::format("must be greater than 0, got {}", *joint_.length));
    } else if (!joint_.length && local != nullptr) {
      const Vec3 x_i = calc_point(bodies, joint_.body_i, local->point_i);
      const Vec3 x_j = calc_point(bodies, joint_.body_j, local->point_j);
      if (x_i == x_j) add("points", "meet at t = 0: there is no distance to keep", "give length");
    }
  }

  void check(const LocalPlacement& place) {
    check_point("points[0]", place.point_i);
    check_point("points[1]", place.point_j);
    const std::array<const char*, 4> names = {"a_i", "b_i", "a_j", "b_j"};
    const std::array<const std::optional<Vec3>*, 4> vectors = {&place.a_i, &place.b_i, &place.a_j,
                                                               &place.b_j};
    std::array<bool, 4> needed =
        planar_ ? calc_needed_in_plane(joint_.kind) : calc_needed_in_space(joint_.kind);
    const bool none = !place.a_i && !place.b_i && !place.a_j && !place.b_j;
    if (joint_.kind == JointKind::fixed && none) needed = {};
    std::array<bool, 4> good{};
    for (std::size_t k = 0; k < 4; ++k) good[k] = check_vector(names[k], *vectors[k], needed[k]);
    if (good[0] && good[1]) check_right_angle("b_i", "a_i", *place.b_i, *place.a_i);
    if (good[2] && good[3]) check_right_angle("b_j", "a_j", *place.b_j, *place.a_j);
  }

  void check(const WorldPlacement& place) {
    check_point("at", place.point);
    const bool universal = joint_.kind == JointKind::universal;
    if (joint_.kind == JointKind::distance) {
      return add("at", "a distance joint has two points", "give points in the bodies' frames");
    }
    const bool axial = has_axis();
    if (universal && !(place.axis && place.axis_j)) {
      return add("", "a universal joint needs 'axes'", "one axis for each body, at right angles");
    }
    if (!universal && place.axis_j) {
      return add("axes", fmt::format("a {} joint has no use for two axes", to_word(joint_.kind)),
                 axial ? "give axis" : "");
    }
    const bool i = check_vector(universal ? "axes[0]" : "axis", place.axis, axial);
    const bool j = check_vector("axes[1]", place.axis_j, universal);
    if (i && j) check_right_angle("axes[1]", "axes[0]", *place.axis_j, *place.axis);
  }

 private:
  bool has_axis() const {
    const JointKind kind = joint_.kind;
    if (planar_) return kind == JointKind::translational || kind == JointKind::point_on_line;
    return kind != JointKind::spherical && kind != JointKind::fixed;
  }

  // A point of a body in the world, at t = 0.
  Vec3 calc_point(const NameTable& bodies, const std::string& name, const Vec3& point) const {
    const auto index = bodies.find(name);
    if (index < 0) return point;  // the ground
    const Body& body = model_.bodies[static_cast<std::size_t>(index)];
    Vec3 result;
    (Vector3<double>::load(body.position.data()) +
     calc_rotation(body.orientation.data()) * Vector3<double>::load(point.data()))
        .store(result.data());
    return result;
  }

  Finding at(const std::string& field) const { return {Section::joints, index_, field, ""}; }
  void add(const std::string& field, const std::string& reason, const std::string& hint = {}) {
    findings_.push_back({Section::joints, index_, field, reason, hint});
  }

  void check_point(const char* field, const Vec3& point) {
    if (!std::isfinite(calc_length(point))) add(field, "must be finite numbers");
  }

  // True when the vector is needed, there, and usable.
  bool check_vector(const std::string& field, const std::optional<Vec3>& vector, bool needed) {
    if (!vector && needed) {
      add("", fmt::format("a {} joint needs '{}'", to_word(joint_.kind), field));
    } else if (vector && !needed) {
      add(field, fmt::format("a {} joint has no use for '{}'", to_word(joint_.kind), field));
    } else if (vector && !std::isfinite(calc_length(*vector))) {
      add(field, "must be finite numbers");
    } else if (vector && calc_length(*vector) == 0) {
      add(field, "must not be zero");
    } else {
      return vector.has_value();
    }
    return false;
  }

  void check_right_angle(const std::string& field, const std::string& other, const Vec3& a,
                         const Vec3& b) {
    const double cosine = calc_cosine(a, b);
    if (std::abs(cosine) <= angle_tolerance) return;
    const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 57.29577951308232;
    add(field, fmt::format("must be at right angles to '{}', the angle is {:.6g} degrees", other,
                           degrees));
  }

  const Model& model_;
  const Joint& joint_;
  bool planar_;
  std::size_t index_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_joint(const Model& model, std::size_t index, const NameTable& bodies,
                 std::vector<Finding>& findings) {
  JointCheck check(model, index, findings);
  const bool connects = check.check_bodies(bodies);
  check.check_compliance();
  if (!check.check_kind()) return;
  std::visit([&](const auto& placement) { check.check(placement); }, model.joints[index].placement);
  if (connects) check.check_length(bodies);
}

}  // namespace trammel
