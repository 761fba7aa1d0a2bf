// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/state_names.hpp"

#include <algorithm>
#include <array>

#include "math/nearest_word.hpp"

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
std::string calc_quantity_hint(std::string_view name, const NameTable& bodies) {
  const std::string part(name.substr(0, name.find('.')));
  if (bodies.find(part) < 0) return bodies.calc_hint(part);
  NearestWord nearest(name);
  for (const Suffix& suffix : suffixes) {
    for (const char axis : axes) nearest.offer(part + std::string(suffix.text) + "." + axis);
  }
  const std::string hint = nearest.hint();
  return hint.empty() ? "a body has position, velocity and angular_velocity, each with x, y and z"
                      : hint;
}

}  // namespace

std::optional<StateName> find_state_name(std::string_view name) {
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

bool uses_speed(const Formula& formula) {
  const auto names = list_names(formula.text);
  return std::any_of(names.begin(), names.end(), [](const NameInText& at) {
    const auto state = find_state_name(at.name);
    return at.name == "rate" || (state && state->quantity != StateQuantity::position);
  });
}

bool check_state_formula(const Formula& formula, const std::vector<std::string>& own,
                         const StateScope& scope, const Finding& where,
                         std::vector<Finding>& findings) {
  VariableNames names;
  names.add("t");
  for (const std::string& name : own) names.add(name);
  for (const auto& [name, offset] : list_names(formula.text)) {
    if (name.find('.') == std::string_view::npos) continue;
    const auto state = find_state_name(name);
    if (!state) {
      add_mistake(where, offset, "unknown name '" + std::string(name) + "'",
                  calc_quantity_hint(name, scope.bodies), findings);
      return false;
    }
    if (scope.bodies.find(state->part) < 0) {
      Finding finding = where;
      finding.about_reference = true;
      add_mistake(finding, offset, "there is no body '" + state->part + "' that can move",
                  scope.bodies.calc_hint(state->part), findings);
      return false;
    }
    names.add(std::string(name));
  }
  return check_formula(formula, names, scope.parameters, where, findings);
}

}  // namespace trammel
