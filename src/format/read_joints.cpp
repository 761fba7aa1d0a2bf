// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `joints` section: placed by data in both bodies' frames, or by a point and axes in the world.
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {
namespace {

const std::vector<std::string_view> joint_keys = {"kind", "bodies", "points", "a_i",
                                                  "b_i",  "a_j",    "b_j",    "length",
                                                  "at",   "axis",   "axes",   "repeat",
                                                  "pitch", "start_angle", "start_travel",
                                                  "compliance"};
const std::vector<std::string_view> local_keys = {"points", "a_i", "b_i", "a_j", "b_j"};
const std::vector<std::string_view> world_keys = {"at", "axis", "axes"};

using Kinds = std::vector<std::pair<std::string_view, JointKind>>;

const Kinds kinds_in_space = {
    {"spherical", JointKind::spherical},         {"universal", JointKind::universal},
    {"revolute", JointKind::revolute},           {"cylindrical", JointKind::cylindrical},
    {"translational", JointKind::translational}, {"fixed", JointKind::fixed},
    {"screw", JointKind::screw}};
const Kinds kinds_in_plane = {{"revolute", JointKind::revolute},
                              {"translational", JointKind::translational},
                              {"fixed", JointKind::fixed},
                              {"point_on_line", JointKind::point_on_line},
                              {"distance", JointKind::distance}};

// A kind of the other space is understood here and refused by check_model, which can say more.
JointKind read_kind(Reader& reader, NodeId id) {
  const std::string_view given =
      reader.tree()[id].kind == YamlNode::Kind::scalar ? reader.tree().text(id) : std::string_view();
  if (given == "gear" || given == "rack_and_pinion" || given == "belt" || given == "coupler") {
    reader.report(id, "a " + std::string(given) + " connects joints, not bodies",
                  "give it in the section couplers");
    return JointKind::spherical;
  }
  const Kinds& here = reader.is_planar() ? kinds_in_plane : kinds_in_space;
  const Kinds& elsewhere = reader.is_planar() ? kinds_in_space : kinds_in_plane;
  if (reader.tree()[id].kind == YamlNode::Kind::scalar) {
    for (const auto& [word, kind] : elsewhere) {
      if (reader.tree().text(id) == word) return kind;
    }
  }
  return reader.choice(id, here);
}

NodeId find_any(const Reader& reader, NodeId entry, const std::vector<std::string_view>& keys) {
  for (const auto key : keys) {
    if (const NodeId id = reader.find(entry, key); id != no_node) return id;
  }
  return no_node;
}

LocalPlacement read_local(Reader& reader, NodeId entry) {
  LocalPlacement placement;
  const NodeId points = reader.need(entry, "points", "the joint's point in both bodies' frames");
  if (points != no_node && reader.expect_list(points, 2, "points, one in each body's frame")) {
    const NodeId first = reader.tree()[points].first_child;
    placement.point_i = reader.vector(first);
    placement.point_j = reader.vector(reader.tree()[first].next_sibling);
  }
  placement.a_i = reader.find_vector(entry, "a_i");
  placement.b_i = reader.find_vector(entry, "b_i");
  placement.a_j = reader.find_vector(entry, "a_j");
  placement.b_j = reader.find_vector(entry, "b_j");
  return placement;
}

WorldPlacement read_world(Reader& reader, NodeId entry) {
  WorldPlacement placement;
  const NodeId at = reader.need(entry, "at", "the joint's point in the world at t = 0");
  if (at != no_node) placement.point = reader.vector(at);
  const NodeId axis = reader.find(entry, "axis"), axes = reader.find(entry, "axes");
  if (axis != no_node && axes != no_node) {
    reader.report_key(axes, "give either axis or axes, not both");
  } else if (axis != no_node) {
    placement.axis = reader.vector(axis);
  } else if (axes != no_node && reader.expect_list(axes, 2, "vectors, one for each body")) {
    const NodeId first = reader.tree()[axes].first_child;
    placement.axis = reader.vector(first);
    placement.axis_j = reader.vector(reader.tree()[first].next_sibling);
  }
  return placement;
}

Joint::Compliance read_compliance(Reader& reader, NodeId id) {
  Joint::Compliance compliance;
  if (!reader.expect_map(id)) return compliance;
  reader.check_keys(id, {"force", "moment"});
  if (const NodeId force = reader.need(id, "force", "m/N"); force != no_node) {
    compliance.force = reader.number(force);
  }
  if (const NodeId moment = reader.need(id, "moment", "rad/(N m)"); moment != no_node) {
    compliance.moment = reader.number(moment);
  }
  return compliance;
}

void read_joint(Reader& reader, NodeId entry, Joint& joint) {
  reader.check_keys(entry, joint_keys);
  if (const NodeId id = reader.find(entry, "compliance"); id != no_node) {
    joint.compliance = read_compliance(reader, id);
  }
  if (const NodeId id = reader.need(entry, "kind"); id != no_node) {
    joint.kind = read_kind(reader, id);
  }
  if (const NodeId id = reader.find(entry, "length"); id != no_node) {
    joint.length = reader.number(id);
  }
  const auto read_number = [&](const char* key, std::optional<double>& value) {
    if (const NodeId id = reader.find(entry, key); id != no_node) value = reader.number(id);
  };
  read_number("pitch", joint.pitch);
  read_number("start_angle", joint.start_angle);
  read_number("start_travel", joint.start_travel);
  const NodeId bodies = reader.need(entry, "bodies");
  if (bodies != no_node && reader.expect_list(bodies, 2, "names of bodies")) {
    const NodeId first = reader.tree()[bodies].first_child;
    joint.body_i = reader.text(first);
    joint.body_j = reader.text(reader.tree()[first].next_sibling);
  }
  const NodeId local = find_any(reader, entry, local_keys);
  const NodeId world = find_any(reader, entry, world_keys);
  if (local != no_node && world != no_node) {
    reader.report_key(
        world, "cannot stand together with '" + std::string(reader.tree().key_text(local)) + "'",
        "place a joint either by points and vectors in the bodies' frames or by at "
        "and axis in the world");
  } else if (world != no_node) {
    joint.placement = read_world(reader, entry);
  } else if (local != no_node) {
    joint.placement = read_local(reader, entry);
  } else if (!reader.is_reported_around(entry)) {
    reader.report_key(entry, "has no place", "give points in the bodies' frames, or at and axis");
  }
}

}  // namespace

void read_joints(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.joints, entries,
               [&](NodeId entry, Joint& joint) { read_joint(reader, entry, joint); });
}

}  // namespace trammel
