// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/check_geometry.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/check_outline.hpp"
#include "model/magnitude.hpp"

namespace trammel {
namespace {

class GeometryCheck {
 public:
  GeometryCheck(bool is_solid, const ShapeProblem& add) : is_solid_(is_solid), add_(add) {}

  void operator()(const Box& box) const {
    for (std::size_t k = 0; k < 3; ++k) positive(fmt::format(".box[{}]", k), box.size[k]);
  }
  void operator()(const Cylinder& cylinder) const {
    positive(".cylinder.radius", cylinder.radius);
    positive(".cylinder.length", cylinder.length);
  }
  void operator()(const Sphere& sphere) const { positive(".sphere", sphere.radius); }
  void operator()(const Capsule& capsule) const {
    positive(".capsule.radius", capsule.radius);
    positive(".capsule.length", capsule.length);
  }
  void operator()(const Cone& cone) const {
    note(".cone.radius", find_problem_of_size(cone.radius));
    note(".cone.top", find_problem_of_size(cone.top));
    if (cone.radius == 0 && cone.top == 0) {
      add_(".cone", "one of radius and top must be greater than 0", "");
    }
    positive(".cone.length", cone.length);
  }
  void operator()(const Ring& ring) const {
    positive(".ring.radius", ring.radius);
    positive(".ring.inner", ring.inner);
    positive(".ring.length", ring.length);
    if (ring.inner > 0 && ring.radius > 0 && !(ring.inner < ring.radius)) {
      add_(".ring.inner",
           fmt::format("must be less than the radius {}, got {}", ring.radius, ring.inner), "");
    }
  }
  void operator()(const Extrusion& extrusion) const {
    positive(".extrusion.length", extrusion.length);
    if (const auto problem = find_outline_problem(extrusion)) {
      add_(".extrusion." + problem->field, problem->reason, "");
    }
  }
  void operator()(const Mesh& mesh) const;

 private:
  void note(const std::string& field, const std::string& problem) const {
    if (!problem.empty()) add_(field, problem, "");
  }
  void positive(const std::string& field, double size) const {
    note(field, find_problem_of_positive(size));
  }

  bool is_solid_;
  const ShapeProblem& add_;
};

std::string describe_edge(const MeshOpening& opening) {
  const auto& [a, b, forward, backward, count] = opening;
  const std::string edge =
      fmt::format("the edge from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})", a[0], a[1],
                  a[2], b[0], b[1], b[2]);
  if (forward + backward == 1) return edge + " belongs to one triangle only";
  if (forward + backward == 2) return edge + " belongs to two triangles that face opposite ways";
  return fmt::format("{} belongs to {} triangles, {} of them in one direction", edge,
                     forward + backward, forward);
}

void GeometryCheck::operator()(const Mesh& mesh) const {
  for (const double s : mesh.scale) {
    if (const std::string problem = find_problem_of_nonzero(s); !problem.empty()) {
      return add_(".mesh.scale", problem, "");
    }
  }
  if (!mesh.surface || mesh.surface->triangles.empty()) {
    return add_(".mesh", "has no triangles", "read_mesh reads them from a file");
  }
  if (!is_solid_) return;
  const TriangleMesh& surface = *mesh.surface;
  if (surface.opening) {
    const std::size_t n = surface.opening->count;
    add_(".mesh",
         fmt::format("'{}' is not closed, so that it has no mass: {}{}", surface.file,
                     describe_edge(*surface.opening),
                     n > 1 ? fmt::format(", and {} more are open", n - 1) : ""),
         "close it in the CAD program, or give mass and inertia");
  } else if (!(surface.volume > 0)) {
    add_(".mesh", fmt::format("'{}' encloses no volume, so that it has no mass", surface.file),
         "give mass and inertia");
  }
}

}  // namespace

void check_geometry(const Shape& shape, bool is_solid, const ShapeProblem& add) {
  std::visit(GeometryCheck(is_solid, add), shape.geometry);
  if (shape.color) {
    for (const float x : *shape.color) {
      if (!(x >= 0 && x <= 1)) {
        add(".color", fmt::format("must be between 0 and 1, got {}", x), "");
        break;
      }
    }
  }
  if (!(shape.opacity >= 0 && shape.opacity <= 1)) {
    add(".opacity", fmt::format("must be between 0 and 1, got {}", shape.opacity), "");
  }
}

}  // namespace trammel
