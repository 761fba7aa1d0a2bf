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

#include "math/corner.hpp"
#include "math/expression_parser.hpp"
#include "math/step_function.hpp"
#include "math/table_library.hpp"

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

Expression::Expression(std::string_view text, const VariableNames& variables,
                       const TableLibrary* tables, bool smooth) {
  ParsedExpression parsed = parse_expression(text, variables, -1, tables, smooth);
  tape_ = std::move(parsed.tape);
  tables_ = std::move(parsed.tables);
  maps_ = std::move(parsed.maps);
}

Expression::Expression(std::string_view text, const VariableNames& variables, KnownUnit& quantity,
                       int component) {
  ParsedExpression parsed = parse_expression(text, variables, component);
  tape_ = std::move(parsed.tape);
  quantity = parsed.quantity;
}

void Expression::call(std::shared_ptr<const Spline> table) {
  tape_.push_back({Op::table, static_cast<int>(tables_.size()), 0.0});
  tables_.push_back(std::move(table));
}

bool operator==(const Expression& a, const Expression& b) {
  const auto same = [](const auto& x, const auto& y) { return x == y || *x == *y; };
  return a.tape_ == b.tape_ &&
         std::equal(a.tables_.begin(), a.tables_.end(), b.tables_.begin(), b.tables_.end(), same) &&
         std::equal(a.maps_.begin(), a.maps_.end(), b.maps_.begin(), b.maps_.end(), same);
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
std::string_view Expression::find_kink(bool slopes) const {
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
      case Op::table: {
        const Interpolation form = table(step).interpolation();
        const bool rough = slopes ? form == Interpolation::linear : form != Interpolation::cubic;
        if (!varies[top - 1] || !rough) break;
        return table(step).name().empty() ? "table" : std::string_view(table(step).name());
      }
      case Op::map: {
        const Interpolation form = map(step).interpolation();
        const bool rough = slopes ? form == Interpolation::linear : form != Interpolation::cubic;
        if (varies[top - 1] && rough) return map(step).name();
        break;
      }
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
    case Op::branch_abs: return y != 0.0 ? y * x : std::abs(x);
    case Op::branch_sign: return y != 0.0 && !std::isnan(x) ? y : apply(Op::sign, x);
    default: return std::pow(x, y);
  }
}

double Expression::apply(Op op, double x, double y, double branch) {
  if (branch == 0.0) return apply(op == Op::branch_min ? Op::min : Op::max, x, y);
  return (branch > 0.0) == (op == Op::branch_max) ? x : y;
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
    } else if (step.op == Op::table) {
      stack[top - 1] = table(step).evaluate(stack[top - 1]).value;
    } else if (step.op == Op::map) {
      --top;
      stack[top - 1] = map(step).evaluate(stack[top - 1], stack[top], 0, 0);
    } else if (step.op == Op::branch_table) {
      --top;
      stack[top - 1] = calc_table_branch(table(step), stack[top - 1], stack[top]);
    } else if (step.op == Op::branch_min || step.op == Op::branch_max) {
      top -= 2;
      stack[top - 1] = apply(step.op, stack[top - 1], stack[top], stack[top + 1]);
    } else if (is_binary(step.op)) {
      --top;
      stack[top - 1] = apply(step.op, stack[top - 1], stack[top]);
    } else {
      stack[top - 1] = apply(step.op, stack[top - 1]);
    }
  }
  return stack[0];
}

