// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mass, centre of mass and inertia of a body: as given, or from its shapes.
//
//   V 𝕀/m of a solid about its own centre and axes, then for each shape, c from the centre of all
//   𝕀 = Σ R 𝕀ₖ Rᵀ + mₖ (|c|² 1 − c cᵀ)                      (rotation, parallel axes)
//
// What is given replaces what the shapes say, one by one. Where mass and inertia are both given, shapes are
// looks only, and the centre of mass is the origin unless it is given, too.
//
// Shapes without density count as massless when another shape has one, and as equally dense when
// none has and the body's mass is given.
#pragma once

#include "trammel/model.hpp"

namespace trammel {

struct MassProperties {
  double mass = 0.0;  // kg
  Mat3 inertia{};     // kg m², about the centre of mass, body axes
  Vec3 com{};         // m, centre of mass in the body's frame
};

// What the shapes alone say; zero where they have no mass.
struct ShapeProperties {
  double mass = 0.0;     // kg; with `uniform`: of density 1
  Mat3 inertia{};        // kg m², about the centre of mass
  Vec3 center{};         // m, of mass
  double size = 0.0;     // m, the largest distance from the origin to a shape's far side
  bool uniform = false;  // no shape has a density: density 1 was taken for all
};

ShapeProperties calc_shape_properties(const std::vector<Shape>& shapes);

// R 𝕀 Rᵀ
Mat3 rotate_inertia(const Mat3& inertia, const EulerParameters& rotation);
// 𝕀 + m (|c|² 1 − c cᵀ): from the centre of mass to a point c away; back with −m.
Mat3 shift_inertia(const Mat3& inertia, double mass, const Vec3& c);

double calc_volume(const Shape& shape);  // m³

// For a body that check_model accepts.
MassProperties calc_mass_properties(const Body& body);

}  // namespace trammel
