// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#pragma once

#include "trammel/shape.hpp"

namespace trammel {

// The box around a shape, in its own frame.
struct Bounds {
  Vec3 low{}, high{};  // m
};
Bounds calc_bounds(const Shape& shape);

}  // namespace trammel
