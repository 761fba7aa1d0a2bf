// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace trammel {
namespace {

constexpr int most_facets = 40;  // of a cylinder
constexpr double two_pi = 6.283185307179586;
constexpr double outline = 0.45;  // light of edges

int count_pieces(double length, double piece) {
  return std::clamp(static_cast<int>(std::ceil(length / piece)), 1, 200);
}

// So many that a chord leaves the circle by r (1 − cos(π/n)) ≈ r π²/2n² of at most 0.1 pixels.
int count_facets(double radius_in_pixels) {
  const double n = std::sqrt(0.5 * radius_in_pixels / 0.1) * 0.5 * two_pi;
  return std::clamp(static_cast<int>(std::ceil(n)), 8, most_facets);
}

}  // namespace

// Lambert's law with a lamp above the viewer's left shoulder, and some light from everywhere.
double SolidPainter::calc_light(const Vector& normal) const {
  const Vector lamp = direction_of(camera_.toward() - 0.45 * camera_.right() + 0.9 * camera_.up());
  return 0.62 + 0.52 * std::max(0.0, dot(normal, lamp));
}

// The outline has the colour of the piece: it closes the seams that antialiasing leaves.
void SolidPainter::add_polygon(const std::vector<Vector>& points, const Vector& normal,
                               const Colour& colour) {
  Primitive primitive{0.0, {}, 0.0, {}};
  for (const Vector& point : points) {
    primitive.depth += camera_.depth(point) / static_cast<double>(points.size());
    primitive.points.push_back(camera_.project(point));
  }
  const std::string fill = to_hex(colour, calc_light(normal));
  primitive.attributes = opacity_ < 1.0
                             ? fmt::format(R"( fill="{}" fill-opacity="{:.3g}")", fill, opacity_)
                             : fmt::format(R"( fill="{0}" stroke="{0}" stroke-width="0.5")", fill);
  primitives_.push_back(std::move(primitive));
}

void SolidPainter::add_line(const Vector& a, const Vector& b, const std::string& attributes,
                            double nearer) {
  const int n = count_pieces(length_of(b - a), piece_);
  for (int i = 0; i < n; ++i) {
    const Vector from = a + (static_cast<double>(i) / n) * (b - a);
    const Vector to = a + (static_cast<double>(i + 1) / n) * (b - a);
    primitives_.push_back({0.5 * (camera_.depth(from) + camera_.depth(to)) + nearer,
                           {camera_.project(from), camera_.project(to)},
                           0.0,
                           attributes});
  }
}

// A little nearer than the faces it bounds.
void SolidPainter::add_edge(const Vector& a, const Vector& b, const Colour& colour) {
  add_line(a, b, fmt::format(R"( stroke="{}" stroke-width="0.9")", to_hex(colour, outline)),
           0.55 * piece_);
}

void SolidPainter::add_face(const Side& side, const Colour& colour, bool edges) {
  const Vector normal = direction_of(cross(side.u, side.v));
  if (dot(normal, camera_.toward()) <= 1e-6) return;
  const int nu = count_pieces(length_of(side.u), piece_),
            nv = count_pieces(length_of(side.v), piece_);
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      const auto corner = [&](int a, int b) {
        return side.origin + (static_cast<double>(a) / nu) * side.u +
               (static_cast<double>(b) / nv) * side.v;
      };
      add_polygon({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)}, normal,
                  colour);
    }
  }
  if (!edges) return;
  const Vector a = side.origin, b = a + side.u, c = b + side.v, d = a + side.v;
  add_edge(a, b, colour);
  add_edge(b, c, colour);
  add_edge(c, d, colour);
  add_edge(d, a, colour);
}

void SolidPainter::add_box(const Placement& at, const Vector& half, const Colour& colour) {
  const Vector x = at.rotation * Vector{half.x, 0, 0}, y = at.rotation * Vector{0, half.y, 0},
               z = at.rotation * Vector{0, 0, half.z};
  if (length_of(x) == 0.0 || length_of(y) == 0.0 || length_of(z) == 0.0) return;
  const auto face = [&](const Vector& n, const Vector& u, const Vector& v) {
    add_face({at.origin + n - u - v, 2.0 * u, 2.0 * v}, colour, true);
  };
  face(x, y, z);
  face(-x, z, y);
  face(y, z, x);
  face(-y, x, z);
  face(z, x, y);
  face(-z, y, x);
}

