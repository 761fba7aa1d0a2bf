// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// State variables in formulas of forces: crank.position.x, crank.velocity.y,
// crank.angular_velocity.z of bodies, crank.tip.position.x of their frames and crank.com.position.x of their
// centres of mass, pin.angle, pin.angle_rate, guide.travel, guide.travel_rate of joints, as in the
// results; t is the time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/check_function.hpp"
#include "model/name_table.hpp"

namespace trammel {

enum class StateQuantity { position, velocity, angular_velocity, coordinate, coordinate_rate };
constexpr bool is_of_joint(StateQuantity quantity) {
  return quantity == StateQuantity::coordinate || quantity == StateQuantity::coordinate_rate;
}

struct StateName {
  std::string part;  // the body, the body and its frame, or the joint
  StateQuantity quantity;
  int axis;                                             // 0, 1, 2 of a body's
  JointCoordinate coordinate = JointCoordinate::angle;  // of a joint's
};

// By its form only; whether there is such a part is another question.
std::optional<StateName> find_state_name(std::string_view name);

// What positions and velocities of a StateName are of.
struct PointOfBody {
  int body;
  Vec3 point{};          // m, in the body's frame
  bool is_com = false;   // the centre of mass, whatever `point` is
  bool is_body = false;  // the origin of the body's frame
};

// "rod", "rod.com", "rod.tip", "tip"; `bodies` has `find`: the index of a body, or one below 0.
template <class Bodies>
std::optional<PointOfBody> find_point_of_body(const Model& model, const Bodies& bodies,
                                              const std::string& part) {
  const auto whole = static_cast<int>(bodies.find(part));
  if (whole >= 0) return PointOfBody{whole, {}, false, true};
  const std::size_t dot = part.rfind('.');
  if (dot == std::string::npos) {  // a point of the section `points`
    for (const NamedPoint& point : model.points) {
      const auto of = point.name == part ? static_cast<int>(bodies.find(point.body)) : -1;
      if (of >= 0) return PointOfBody{of, point.point};
    }
    return std::nullopt;
  }
  const auto body = static_cast<int>(bodies.find(std::string_view(part).substr(0, dot)));
  if (body < 0) return std::nullopt;
  const std::string_view name = std::string_view(part).substr(dot + 1);
  if (name == center_of_mass) return PointOfBody{body, {}, true};
  for (const NamedFrame& frame : model.bodies[static_cast<std::size_t>(body)].frames) {
    if (frame.name == name) return PointOfBody{body, frame.position};
  }
  return std::nullopt;
}
// The index of a state of the model, or −1.
int find_own_state(const Model& model, std::string_view name);

// True for a formula that depends on a speed: own rate, velocity, angular velocity.
bool uses_speed(const Formula& formula);

// The names of the parts that a formula may refer to, and its parameters.
struct StateScope {
  const Model& model;
  const NameTable& bodies;
  const NameTable& joints;
  const ConstantTable& parameters;
};

// A formula over t, the state and `own` names (of a spring: length, rate); false after a mistake.
bool check_state_formula(const Formula& formula, const std::vector<std::string>& own,
                         const StateScope& scope, const Finding& where,
                         std::vector<Finding>& findings);

}  // namespace trammel
