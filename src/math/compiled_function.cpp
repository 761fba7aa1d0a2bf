// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From a Function with names to one without.
#include "math/compiled_function.hpp"

#include <algorithm>

#include "math/expression_parser.hpp"
#include "math/nearest_word.hpp"

namespace trammel {
namespace {

std::string calc_hint(std::string_view wanted, const Formula& formula,
                      const VariableNames& variables, const ConstantTable& parameters) {
  NearestWord nearest(wanted);
  if (variables.names().size() + parameters.size() <= most_names_for_hints) {
    for (const auto& name : variables.names()) nearest.offer(name);
    for (const auto& [name, value] : formula.constants) nearest.offer(name);
    std::vector<std::string_view> sorted;  // the table has no order of its own
    for (const auto& [name, value] : parameters) sorted.push_back(name);
    std::sort(sorted.begin(), sorted.end());
    for (const auto name : sorted) nearest.offer(name);
  }
  offer_functions(nearest);
  return nearest.hint();
}

}  // namespace

Expression compile_formula(const Formula& formula, const VariableNames& variables,
                           const ConstantTable& parameters) {
  VariableNames names = variables;
  const int first = static_cast<int>(variables.names().size());
  std::vector<double> values;
  for (const auto& [view, offset] : list_names(formula.text)) {
    const std::string name(view);
    const auto own = std::find_if(formula.constants.begin(), formula.constants.end(),
                                  [&](const auto& constant) { return constant.first == name; });
    const auto parameter = parameters.find(name);
    const bool has_value = own != formula.constants.end() || parameter != parameters.end();
    if (variables.find(name) >= 0) {
      if (!has_value) continue;
      throw ExpressionError(offset, "'" + name + "' is a variable here and a parameter too",
                            "give the parameter another name");
    }
    if (!has_value) {
      throw ExpressionError(offset, "unknown name '" + name + "'",
                            calc_hint(name, formula, variables, parameters));
    }
    names.add(name);
    values.push_back(own != formula.constants.end() ? own->second : parameter->second);
  }
  Expression expression(formula.text, names);
  expression.bind(first, values);
  return expression;
}

CompiledFunction::CompiledFunction(const Function& function, const std::string& variable,
                                   const ConstantTable& parameters)
    : form_(0.0) {
  if (const double* value = std::get_if<double>(&function.form)) {
    form_ = *value;
  } else if (const Formula* formula = std::get_if<Formula>(&function.form)) {
    VariableNames names;
    names.add(variable);
    Expression expression = compile_formula(*formula, names, parameters);
    if (expression.is_constant()) {
      form_ = expression.evaluate({});
    } else {
      form_ = std::move(expression);
    }
  } else {
    form_ =
        std::make_shared<const Spline>(*std::get<std::shared_ptr<const DataTable>>(function.form));
  }
}

Jet CompiledFunction::evaluate(double x) const {
  if (const double* value = std::get_if<double>(&form_)) return {*value, 0.0, 0.0};
  if (const Expression* expression = std::get_if<Expression>(&form_)) {
    return expression->evaluate_jet({&x, 1}, 0);
  }
  return std::get<std::shared_ptr<const Spline>>(form_)->evaluate(x);
}

}  // namespace trammel
