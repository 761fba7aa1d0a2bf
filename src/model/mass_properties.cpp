// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mass, centre and inertia of shapes.
#include "model/mass_properties.hpp"

#include <algorithm>
#include <cmath>

#include "math/euler_parameters.hpp"
#include "model/solids.hpp"

namespace trammel {
namespace {

// Of its solid, in the body frame.
Vec3 calc_center(const Solid& solid, const Shape& shape) {
  if (solid.center == Vec3{}) return shape.position;
  const auto shift =
      calc_rotation(shape.orientation.data()) * Vector3<double>::load(solid.center.data());
  const Vec3& p = shape.position;
  return {p[0] + shift.x, p[1] + shift.y, p[2] + shift.z};
}

// A centre of mass this near to the origin, as a part of the shapes' size, is the origin and rounding.
constexpr double rounding = 1e-14;

// inertia += m (R gyration Rᵀ + |c|² 1 − c cᵀ), c from the centre of all
void add_inertia(Mat3& inertia, double mass, const Solid& solid, const Shape& shape,
                 const Vec3& c) {
  const Matrix3<double> rotation = calc_rotation(shape.orientation.data());
  double R[3][3];
  for (int i = 0; i < 3; ++i) rotation.row[i].store(R[i]);
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = (i == j ? square : 0.0) - c[i] * c[j];
      for (std::size_t k = 0; k < 3; ++k) {
        sum += R[i][k] * solid.gyration[k][k] * R[j][k];
      }
      for (std::size_t k = 0; k < 3; ++k) {  // products, which most solids do not have
        const std::size_t l = (k + 1) % 3;
        sum += solid.gyration[k][l] * (R[i][k] * R[j][l] + R[i][l] * R[j][k]);
      }
      inertia[i][j] += mass * sum;
    }
  }
}

}  // namespace

Mat3 rotate_inertia(const Mat3& inertia, const EulerParameters& rotation) {
  const Matrix3<double> matrix = calc_rotation(rotation.data());
  double R[3][3];
  for (int i = 0; i < 3; ++i) matrix.row[i].store(R[i]);
  Mat3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) result[i][j] += R[i][k] * inertia[k][l] * R[j][l];
      }
    }
  }
  return result;
}

Mat3 shift_inertia(const Mat3& inertia, double mass, const Vec3& c) {
  Mat3 result = inertia;
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      result[i][j] += mass * ((i == j ? square : 0.0) - c[i] * c[j]);
    }
  }
  return result;
}

double calc_volume(const Shape& shape) { return calc_solid(shape).volume; }

ShapeProperties calc_shape_properties(const std::vector<Shape>& shapes) {
  ShapeProperties sum;
  sum.uniform = std::none_of(shapes.begin(), shapes.end(),
                             [](const Shape& shape) { return shape.density.has_value(); });
  std::vector<Solid> solids;
  for (const auto& shape : shapes) {
    const Solid& solid = solids.emplace_back(calc_solid(shape));
    const double mass = solid.volume * shape.density.value_or(sum.uniform ? 1.0 : 0.0);
    const Vec3 c = calc_center(solid, shape);
    sum.mass += mass;
    for (std::size_t i = 0; i < 3; ++i) sum.center[i] += mass * c[i];
    sum.size = std::max(sum.size, std::hypot(c[0], c[1], c[2]) + solid.reach);
  }
  if (sum.mass > 0) {
    for (double& x : sum.center) x /= sum.mass;
  }
  const Vec3& c = sum.center;
  if (std::hypot(c[0], c[1], c[2]) <= rounding * sum.size) sum.center = {};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const double mass = solids[k].volume * shapes[k].density.value_or(sum.uniform ? 1.0 : 0.0);
    Vec3 from_center = calc_center(solids[k], shapes[k]);
    for (std::size_t i = 0; i < 3; ++i) from_center[i] -= sum.center[i];
    add_inertia(sum.inertia, mass, solids[k], shapes[k], from_center);
  }
  return sum;
}

MassProperties calc_mass_properties(const Body& body) {
  if (body.mass && body.inertia) return {*body.mass, *body.inertia, body.com.value_or(Vec3{})};
  const ShapeProperties shapes = calc_shape_properties(body.shapes);
  MassProperties result{body.mass.value_or(shapes.mass), body.inertia.value_or(shapes.inertia),
                        body.com.value_or(body.mass == 0.0 ? Vec3{} : shapes.center)};
  if (body.mass && !body.inertia && !body.shapes.empty()) {
    for (auto& row : result.inertia) {
      for (double& x : row) x *= *body.mass / shapes.mass;
    }
  }
  return result;
}

}  // namespace trammel
