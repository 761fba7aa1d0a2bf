// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `forces` section.
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {
namespace {

enum class ForceKind {
  force,
  torque,
  spring_damper,
  rotational_damper,
  nonlinear_spring,
  bushing,
  drag,
  gravitation,
  joint_spring_damper
};

const std::vector<std::pair<std::string_view, ForceKind>> kinds = {
    {"force", ForceKind::force},
    {"torque", ForceKind::torque},
    {"spring_damper", ForceKind::spring_damper},
    {"rotational_damper", ForceKind::rotational_damper},
    {"nonlinear_spring", ForceKind::nonlinear_spring},
    {"bushing", ForceKind::bushing},
    {"drag", ForceKind::drag},
    {"gravitation", ForceKind::gravitation},
    {"joint_spring_damper", ForceKind::joint_spring_damper}};

const std::vector<std::pair<std::string_view, JointCoordinate>> coordinates = {
    {"angle", JointCoordinate::angle},
    {"travel", JointCoordinate::travel},
    {"angle_i", JointCoordinate::angle_i},
    {"angle_j", JointCoordinate::angle_j}};

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

Frame read_frame(Reader& reader, NodeId entry) {
  const NodeId id = reader.find(entry, "frame");
  return id == no_node ? Frame::world : reader.choice(id, frames);
}

// A number of the state stands in the text: the time, or a name with a point.
bool uses_state(const Reader& reader, NodeId id) {
  const YamlNode& node = reader.tree()[id];
  if (node.kind == YamlNode::Kind::map) return true;
  if (node.kind != YamlNode::Kind::scalar || reader.find_plain_number(id)) return false;
  for (const auto& [name, offset] : list_names(reader.tree().text(id))) {
    if (reader.variables.find(std::string(name)) >= 0) continue;
    if (name == "t" || name.find('.') != std::string_view::npos) return true;
  }
  return false;
}

bool is_variable(const Reader& reader, NodeId value) {
  if (reader.tree()[value].kind != YamlNode::Kind::list) return uses_state(reader, value);
  for (const NodeId id : reader.children(value)) {
    if (uses_state(reader, id)) return true;
  }
  return false;
}

// Three functions; in a planar model two, or one for a torque.
std::array<Function, 3> read_functions(Reader& reader, NodeId value, bool axial) {
  std::array<Function, 3> result;
  const YamlNode& node = reader.tree()[value];
  if (axial && reader.is_planar() && node.kind != YamlNode::Kind::list) {
    result[2] = read_function(reader, value);
    return result;
  }
  const bool two = !axial && reader.is_planar() && node.child_count == 2;
  if (!reader.expect_list(value, two ? 2 : 3, "numbers or functions")) return result;
  std::size_t k = 0;
  for (const NodeId id : reader.children(value)) result[k++] = read_function(reader, id);
  return result;
}

void read_point_force(Reader& reader, NodeId entry, Force& force) {
  reader.check_keys(entry, {"kind", "body", "frame", "value", "point", "repeat"});
  const NodeId value = reader.need(entry, "value");
  if (value != no_node && is_variable(reader, value)) {
    force.law =
        VariableForce{need_text(reader, entry, "body"), read_frame(reader, entry),
                      read_functions(reader, value, false), reader.vector_or_zero(entry, "point")};
    return;
  }
  force.law = PointForce{need_text(reader, entry, "body"), read_frame(reader, entry),
                         value == no_node ? Vec3{} : reader.vector(value),
                         reader.vector_or_zero(entry, "point")};
}

void read_torque(Reader& reader, NodeId entry, Force& force) {
  reader.check_keys(entry, {"kind", "body", "frame", "value", "repeat"});
  const NodeId value = reader.need(entry, "value");
  if (value != no_node && is_variable(reader, value)) {
    force.law = VariableTorque{need_text(reader, entry, "body"), read_frame(reader, entry),
                               read_functions(reader, value, true)};
    return;
  }
  force.law = Torque{need_text(reader, entry, "body"), read_frame(reader, entry),
                     value == no_node ? Vec3{} : reader.axial_vector(value)};
}

// bodies: [i, j] and points: [[3], [3]]
template <class Law>
void read_bodies_of(Reader& reader, NodeId entry, Law& law) {
  const NodeId bodies = reader.need(entry, "bodies");
  if (bodies == no_node || !reader.expect_list(bodies, 2, "names of bodies")) return;
  const NodeId first = reader.tree()[bodies].first_child;
  law.body_i = reader.text(first);
  law.body_j = reader.text(reader.tree()[first].next_sibling);
}

template <class Law>
void read_points_of(Reader& reader, NodeId entry, Law& law) {
  const NodeId points = reader.need(entry, "points");
  if (points == no_node || !reader.expect_list(points, 2, "points, one in each body's frame")) {
    return;
  }
  const NodeId first = reader.tree()[points].first_child;
  law.point_i = reader.vector(first);
  law.point_j = reader.vector(reader.tree()[first].next_sibling);
}

SpringDamper read_spring_damper(Reader& reader, NodeId entry) {
  reader.check_keys(entry,
                    {"kind", "bodies", "points", "stiffness", "damping", "free_length", "repeat"});
  SpringDamper spring;
  read_bodies_of(reader, entry, spring);
  read_points_of(reader, entry, spring);
  spring.stiffness = reader.number_or(entry, "stiffness", 0.0);
  spring.damping = reader.number_or(entry, "damping", 0.0);
  spring.free_length = reader.number_or(entry, "free_length", 0.0);
  return spring;
}

RotationalDamper read_rotational_damper(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "joint", "damping", "repeat"});
  return {need_text(reader, entry, "joint"), need_number(reader, entry, "damping")};
}

