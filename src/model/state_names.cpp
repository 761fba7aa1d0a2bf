// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/state_names.hpp"

#include <algorithm>
#include <array>

#include "math/nearest_word.hpp"
#include "model/coordinates.hpp"

namespace trammel {
namespace {

struct Suffix {
  std::string_view text;
  StateQuantity quantity;
};
constexpr std::array<Suffix, 3> suffixes{{{".position", StateQuantity::position},
                                          {".velocity", StateQuantity::velocity},
                                          {".angular_velocity", StateQuantity::angular_velocity}}};
constexpr std::string_view axes = "xyz";

constexpr std::array<JointCoordinate, 4> all_coordinates{
    JointCoordinate::angle, JointCoordinate::travel, JointCoordinate::angle_i,
    JointCoordinate::angle_j};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

void add_mistake(const Finding& where, std::size_t offset, const std::string& reason,
                 const std::string& hint, std::vector<Finding>& findings) {
  Finding finding = where;
  finding.offset = offset;
  finding.reason = reason;
  finding.hint = hint;
  findings.push_back(std::move(finding));
}

// A name with a point that is no state name: the nearest among those its body has.
std::string calc_quantity_hint(std::string_view name, const StateScope& scope) {
  const std::string part(name.substr(0, name.find('.')));
  NearestWord nearest(name);
  if (scope.joints.find(part) >= 0) {
    for (const JointCoordinate coordinate : all_coordinates) {
      nearest.offer(part + "." + to_word(coordinate));
      nearest.offer(part + "." + to_word(coordinate) + "_rate");
    }
  }
  if (scope.bodies.find(part) < 0) {
    return scope.joints.find(part) < 0 ? scope.bodies.calc_hint(part) : nearest.hint();
  }
  for (const Suffix& suffix : suffixes) {
    for (const char axis : axes) nearest.offer(part + std::string(suffix.text) + "." + axis);
  }
  const std::string hint = nearest.hint();
  return hint.empty() ? "a body has position, velocity and angular_velocity, each with x, y and z"
                      : hint;
}

std::optional<StateName> find_joint_name(std::string_view name) {
  for (const JointCoordinate coordinate : all_coordinates) {
    const std::string word = std::string(".") + to_word(coordinate);
    for (const bool rate : {false, true}) {
      const std::string end = rate ? word + "_rate" : word;
      if (!ends_with(name, end)) continue;
      return StateName{std::string(name.substr(0, name.size() - end.size())),
                       rate ? StateQuantity::coordinate_rate : StateQuantity::coordinate, 0,
                       coordinate};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<StateName> find_state_name(std::string_view name) {
  if (const auto of_joint = find_joint_name(name)) return of_joint;
  if (name.size() < 3 || name[name.size() - 2] != '.') return std::nullopt;
  const std::size_t axis = axes.find(name.back());
  if (axis == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(0, name.size() - 2);
  for (const Suffix& suffix : suffixes) {
    if (!ends_with(rest, suffix.text)) continue;
    return StateName{std::string(rest.substr(0, rest.size() - suffix.text.size())), suffix.quantity,
                     static_cast<int>(axis)};
  }
  return std::nullopt;
}

int find_own_state(const Model& model, std::string_view name) {
  for (std::size_t k = 0; k < model.states.size(); ++k) {
    if (model.states[k].name == name) return static_cast<int>(k);
  }
  return -1;
}

bool uses_speed(const Formula& formula) {
  const auto names = list_names(formula.text);
  return std::any_of(names.begin(), names.end(), [](const NameInText& at) {
    const auto state = find_state_name(at.name);
    return at.name == "rate" || (state && state->quantity != StateQuantity::position &&
                                 state->quantity != StateQuantity::coordinate);
  });
}

namespace {

std::string calc_joint_problem(const StateName& state, const StateScope& scope) {
  const auto joint = scope.joints.find(state.part);
  if (joint < 0) return "there is no joint '" + state.part + "'";
  return calc_coordinate_problem(scope.model, scope.model.joints[static_cast<std::size_t>(joint)],
                                 state.coordinate);
}

}  // namespace

namespace {

// A frame and a centre of mass have no angular velocity of their own.
bool has_quantity(const StateName& state, const StateScope& scope) {
  const auto at = find_point_of_body(scope.model, scope.bodies, state.part);
  return at && (at->is_body || state.quantity != StateQuantity::angular_velocity);
}

}  // namespace

bool check_state_formula(const Formula& formula, const std::vector<std::string>& own,
                         const StateScope& scope, const Finding& where,
                         std::vector<Finding>& findings) {
  Finding at = where;
  if (formula.table) at.field += ".of";
  VariableNames names;
  names.add("t");
  for (const std::string& name : own) names.add(name);
  for (const auto& [name, offset] : list_names(formula.text)) {
    if (name.find('.') == std::string_view::npos) {
      if (find_own_state(scope.model, name) >= 0) names.add(std::string(name));
      continue;
    }
    const auto state = find_state_name(name);
    if (!state) {
      add_mistake(at, offset, "unknown name '" + std::string(name) + "'",
                  calc_quantity_hint(name, scope), findings);
      return false;
    }
    if (is_of_joint(state->quantity)) {
      const std::string problem = calc_joint_problem(*state, scope);
      if (!problem.empty()) {
        const bool known = scope.joints.find(state->part) >= 0;
        add_mistake(at, offset, problem, known ? "" : scope.joints.calc_hint(state->part),
                    findings);
        return false;
      }
    } else if (!has_quantity(*state, scope)) {
      Finding finding = at;
      finding.about_reference = true;
      add_mistake(finding, offset, "there is no body '" + state->part + "' that can move",
                  scope.bodies.calc_hint(state->part), findings);
      return false;
    }
    names.add(std::string(name));
  }
  return check_formula(formula, names, scope.parameters, where, findings) &&
         check_formula_table(scope.model, formula, where, findings);
}

}  // namespace trammel
