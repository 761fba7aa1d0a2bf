// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `forces` section.
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {
namespace {

enum class ForceKind { force, torque, spring_damper, rotational_damper };

const std::vector<std::pair<std::string_view, ForceKind>> kinds = {
    {"force", ForceKind::force},
    {"torque", ForceKind::torque},
    {"spring_damper", ForceKind::spring_damper},
    {"rotational_damper", ForceKind::rotational_damper}};

const std::vector<std::pair<std::string_view, Frame>> frames = {{"world", Frame::world},
                                                                {"body", Frame::body}};

std::string need_text(Reader& reader, NodeId entry, std::string_view key) {
  const NodeId id = reader.need(entry, key);
  return id == no_node ? std::string() : reader.text(id);
}

double need_number(Reader& reader, NodeId entry, std::string_view key) {
  const NodeId id = reader.need(entry, key);
  return id == no_node ? 0.0 : reader.number(id);
}

Vec3 need_vector(Reader& reader, NodeId entry, std::string_view key) {
  const NodeId id = reader.need(entry, key);
  return id == no_node ? Vec3{} : reader.vector(id);
}

Frame read_frame(Reader& reader, NodeId entry) {
  const NodeId id = reader.find(entry, "frame");
  return id == no_node ? Frame::world : reader.choice(id, frames);
}

PointForce read_point_force(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "body", "frame", "value", "point", "repeat"});
  return {need_text(reader, entry, "body"), read_frame(reader, entry),
          need_vector(reader, entry, "value"), reader.vector_or_zero(entry, "point")};
}

Torque read_torque(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "body", "frame", "value", "repeat"});
  const NodeId value = reader.need(entry, "value");
  return {need_text(reader, entry, "body"), read_frame(reader, entry),
          value == no_node ? Vec3{} : reader.axial_vector(value)};
}

SpringDamper read_spring_damper(Reader& reader, NodeId entry) {
  reader.check_keys(entry,
                    {"kind", "bodies", "points", "stiffness", "damping", "free_length", "repeat"});
  SpringDamper spring;
  const NodeId bodies = reader.need(entry, "bodies"), points = reader.need(entry, "points");
  if (bodies != no_node && reader.expect_list(bodies, 2, "names of bodies")) {
    const NodeId first = reader.tree()[bodies].first_child;
    spring.body_i = reader.text(first);
    spring.body_j = reader.text(reader.tree()[first].next_sibling);
  }
  if (points != no_node && reader.expect_list(points, 2, "points, one in each body's frame")) {
    const NodeId first = reader.tree()[points].first_child;
    spring.point_i = reader.vector(first);
    spring.point_j = reader.vector(reader.tree()[first].next_sibling);
  }
  spring.stiffness = reader.number_or(entry, "stiffness", 0.0);
  spring.damping = reader.number_or(entry, "damping", 0.0);
  spring.free_length = reader.number_or(entry, "free_length", 0.0);
  return spring;
}

RotationalDamper read_rotational_damper(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "joint", "damping", "repeat"});
  return {need_text(reader, entry, "joint"), need_number(reader, entry, "damping")};
}

void read_force(Reader& reader, NodeId entry, Force& force) {
  const NodeId id = reader.need(entry, "kind");
  if (id == no_node) return;
  const ForceKind kind = reader.choice(id, kinds);
  if (reader.is_reported(id)) return;
  switch (kind) {
    case ForceKind::force:
      force.law = read_point_force(reader, entry);
      break;
    case ForceKind::torque:
      force.law = read_torque(reader, entry);
      break;
    case ForceKind::spring_damper:
      force.law = read_spring_damper(reader, entry);
      break;
    case ForceKind::rotational_damper:
      force.law = read_rotational_damper(reader, entry);
      break;
  }
}

}  // namespace

void read_forces(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.forces, entries,
               [&](NodeId entry, Force& force) { read_force(reader, entry, force); });
}

}  // namespace trammel
