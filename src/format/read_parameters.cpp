// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `parameters` section: named constants that may refer to each other in any order.
// Values are found by Kahn's algorithm: a parameter is evaluated when all it uses are known.
#include <cmath>

#include "format/read_sections.hpp"
#include "math/nearest_word.hpp"

namespace trammel {
namespace {

struct Parameter {
  NodeId id = no_node;
  std::optional<Expression> expression;  // without it: the value is given or wrong
  std::vector<int> users;                // parameters that refer to this one
  int waiting = 0;                       // references not yet known
  bool known = false;
};

std::vector<Parameter> add_names(Reader& reader, NodeId section) {
  std::vector<Parameter> parameters;
  for (const NodeId id : reader.children(section)) {
    const std::string name(reader.tree().key_text(id));
    if (!is_identifier(name)) {
      reader.report_key(id, "a parameter's name must be letters, digits and underscores");
    } else if (is_reserved_name(name)) {
      reader.report_key(id, "'" + name + "' has a meaning in expressions; choose another name");
    } else if (name.size() > max_text_length) {
      reader.report_key(id, "is longer than " + std::to_string(max_text_length) + " bytes");
    } else if (reader.variables.find(name) < 0) {
      reader.variables.add(name);
      reader.values.push_back(0.0);
      parameters.push_back({id, {}, {}, 0, false});
    }
  }
  return parameters;
}

void apply_overrides(Reader& reader, const ParameterOverrides& overrides,
                     std::vector<Parameter>& parameters) {
  for (const auto& [name, value] : overrides) {
    const int slot = reader.variables.find(name);
    if (slot < 0) {
      NearestWord nearest(name);
      for (const auto& known : reader.variables.names()) nearest.offer(known);
      reader.report_outside("parameters." + name, "the model has no such parameter",
                            nearest.hint());
    } else if (!std::isfinite(value)) {
      reader.report_outside("parameters." + name, "must be set to a finite number", "");
    } else {
      reader.values[slot] = value;
      parameters[slot].known = true;
    }
  }
}

// Parses the parameters that were not overridden, and notes which refer to which.
void parse_all(Reader& reader, std::vector<Parameter>& parameters) {
  for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
    Parameter& parameter = parameters[slot];
    if (parameter.known) continue;
    if (reader.tree()[parameter.id].kind != YamlNode::Kind::scalar) {
      reader.number(parameter.id);  // says what is wrong with it
      parameter.known = true;
      continue;
    }
    try {
      parameter.expression.emplace(reader.tree().text(parameter.id), reader.variables);
    } catch (const ExpressionError& error) {
      reader.report_at(parameter.id, error.offset, error.what(), error.hint);
      parameter.known = true;
      continue;
    }
    for (const int used : parameter.expression->calc_used_slots()) {
      if (parameters[used].known) continue;
      parameters[used].users.push_back(static_cast<int>(slot));
      ++parameter.waiting;
    }
  }
}

void evaluate_all(Reader& reader, std::vector<Parameter>& parameters) {
  std::vector<int> ready;
  const auto finish = [&](int slot) {
    for (const int user : parameters[slot].users) {
      if (--parameters[user].waiting == 0) ready.push_back(user);
    }
  };
  for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
    if (parameters[slot].known) {
      finish(static_cast<int>(slot));
    } else if (parameters[slot].waiting == 0) {
      ready.push_back(static_cast<int>(slot));
    }
  }
  while (!ready.empty()) {
    const int slot = ready.back();
    ready.pop_back();
    Parameter& parameter = parameters[slot];
    if (parameter.known) continue;
    parameter.known = true;
    const double value = parameter.expression->evaluate(reader.values);
    if (std::isfinite(value)) {
      reader.values[slot] = value;
    } else {
      reader.report(parameter.id, "must be a finite number, got " + reader.describe(parameter.id));
    }
    finish(slot);
  }
}

// What is still unknown refers to itself, or to something that does: one mistake per circle.
void report_circles(Reader& reader, std::vector<Parameter>& parameters) {
  std::vector<int> visited(parameters.size(), -1);  // by the walk that started at …
  for (std::size_t start = 0; start < parameters.size(); ++start) {
    if (parameters[start].known || visited[start] >= 0) continue;
    std::vector<int> walk;
    int slot = static_cast<int>(start);
    while (visited[slot] < 0) {
      visited[slot] = static_cast<int>(start);
      walk.push_back(slot);
      for (const int used : parameters[slot].expression->calc_used_slots()) {
        if (!parameters[used].known) slot = used;
      }
    }
    if (visited[slot] != static_cast<int>(start)) continue;  // leads to a circle already reported
    std::size_t begin = 0;
    while (walk[begin] != slot) ++begin;
    std::string circle;
    const auto& names = reader.variables.names();
    for (std::size_t i = begin; i < walk.size() && i < begin + 10; ++i) {
      circle += names[walk[i]] + " → ";
    }
    if (walk.size() > begin + 10) circle += "… → ";
    reader.report(parameters[slot].id,
                  "parameters refer to each other in a cycle: " + circle + names[slot]);
  }
}

}  // namespace

void read_parameters(Reader& reader, NodeId section, const ParameterOverrides& overrides,
                     Model& model) {
  std::vector<Parameter> parameters;
  if (section != no_node && reader.tree()[section].kind != YamlNode::Kind::null &&
      reader.expect_map(section)) {
    parameters = add_names(reader, section);
  }
  apply_overrides(reader, overrides, parameters);
  parse_all(reader, parameters);
  evaluate_all(reader, parameters);
  report_circles(reader, parameters);
  for (std::size_t slot = 0; slot < parameters.size(); ++slot) {
    model.parameters.emplace_back(reader.variables.names()[slot], reader.values[slot]);
  }
}

}  // namespace trammel
