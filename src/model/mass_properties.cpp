// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mass, centre and inertia of boxes, cylinders and spheres.
#include "model/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/euler_parameters.hpp"

namespace trammel {
namespace {

struct Solid {
  double volume;  // m³
  Vec3 gyration;  // m², 𝕀/m about the own centre, own axes
  double reach;   // m, from the centre to the farthest point
};

Solid calc_solid(const Box& box) {
  const auto [a, b, c] = box.size;
  return {a * b * c,
          {(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12},
          std::hypot(a, b, c) / 2};
}

Solid calc_solid(const Cylinder& cylinder) {
  const double r2 = cylinder.radius * cylinder.radius, l = cylinder.length;
  const double across = r2 / 4 + l * l / 12;
  return {std::numbers::pi * r2 * l, {across, across, r2 / 2}, std::hypot(cylinder.radius, l / 2)};
}

Solid calc_solid(const Sphere& sphere) {
  const double r = sphere.radius, about = 0.4 * r * r;
  return {4.0 / 3.0 * std::numbers::pi * r * r * r, {about, about, about}, r};
}

Solid calc_solid(const Shape& shape) {
  return std::visit([](const auto& geometry) { return calc_solid(geometry); }, shape.geometry);
}

// inertia += m (R diag(gyration) Rᵀ + |c|² 1 − c cᵀ)
void add_inertia(Mat3& inertia, double mass, const Solid& solid, const Shape& shape) {
  const Matrix3<double> rotation = calc_rotation(shape.orientation.data());
  double R[3][3];
  for (int i = 0; i < 3; ++i) rotation.row[i].store(R[i]);
  const Vec3& c = shape.position;
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = (i == j ? square : 0.0) - c[i] * c[j];
      for (std::size_t k = 0; k < 3; ++k) {
        sum += R[i][k] * solid.gyration[k] * R[j][k];
      }
      inertia[i][j] += mass * sum;
    }
  }
}

}  // namespace

double calc_volume(const Shape& shape) { return calc_solid(shape).volume; }

ShapeProperties calc_shape_properties(const std::vector<Shape>& shapes) {
  ShapeProperties sum;
  sum.uniform = std::none_of(shapes.begin(), shapes.end(),
                             [](const Shape& shape) { return shape.density.has_value(); });
  for (const auto& shape : shapes) {
    const Solid solid = calc_solid(shape);
    const double mass = solid.volume * shape.density.value_or(sum.uniform ? 1.0 : 0.0);
    const Vec3& c = shape.position;
    sum.mass += mass;
    for (std::size_t i = 0; i < 3; ++i) sum.center[i] += mass * c[i];
    add_inertia(sum.inertia, mass, solid, shape);
    sum.size = std::max(sum.size, std::hypot(c[0], c[1], c[2]) + solid.reach);
  }
  if (sum.mass > 0) {
    for (double& x : sum.center) x /= sum.mass;
  }
  return sum;
}

MassProperties calc_mass_properties(const Body& body) {
  if (body.mass && body.inertia) return {*body.mass, *body.inertia};
  const ShapeProperties shapes = calc_shape_properties(body.shapes);
  MassProperties result{body.mass.value_or(shapes.mass), body.inertia.value_or(shapes.inertia)};
  if (body.mass && !body.inertia && !body.shapes.empty()) {
    for (auto& row : result.inertia) {
      for (double& x : row) x *= *body.mass / shapes.mass;
    }
  }
  return result;
}

}  // namespace trammel
