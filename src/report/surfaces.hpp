// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes as flat faces, for pictures.
#pragma once

#include <vector>

#include "report/camera.hpp"

namespace trammel {

struct Surface {
  std::vector<Vector> points;           // m, in the shape's frame
  std::vector<std::vector<int>> faces;  // convex, anticlockwise seen from outside
  struct Edge {
    int from, to;
    int face, other;  // faces that it bounds; other −1: there is none
  };
  std::vector<Edge> edges;
  double crease = 0.6;  // an edge of faces at a larger angle is drawn: the cosine of the angle
  bool closed = true;   // faces turned away are not seen
};

// `facets`: of what is round.
Surface make_surface(const Capsule& capsule, int facets);
Surface make_surface(const Cone& cone, int facets);
Surface make_surface(const Ring& ring, int facets);
Surface make_surface(const Extrusion& extrusion);
Surface make_surface(const Mesh& mesh);

}  // namespace trammel
