// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/motor_currents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/coordinates.hpp"
#include "model/law_problems.hpp"

namespace trammel {

namespace {

StateVariable make_current(const Model& model, const std::string& name, const DcMotor& motor) {
  const MotorData data = calc_motor_data(motor);
  const double constant = motor.gear_ratio * data.torque_constant;
  const Joint& joint = *std::find_if(model.joints.begin(), model.joints.end(),
                                     [&](const Joint& of) { return of.name == motor.along.joint; });
  const std::string rate =
      joint.name + '.' +
      to_word(*find_coordinate(joint, model.dimension == 2, motor.along.coordinate)) + "_rate";
  const Function& command = motor.voltage ? *motor.voltage : *motor.speed;
  Formula formula;
  if (const auto* given = std::get_if<Formula>(&command.form)) {
    formula = *given;
  } else {
    formula.text = fmt::format("{:.17g}", std::get<double>(command.form));
  }
  formula.text = fmt::format("(({})*{:.17g} - {:.17g}*{} - {:.17g}*{})/{:.17g}", formula.text,
                             motor.voltage ? 1.0 : constant, data.resistance, current_name(name),
                             constant, rate, data.inductance);
  StateVariable current;
  current.name = current_name(name);
  current.rate = formula;
  current.unit = "A";
  return current;
}

}  // namespace

std::vector<StateVariable> list_motor_currents(const Model& model) {
  std::vector<StateVariable> currents;
  for (const Force& force : model.forces) {
    const auto* motor = std::get_if<DcMotor>(&force.law);
    if (motor == nullptr || !(motor->inductance > 0.0)) continue;
    currents.push_back(make_current(model, force.name, *motor));
  }
  return currents;
}

}  // namespace trammel
