// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mass and inertia of shapes against sums over many small cells.
#include "model/mass_properties.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

using namespace trammel;

namespace {

Eigen::Matrix3d to_eigen(const Mat3& m) {
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = m[i][j];
  }
  return result;
}

bool is_inside(const Shape& shape, const Eigen::Vector3d& p) {
  if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    return std::abs(p.x()) <= box->size[0] / 2 && std::abs(p.y()) <= box->size[1] / 2 &&
           std::abs(p.z()) <= box->size[2] / 2;
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
    return p.head<2>().norm() <= cylinder->radius && std::abs(p.z()) <= cylinder->length / 2;
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape.geometry)) {
    const double z = p.z() - std::clamp(p.z(), -capsule->length / 2, capsule->length / 2);
    return std::hypot(p.x(), p.y(), z) <= capsule->radius;
  }
  if (const auto* cone = std::get_if<Cone>(&shape.geometry)) {
    const double u = p.z() / cone->length + 0.5;
    return u >= 0 && u <= 1 && p.head<2>().norm() <= cone->radius + u * (cone->top - cone->radius);
  }
  if (const auto* ring = std::get_if<Ring>(&shape.geometry)) {
    const double r = p.head<2>().norm();
    return r <= ring->radius && r >= ring->inner && std::abs(p.z()) <= ring->length / 2;
  }
  if (const auto* extrusion = std::get_if<Extrusion>(&shape.geometry)) {
    bool inside = false;  // crossings of a ray along x with all loops
    for (const Extrusion::Loop& loop : extrusion->loops) {
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const auto &a = loop[k], &b = loop[(k + 1) % loop.size()];
        if ((a[1] > p.y()) == (b[1] > p.y())) continue;
        if (p.x() < a[0] + (p.y() - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) inside = !inside;
      }
    }
    return inside && std::abs(p.z()) <= extrusion->length / 2;
  }
  return p.norm() <= std::get<Sphere>(shape.geometry).radius;
}

struct Sums {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};

// Midpoint rule on a grid in the shape's own frame, which `reach` encloses.
void add_cells(const Shape& shape, double reach, Sums& sums) {
  const int n = 120;
  const double h = 2 * reach / n;
  const auto& q = shape.orientation;
  const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  const Eigen::Vector3d c(shape.position[0], shape.position[1], shape.position[2]);
  const double cell = *shape.density * h * h * h;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Eigen::Vector3d p((i + 0.5) * h - reach, (j + 0.5) * h - reach,
                                (k + 0.5) * h - reach);
        if (!is_inside(shape, p)) continue;
        const Eigen::Vector3d x = c + R * p;
        sums.mass += cell;
        sums.center += cell * x;
        sums.inertia += cell * (x.squaredNorm() * Eigen::Matrix3d::Identity() - x * x.transpose());
      }
    }
  }
}

Shape make_shape(const Geometry& geometry, double density, Vec3 position,
                 EulerParameters orientation) {
  Shape shape;
  shape.geometry = geometry;
  shape.density = density;
  shape.position = position;
  shape.orientation = orientation;
  return shape;
}

const EulerParameters turned = {std::cos(0.4), std::sin(0.4) * 2 / 3, std::sin(0.4) / 3,
                                -std::sin(0.4) * 2 / 3};

}  // namespace

