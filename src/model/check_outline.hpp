// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Is an extruded outline one? It and its holes must not cross or touch, and the holes be inside.
#pragma once

#include <optional>
#include <string>

#include "trammel/shape.hpp"

namespace trammel {

struct OutlineProblem {
  std::string field;  // "outline", "holes[1]", "holes[1][3]"
  std::string reason;
};

std::optional<OutlineProblem> find_outline_problem(const Extrusion& extrusion);

}  // namespace trammel
