// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From a Function with names to one without.
#include "math/compiled_function.hpp"

#include <algorithm>
#include <cmath>

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
  parameters.tables.for_each_name([&](const std::string& name) { nearest.offer(name); });
  return nearest.hint();
}

}  // namespace

Expression compile_formula(const Formula& formula, const VariableNames& variables,
                           const ConstantTable& parameters, bool smooth) {
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
  Expression expression(formula.text, names, &parameters.tables, smooth);
  expression.bind(first, values);
  if (formula.table) {
    const Interpolation by_default = smooth ? Interpolation::cubic : Interpolation::pchip;
    expression.call(std::make_shared<const Spline>(*formula.table, by_default));
  }
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
    Expression expression = compile_formula(*formula, names, parameters, true);
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

namespace {

// Gauss's rule with ten points on [a, b]: of f, and of |f|.
struct GaussSum {
  double value;
  double size;
};
template <class F>
GaussSum apply_gauss(const F& f, double a, double b) {
  constexpr double at[] = {0.14887433898163121, 0.43339539412924719, 0.67940956829902441,
                           0.86506336668898451, 0.97390652851717172};
  constexpr double weight[] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                               0.14945134915058059, 0.06667134430868814};
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  GaussSum sum{0.0, 0.0};
  for (int k = 0; k < 5; ++k) {
    const double left = f(middle - half * at[k]), right = f(middle + half * at[k]);
    sum.value += weight[k] * (left + right);
    sum.size += weight[k] * (std::abs(left) + std::abs(right));
  }
  return {half * sum.value, half * sum.size};
}

// By halves as long as that makes a difference; f is smooth, so that it soon makes none.
template <class F>
double integrate_by_halves(const F& f, double a, double b, double whole, double rounding,
                           int depth) {
  const double middle = 0.5 * (a + b);
  const double left = apply_gauss(f, a, middle).value, right = apply_gauss(f, middle, b).value;
  if (depth == 0 || !(std::abs(left + right - whole) > rounding)) return left + right;
  return integrate_by_halves(f, a, middle, left, rounding, depth - 1) +
         integrate_by_halves(f, middle, b, right, rounding, depth - 1);
}

}  // namespace

double CompiledFunction::integrate(double a, double b) const {
  constexpr int deepest = 10;
  if (const double* value = std::get_if<double>(&form_)) return *value * (b - a);
  if (const Spline* of = spline()) return of->integrate(b) - of->integrate(a);
  const Expression& of = std::get<Expression>(form_);
  const auto f = [&](double x) { return of.evaluate({&x, 1}); };
  const GaussSum whole = apply_gauss(f, a, b);
  return integrate_by_halves(f, a, b, whole.value, 1e-15 * whole.size, deepest);
}

}  // namespace trammel
