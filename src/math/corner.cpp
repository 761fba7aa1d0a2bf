// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/corner.hpp"

#include <algorithm>
#include <limits>

#include "math/expression_parser.hpp"

namespace trammel {

int Corner::find_branch(double x) const {
  if (table == nullptr) return (x > 0.0) - (x < 0.0);
  std::size_t k = 0;
  while (k < table->n_corners() && x > table->corner(k)) ++k;
  const bool is_at_corner = k < table->n_corners() && x == table->corner(k);
  return is_at_corner ? 0 : static_cast<int>(k) + 1;
}

double Corner::calc_inside(int branch, double x) const {
  if (table == nullptr) return branch * x;
  const auto k = static_cast<std::size_t>(branch - 1);
  constexpr double endless = std::numeric_limits<double>::infinity();
  const double above = k > 0 ? x - table->corner(k - 1) : endless;
  const double below = k < table->n_corners() ? table->corner(k) - x : endless;
  return std::min(above, below);
}

int Corner::find_next(int branch, double x) const {
  if (table == nullptr) return -branch;
  const auto k = static_cast<std::size_t>(branch - 1);
  if (k == 0) return branch + 1;
  if (k == table->n_corners()) return branch - 1;
  return x - table->corner(k - 1) < table->corner(k) - x ? branch - 1 : branch + 1;
}

namespace {

Jet evaluate_branch(const Spline& table, double x, double branch) {
  return branch > 0.0 ? table.evaluate_piece(static_cast<std::size_t>(branch) - 1, x)
                      : table.evaluate(x);
}

}  // namespace

double calc_table_branch(const Spline& table, double x, double branch) {
  return evaluate_branch(table, x, branch).value;
}
double calc_table_branch_slope(const Spline& table, double x, double branch) {
  return evaluate_branch(table, x, branch).first;
}

namespace {

using Op = Expression::Op;

// The operation with a branch, or the same where it has no corner.
Op find_branched(Op op) {
  switch (op) {
    case Op::abs: return Op::branch_abs;
    case Op::sign: return Op::branch_sign;
    case Op::min: return Op::branch_min;
    case Op::max: return Op::branch_max;
    case Op::table: return Op::branch_table;
    default: return op;
  }
}

// A table without corners, or whose first derivative is continuous at its ends.
bool is_smooth(const Spline& table) {
  return table.n_corners() == 0 ||
         (table.interpolation() != Interpolation::linear && table.beyond() != TableBeyond::hold);
}

}  // namespace

// Copies the tape; each number on the stack knows where its part of the tape begins and what it depends on.
std::vector<Corner> Expression::add_branches(int time, const std::function<int()>& add_branch) {
  struct Part {
    std::size_t begin;
    bool varies, varies_with_state;
  };
  std::vector<Corner> corners;
  // each branch is one more number on the stack
  if (tape_.size() >= max_expression_stack / 2) return corners;
  std::vector<Instruction> tape;
  std::vector<Part> parts;
  for (const Instruction& step : tape_) {
    if (step.op == Op::push || step.op == Op::load) {
      const bool is_load = step.op == Op::load;
      parts.push_back({tape.size(), is_load, is_load && step.slot != time});
      tape.push_back(step);
      continue;
    }
    const auto n = static_cast<std::size_t>(n_arguments(step.op));
    Part all = parts[parts.size() - n];
    for (std::size_t i = parts.size() - n; i < parts.size(); ++i) {
      all.varies |= parts[i].varies;
      all.varies_with_state |= parts[i].varies_with_state;
    }
    parts.resize(parts.size() - n);
    parts.push_back(all);
    const Op branched = find_branched(step.op);
    const bool is_table = step.op == Op::table;
    // an argument that jumps, where a sign within it does, never is at the corner: the operation stays as it is
    const bool jumps =
        std::any_of(tape.begin() + static_cast<std::ptrdiff_t>(all.begin), tape.end(),
                    [](const Instruction& inner) { return inner.op == Op::branch_sign; });
    if (jumps || branched == step.op || !(is_table ? all.varies_with_state : all.varies) ||
        (is_table && is_smooth(table(step)))) {
      tape.push_back(step);
      continue;
    }
    Expression argument;
    argument.tape_.assign(tape.begin() + static_cast<std::ptrdiff_t>(all.begin), tape.end());
    if (n == 2) argument.tape_.push_back({Op::subtract, 0, 0.0});
    argument.tables_ = tables_;
    argument.maps_ = maps_;
    corners.push_back(
        {std::move(argument), is_table ? tables_[static_cast<std::size_t>(step.slot)] : nullptr});
    tape.push_back({Op::load, add_branch(), 0.0});
    tape.push_back({branched, step.slot, step.value});
  }
  tape_ = std::move(tape);
  return corners;
}

}  // namespace trammel
