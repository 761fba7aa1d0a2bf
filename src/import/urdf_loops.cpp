// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// URDF cannot say that a chain of links is closed. What people add to it:
//
//   <loop_joint name type><link1 link xyz rpy/><link2 link xyz rpy/></loop_joint>
//   <loop name type><predecessor link><origin/></predecessor><successor link>…</successor><axis/></loop>
//   <constraint name type><parent link/><parent_origin/><parent_axis/><child link/>…</constraint>
//   <gazebo><joint name type>, a joint of SDF, between links that are drawn assembled
//   robot.yaml beside robot.urdf: closed_loop: [[frame_a, frame_b], …], type: ['3d', '6d', …]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "format/source_text.hpp"
#include "format/yaml_tree.hpp"
#include "import/urdf.hpp"

namespace trammel::import {
namespace {

// One end of a loop: a frame in a body.
struct End {
  int body = ground_body;
  Place place;
};

std::optional<JointKind> find_kind(const std::string& word) {
  static constexpr std::pair<const char*, JointKind> words[] = {
      {"revolute", JointKind::revolute},
      {"continuous", JointKind::revolute},
      {"hinge", JointKind::revolute},
      {"spherical", JointKind::spherical},
      {"ball", JointKind::spherical},
      {"3d", JointKind::spherical},
      {"3D", JointKind::spherical},
      {"point", JointKind::spherical},
      {"prismatic", JointKind::translational},
      {"slider", JointKind::translational},
      {"cylindrical", JointKind::cylindrical},
      {"planar", JointKind::planar},
      {"universal", JointKind::universal},
      {"fixed", JointKind::fixed},
      {"weld", JointKind::fixed},
      {"6d", JointKind::fixed},
      {"6D", JointKind::fixed}};
  for (const auto& [known, kind] : words) {
    if (word == known) return kind;
  }
  return std::nullopt;
}

constexpr const char* known_types =
    "known: revolute, continuous, prismatic, cylindrical, planar, universal, spherical, fixed";

void add_loop(UrdfRobot& robot, const std::string& name, JointKind kind, const End& i, const End& j,
              const SourcePlace& source) {
  ImportedJoint joint;
  joint.name = name;
  joint.kind = kind;
  joint.body_i = i.body;
  joint.body_j = j.body;
  joint.frame_i = i.place;
  joint.frame_j = j.place;
  joint.source = source;
  joint.is_in_tree = false;
  robot.mechanism.joints.push_back(std::move(joint));
}

// <link1 link xyz rpy/>, or with an element <origin>
std::optional<End> read_end(const XmlElement& element, UrdfRobot& robot) {
  const auto link = robot.find_link(element, "link");
  if (!link) return std::nullopt;
  const XmlElement origin = element.child("origin");
  return End{*link, read_origin(origin ? origin : element, robot.log)};
}

// <parent link/> with <parent_origin/> and <parent_axis/>
std::optional<End> read_named_end(const XmlElement& element, const std::string& which,
                                  UrdfRobot& robot) {
  const XmlElement end = element.child(which), origin = element.child(which + "_origin"),
                   axis = element.child(which + "_axis");
  if (!end) return std::nullopt;
  const auto link = robot.find_link(end, "link");
  if (!link) return std::nullopt;
  Place place = origin ? read_origin(origin, robot.log) : Place{};
  if (axis) {
    place.turn = place.turn * make_frame_along(read_axis(axis, {0, 0, 1}, robot.log));
  }
  return End{*link, place};
}

XmlElement find_first(const XmlElement& element, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const XmlElement found = element.child(name)) return found;
  }
  return {};
}

// The text of an element, or its attribute `link`.
std::string link_name(const XmlElement& element) {
  return element.has("link") ? element.get("link") : element.text();
}

// A joint of SDF: its frame is given in that of the child, and both links are drawn as they are joined.
void read_sdf_joint(const XmlElement& element, UrdfRobot& robot) {
  const std::string name = element.need("name", robot.log), type = element.need("type", robot.log);
  const XmlElement parent = element.child("parent"), child = element.child("child");
  const auto kind = find_kind(type);
  if (!kind || !parent || !child) {
    robot.log.report(
        element.place(), element.path(),
        kind ? "needs the elements <parent> and <child>" : "unknown joint type '" + type + "'",
        kind ? "" : known_types);
    return;
  }
  const auto i = robot.find_link(link_name(parent), parent);
  const auto j = robot.find_link(link_name(child), child);
  if (!i || !j) return;
  Place at;
  if (const XmlElement pose = element.child("pose")) {
    std::vector<double> numbers;
    if (!parse_numbers(pose.text(), numbers) || numbers.size() != 6) {
      robot.log.report(pose.place(), pose.path(), "must be 6 numbers: x y z roll pitch yaw");
      return;
    }
    at = {make_roll_pitch_yaw({numbers[3], numbers[4], numbers[5]}),
          {numbers[0], numbers[1], numbers[2]}};
  }
  if (const XmlElement axis = element.child("axis")) {
    std::vector<double> numbers;
    const XmlElement xyz = axis.child("xyz");
    if (!xyz || !parse_numbers(xyz.text(), numbers) || numbers.size() != 3 ||
        length({numbers[0], numbers[1], numbers[2]}) < 1e-12) {
      robot.log.report(axis.place(), axis.path(), "needs <xyz> with 3 numbers that are not all 0");
      return;
    }
    Vec3 direction = normalised({numbers[0], numbers[1], numbers[2]});
    const XmlElement in_model = axis.child("use_parent_model_frame");
    if (in_model && (in_model.text() == "1" || in_model.text() == "true")) {
      direction = transposed((robot.mechanism.place_of(*j) * at).turn) * direction;
    }
    at.turn = at.turn * make_frame_along(direction);
  }
  const Place in_world = robot.mechanism.place_of(*j) * at;
  add_loop(robot, name, *kind, {*i, inverse(robot.mechanism.place_of(*i)) * in_world}, {*j, at},
           element.place());
}

