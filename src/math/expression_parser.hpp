// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From the text of an expression to its tape; used by src/math/expression.cpp only.
#pragma once

#include <string_view>
#include <vector>

#include "math/expression.hpp"

namespace trammel {

inline constexpr std::size_t max_expression_stack = 1024;  // numbers held during an evaluation

bool is_binary(Expression::Op op);

// Throws ExpressionError.
std::vector<Expression::Instruction> parse_expression(std::string_view text,
                                                      const VariableNames& variables);

}  // namespace trammel