NonlinearSpring read_nonlinear_spring(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "bodies", "points", "tension", "energy", "damping", "repeat"});
  NonlinearSpring spring;
  read_bodies_of(reader, entry, spring);
  read_points_of(reader, entry, spring);
  const NodeId tension = reader.find(entry, "tension"), energy = reader.find(entry, "energy");
  if (tension != no_node) spring.tension = read_function(reader, tension);
  if (energy != no_node) spring.energy = read_function(reader, energy);
  spring.damping = reader.number_or(entry, "damping", 0.0);
  return spring;
}

// The diagonal or all rows: 6 numbers, in a planar model 3 (x, y and the turn about z).
Mat6 read_bushing_matrix(Reader& reader, NodeId id) {
  static constexpr std::array<std::size_t, 3> planar_index = {0, 1, 5};
  const std::size_t n = reader.is_planar() ? 3 : 6;
  const auto at = [&](std::size_t k) { return n == 3 ? planar_index[k] : k; };
  Mat6 matrix{};
  if (!reader.expect_list(id, n, "numbers (the diagonal) or rows")) return matrix;
  const auto children = reader.children(id);
  const bool rows = reader.tree()[children[0]].kind == YamlNode::Kind::list;
  for (std::size_t r = 0; r < n; ++r) {
    if (!rows) {
      matrix[at(r)][at(r)] = reader.number(children[r]);
      continue;
    }
    if (!reader.expect_list(children[r], n, "numbers")) return matrix;
    std::size_t c = 0;
    for (const NodeId entry : reader.children(children[r])) {
      matrix[at(r)][at(c++)] = reader.number(entry);
    }
  }
  return matrix;
}

Bushing read_bushing(Reader& reader, NodeId entry) {
  reader.check_keys(
      entry, {"kind", "bodies", "at", "points", "orientation", "stiffness", "damping", "repeat"});
  Bushing bushing;
  read_bodies_of(reader, entry, bushing);
  const NodeId at = reader.find(entry, "at"), points = reader.find(entry, "points");
  if (at != no_node && points != no_node) {
    reader.report_key(points, "'at' and 'points' exclude each other");
  } else if (at != no_node) {
    bushing.at = reader.vector(at);
  } else {
    read_points_of(reader, entry, bushing);
  }
  if (const NodeId id = reader.find(entry, "orientation"); id != no_node) {
    bushing.orientation = read_orientation(reader, id);
  }
  if (const NodeId id = reader.need(entry, "stiffness"); id != no_node) {
    bushing.stiffness = read_bushing_matrix(reader, id);
  }
  if (const NodeId id = reader.find(entry, "damping"); id != no_node) {
    bushing.damping = read_bushing_matrix(reader, id);
  }
  return bushing;
}

Drag read_drag(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "body", "linear", "angular", "repeat"});
  return {need_text(reader, entry, "body"), reader.number_or(entry, "linear", 0.0),
          reader.number_or(entry, "angular", 0.0)};
}

Gravitation read_gravitation(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "bodies", "point", "gravitational_parameter", "repeat"});
  Gravitation gravitation;
  read_bodies_of(reader, entry, gravitation);
  gravitation.point_i = reader.vector_or_zero(entry, "point");
  gravitation.gravitational_parameter = need_number(reader, entry, "gravitational_parameter");
  return gravitation;
}

JointSpringDamper read_joint_spring_damper(Reader& reader, NodeId entry) {
  reader.check_keys(entry, {"kind", "joint", "coordinate", "stiffness", "damping", "free", "load",
                            "energy", "repeat"});
  JointSpringDamper spring;
  spring.joint = need_text(reader, entry, "joint");
  if (const NodeId id = reader.find(entry, "coordinate"); id != no_node) {
    spring.coordinate = reader.choice(id, coordinates);
  }
  spring.stiffness = reader.number_or(entry, "stiffness", 0.0);
  spring.damping = reader.number_or(entry, "damping", 0.0);
  spring.free = reader.number_or(entry, "free", 0.0);
  const NodeId load = reader.find(entry, "load"), energy = reader.find(entry, "energy");
  if (load != no_node) spring.load = read_function(reader, load);
  if (energy != no_node) spring.energy = read_function(reader, energy);
  return spring;
}

void read_force(Reader& reader, NodeId entry, Force& force) {
  const NodeId id = reader.need(entry, "kind");
  if (id == no_node) return;
  const ForceKind kind = reader.choice(id, kinds);
  if (reader.is_reported(id)) return;
  switch (kind) {
    case ForceKind::force:
      read_point_force(reader, entry, force);
      break;
    case ForceKind::torque:
      read_torque(reader, entry, force);
      break;
    case ForceKind::spring_damper:
      force.law = read_spring_damper(reader, entry);
      break;
    case ForceKind::rotational_damper:
      force.law = read_rotational_damper(reader, entry);
      break;
    case ForceKind::nonlinear_spring:
      force.law = read_nonlinear_spring(reader, entry);
      break;
    case ForceKind::bushing:
      force.law = read_bushing(reader, entry);
      break;
    case ForceKind::drag:
      force.law = read_drag(reader, entry);
      break;
    case ForceKind::gravitation:
      force.law = read_gravitation(reader, entry);
      break;
    case ForceKind::joint_spring_damper:
      force.law = read_joint_spring_damper(reader, entry);
      break;
  }
}

}  // namespace

void read_forces(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.forces, entries,
               [&](NodeId entry, Force& force) { read_force(reader, entry, force); });
}

}  // namespace trammel
