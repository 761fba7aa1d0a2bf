// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From the text of an expression to its tape; used by src/math/expression.cpp only.
#pragma once

#include <string_view>
#include <vector>

#include "math/expression.hpp"
#include "math/nearest_word.hpp"

namespace trammel {

inline constexpr std::size_t max_expression_stack = 1024;   // numbers held during an evaluation
inline constexpr std::size_t max_expression_size = 50'000;  // operations

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
std::size_t calc_name_length(std::string_view text,
                             std::size_t at);  // bytes: words joined by points

int n_arguments(Expression::Op op);  // of a function or operator
inline bool is_binary(Expression::Op op) { return n_arguments(op) == 2; }
inline bool is_branched(Expression::Op op) { return op >= Expression::Op::branch_abs; }
std::string_view function_name(Expression::Op op);
void offer_functions(NearestWord& nearest);  // and constants

struct ParsedExpression {
  std::vector<Expression::Instruction> tape;
  std::vector<std::shared_ptr<const Spline>> tables;
  std::vector<std::shared_ptr<const MapSurface>> maps;
  KnownUnit quantity;
};

// Throws ExpressionError. `component`: 0, 1 or 2 of an expression that may be a vector; -1: it may not.
// `smooth`: tables are cubic splines by default.
ParsedExpression parse_expression(std::string_view text, const VariableNames& variables,
                                  int component = -1, const TableLibrary* tables = nullptr,
                                  bool smooth = false);

}  // namespace trammel
