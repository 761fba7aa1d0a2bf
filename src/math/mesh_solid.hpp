// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a surface of triangles encloses. With D the determinant of a triangle's corners a, b, c seen
// from a point inside, the tetrahedron over it has (divergence theorem)
//
//   V = D/6,   ∫ x dV = D (a + b + c)/24,   ∫ x xᵀ dV = D/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),  s = a + b + c
//
// The sums over all triangles are those of the solid where the surface is closed: each edge is passed as
// often in one direction as in the other.
#pragma once

#include "trammel/mesh.hpp"

namespace trammel {

// Fills low, high, opening, turned, volume, center, gyration; turns parts that are inside out.
void finish_mesh(TriangleMesh& mesh);

}  // namespace trammel
