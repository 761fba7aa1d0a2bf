// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/law_problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "math/expression.hpp"
#include "model/coordinates.hpp"

namespace trammel {

namespace {

const Joint* find_joint(const std::string& name, const Model& model) {
  const auto found = std::find_if(model.joints.begin(), model.joints.end(),
                                  [&](const Joint& joint) { return joint.name == name; });
  return found == model.joints.end() ? nullptr : &*found;
}

// Those of force and speed along a line, or of torque about an axis.
void check_kind_of_path(const Along& along, const Model& model, bool angle,
                        std::vector<LawProblem>& problems) {
  const auto is = acts_on_angle(along, model);
  if (!is || *is == angle) return;
  const char* const of =
      angle ? "must act on the angle of a joint" : "must act along a line, not on an angle";
  problems.push_back({along.joint.empty() ? "bodies" : "joint", of});
}

void check_together(std::vector<LawProblem>& problems, const char* a, bool has_a, const char* b,
                    bool has_b) {
  if (has_a == has_b) return;
  problems.push_back({has_a ? a : b, fmt::format("needs '{}' as well", has_a ? b : a)});
}

// The command of a motor with an inductance is part of the formula of its current.
void check_command_of_current(const DcMotor& law, std::vector<LawProblem>& problems) {
  const auto& command = law.voltage ? law.voltage : law.speed;
  if (!command || std::holds_alternative<double>(command->form)) return;
  const char* const key = law.voltage ? "voltage" : "speed";
  const auto* formula = std::get_if<Formula>(&command->form);
  if (formula == nullptr || formula->table != nullptr) {
    problems.push_back({key,
                        "must be a number or a formula for a motor with an inductance: put "
                        "the table into the section 'tables' and call it by its name"});
    return;
  }
  for (const auto& [name, offset] : list_names(formula->text)) {
    if (name != "rate" && name != "angle") continue;
    problems.push_back(
        {key, fmt::format("of a motor with an inductance cannot use '{}': write "
                          "'{}.{}'",
                          name, law.along.joint, name == "rate" ? "angle_rate" : "angle")});
  }
}

}  // namespace

std::optional<bool> acts_on_angle(const Along& along, const Model& model) {
  if (along.joint.empty()) return false;
  const Joint* joint = find_joint(along.joint, model);
  if (joint == nullptr) return {};
  const auto found = find_coordinate(*joint, model.dimension == 2, along.coordinate);
  return found ? std::optional(is_angle(*found)) : std::nullopt;
}

std::optional<Range> find_limits(const Along& along, const Model& model) {
  const Joint* joint = find_joint(along.joint, model);
  if (joint == nullptr) return {};
  const bool planar = model.dimension == 2;
  const auto wanted = find_coordinate(*joint, planar, along.coordinate);
  for (const Joint::Limits& limits : joint->limits) {
    if (find_coordinate(*joint, planar, limits.coordinate) == wanted) {
      return Range{limits.least, limits.most};
    }
  }
  return {};
}

std::vector<LawProblem> find_law_problems(const JointSpringDamper& law, const Model&) {
  if (law.load && law.energy) return {{"", "give either 'load' or 'energy', not both"}};
  return {};
}

std::vector<LawProblem> find_law_problems(const EndStop& law, const Model& model) {
  if (law.limits) return {};
  if (law.along.joint.empty()) return {{"", "needs 'limits'"}};
  if (find_joint(law.along.joint, model) == nullptr || find_limits(law.along, model)) return {};
  return {{"", fmt::format("needs 'limits', here or at the joint '{}'", law.along.joint)}};
}

std::vector<LawProblem> find_law_problems(const Friction& law, const Model&) {
  if (!law.static_coefficient) return {};
  if (*law.static_coefficient < law.coefficient) {
    return {{"static_coefficient", fmt::format("must be at least 'coefficient', {}, got {}",
                                               law.coefficient, *law.static_coefficient)}};
  }
  if (!law.stribeck_velocity) return {{"static_coefficient", "needs 'stribeck_velocity' as well"}};
  return {};
}

std::vector<LawProblem> find_law_problems(const GasStrut& law, const Model& model) {
  std::vector<LawProblem> problems;
  check_kind_of_path(law.along, model, false, problems);
  if (!(law.stroke < law.extended_length)) {
    problems.push_back({"stroke", fmt::format("must be less than 'extended_length', {}, got {}",
                                              law.extended_length, law.stroke)});
  }
  if (!(law.force_compressed > law.force_extended * (1.0 + 1e-9))) {
    problems.push_back(
        {"force_compressed", fmt::format("must be greater than 'force_extended', {}, got {}",
                                         law.force_extended, law.force_compressed)});
  }
  return problems;
}

std::vector<LawProblem> find_law_problems(const LinearActuator& law, const Model& model) {
  std::vector<LawProblem> problems;
  check_kind_of_path(law.along, model, false, problems);
  const bool has_stroke = law.stroke.has_value();
  check_together(problems, "stroke", has_stroke, "retracted_length",
                 law.retracted_length.has_value());
  check_together(problems, "stroke", has_stroke, "stop_stiffness", law.end_stops.stiffness > 0.0);
  return problems;
}

std::vector<LawProblem> find_law_problems(const DcMotor& law, const Model& model) {
  std::vector<LawProblem> problems;
  check_kind_of_path(law.along, model, true, problems);
  if (law.voltage.has_value() == law.speed.has_value()) {
    problems.push_back({"", "needs either 'voltage' or 'speed'"});
  }
  if (law.gear_ratio == 0.0) problems.push_back({"gear_ratio", "must not be 0"});
  const bool constants = law.resistance || law.torque_constant;
  const bool sheet = law.nominal_voltage || law.stall_torque || law.no_load_speed;
  if (constants == sheet) {
    problems.push_back({"",
                        "needs either 'resistance' and 'torque_constant', or "
                        "'nominal_voltage', 'stall_torque' and 'no_load_speed'"});
  } else if (constants) {
    check_together(problems, "resistance", law.resistance.has_value(), "torque_constant",
                   law.torque_constant.has_value());
  } else if (!law.nominal_voltage || !law.stall_torque || !law.no_load_speed) {
    problems.push_back({"", "needs all of 'nominal_voltage', 'stall_torque' and 'no_load_speed'"});
  } else if (!(law.viscous * *law.no_load_speed < *law.stall_torque)) {
    problems.push_back({"viscous",
                        "leaves no torque at the speed without load: it must be less "
                        "than 'stall_torque'/'no_load_speed'"});
  }
  if (law.inductance > 0.0) check_command_of_current(law, problems);
  return problems;
}

// At standstill T = k V/R; without load V = R i + k ω and k i = b ω.
MotorData calc_motor_data(const DcMotor& motor) {
  if (motor.resistance) return {*motor.resistance, *motor.torque_constant, motor.inductance};
  const double V = *motor.nominal_voltage, T = *motor.stall_torque, w = *motor.no_load_speed;
  const double k = V * (1.0 - motor.viscous * w / T) / w;
  return {k * V / T, k, motor.inductance};
}

}  // namespace trammel
