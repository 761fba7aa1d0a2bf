// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Solids for a picture: pieces of surface and edges, drawn from the farthest to the nearest
// (painter's algorithm). Long faces are cut into short pieces, so that the order is right where
// bodies pass each other; faces turned away are left out.
#pragma once

#include <string>
#include <vector>

#include "report/camera.hpp"
#include "report/surfaces.hpp"
#include "report/svg.hpp"

namespace trammel {

class SolidPainter {
 public:
  // `piece`: the longest side of a piece, m.
  SolidPainter(const Camera& camera, double piece) : camera_(camera), piece_(piece) {}

  void add_box(const Placement& at, const Vector& half, const Colour& colour);
  // Along z of its frame.
  void add_cylinder(const Placement& at, double radius, double half_length, const Colour& colour);
  void add_sphere(const Vector& centre, double radius, const Colour& colour);
  void add_surface(const Placement& at, const Surface& surface, const Colour& colour);
  // `colour`: where the shape has none of its own.
  void add_shape(const Placement& body, const Shape& shape, const Colour& colour);
  // A line in space, as an edge.
  void add_line(const Vector& a, const Vector& b, const std::string& attributes, double nearer);

  // Everything so far, in order.
  void paint(SvgWriter& svg);

 private:
  struct Primitive {
    double depth;
    std::vector<Pixel> points;  // 1: circle, 2: line, more: polygon
    double radius;
    std::string attributes;
  };
  struct Side {
    Vector origin, u, v;  // corner and the two sides of a parallelogram, normal outwards along u×v
  };

  void add_face(const Side& side, const Colour& colour, bool edges);
  void add_polygon(const std::vector<Vector>& points, const Vector& normal, const Colour& colour);
  void add_pieces(const std::vector<Vector>& points, const Vector& normal, const Colour& colour,
                  int depth);
  void add_edges(const Surface& surface, const std::vector<Vector>& points,
                 const std::vector<Vector>& normals, const Colour& colour);
  void add_edge(const Vector& a, const Vector& b, const Colour& colour);
  double calc_light(const Vector& normal) const;

  const Camera& camera_;
  double piece_;
  double opacity_ = 1.0;  // of what is added
  std::vector<Primitive> primitives_;
};

}  // namespace trammel
