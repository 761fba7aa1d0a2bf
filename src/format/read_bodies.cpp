// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `bodies` section.
#include <fmt/format.h>

#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string_view> body_keys = {"mass",        "inertia",  "position",
                                                 "orientation", "velocity", "angular_velocity",
                                                 "shape",       "density",  "repeat"};

// Three principal moments or the whole matrix; in a planar model also the moment about z alone,
// which is then taken as that of a disc.
Mat3 read_inertia(Reader& reader, NodeId id) {
  const YamlNode& node = reader.tree()[id];
  if (reader.is_planar() && node.kind == Kind::scalar) {
    const double moment = reader.number(id);
    return {{{moment / 2, 0, 0}, {0, moment / 2, 0}, {0, 0, moment}}};
  }
  if (node.kind != Kind::list || node.child_count != 3) {
    reader.report(id, fmt::format("must be {}3 numbers or a matrix of 3 rows, got {}",
                                  reader.is_planar() ? "a number, " : "", reader.describe(id)));
    return {};
  }
  if (reader.tree()[node.first_child].kind == Kind::list) return reader.matrix(id);
  const Vec3 d = reader.numbers<3>(id, "numbers");
  return {{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}};
}

void read_body(Reader& reader, NodeId entry, Body& body) {
  reader.check_keys(entry, body_keys);
  if (const NodeId id = reader.find(entry, "mass"); id != no_node) body.mass = reader.number(id);
  if (const NodeId id = reader.find(entry, "inertia"); id != no_node) {
    body.inertia = read_inertia(reader, id);
  }
  body.position = reader.vector_or_zero(entry, "position");
  if (const NodeId id = reader.find(entry, "orientation"); id != no_node) {
    body.orientation = read_orientation(reader, id);
  }
  body.velocity = reader.vector_or_zero(entry, "velocity");
  if (const NodeId id = reader.find(entry, "angular_velocity"); id != no_node) {
    body.angular_velocity = reader.axial_vector(id);
  }

  const NodeId density_id = reader.find(entry, "density");
  const NodeId shape_id = reader.find(entry, "shape");
  std::optional<double> density;
  if (density_id != no_node) density = reader.number(density_id);
  if (shape_id != no_node) {
    body.shapes = read_shapes(reader, shape_id, density);
  } else if (density_id != no_node) {
    reader.report(density_id, "there is no shape that could have this density", "add a shape");
  }
}

}  // namespace

void read_bodies(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.bodies, entries,
               [&](NodeId entry, Body& body) { read_body(reader, entry, body); });
}

}  // namespace trammel
