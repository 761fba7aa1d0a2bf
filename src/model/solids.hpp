// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The solid that a shape is, in its own frame: volume, centroid, inertia per mass.
#pragma once

#include "trammel/shape.hpp"

namespace trammel {

struct Solid {
  double volume = 0.0;  // m³
  Mat3 gyration{};      // m², 𝕀/m about the centroid
  double reach = 0.0;   // m, from the centroid: no point is farther away
  Vec3 center{};        // m, centroid
};

// Of a mesh that is not closed only the reach.
Solid calc_solid(const Shape& shape);

// Twice the signed area; positive if anticlockwise.
double calc_double_area(const Extrusion::Loop& loop);

}  // namespace trammel
