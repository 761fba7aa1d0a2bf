// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of the section `states`.
#include <fmt/format.h>

#include <algorithm>

#include "model/check_function.hpp"
#include "model/check_parts.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"
#include "model/state_names.hpp"

namespace trammel {
namespace {

// Why a state cannot have a name.
std::string calc_name_problem(const Model& model, const std::string& name) {
  if (!is_identifier(name) || is_reserved_name(name)) return "the name of a state must be a word";
  for (const char* known : {"t", "length", "rate", "angle", "travel", "angle_i", "angle_j"}) {
    if (name == known) return fmt::format("'{}' has a meaning in formulas", name);
  }
  for (const auto& [parameter, value] : model.parameters) {
    if (parameter == name) return "a parameter has the same name";
  }
  for (const NamedTable& table : model.tables) {
    if (table.name == name) return "a table has the same name";
  }
  return {};
}

}  // namespace

void check_states(const Model& model, const NameTable& bodies, const NameTable& joints,
                  const ConstantTable& parameters, std::vector<Finding>& findings) {
  for (std::size_t k = 0; k < model.states.size(); ++k) {
    const StateVariable& state = model.states[k];
    const auto add = [&](const char* field, const std::string& reason) {
      if (!reason.empty()) findings.push_back({Section::states, k, field, reason});
    };
    add("", calc_name_problem(model, state.name));
    add("initial", find_problem(state.initial));
    add("scale", state.scale > 0.0 ? find_problem(state.scale) : "must be greater than 0");
    if (state.period) {
      add("period", *state.period > 0.0 ? find_problem(*state.period) : "must be greater than 0");
    }
    const Finding at{Section::states, k, state.period ? "next" : "rate", ""};
    if (const Formula* formula = std::get_if<Formula>(&state.rate.form)) {
      check_state_formula(*formula, {}, {model, bodies, joints, parameters}, at, findings);
    } else {
      check_function(model, state.rate, {"t", false}, parameters, at, findings);
    }
  }
}

}  // namespace trammel
