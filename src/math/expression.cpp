// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The tape of an expression: names of variables and functions, and the evaluation.
// src/math/expression_parser.cpp makes the tape.
#include "math/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/expression_parser.hpp"
#include "math/step_function.hpp"

namespace trammel {

int VariableNames::add(const std::string& name, const KnownUnit& quantity) {
  const int slot = static_cast<int>(names_.size());
  names_.push_back(name);
  quantities_.push_back(quantity);
  slots_.emplace(name, slot);
  return slot;
}

void VariableNames::remove_last() {
  slots_.erase(names_.back());
  names_.pop_back();
  quantities_.pop_back();
}

int VariableNames::find(const std::string& name) const {
  const auto found = slots_.find(name);
  return found == slots_.end() ? -1 : found->second;
}

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto later = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), later);
}

Expression::Expression(std::string_view text, const VariableNames& variables)
    : tape_(parse_expression(text, variables).tape) {}

Expression::Expression(std::string_view text, const VariableNames& variables, KnownUnit& quantity,
                       int component) {
  ParsedExpression parsed = parse_expression(text, variables, component);
  tape_ = std::move(parsed.tape);
  quantity = parsed.quantity;
}

std::vector<int> Expression::calc_used_slots() const {
  std::vector<int> slots;
  for (const auto& step : tape_) {
    if (step.op == Op::load) slots.push_back(step.slot);
  }
  return slots;
}

void Expression::bind(int first, std::span<const double> values) {
  for (auto& step : tape_) {
    if (step.op == Op::load && step.slot >= first) {
      step = {Op::push, 0, values[static_cast<std::size_t>(step.slot - first)]};
    }
  }
}

void Expression::renumber(std::span<const int> slots) {
  for (auto& step : tape_) {
    if (step.op == Op::load) step.slot = slots[static_cast<std::size_t>(step.slot)];
  }
}

bool Expression::is_constant() const {
  return std::none_of(tape_.begin(), tape_.end(),
                      [](const Instruction& step) { return step.op == Op::load; });
}

// Runs the tape on the question "does this number depend on a variable?".
std::string_view Expression::find_kink() const {
  std::array<bool, max_expression_stack> varies{};
  std::size_t top = 0;
  for (const auto& step : tape_) {
    if (step.op == Op::push || step.op == Op::load) {
      varies[top++] = step.op == Op::load;
      continue;
    }
    const std::size_t count = static_cast<std::size_t>(n_arguments(step.op));
    top -= count - 1;
    for (std::size_t i = 0; i + 1 < count; ++i) varies[top - 1] |= varies[top + i];
    switch (step.op) {
      case Op::abs:
      case Op::floor:
      case Op::ceil:
      case Op::sign:
      case Op::min:
      case Op::max:
      case Op::atan2:
        if (varies[top - 1]) return function_name(step.op);
        break;
      default: break;
    }
  }
  return {};
}

double Expression::apply(Op op, double x) {
  switch (op) {
    case Op::negate: return -x;
    case Op::sqrt: return std::sqrt(x);
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::exp: return std::exp(x);
    case Op::log: return std::log(x);
    case Op::log10: return std::log10(x);
    case Op::abs: return std::abs(x);
    case Op::floor: return std::floor(x);
    case Op::ceil: return std::ceil(x);
    default: return x > 0 ? 1.0 : x < 0 ? -1.0 : x;  // sign; keeps ±0 and NaN
  }
}

double Expression::apply(Op op, double x, double y) {
  switch (op) {
    case Op::add: return x + y;
    case Op::subtract: return x - y;
    case Op::multiply: return x * y;
    case Op::divide: return x / y;
    case Op::atan2: return std::atan2(x, y);
    case Op::min: return std::isnan(x + y) ? x + y : std::min(x, y);
    case Op::max: return std::isnan(x + y) ? x + y : std::max(x, y);
    case Op::hypot: return std::hypot(x, y);
    default: return std::pow(x, y);
  }
}

double Expression::evaluate(std::span<const double> values) const {
  std::array<double, max_expression_stack> stack;  // the parser keeps to its size
  std::size_t top = 0;
  for (const auto& step : tape_) {
    if (step.op == Op::push) {
      stack[top++] = step.value;
    } else if (step.op == Op::load) {
      stack[top++] = values[static_cast<std::size_t>(step.slot)];
    } else if (step.op == Op::step) {
      top -= 4;
      stack[top - 1] = calc_step(&stack[top - 1]);
    } else if (is_binary(step.op)) {
      --top;
      stack[top - 1] = apply(step.op, stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = apply(step.op, stack[top - 1]);
    }
  }
  return stack[0];
}

// Runs the tape with all variables at NaN: a number that is finite is a constant.
void Expression::add_breaks(int slot, std::vector<double>& breaks) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::array<double, max_expression_stack> stack;
  std::array<bool, max_expression_stack> is_variable;  // the variable itself
  std::size_t top = 0;
  for (const auto& step : tape_) {
    if (step.op == Op::push || step.op == Op::load) {
      is_variable[top] = step.op == Op::load && step.slot == slot;
      stack[top++] = step.op == Op::load ? unknown : step.value;
      continue;
    }
    top -= static_cast<std::size_t>(n_arguments(step.op)) - 1;
    double& x = stack[top - 1];
    if (step.op == Op::step) {
      for (const double end : {stack[top], stack[top + 2]}) {
        if (is_variable[top - 1] && std::isfinite(end)) breaks.push_back(end);
      }
      x = unknown;
    } else {
      x = is_binary(step.op) ? apply(step.op, x, stack[top]) : apply(step.op, x);
    }
    is_variable[top - 1] = false;
  }
}

}  // namespace trammel
