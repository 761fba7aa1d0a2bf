// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes and orientations of bodies.
#include <fmt/format.h>

#include <cmath>

#include "format/model_keys.hpp"
#include "format/read_geometry.hpp"
#include "format/read_sections.hpp"
#include "math/euler_parameters.hpp"

namespace trammel {

const Keys shape_keys = {
    {"box", "three_numbers", "edge lengths along x, y, z, m"},
    {"cylinder", "cylinder", "along z, centred"},
    {"sphere", "sphere", "its radius, m"},
    {"capsule", "capsule", "a cylinder along z, centred, between two half spheres"},
    {"cone", "cone", "a cone or a frustum along z, centred"},
    {"ring", "ring", "a hollow cylinder along z, centred"},
    {"extrusion", "extrusion", "a polygon in x and y, extruded along z to both sides"},
    {"mesh", "mesh", "an STL, OBJ, glTF or GLB file"},
    {"density", "number", "kg/m³; a shape with a density contributes to mass and inertia"},
    {"placed_in", "text", "frame to which position and orientation are relative"},
    {"position", "point", "of its centre (mesh: of its origin) in the body frame, m"},
    {"orientation", "orientation", "shape frame to body frame"},
    {"color", "color", "a name, '#rrggbb' or [red, green, blue] from 0 to 1"},
    {"opacity", "number", "from 0, not drawn, to 1 (default)"}};

namespace {

using Kind = YamlNode::Kind;

// ---- shapes

// Position and orientation, relative to a frame where one is named.
void read_place_of_shape(Reader& reader, NodeId entry, const Basis& in, Shape& shape) {
  Places& places = reader.places();
  const NodeId placed_in = reader.find(entry, "placed_in");
  NamedFrame base;
  Basis relative = in;
  if (placed_in != no_node) {
    if (const auto found = places.frame(placed_in, in.body)) base = places.carry(*found, in);
    relative.frame = &base;
  }
  shape.position = places.point_or_zero(entry, "position", relative);
  const NodeId orientation = reader.find(entry, "orientation");
  if (orientation != no_node) shape.orientation = read_orientation(reader, orientation, relative);
  if (placed_in == no_node) return;
  using V = Vector3<double>;
  (V::load(base.position.data()) +
   calc_rotation(base.orientation.data()) * V::load(shape.position.data()))
      .store(shape.position.data());
  const EulerParameters in_frame = shape.orientation;
  multiply4(base.orientation.data(), in_frame.data(), shape.orientation.data());
}

Shape read_shape(Reader& reader, NodeId entry, const Shape& of_body, const Basis& in) {
  Shape shape = of_body;
  if (!reader.expect_map(entry)) return shape;
  reader.check_keys(entry, shape_keys);
  shape.geometry = read_geometry(reader, entry);
  const NodeId density = reader.find(entry, "density");
  if (density != no_node) shape.density = reader.number(density);
  read_place_of_shape(reader, entry, in, shape);
  read_looks(reader, entry, shape);
  return shape;
}

}  // namespace

void read_looks(Reader& reader, NodeId entry, Shape& shape) {
  if (const NodeId id = reader.find(entry, "color"); id != no_node) {
    shape.color = read_color(reader, id);
  } else if (const Mesh* mesh = std::get_if<Mesh>(&shape.geometry)) {
    if (!shape.color && mesh->surface) shape.color = mesh->surface->color;
  }
  if (const NodeId id = reader.find(entry, "opacity"); id != no_node) {
    shape.opacity = static_cast<float>(reader.number(id));
  }
}

std::vector<Shape> read_shapes(Reader& reader, NodeId id, const Shape& of_body, const Basis& in) {
  std::vector<Shape> shapes;
  const bool list = reader.tree()[id].kind == Kind::list;
  for (const NodeId entry : list ? reader.children(id) : std::vector<NodeId>{id}) {
    if (!reader.claim_shape(id)) break;
    shapes.push_back(read_shape(reader, entry, of_body, in));
  }
  return shapes;
}

}  // namespace trammel
