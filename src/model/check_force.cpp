// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one force.
#include <fmt/format.h>

#include <cmath>

#include "model/check_parts.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

class ForceCheck {
 public:
  ForceCheck(const Model& model, std::size_t index, const NameTable& bodies,
             const NameTable& joints, std::vector<Finding>& findings)
      : model_(model), index_(index), bodies_(bodies), joints_(joints), findings_(findings) {}

  void operator()(const PointForce& force) {
    check_moving(force.body);
    check_vector("value", force.value);
    check_vector("point", force.point);
  }

  void operator()(const Torque& torque) {
    check_moving(torque.body);
    check_vector("value", torque.value);
  }

  void operator()(const SpringDamper& spring) {
    const bool i = check_reference(spring.body_i, bodies_, at("bodies[0]"), findings_);
    const bool j = check_reference(spring.body_j, bodies_, at("bodies[1]"), findings_);
    if (i && j && spring.body_i == spring.body_j) {
      add("bodies", "connects '" + spring.body_i + "' with itself");
    }
    check_vector("points[0]", spring.point_i);
    check_vector("points[1]", spring.point_j);
    check_positive("stiffness", spring.stiffness);
    check_positive("damping", spring.damping);
    check_positive("free_length", spring.free_length);
  }

  void operator()(const RotationalDamper& damper) {
    const auto joint = joints_.find(damper.joint);
    if (joint < 0) {
      findings_.push_back({Section::forces, index_, "joint",
                           "there is no joint '" + damper.joint + "'",
                           joints_.calc_hint(damper.joint), true});
    } else {
      const JointKind kind = model_.joints[static_cast<std::size_t>(joint)].kind;
      if (kind != JointKind::revolute && kind != JointKind::cylindrical) {
        add("joint", "must be a revolute or cylindrical joint");
      }
    }
    check_positive("damping", damper.damping);
  }

 private:
  Finding at(const std::string& field) const { return {Section::forces, index_, field, ""}; }
  void add(const std::string& field, const std::string& reason) {
    findings_.push_back({Section::forces, index_, field, reason});
  }

  void check_moving(const std::string& body) {
    if (body == ground) {
      add("body", "must be a body that can move, not the ground");
    } else {
      check_reference(body, bodies_, at("body"), findings_);
    }
  }

  void check_vector(const char* field, const Vec3& v) {
    if (!std::isfinite(v[0]) || !std::isfinite(v[1]) || !std::isfinite(v[2])) {
      add(field, "must be finite numbers");
    }
  }

  void check_positive(const char* field, double value) {
    if (value >= 0 && std::isfinite(value)) return;
    add(field, fmt::format("must not be negative, got {}", value));
  }

  const Model& model_;
  std::size_t index_;
  const NameTable& bodies_;
  const NameTable& joints_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_force(const Model& model, std::size_t index, const NameTable& bodies,
                 const NameTable& joints, std::vector<Finding>& findings) {
  std::visit(ForceCheck(model, index, bodies, joints, findings), model.forces[index].law);
}

}  // namespace trammel
