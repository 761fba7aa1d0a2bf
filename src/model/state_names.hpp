// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// State variables in formulas of forces: crank.position.x, crank.velocity.y,
// crank.angular_velocity.z of bodies, pin.angle, pin.angle_rate, guide.travel, guide.travel_rate of
// joints, as in the results; t is the time.
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
  std::string part;  // the body or the joint
  StateQuantity quantity;
  int axis;                                             // 0, 1, 2 of a body's
  JointCoordinate coordinate = JointCoordinate::angle;  // of a joint's
};

// By its form only; whether there is such a part is another question.
std::optional<StateName> find_state_name(std::string_view name);

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