namespace {

// A number of a tape as the linear function a + b·x of one variable, where it is one.
struct Linear {
  double a, b;
  bool is_known;
};

Linear apply_linear(Expression::Op op, const Linear& u, const Linear& v) {
  using Op = Expression::Op;
  const bool known = u.is_known && v.is_known;
  switch (op) {
    case Op::add: return {u.a + v.a, u.b + v.b, known};
    case Op::subtract: return {u.a - v.a, u.b - v.b, known};
    case Op::multiply:
      if (u.b == 0.0) return {u.a * v.a, u.a * v.b, known};
      return {u.a * v.a, u.b * v.a, known && v.b == 0.0};
    case Op::divide: return {u.a / v.a, u.b / v.a, known && v.b == 0.0};
    default: return {Expression::apply(op, u.a, v.a), 0.0, known && u.b == 0.0 && v.b == 0.0};
  }
}

// The points of a table of a + b·t
void add_points(const Spline& table, const Linear& argument, double end, std::size_t room,
                std::vector<double>& breaks) {
  if (!argument.is_known || argument.b == 0.0) return;
  std::vector<double> points;
  table.add_breaks_between(argument.a, argument.a + argument.b * end, room, points);
  for (const double x : points) {
    const double t = (x - argument.a) / argument.b;
    if (t > 0.0 && t < end && breaks.size() < room) breaks.push_back(t);
  }
}

}  // namespace

void Expression::add_breaks(int slot, double end, std::size_t room,
                            std::vector<double>& breaks) const {
  std::array<Linear, max_expression_stack> stack;
  std::array<bool, max_expression_stack> is_variable;  // the variable itself
  std::size_t top = 0;
  for (const auto& step : tape_) {
    if (step.op == Op::push || step.op == Op::load) {
      const bool is_load = step.op == Op::load, is_it = is_load && step.slot == slot;
      is_variable[top] = is_it;
      stack[top] = is_load ? Linear{0.0, 1.0, is_it} : Linear{step.value, 0.0, true};
      ++top;
      continue;
    }
    top -= static_cast<std::size_t>(n_arguments(step.op)) - 1;
    Linear& x = stack[top - 1];
    if (step.op == Op::step) {
      for (const Linear& at : {stack[top], stack[top + 2]}) {
        const bool is_constant = at.is_known && at.b == 0.0 && std::isfinite(at.a);
        if (is_variable[top - 1] && is_constant) breaks.push_back(at.a);
      }
      x.is_known = false;
    } else if (step.op == Op::table) {
      add_points(table(step), x, end, room, breaks);
      x.is_known = false;
    } else if (step.op == Op::map || is_branched(step.op)) {
      x.is_known = false;
    } else if (is_binary(step.op)) {
      x = apply_linear(step.op, x, stack[top]);
    } else if (step.op == Op::negate) {
      x = {-x.a, -x.b, x.is_known};
    } else {
      x = {apply(step.op, x.a), 0.0, x.is_known && x.b == 0.0};
    }
    is_variable[top - 1] = false;
  }
}

// The expression is evaluated; a table that gives NaN for a number was left.
const std::string* Expression::find_left_table(std::span<const double> values) const {
  if (tables_.empty() && maps_.empty()) return nullptr;
  std::array<double, max_expression_stack> stack;
  std::size_t top = 0;
  for (const auto& step : tape_) {
    if (step.op == Op::push || step.op == Op::load) {
      stack[top++] = step.op == Op::push ? step.value : values[static_cast<std::size_t>(step.slot)];
      continue;
    }
    top -= static_cast<std::size_t>(n_arguments(step.op)) - 1;
    double& x = stack[top - 1];
    if (step.op == Op::step) {
      x = calc_step(&x);
    } else if (step.op == Op::table) {
      if (table(step).has_left(x)) return &table(step).name();
      x = table(step).evaluate(x).value;
    } else if (step.op == Op::map) {
      if (map(step).has_left(x, stack[top])) return &map(step).name();
      x = map(step).evaluate(x, stack[top], 0, 0);
    } else if (step.op == Op::branch_table) {
      if (table(step).has_left(x)) return &table(step).name();
      x = calc_table_branch(table(step), x, stack[top]);
    } else if (step.op == Op::branch_min || step.op == Op::branch_max) {
      x = apply(step.op, x, stack[top], stack[top + 1]);
    } else {
      x = is_binary(step.op) ? apply(step.op, x, stack[top]) : apply(step.op, x);
    }
  }
  return nullptr;
}

}  // namespace trammel