TEST_CASE("each shape, moved and turned, agrees with a sum over cells") {
  const std::vector<std::pair<Shape, double>> cases = {
      {make_shape(Box{{1.0, 0.6, 0.4}}, 800, {0.3, -0.2, 0.5}, turned), 0.5},
      {make_shape(Cylinder{0.3, 0.9}, 2700, {-0.1, 0.4, 0.2}, turned), 0.45},
      {make_shape(Sphere{0.4}, 1000, {0.2, 0.1, -0.3}, turned), 0.4},
      {make_shape(Capsule{0.2, 0.5}, 1000, {0.2, 0.1, -0.3}, turned), 0.45},
      {make_shape(Cone{0.35, 0.15, 0.8}, 2000, {0.2, 0.1, -0.3}, turned), 0.4},
      {make_shape(Cone{0.0, 0.3, 0.7}, 2000, {0.0, 0.1, -0.3}, turned), 0.35},
      {make_shape(Ring{0.4, 0.25, 0.32}, 3000, {0.2, -0.1, 0.3}, turned), 0.4},
      {make_shape(Extrusion{0.49,
                            {{{-0.4, -0.3}, {0.4, -0.35}, {0.1, 0.05}, {0.35, 0.4}, {-0.3, 0.2}},
                             {{-0.2, -0.2}, {-0.25, 0.1}, {0.0, 0.0}}}},
                  1500, {0.1, 0.2, 0.3}, turned),
       0.42}};
  for (const auto& [shape, reach] : cases) {
    Sums sums;
    add_cells(shape, reach, sums);
    const ShapeProperties properties = calc_shape_properties({shape});
    CHECK(properties.mass == doctest::Approx(sums.mass).epsilon(5e-3));
    const Mat3 inertia = shift_inertia(properties.inertia, properties.mass, properties.center);
    CHECK((to_eigen(inertia) - sums.inertia).norm() < 5e-3 * sums.inertia.norm());
    for (int i = 0; i < 3; ++i) {
      CHECK(std::abs(properties.center[i] - sums.center[i] / sums.mass) < 2e-3 * reach);
    }
  }
}

TEST_CASE("shapes add up") {
  Body body;
  body.shapes = {make_shape(Sphere{0.2}, 1000, {0.5, 0, 0}, {1, 0, 0, 0}),
                 make_shape(Sphere{0.2}, 1000, {-0.5, 0, 0}, {1, 0, 0, 0})};
  const double m = 1000 * 4.0 / 3.0 * M_PI * 0.008;
  const MassProperties properties = calc_mass_properties(body);
  CHECK(properties.mass == doctest::Approx(2 * m));
  CHECK(properties.inertia[0][0] == doctest::Approx(2 * 0.4 * m * 0.04));
  CHECK(properties.inertia[1][1] == doctest::Approx(2 * m * (0.4 * 0.04 + 0.25)));
  CHECK(properties.inertia[0][1] == 0);
}

TEST_CASE("the paper's bar: 0.5 × 0.05 × 0.1 m of density 7810") {
  Body body;
  body.shapes = {make_shape(Box{{0.5, 0.05, 0.1}}, 7810, {0, 0, 0}, {1, 0, 0, 0})};
  const MassProperties properties = calc_mass_properties(body);
  CHECK(properties.mass == doctest::Approx(19.525));
  CHECK(properties.inertia[0][0] == doctest::Approx(0.020339).epsilon(1e-4));
  CHECK(properties.inertia[2][2] == doctest::Approx(0.410839).epsilon(1e-4));
}

TEST_CASE("what is given counts, the rest comes from the shapes") {
  Body body;
  body.shapes = {make_shape(Box{{1, 1, 1}}, 6, {0, 0, 0}, {1, 0, 0, 0})};
  body.mass = 12.0;
  SUBCASE("mass given: the inertia is scaled to it") {
    const MassProperties properties = calc_mass_properties(body);
    CHECK(properties.mass == 12);
    CHECK(properties.inertia[0][0] == doctest::Approx(2));
  }
  SUBCASE("without any density the shapes count as equally dense") {
    body.shapes[0].density.reset();
    CHECK(calc_mass_properties(body).inertia[0][0] == doctest::Approx(2));
  }
  SUBCASE("inertia given, mass from the shapes") {
    body.mass.reset();
    body.inertia = Mat3{{{7, 0, 0}, {0, 7, 0}, {0, 0, 7}}};
    const MassProperties properties = calc_mass_properties(body);
    CHECK(properties.mass == doctest::Approx(6));
    CHECK(properties.inertia[1][1] == 7);
  }
  SUBCASE("a shape without density beside one with is for the picture only") {
    Shape picture;
    picture.geometry = Sphere{10};
    body.shapes.push_back(picture);
    body.mass.reset();
    CHECK(calc_mass_properties(body).mass == doctest::Approx(6));
  }
}
