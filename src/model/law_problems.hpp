// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with a force that describes itself besides its single fields.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/model.hpp"

namespace trammel {

struct LawProblem {
  std::string key, reason;  // of the force itself where the key is empty
};

template <class Law>
std::vector<LawProblem> find_law_problems(const Law&, const Model&) {
  return {};
}
std::vector<LawProblem> find_law_problems(const JointSpringDamper& law, const Model& model);
std::vector<LawProblem> find_law_problems(const EndStop& law, const Model& model);
std::vector<LawProblem> find_law_problems(const Friction& law, const Model& model);
std::vector<LawProblem> find_law_problems(const GasStrut& law, const Model& model);
std::vector<LawProblem> find_law_problems(const LinearActuator& law, const Model& model);
std::vector<LawProblem> find_law_problems(const DcMotor& law, const Model& model);

// Whether a force acts along an angle; nullopt: its joint or coordinate is not there.
std::optional<bool> acts_on_angle(const Along& along, const Model& model);
// Those of its joint's coordinate; nullopt: there are none.
std::optional<Range> find_limits(const Along& along, const Model& model);

// The constants of a motor from whichever data are given; for one without problems.
struct MotorData {
  double resistance, torque_constant, inductance;
};
MotorData calc_motor_data(const DcMotor& motor);
inline std::string current_name(const std::string& motor) { return motor + ".current"; }

}  // namespace trammel
