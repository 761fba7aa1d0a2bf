// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A Function compiled: names are gone, what is left is a constant, a tape or a spline. Immutable,
// shared between threads; evaluation allocates nothing and throws nothing.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <variant>

#include "math/expression.hpp"
#include "math/spline.hpp"
#include "math/table_library.hpp"
#include "trammel/function.hpp"

namespace trammel {

// The parameters of a model, and its tables.
struct ConstantTable : std::unordered_map<std::string, double> {
  using unordered_map::unordered_map;
  TableLibrary tables;
};

// The formula as a tape over `variables`, everything else bound to its value: first the formula's
// own constants, then `parameters`. `smooth`: tables are cubic splines where they do not say
// otherwise. Throws ExpressionError.
Expression compile_formula(const Formula& formula, const VariableNames& variables,
                           const ConstantTable& parameters, bool smooth = false);

// A function of one variable whose derivatives are used: tables are cubic splines by default.
class CompiledFunction {
 public:
  // `variable`: its name in a formula. Throws ExpressionError.
  CompiledFunction(const Function& function, const std::string& variable,
                   const ConstantTable& parameters);

  // f, f', f'' at x
  Jet evaluate(double x) const;

  // ∫ f from a to b, to rounding where f is smooth between them.
  double integrate(double a, double b) const;

  const Expression* expression() const { return std::get_if<Expression>(&form_); }
  const Spline* spline() const {
    const auto* shared = std::get_if<std::shared_ptr<const Spline>>(&form_);
    return shared == nullptr ? nullptr : shared->get();
  }

  friend bool operator==(const CompiledFunction& a, const CompiledFunction& b) {
    if (a.form_.index() != b.form_.index()) return false;
    return a.spline() != nullptr ? *a.spline() == *b.spline() : a.form_ == b.form_;
  }

 private:
  std::variant<double, Expression, std::shared_ptr<const Spline>> form_;
};

}  // namespace trammel
