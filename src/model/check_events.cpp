// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of the section `events`.
#include <fmt/format.h>

#include "math/nearest_word.hpp"
#include "model/check_function.hpp"
#include "model/check_parts.hpp"
#include "model/name_table.hpp"
#include "model/state_names.hpp"

namespace trammel {
namespace {

// A formula of what formulas of forces can read; false after a mistake.
bool check_event_function(const Function& function, const StateScope& scope, const Finding& at,
                          std::vector<Finding>& findings) {
  if (const Formula* formula = std::get_if<Formula>(&function.form)) {
    return check_state_formula(*formula, {}, scope, at, findings);
  }
  return check_function(scope.model, function, {"t", false}, scope.parameters, at, findings);
}

// Nothing that changes is read: only the names of numbers are left, and those are constant.
bool is_constant(const Function& function, const StateScope& scope) {
  if (std::holds_alternative<double>(function.form)) return true;
  const Formula* formula = std::get_if<Formula>(&function.form);
  if (formula == nullptr) return false;
  for (const auto& [name, offset] : list_names(formula->text)) {
    if (name == "t" || name.find('.') != std::string_view::npos ||
        find_own_state(scope.model, name) >= 0) {
      return false;
    }
  }
  return true;
}

void check_change(const Event::Change& change, const StateScope& scope, Finding at,
                  std::vector<Finding>& findings) {
  at.field = "set." + change.state;
  const int state = find_own_state(scope.model, change.state);
  if (state < 0) {
    NearestWord nearest(change.state);
    for (const StateVariable& known : scope.model.states) nearest.offer(known.name);
    at.reason = fmt::format("there is no switch or state '{}'", change.state);
    at.hint = nearest.hint();
    findings.push_back(std::move(at));
    return;
  }
  if (scope.model.states[static_cast<std::size_t>(state)].period) {
    at.reason = fmt::format("'{}' is sampled: only its samples change it", change.state);
    at.hint = "set a switch that its formula 'next' reads";
    findings.push_back(std::move(at));
    return;
  }
  check_event_function(change.value, scope, at, findings);
}

}  // namespace

void check_events(const Model& model, const NameTable& bodies, const NameTable& joints,
                  const ConstantTable& parameters, std::vector<Finding>& findings) {
  const StateScope scope{model, bodies, joints, parameters};
  for (std::size_t k = 0; k < model.events.size(); ++k) {
    const Event& event = model.events[k];
    Finding at{Section::events, k, "when", ""};
    if (check_event_function(event.when, scope, at, findings) && is_constant(event.when, scope)) {
      at.reason = "is constant: the event can never happen";
      at.hint = "write a formula that changes its sign, \"door.angle - 40 deg\"";
      findings.push_back(at);
    }
    if (!event.stop && !event.record && event.set.empty()) {
      findings.push_back({Section::events, k, "", "the event does nothing",
                          "add 'do: stop', 'do: record' or 'set: {NAME: VALUE}'"});
    }
    for (const Event::Change& change : event.set) check_change(change, scope, at, findings);
  }
}

}  // namespace trammel