void SolidPainter::add_cylinder(const Placement& at, double radius, double half_length,
                                const Colour& colour) {
  const int facets = count_facets(radius * camera_.scale());
  const auto rim = [&](int k, double z) {
    const double angle = two_pi * k / facets;
    return at.at({radius * std::cos(angle), radius * std::sin(angle), z});
  };
  const auto normal = [&](int k) {  // of facet k
    const double angle = two_pi * (k + 0.5) / facets;
    return at.rotation * Vector{std::cos(angle), std::sin(angle), 0.0};
  };
  const auto faces_us = [&](int k) { return dot(normal(k), camera_.toward()) > 1e-6; };
  for (int k = 0; k < facets; ++k) {
    const Vector a = rim(k, -half_length), b = rim(k + 1, -half_length);
    const Vector axis = rim(k, half_length) - a;
    if (faces_us(k)) add_face({a, b - a, axis}, colour, false);
    // the outline: where the surface turns away
    if (faces_us(k) != faces_us(k + facets - 1)) add_edge(a, a + axis, colour);
  }
  for (const double z : {-half_length, half_length}) {
    const Vector outward = at.rotation * Vector{0, 0, z > 0 ? 1.0 : -1.0};
    const bool seen = dot(outward, camera_.toward()) > 1e-6;
    const Vector centre = at.at({0, 0, z});
    for (int k = 0; k < facets; ++k) {
      if (seen) add_polygon({centre, rim(k, z), rim(k + 1, z)}, outward, colour);
      if (seen || faces_us(k)) add_edge(rim(k, z), rim(k + 1, z), colour);
    }
  }
}

void SolidPainter::add_sphere(const Vector& centre, double radius, const Colour& colour) {
  const Pixel at = camera_.project(centre);
  const double r = radius * camera_.scale();
  const double nearer = camera_.depth(centre) + 0.5 * radius;
  primitives_.push_back(
      {nearer,
       {at},
       r,
       fmt::format(
           R"( fill="{}" stroke="{}" stroke-width="0.9"{})", to_hex(colour, 0.9),
           to_hex(colour, outline),
           opacity_ < 1.0 ? fmt::format(R"( fill-opacity="{:.3g}")", opacity_) : std::string())});
  if (opacity_ < 1.0) return;
  // two highlights, each smaller and lighter, towards the lamp
  for (const double k : {0.3, 0.55}) {
    primitives_.push_back({nearer + 1e-9 * (1.0 + k) * camera_.size(),
                           {{at.x - 0.45 * k * r, at.y - 0.6 * k * r}},
                           (0.95 - k) * r,
                           fmt::format(R"( fill="{}")", to_hex(colour, 0.9 + 0.4 * k))});
  }
}

// Cut in two across its longest edge, and so on; of a quadrilateral through the opposite edge.
void SolidPainter::add_pieces(const std::vector<Vector>& points, const Vector& normal,
                              const Colour& colour, int depth) {
  const std::size_t n = points.size();
  std::size_t longest = 0;
  const auto length = [&](std::size_t k) { return length_of(points[(k + 1) % n] - points[k]); };
  for (std::size_t k = 1; k < n; ++k) longest = length(k) > length(longest) ? k : longest;
  if (n > 4 || depth == 0 || length(longest) <= 2.0 * piece_) {
    return add_polygon(points, normal, colour);
  }
  const auto corner = [&](std::size_t k) { return points[(longest + k) % n]; };
  const Vector middle = 0.5 * (corner(0) + corner(1));
  if (n == 3) {
    add_pieces({corner(0), middle, corner(2)}, normal, colour, depth - 1);
    add_pieces({middle, corner(1), corner(2)}, normal, colour, depth - 1);
  } else {
    const Vector opposite = 0.5 * (corner(2) + corner(3));
    add_pieces({corner(0), middle, opposite, corner(3)}, normal, colour, depth - 1);
    add_pieces({middle, corner(1), corner(2), opposite}, normal, colour, depth - 1);
  }
}

