// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of a planar model: positions, velocities and forces lie in the plane z = 0, rotations,
// angular velocities and torques are about z. Kinds of joints are checked in check_joint.cpp.
#include <fmt/format.h>

#include <cmath>

#include "model/check_parts.hpp"
#include "model/described_force.hpp"
#include "model/joint_rules.hpp"

namespace trammel {
namespace {

// Rounding of an orientation written as a matrix or by an axis.
constexpr double turn_tolerance = 1e-12;

class PlanarCheck {
 public:
  PlanarCheck(const Model& model, std::size_t most, std::vector<Finding>& findings)
      : model_(model), most_(most), findings_(findings) {}

  void run() {
    check_in_plane(Section::model, 0, "gravity", model_.gravity);
    for (std::size_t i = 0; i < model_.bodies.size() && !is_full(); ++i) check_body(i);
    for (std::size_t i = 0; i < model_.joints.size() && !is_full(); ++i) check_joint(i);
    for (std::size_t i = 0; i < model_.forces.size() && !is_full(); ++i) {
      std::visit([&](const auto& law) { check_law(i, law); }, model_.forces[i].law);
    }
  }

 private:
  bool is_full() const { return findings_.size() >= most_; }

  void check_zero(Section section, std::size_t index, const std::string& field, double value) {
    if (value == 0.0) return;
    findings_.push_back(
        {section, index, field, fmt::format("must be 0 in a planar model, got {}", value)});
  }
  // (x, y, 0)
  void check_in_plane(Section section, std::size_t index, const std::string& field, const Vec3& v) {
    check_zero(section, index, field + "[2]", v[2]);
  }
  // (0, 0, z)
  void check_normal(Section section, std::size_t index, const std::string& field, const Vec3& v) {
    check_zero(section, index, field + "[0]", v[0]);
    check_zero(section, index, field + "[1]", v[1]);
  }

  void check_body(std::size_t i) {
    const Body& body = model_.bodies[i];
    check_in_plane(Section::bodies, i, "position", body.position);
    check_in_plane(Section::bodies, i, "velocity", body.velocity);
    check_normal(Section::bodies, i, "angular_velocity", body.angular_velocity);
    check_turn(i, "orientation", body.orientation);
    if (!body.initial) return;
    const InitialState& start = *body.initial;
    if (start.position[2] != 0.0 || start.velocity[2] != 0.0 || start.angular_velocity[0] != 0.0 ||
        start.angular_velocity[1] != 0.0) {
      findings_.push_back(
          {Section::bodies, i, "", "its initial state must lie in the plane z = 0"});
    }
    check_turn(i, "", start.orientation);
  }

  void check_turn(std::size_t i, const char* field, const EulerParameters& theta) {
    if (!(std::hypot(theta[1], theta[2]) <= turn_tolerance)) {
      findings_.push_back(
          {Section::bodies, i, field, "must be a rotation about z in a planar model"});
    }
  }

  void check_joint(std::size_t i) {
    const Joint& joint = model_.joints[i];
    std::visit(
        [&]<class Placement>(const Placement& placement) {
          if constexpr (!std::is_same_v<Placement, FramePlacement>) {
            check_placement(i, "", placement);
          }  // frames: in check_joint
        },
        joint.placement);
    for (std::size_t k = 0; joint.curve && k < joint.curve->points.size() && !is_full(); ++k) {
      check_in_plane(Section::joints, i, fmt::format("curve.points[{}]", k),
                     joint.curve->points[k]);
    }
    for (std::size_t k = 0; k < joint.constraints.size(); ++k) {
      const BasicConstraint& basic = joint.constraints[k];
      check_placement(i, fmt::format("constraints[{}].{}.", k, to_word(basic.kind)),
                      basic.placement);
    }
  }

  void check_placement(std::size_t i, const std::string& prefix,
                       const std::variant<LocalPlacement, WorldPlacement>& placement) {
    const auto check = [&](const char* field, const std::optional<Vec3>& v) {
      if (v) check_in_plane(Section::joints, i, prefix + field, *v);
    };
    if (const auto* local = std::get_if<LocalPlacement>(&placement)) {
      check("points[0]", local->point_i);
      check("points[1]", local->point_j);
      check("a_i", local->a_i);
      check("a_j", local->a_j);
    } else {
      const auto& world = std::get<WorldPlacement>(placement);
      check(world.point_j ? "at[0]" : "at", world.point);
      check("at[1]", world.point_j);
      check(world.axis_j ? "axes[0]" : "axis", world.axis);
      check("axes[1]", world.axis_j);
    }
  }

  void check_law(std::size_t i, const PointForce& force) {
    check_in_plane(Section::forces, i, "value", force.value);
    check_in_plane(Section::forces, i, "point", force.point);
  }
  void check_law(std::size_t i, const Torque& torque) {
    check_normal(Section::forces, i, "value", torque.value);
  }
  void check_law(std::size_t, const RotationalDamper&) {}
  void check_law(std::size_t i, const VariableForce& force) {
    check_component(i, "value[2]", force.value[2]);
    check_in_plane(Section::forces, i, "point", force.point);
  }
  void check_law(std::size_t i, const VariableTorque& torque) {
    check_component(i, "value[0]", torque.value[0]);
    check_component(i, "value[1]", torque.value[1]);
  }
  void check_law(std::size_t i, const NonlinearSpring& spring) {
    check_in_plane(Section::forces, i, "points[0]", spring.point_i);
    check_in_plane(Section::forces, i, "points[1]", spring.point_j);
  }
  void check_law(std::size_t i, const Bushing& bushing) {
    if (bushing.at) check_in_plane(Section::forces, i, "at", *bushing.at);
    check_in_plane(Section::forces, i, "points[0]", bushing.point_i);
    check_in_plane(Section::forces, i, "points[1]", bushing.point_j);
    const EulerParameters& theta = bushing.orientation;
    if (!(std::hypot(theta[1], theta[2]) <= turn_tolerance)) {
      findings_.push_back(
          {Section::forces, i, "orientation", "must be a rotation about z in a planar model"});
    }
  }

  // Forces that describe themselves: their vectors are in the plane.
  struct FieldCheck : FieldVisitor {
    FieldCheck(PlanarCheck& of, std::size_t force) : check(of), index(force) {}
    PlanarCheck& check;
    std::size_t index;
    void points(const ForceField& field, const Vec3& i, const Vec3& j) {
      check.check_in_plane(Section::forces, index, std::string(field.key) + "[0]", i);
      check.check_in_plane(Section::forces, index, std::string(field.key) + "[1]", j);
    }
    void point(const ForceField& field, const Vec3& p) { vector(field, p); }
    void vector(const ForceField& field, const Vec3& v) {
      check.check_in_plane(Section::forces, index, std::string(field.key), v);
    }
    void along(const Along& path) { points({"points", ""}, path.point_i, path.point_j); }
  };
  template <DescribedForce Law>
  void check_law(std::size_t i, const Law& law) {
    Law::fields(law, FieldCheck(*this, i));
  }

  // A component out of the plane must be the number 0.
  void check_component(std::size_t i, const char* field, const Function& value) {
    const double* number = std::get_if<double>(&value.form);
    if (number != nullptr) return check_zero(Section::forces, i, field, *number);
    findings_.push_back({Section::forces, i, field, "must be 0 in a planar model"});
  }

  const Model& model_;
  std::size_t most_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_planar(const Model& model, std::size_t most, std::vector<Finding>& findings) {
  PlanarCheck(model, most, findings).run();
}

}  // namespace trammel
