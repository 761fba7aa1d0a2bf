// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of bodies: for the picture, and for mass and inertia when a density is given.
#pragma once

#include <optional>
#include <variant>

#include "trammel/types.hpp"

namespace trammel {

struct Box {
  Vec3 size{};  // m, full edge lengths along the body axes
};
struct Cylinder {
  double radius = 0.0;  // m
  double length = 0.0;  // m, along z of the shape's frame
};
struct Sphere {
  double radius = 0.0;  // m
};

struct Shape {
  std::variant<Box, Cylinder, Sphere> geometry;
  std::optional<double> density;            // kg/m³; gives mass and inertia when the body has none
  Vec3 position{};                          // m, shape's centre in the body frame
  EulerParameters orientation{1, 0, 0, 0};  // shape frame to body frame
};

}  // namespace trammel
