// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of bodies: for the picture, and for mass and inertia when a density is given.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "trammel/mesh.hpp"
#include "trammel/types.hpp"

namespace trammel {

// All but meshes are centred at the origin of their frame; what is round or extruded is along z.
struct Box {
  Vec3 size{};  // m, full edge lengths along the axes of the shape's frame
};
struct Cylinder {
  double radius = 0.0;  // m
  double length = 0.0;  // m, along z of the shape's frame
};
struct Sphere {
  double radius = 0.0;  // m
};
struct Capsule {
  double radius = 0.0;  // m
  double length = 0.0;  // m, between the centres of its two half spheres
};
// With `top` > 0 a frustum.
struct Cone {
  double radius = 0.0;  // m, at z = −length/2
  double top = 0.0;     // m, radius at z = length/2
  double length = 0.0;  // m
};
// A tube; a hollow cylinder.
struct Ring {
  double radius = 0.0;  // m, outer
  double inner = 0.0;   // m, radius of the hole
  double length = 0.0;  // m
};
// A polygon in the plane of x and y, extruded along z to both sides.
struct Extrusion {
  using Loop = std::vector<std::array<double, 2>>;  // m, corners in either sense
  double length = 0.0;                              // m
  std::vector<Loop> loops;                          // the outline, then its holes
};
// Triangles of a file. The origin of the shape's frame is that of the file.
struct Mesh {
  std::shared_ptr<const TriangleMesh> surface;  // shared by all shapes that show it
  Vec3 scale{1, 1, 1};  // m per unit of the file along its axes; negative: mirrored
};

using Geometry = std::variant<Box, Cylinder, Sphere, Capsule, Cone, Ring, Extrusion, Mesh>;

struct Shape {
  Geometry geometry;
  std::optional<double> density;            // kg/m³; gives mass and inertia when the body has none
  Vec3 position{};                          // m, origin of the shape's frame in the body frame
  EulerParameters orientation{1, 0, 0, 0};  // shape frame to body frame
  std::optional<Rgb> color = {};            // without it: one for each body
  float opacity = 1.0F;                     // 0 … 1; 0 is not drawn
};

}  // namespace trammel