class LoopFile {
 public:
  LoopFile(const std::string& file, const std::string& text, UrdfRobot& robot)
      : file_(file), tree_(text, file), robot_(robot) {}

  void read() {
    const NodeId loops = tree_.find(YamlTree::root, "closed_loop");
    if (loops == no_node) return;
    const NodeId types = tree_.find(YamlTree::root, "type");
    std::vector<NodeId> words = children(types);
    int k = 0;
    for (const NodeId loop : children(loops)) {
      const std::vector<NodeId> ends = children(loop);
      const std::string type = k < static_cast<int>(words.size()) ? text(words[index(k)]) : "6d";
      ++k;
      const auto kind = find_kind(type);
      if (!kind) report(words[index(k - 1)], "unknown type of a loop '" + type + "'", "3d or 6d");
      if (ends.size() != 2) report(loop, "must be a pair of names of frames", "");
      if (!kind || ends.size() != 2) continue;
      const auto i = find_frame(ends[0]), j = find_frame(ends[1]);
      if (!i || !j) continue;
      add_loop(robot_, fmt::format("loop_{}", k), *kind, *i, *j, place(loop));
      robot_.log.change("loop closed", fmt::format("loop_{}", k), "as " + file_name() + " says");
    }
  }

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  std::string file_name() const { return std::filesystem::path(file_).filename().string(); }
  SourcePlace place(NodeId id) const {
    return {file_, static_cast<int>(tree_[id].line), static_cast<int>(tree_[id].column)};
  }
  void report(NodeId id, const std::string& reason, const std::string& hint) {
    robot_.log.report(place(id), tree_.path(id), reason, hint);
  }
  std::string text(NodeId id) const {
    return tree_[id].kind == YamlNode::Kind::scalar ? std::string(tree_.text(id)) : std::string();
  }
  std::vector<NodeId> children(NodeId id) const {
    std::vector<NodeId> result;
    if (id == no_node || tree_[id].kind != YamlNode::Kind::list) return result;
    for (NodeId k = tree_[id].first_child; k != no_node; k = tree_[k].next_sibling) {
      result.push_back(k);
    }
    return result;
  }
  std::optional<End> find_frame(NodeId id) {
    const std::string name = text(id);
    if (const auto joint = robot_.joint_child.find(name); joint != robot_.joint_child.end()) {
      return End{joint->second, {}};
    }
    if (const auto link = robot_.links.find(name); link != robot_.links.end()) {
      return End{link->second, {}};
    }
    report(id, "there is no link or joint '" + name + "'", "");
    return std::nullopt;
  }

  std::string file_;
  YamlTree tree_;
  UrdfRobot& robot_;
};

}  // namespace

bool is_loop_element(const std::string& name) {
  return name == "loop_joint" || name == "loop" || name == "constraint";
}

void read_loop(const XmlElement& element, UrdfRobot& robot) {
  const std::string name = element.get("name", element.name());
  const std::string type = element.need("type", robot.log);
  const auto kind = find_kind(type);
  if (!kind) {
    if (!type.empty()) {
      robot.log.report(element.place(), element.path(), "unknown type of a loop '" + type + "'",
                       known_types);
    }
    return;
  }
  std::optional<End> i, j;
  if (element.name() == "constraint") {
    i = read_named_end(element, "parent", robot);
    j = read_named_end(element, "child", robot);
  } else {
    const XmlElement first = find_first(element, {"link1", "predecessor", "parent"});
    const XmlElement second = find_first(element, {"link2", "successor", "child"});
    if (first) i = read_end(first, robot);
    if (second) j = read_end(second, robot);
    const XmlElement axis = element.child("axis");
    const Mat3 along =
        make_frame_along(axis ? read_axis(axis, {1, 0, 0}, robot.log) : Vec3{1, 0, 0});
    if (i && j && *kind != JointKind::fixed) {
      i->place.turn = i->place.turn * along;
      j->place.turn = j->place.turn * along;
    }
  }
  if (i && j) {
    add_loop(robot, name, *kind, *i, *j, element.place());
    robot.log.change("loop closed", name, "<" + element.name() + ">");
  } else if (!robot.log.has_mistakes()) {
    robot.log.report(element.place(), element.path(), "needs two links");
  }
}

void read_gazebo(const XmlElement& element, UrdfRobot& robot) {
  for (const XmlElement& child : element.children()) {
    if (child.name() == "joint" && child.has("type")) {
      read_sdf_joint(child, robot);
    } else {
      robot.log.leave_out("<gazebo> " + child.name(),
                          child.get("name", element.get("reference", "robot")));
    }
  }
}

void read_loop_file(const std::string& urdf, UrdfRobot& robot) {
  std::filesystem::path path(urdf);
  path.replace_extension(".yaml");
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  const std::string text = read_source_text(path.string());
  if (text.find("closed_loop") == std::string::npos) return;
  robot.log.files.push_back(path.string());
  LoopFile(path.string(), text, robot).read();
}

}  // namespace trammel::import
