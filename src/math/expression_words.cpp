// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is asked about the words of expressions.
#include "math/expression_words.hpp"

#include "math/expression_parser.hpp"

namespace trammel {

using Op = Expression::Op;

int n_arguments(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::pow:
    case Op::hypot:
    case Op::branch_abs:
    case Op::branch_sign:
    case Op::branch_table:
    case Op::map: return 2;
    case Op::branch_min:
    case Op::branch_max: return 3;
    case Op::step: return 5;
    default: return 1;
  }
}

std::string_view function_name(Op op) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const NamedFunction& known) { return known.op == op; });
  return found == functions.end() ? std::string_view() : found->name;
}

void offer_functions(NearestWord& nearest) {
  for (const auto& known : functions) nearest.offer(known.name);
  for (const auto& known : constants) nearest.offer(known.name);
}

bool is_reserved_name(std::string_view name) {
  return find_in(functions, name) != functions.end() ||
         find_in(constants, name) != constants.end() || find_in(units, name) != units.end();
}

}  // namespace trammel
