// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The words of expressions: functions, constants and units of angles.
#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <string_view>

#include "math/expression.hpp"

namespace trammel {

struct NamedFunction {
  std::string_view name;
  Expression::Op op;
};
inline constexpr std::array<NamedFunction, 23> functions = [] {
  using Op = Expression::Op;
  return std::array<NamedFunction, 23>{{
      {"sqrt", Op::sqrt}, {"sin", Op::sin},     {"cos", Op::cos},     {"tan", Op::tan},
      {"asin", Op::asin}, {"acos", Op::acos},   {"atan", Op::atan},   {"exp", Op::exp},
      {"log", Op::log},   {"log10", Op::log10}, {"abs", Op::abs},     {"floor", Op::floor},
      {"ceil", Op::ceil}, {"sign", Op::sign},   {"atan2", Op::atan2}, {"min", Op::min},
      {"max", Op::max},   {"pow", Op::pow},     {"hypot", Op::hypot}, {"sinh", Op::sinh},
      {"cosh", Op::cosh}, {"tanh", Op::tanh},   {"step", Op::step},
  }};
}();

struct Constant {
  std::string_view name;
  double value;
};
inline constexpr std::array<Constant, 2> constants{
    {{"pi", std::numbers::pi}, {"e", std::numbers::e}}};

// Postfix units of angles, in radians.
inline constexpr std::array<Constant, 4> units{{{"deg", std::numbers::pi / 180},
                                                {"rad", 1.0},
                                                {"turn", 2 * std::numbers::pi},
                                                {"rev", 2 * std::numbers::pi}}};

template <class Table>
auto find_in(const Table& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(), [&](const auto& x) { return x.name == name; });
}

}  // namespace trammel