// Where the surface turns away, and between faces at a sharp angle.
void SolidPainter::add_edges(const Surface& surface, const std::vector<Vector>& points,
                             const std::vector<Vector>& normals, const Colour& colour) {
  const auto is_seen = [&](int face) {
    return dot(normals[static_cast<std::size_t>(face)], camera_.toward()) > 1e-6;
  };
  const bool is_fine = surface.faces.size() > 5000;
  for (const auto& [from, to, face, other] : surface.edges) {
    const bool seen = is_seen(face), other_seen = other >= 0 && is_seen(other);
    if (!seen && !other_seen && surface.closed) continue;
    const bool sharp = other < 0 || dot(normals[static_cast<std::size_t>(face)],
                                        normals[static_cast<std::size_t>(other)]) < surface.crease;
    if (!sharp && seen == other_seen) continue;
    const Vector &a = points[static_cast<std::size_t>(from)],
                 &b = points[static_cast<std::size_t>(to)];
    // a simplified mesh has small folds everywhere
    if (is_fine && length_of(b - a) < 0.5 * piece_) continue;
    add_edge(a, b, colour);
  }
}

void SolidPainter::add_surface(const Placement& at, const Surface& surface, const Colour& colour) {
  constexpr int deepest = 8;  // 256 pieces of a face
  std::vector<Vector> points, normals;
  for (const Vector& point : surface.points) points.push_back(at.at(point));
  for (const std::vector<int>& face : surface.faces) {
    std::vector<Vector> corners;
    for (const int p : face) corners.push_back(points[static_cast<std::size_t>(p)]);
    Vector area{};  // of what is not quite flat: that of its shadow (Newell)
    for (std::size_t k = 0; k < corners.size(); ++k) {
      area += cross(corners[k] - corners[0], corners[(k + 1) % corners.size()] - corners[0]);
    }
    const double size = length_of(area);
    normals.push_back(size > 0.0 ? (1.0 / size) * area : Vector{});
    const double facing = dot(normals.back(), camera_.toward());
    if (facing > 1e-6) {
      add_pieces(corners, normals.back(), colour, deepest);
    } else if (facing < -1e-6 && !surface.closed) {  // the inner side
      add_pieces(corners, -normals.back(), colour, deepest);
    }
  }
  add_edges(surface, points, normals, colour);
}

void SolidPainter::add_shape(const Placement& body, const Shape& shape, const Colour& of_body) {
  if (shape.opacity <= 0.0F) return;
  Colour colour = of_body;
  if (shape.color) colour = {(*shape.color)[0], (*shape.color)[1], (*shape.color)[2]};
  opacity_ = shape.opacity;
  const Matrix3<double> turn = calc_rotation(shape.orientation.data());
  Placement at;
  at.origin = body.at(to_vector(shape.position));
  for (int i = 0; i < 3; ++i) {
    // row i of R_body R_shape
    at.rotation.row[i] = transposed_times(turn, body.rotation.row[i]);
  }
  const auto facets = [&](double radius) { return count_facets(radius * camera_.scale()); };
  const auto& geometry = shape.geometry;
  if (const Box* box = std::get_if<Box>(&geometry)) {
    add_box(at, 0.5 * to_vector(box->size), colour);
  } else if (const Cylinder* cylinder = std::get_if<Cylinder>(&geometry)) {
    add_cylinder(at, cylinder->radius, 0.5 * cylinder->length, colour);
  } else if (const Sphere* sphere = std::get_if<Sphere>(&geometry)) {
    add_sphere(at.origin, sphere->radius, colour);
  } else if (const Capsule* capsule = std::get_if<Capsule>(&geometry)) {
    add_surface(at, make_surface(*capsule, facets(capsule->radius)), colour);
  } else if (const Cone* cone = std::get_if<Cone>(&geometry)) {
    add_surface(at, make_surface(*cone, facets(std::max(cone->radius, cone->top))), colour);
  } else if (const Ring* ring = std::get_if<Ring>(&geometry)) {
    add_surface(at, make_surface(*ring, facets(ring->radius)), colour);
  } else if (const Extrusion* extrusion = std::get_if<Extrusion>(&geometry)) {
    add_surface(at, make_surface(*extrusion), colour);
  } else {
    add_surface(at, make_surface(std::get<Mesh>(geometry)), colour);
  }
  opacity_ = 1.0;
}

void SolidPainter::paint(SvgWriter& svg) {
  std::stable_sort(primitives_.begin(), primitives_.end(),
                   [](const Primitive& a, const Primitive& b) { return a.depth < b.depth; });
  for (const Primitive& primitive : primitives_) {
    if (primitive.points.size() == 1) {
      svg.circle(primitive.points[0], primitive.radius, primitive.attributes);
    } else if (primitive.points.size() == 2) {
      svg.line(primitive.points[0], primitive.points[1], primitive.attributes);
    } else {
      svg.polygon(primitive.points, primitive.attributes);
    }
  }
  primitives_.clear();
}

}  // namespace trammel
