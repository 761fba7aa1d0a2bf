// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of a scene ↔ HDF5, a row per shape. What only few scenes have (colours, outlines, meshes) is
// in datasets that the others do not have; each mesh is there once.
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "format/results_file.hpp"
#include "math/packed_mesh.hpp"

namespace trammel {
namespace {

using hdf5::read_array;
using hdf5::write_array;

// Numbers in the file, and what the three sizes are.
enum ShapeKind {
  box = 0,        // edges
  cylinder = 1,   // radius, length, 0
  sphere = 2,     // radius, 0, 0
  capsule = 3,    // radius, length, 0
  cone = 4,       // radius, top, length
  ring = 5,       // radius, inner, length
  extrusion = 6,  // length, 0, 0; its loops name it
  mesh = 7        // scale; shape_mesh is its mesh
};

struct ShapeRow {
  int kind;
  Vec3 size;
};

ShapeRow describe(const Box& b) { return {box, b.size}; }
ShapeRow describe(const Cylinder& c) { return {cylinder, {c.radius, c.length, 0.0}}; }
ShapeRow describe(const Sphere& s) { return {sphere, {s.radius, 0.0, 0.0}}; }
ShapeRow describe(const Capsule& c) { return {capsule, {c.radius, c.length, 0.0}}; }
ShapeRow describe(const Cone& c) { return {cone, {c.radius, c.top, c.length}}; }
ShapeRow describe(const Ring& r) { return {ring, {r.radius, r.inner, r.length}}; }
ShapeRow describe(const Extrusion& e) { return {extrusion, {e.length, 0.0, 0.0}}; }
ShapeRow describe(const Mesh& m) { return {mesh, m.scale}; }

Geometry make_geometry(int kind, const Vec3& s) {
  switch (kind) {
    case box: return Box{s};
    case cylinder: return Cylinder{s[0], s[1]};
    case sphere: return Sphere{s[0]};
    case capsule: return Capsule{s[0], s[1]};
    case cone: return Cone{s[0], s[1], s[2]};
    case ring: return Ring{s[0], s[1], s[2]};
    case extrusion: return Extrusion{s[0], {}};
    case mesh: return Mesh{nullptr, s};
    default: throw hdf5::Failure("shape_kind is not known");
  }
}

template <class Values>
void add(std::vector<double>& to, const Values& values) {
  to.insert(to.end(), values.begin(), values.end());
}

template <std::size_t n>
std::array<double, n> take(const std::vector<double>& from, std::size_t row) {
  std::array<double, n> result;
  for (std::size_t k = 0; k < n; ++k) result[k] = from.at(n * row + k);
  return result;
}

template <class Action>
void for_each_shape(const Scene& scene, Action action) {
  for (const SceneBody& body : scene.bodies) {
    for (const Shape& shape : body.shapes) action(shape);
  }
}

// ---- colours

void write_looks(hid_t group, const Scene& scene) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  std::vector<double> color, opacity;
  bool plain = true;
  for_each_shape(scene, [&](const Shape& shape) {
    add(color, shape.color.value_or(Rgb{none, none, none}));
    opacity.push_back(static_cast<double>(shape.opacity));
    plain = plain && !shape.color && shape.opacity == 1.0F;
  });
  if (plain) return;
  write_array(group, "shape_color", {opacity.size(), 3}, color);
  write_array(group, "shape_opacity", {opacity.size()}, opacity);
}

float to_part(double x) {
  if (!(x >= 0.0 && x <= 1.0)) throw hdf5::Failure("a colour is not between 0 and 1");
  return static_cast<float>(x);
}

void read_looks(hid_t group, std::vector<Shape>& shapes) {
  if (!hdf5::has(group, "shape_color")) return;
  std::vector<double> color, opacity;
  read_array(group, "shape_color", {0, 3}, color);
  read_array(group, "shape_opacity", {0}, opacity);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].opacity = to_part(opacity.at(i));
    const Vec3 rgb = take<3>(color, i);
    if (std::isnan(rgb[0])) continue;
    shapes[i].color = {to_part(rgb[0]), to_part(rgb[1]), to_part(rgb[2])};
  }
}

