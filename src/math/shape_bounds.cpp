// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/shape_bounds.hpp"

#include <algorithm>
#include <variant>

namespace trammel {
namespace {

Bounds symmetric(double x, double y, double z) { return {{-x, -y, -z}, {x, y, z}}; }

Bounds bounds_of(const Box& b) { return symmetric(b.size[0] / 2, b.size[1] / 2, b.size[2] / 2); }
Bounds bounds_of(const Cylinder& c) { return symmetric(c.radius, c.radius, c.length / 2); }
Bounds bounds_of(const Sphere& s) { return symmetric(s.radius, s.radius, s.radius); }
Bounds bounds_of(const Capsule& c) {
  return symmetric(c.radius, c.radius, c.length / 2 + c.radius);
}
Bounds bounds_of(const Cone& c) {
  const double r = std::max(c.radius, c.top);
  return symmetric(r, r, c.length / 2);
}
Bounds bounds_of(const Ring& r) { return symmetric(r.radius, r.radius, r.length / 2); }

Bounds bounds_of(const Extrusion& e) {
  if (e.loops.empty() || e.loops[0].empty()) return {};
  const auto& first = e.loops[0][0];
  Bounds bounds = {{first[0], first[1], -e.length / 2}, {first[0], first[1], e.length / 2}};
  for (const auto& corner : e.loops[0]) {
    for (std::size_t k = 0; k < 2; ++k) {
      bounds.low[k] = std::min(bounds.low[k], corner[k]);
      bounds.high[k] = std::max(bounds.high[k], corner[k]);
    }
  }
  return bounds;
}

Bounds bounds_of(const Mesh& mesh) {
  Bounds bounds;
  if (!mesh.surface) return bounds;
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = mesh.scale[k] * mesh.surface->low[k],
                 b = mesh.scale[k] * mesh.surface->high[k];
    bounds.low[k] = std::min(a, b);
    bounds.high[k] = std::max(a, b);
  }
  return bounds;
}

}  // namespace

Bounds calc_bounds(const Shape& shape) {
  return std::visit([](const auto& geometry) { return bounds_of(geometry); }, shape.geometry);
}

}  // namespace trammel
