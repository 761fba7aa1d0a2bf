// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Named points, and outputs by formula.
#include "math/compiled_function.hpp"
#include "model/check_function.hpp"
#include "model/check_parts.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"

namespace trammel {

void check_points(const Model& model, const NameTable& bodies, std::vector<Finding>& findings) {
  for (std::size_t k = 0; k < model.points.size(); ++k) {
    const NamedPoint& point = model.points[k];
    check_reference(point.body, bodies, Finding{Section::points, k, "body", {}}, findings);
    if (const std::string problem = find_problem(point.point); !problem.empty()) {
      findings.push_back({Section::points, k, "at", problem});
    }
    if (bodies.find(point.name) >= 0) {
      findings.push_back({Section::points, k, "", "a body has the same name",
                          "its results would be called '" + point.name + ".position.x', too"});
    }
  }
}

void check_outputs(const Model& model, const ConstantTable& parameters,
                   std::vector<Finding>& findings) {
  for (std::size_t k = 0; k < model.outputs.size(); ++k) {
    const Output& output = model.outputs[k];
    if (!is_identifier(output.name) || is_reserved_name(output.name)) {
      findings.push_back({Section::outputs, k, "", "the name of an output must be a word",
                          "letters, digits and underscores, not a function or a unit"});
    }
    VariableNames names;
    for (const auto& [view, offset] : list_names(output.formula.text)) {
      const std::string name(view);
      if (!parameters.contains(name) && names.find(name) < 0) names.add(name);
    }
    if (!check_formula_table(model, output.formula, {Section::outputs, k, "formula", ""},
                             findings)) {
      continue;
    }
    try {
      compile_formula(output.formula, names, parameters);
    } catch (const ExpressionError& error) {
      Finding finding{Section::outputs, k, "formula", error.what()};
      finding.offset = error.offset;
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace trammel