// ---- outlines: a row per loop, and all corners

void write_outlines(hid_t group, const Scene& scene) {
  std::vector<int> owner, size;
  std::vector<double> corners;
  int row = 0;
  for_each_shape(scene, [&](const Shape& shape) {
    if (const Extrusion* e = std::get_if<Extrusion>(&shape.geometry)) {
      for (const Extrusion::Loop& loop : e->loops) {
        owner.push_back(row);
        size.push_back(static_cast<int>(loop.size()));
        for (const auto& corner : loop) add(corners, corner);
      }
    }
    ++row;
  });
  if (owner.empty()) return;
  write_array(group, "loop_shape", {owner.size()}, owner);
  write_array(group, "loop_size", {size.size()}, size);
  write_array(group, "loop_corners", {corners.size() / 2, 2}, corners);
}

void read_outlines(hid_t group, std::vector<Shape>& shapes) {
  if (!hdf5::has(group, "loop_shape")) return;
  std::vector<int> owner, size;
  std::vector<double> corners;
  read_array(group, "loop_shape", {0}, owner);
  read_array(group, "loop_size", {0}, size);
  read_array(group, "loop_corners", {0, 2}, corners);
  std::size_t at = 0;
  for (std::size_t l = 0; l < owner.size(); ++l) {
    auto& shape = shapes.at(static_cast<std::size_t>(owner[l]));
    Extrusion* extrusion = std::get_if<Extrusion>(&shape.geometry);
    if (extrusion == nullptr) throw hdf5::Failure("an outline belongs to a shape that has none");
    Extrusion::Loop& loop = extrusion->loops.emplace_back();
    for (int k = 0; k < size.at(l); ++k) loop.push_back(take<2>(corners, at++));
  }
}

// ---- meshes: a row per mesh, and all points and triangles

void write_meshes(hid_t group, const Scene& scene) {
  std::map<const TriangleMesh*, int> known;
  std::vector<int> number, counts, points, triangles;
  std::vector<std::string> files;
  std::vector<double> grid;
  for_each_shape(scene, [&](const Shape& shape) {
    const Mesh* m = std::get_if<Mesh>(&shape.geometry);
    number.push_back(-1);
    if (m == nullptr || !m->surface) return;
    const auto [at, is_new] = known.emplace(m->surface.get(), static_cast<int>(known.size()));
    number.back() = at->second;
    if (!is_new) return;
    const PackedMesh packed = pack_mesh(*m->surface);
    files.push_back(m->surface->file);
    add(grid, packed.low);
    add(grid, packed.step);
    counts.push_back(static_cast<int>(packed.points.size() / 3));
    counts.push_back(static_cast<int>(packed.triangles.size() / 3));
    counts.push_back(m->surface->opening ? 0 : 1);
    points.insert(points.end(), packed.points.begin(), packed.points.end());
    for (const std::uint32_t p : packed.triangles) triangles.push_back(static_cast<int>(p));
  });
  if (files.empty()) return;
  write_array(group, "shape_mesh", {number.size()}, number);
  write_array(group, "mesh_files", files);
  write_array(group, "mesh_grid", {files.size(), 6}, grid);
  write_array(group, "mesh_counts", {files.size(), 3}, counts);  // points, triangles, closed?
  write_array(group, "mesh_points", {points.size() / 3, 3}, points);
  write_array(group, "mesh_triangles", {triangles.size() / 3, 3}, triangles);
}

