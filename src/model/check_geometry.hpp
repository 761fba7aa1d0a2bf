// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one shape: sizes, outlines that do not cross themselves, closed meshes where a mass depends
// on them.
#pragma once

#include <functional>
#include <string>

#include "trammel/shape.hpp"

namespace trammel {

inline constexpr std::size_t max_corners = 1000;  // of an extrusion

// field within the shape (".cone.length"), reason, hint
using ShapeProblem =
    std::function<void(const std::string&, const std::string&, const std::string&)>;

// `is_solid`: mass or inertia depend on it.
void check_geometry(const Shape& shape, bool is_solid, const ShapeProblem& add);

}  // namespace trammel