std::vector<std::shared_ptr<const TriangleMesh>> read_surfaces(hid_t group) {
  std::vector<int> counts, points, triangles;
  std::vector<std::string> files;
  std::vector<double> grid;
  read_array(group, "mesh_files", files);
  read_array(group, "mesh_grid", {0, 6}, grid);
  read_array(group, "mesh_counts", {0, 3}, counts);
  read_array(group, "mesh_points", {0, 3}, points);
  read_array(group, "mesh_triangles", {0, 3}, triangles);
  std::vector<std::shared_ptr<const TriangleMesh>> surfaces;
  std::size_t at_point = 0, at_triangle = 0;
  for (std::size_t m = 0; m < files.size(); ++m) {
    PackedMesh packed;
    const auto numbers = take<6>(grid, m);
    for (std::size_t k = 0; k < 3; ++k) {
      packed.low[k] = numbers[k];
      packed.step[k] = numbers[3 + k];
    }
    for (std::int64_t k = 0; k < 3 * std::int64_t{counts.at(3 * m)}; ++k) {
      packed.points.push_back(static_cast<std::uint16_t>(points.at(at_point++)));
    }
    for (std::int64_t k = 0; k < 3 * std::int64_t{counts.at(3 * m + 1)}; ++k) {
      packed.triangles.push_back(static_cast<std::uint32_t>(triangles.at(at_triangle++)));
    }
    try {
      surfaces.push_back(unpack_mesh(packed, files[m], counts.at(3 * m + 2) != 0));
    } catch (const std::invalid_argument& error) {
      throw hdf5::Failure(error.what());
    }
  }
  return surfaces;
}

void read_meshes(hid_t group, std::vector<Shape>& shapes) {
  std::vector<int> number(shapes.size(), -1);
  std::vector<std::shared_ptr<const TriangleMesh>> surfaces;
  if (hdf5::has(group, "shape_mesh")) {
    read_array(group, "shape_mesh", {0}, number);
    surfaces = read_surfaces(group);
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (Mesh* m = std::get_if<Mesh>(&shapes[i].geometry)) {
      m->surface = surfaces.at(static_cast<std::size_t>(number.at(i)));
    }
  }
}

}  // namespace

void write_shapes(hid_t group, const Scene& scene) {
  std::vector<int> body, kind;
  std::vector<double> size, position, orientation, density;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    for (const Shape& shape : scene.bodies[b].shapes) {
      const ShapeRow row = std::visit([](const auto& g) { return describe(g); }, shape.geometry);
      body.push_back(static_cast<int>(b));
      kind.push_back(row.kind);
      add(size, row.size);
      add(position, shape.position);
      add(orientation, shape.orientation);
      density.push_back(shape.density.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  const hsize_t n = body.size();
  write_array(group, "shape_body", {n}, body);
  write_array(group, "shape_kind", {n}, kind);
  write_array(group, "shape_size", {n, 3}, size);
  write_array(group, "shape_position", {n, 3}, position);
  write_array(group, "shape_orientation", {n, 4}, orientation);
  write_array(group, "shape_density", {n}, density);
  write_looks(group, scene);
  write_outlines(group, scene);
  write_meshes(group, scene);
}

void read_shapes(hid_t group, Scene& scene) {
  std::vector<int> body, kind;
  std::vector<double> size, position, orientation, density;
  read_array(group, "shape_body", {0}, body);
  read_array(group, "shape_kind", {0}, kind);
  read_array(group, "shape_size", {0, 3}, size);
  read_array(group, "shape_position", {0, 3}, position);
  read_array(group, "shape_orientation", {0, 4}, orientation);
  read_array(group, "shape_density", {0}, density);
  std::vector<Shape> shapes(body.size());
  for (std::size_t i = 0; i < body.size(); ++i) {
    Shape& shape = shapes[i];
    shape.geometry = make_geometry(kind.at(i), take<3>(size, i));
    shape.position = take<3>(position, i);
    shape.orientation = take<4>(orientation, i);
    if (!std::isnan(density.at(i))) shape.density = density[i];
  }
  read_looks(group, shapes);
  read_outlines(group, shapes);
  read_meshes(group, shapes);
  for (std::size_t i = 0; i < body.size(); ++i) {
    scene.bodies.at(static_cast<std::size_t>(body[i])).shapes.push_back(std::move(shapes[i]));
  }
}

}  // namespace trammel
