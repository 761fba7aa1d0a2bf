// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// URDF: links, joints, and the tree that they make. A second joint with the same child closes a loop.
#include "import/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "math/nearest_word.hpp"

namespace trammel::import {
namespace {

struct JointWordOf {
  const char* word;
  JointKind kind;
};
constexpr JointWordOf joint_words[] = {
    {"revolute", JointKind::revolute},       {"continuous", JointKind::revolute},
    {"prismatic", JointKind::translational}, {"fixed", JointKind::fixed},
    {"planar", JointKind::planar},           {"floating", JointKind::generic}};  // no joint at all

// What a joint says besides its frames.
struct JointExtras {
  std::string mimic;
  double multiplier = 1.0, offset = 0.0;
  XmlElement mimic_element;
};

class UrdfReader {
 public:
  UrdfReader(const XmlElement& root, const ImportOptions& options, ImportLog& log)
      : root_(root), options_(options), log_(log), robot_{mechanism_, log, {}, {}} {}

  ImportedMechanism read(const std::string& file) {
    mechanism_.name = root_.get("name");
    mechanism_.gravity = {0, 0, -9.81};
    check_xacro();
    for (const XmlElement& link : root_.children("link")) read_link(link);
    for (const XmlElement& joint : root_.children("joint")) read_joint(joint);
    log_.throw_mistakes();
    place_tree();
    log_.throw_mistakes();
    read_others(file);
    add_couplers();
    log_.throw_mistakes();
    fix_root();
    merge_fixed(mechanism_, log_);
    merge_massless(mechanism_, log_);
    if (close_loops(mechanism_)) {
      log_.change("moved", "the links of the loops",
                  "so that the loops close, from joint angles 0");
    }
    return std::move(mechanism_);
  }

 private:
  void check_xacro() {
    for (const std::string& name : root_.attribute_names()) {
      if (name == "xmlns:xacro") {
        for (const XmlElement& child : root_.children()) {
          if (child.name().compare(0, 6, "xacro:") != 0) continue;
          log_.report(child.place(), child.name(), "the file has xacro macros",
                      "expand them first: xacro FILE > robot.urdf");
          log_.throw_mistakes();
        }
      }
    }
  }

  void read_link(const XmlElement& link) {
    ImportedBody body;
    body.name = link.need("name", log_);
    body.source = link.place();
    const int index = static_cast<int>(mechanism_.bodies.size());
    if (!robot_.links.emplace(body.name, index).second) {
      log_.report(link.place(), link.path(), "duplicate name of a link");
    }
    read_inertial(link, body, log_);
    read_visuals(link, body, log_);
    mechanism_.bodies.push_back(std::move(body));
  }

  void read_joint(const XmlElement& element) {
    ImportedJoint joint;
    joint.name = element.need("name", log_);
    joint.source = element.place();
    if (!joint_names_.insert(joint.name).second) {
      log_.report(element.place(), element.path(), "duplicate name of a joint");
    }
    const std::string type = element.need("type", log_);
    const auto* word = std::find_if(std::begin(joint_words), std::end(joint_words),
                                    [&](const JointWordOf& known) { return type == known.word; });
    if (word == std::end(joint_words)) {
      if (!type.empty()) {
        log_.report(element.place(), element.path(), "unknown joint type '" + type + "'",
                    "known: revolute, continuous, prismatic, fixed, floating, planar");
      }
      return;
    }
    joint.kind = word->kind;
    const auto parent = find_end(element, "parent"), child = find_end(element, "child");
    if (!parent || !child) return;
    joint.body_i = *parent;
    joint.body_j = *child;
    if (*parent == *child) {
      log_.report(element.place(), element.path(), "parent and child are the same link");
      return;
    }
    const XmlElement origin = element.child("origin");
    const Place at = origin ? read_origin(origin, log_) : Place{};
    origins_.push_back(at);
    const bool has_axis = joint.kind == JointKind::revolute ||
                          joint.kind == JointKind::translational || joint.kind == JointKind::planar;
    Mat3 along = identity;
    if (has_axis) {
      const XmlElement axis = element.child("axis");
      along = make_frame_along(axis ? read_axis(axis, {1, 0, 0}, log_) : Vec3{1, 0, 0});
    }
    joint.frame_i = at * Place{along, {}};
    joint.frame_j = Place{along, {}};
    robot_.joint_child.emplace(joint.name, joint.body_j);
    extras_.push_back(read_extras(element, joint));
    mechanism_.joints.push_back(std::move(joint));
  }

  std::optional<int> find_end(const XmlElement& element, const char* which) {
    const XmlElement end = element.child(which);
    if (end) return robot_.find_link(end, "link");
    log_.report(element.place(), element.path(), fmt::format("needs an element <{}>", which));
    return std::nullopt;
  }

  JointExtras read_extras(const XmlElement& element, const ImportedJoint& joint) {
    JointExtras extras;
    for (const XmlElement& child : element.children()) {
      const std::string name = child.name();
      if (name == "dynamics") {
        read_dynamics(child, joint);
      } else if (name == "limit") {
        read_limit(child, joint);
      } else if (name == "mimic") {
        extras.mimic = child.need("joint", log_);
        extras.multiplier = child.number("multiplier", log_).value_or(1.0);
        extras.offset = child.number("offset", log_).value_or(0.0);
        extras.mimic_element = child;
      } else if (name == "safety_controller" || name == "calibration") {
        log_.leave_out(name, joint.name);
      } else if (name != "origin" && name != "axis" && name != "parent" && name != "child") {
        log_.leave_out("unknown element <" + name + ">", joint.name);
      }
    }
    return extras;
  }

  void read_dynamics(const XmlElement& element, const ImportedJoint& joint) {
    const double damping = element.number("damping", log_).value_or(0.0);
    const double friction = element.number("friction", log_).value_or(0.0);
    if (friction != 0.0) {
      log_.leave_out("joint friction", joint.name, "docs/howto/friction.md shows how to add it");
    }
    if (damping == 0.0) return;
    if (damping < 0.0) {
      log_.report(element.place(), element.path(),
                  fmt::format("damping must not be negative, got {}", damping));
    }
    if (joint.kind != JointKind::revolute && joint.kind != JointKind::translational) {
      log_.leave_out("damping of a joint that is no hinge or slide", joint.name);
      return;
    }
    JointSpringDamper law;
    law.joint = joint.name;
    law.damping = damping;
    mechanism_.forces.push_back({joint.name + "_damping", law});
  }

  void read_limit(const XmlElement& element, const ImportedJoint& joint) {
    const auto lower = element.number("lower", log_), upper = element.number("upper", log_);
    if (lower && upper && *lower > *upper) {
      log_.report(element.place(), element.path(), "the lower limit is above the upper one");
    }
    if (element.number("effort", log_) || element.number("velocity", log_)) {
      log_.leave_out("limits of effort and velocity", joint.name);
    }
    if (lower || upper) log_.leave_out("limits of travel", joint.name, "stops are not simulated");
  }

  // ---- the tree

  // Every link after its parent; the first joint of a child places it, others close loops.
  void place_tree() {
    const std::size_t n = mechanism_.bodies.size();
    if (n == 0) {
      log_.report(root_.place(), "robot", "has no link");
      return;
    }
    std::vector<int> joint_of(n, -1);
    for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
      ImportedJoint& joint = mechanism_.joints[k];
      int& placed_by = joint_of[static_cast<std::size_t>(joint.body_j)];
      joint.is_in_tree = placed_by < 0;
      if (joint.is_in_tree) {
        placed_by = static_cast<int>(k);
        continue;
      }
      log_.change("loop closed", joint.name, "a second joint with the same child");
      if (joint.kind == JointKind::generic) joint.is_gone = true;
    }
    std::vector<std::vector<int>> children(n);
    for (std::size_t b = 0; b < n; ++b) {
      if (joint_of[b] < 0) {
        roots_.push_back(static_cast<int>(b));
      } else {
        const int parent = mechanism_.joints[static_cast<std::size_t>(joint_of[b])].body_i;
        children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(b));
      }
    }
    std::vector<int> order = roots_;
    for (std::size_t k = 0; k < order.size(); ++k) {
      for (const int child : children[static_cast<std::size_t>(order[k])]) {
        const auto by = static_cast<std::size_t>(joint_of[static_cast<std::size_t>(child)]);
        mechanism_.bodies[static_cast<std::size_t>(child)].place =
            mechanism_.place_of(order[k]) * origins_[by];
        order.push_back(child);
      }
    }
    check_tree(order, n);
  }

  void check_tree(std::vector<int> order, std::size_t n) {
    if (order.size() < n) {
      std::sort(order.begin(), order.end());
      std::string names;
      SourcePlace at;
      for (std::size_t b = 0; b < n; ++b) {
        if (std::binary_search(order.begin(), order.end(), static_cast<int>(b))) continue;
        if (names.empty()) at = mechanism_.bodies[b].source;
        if (names.size() < 200) names += (names.empty() ? "" : ", ") + mechanism_.bodies[b].name;
      }
      log_.report(at, "robot", "the joints of these links form a circle: " + names,
                  "every link must be reachable from one root link");
    }
    if (roots_.size() <= 1) return;
    std::string names;
    for (const int root : roots_) {
      if (names.size() > 200) break;
      names += (names.empty() ? "" : ", ") + mechanism_.bodies[static_cast<std::size_t>(root)].name;
    }
    log_.report(mechanism_.bodies[static_cast<std::size_t>(roots_[1])].source, "robot",
                fmt::format("has {} root links: {}", roots_.size(), names),
                "connect them by joints");
  }

  // The root link becomes part of the ground, unless it moves freely.
  void fix_root() {
    const int root = roots_[0];
    ImportedBody& body = mechanism_.bodies[static_cast<std::size_t>(root)];
    for (ImportedJoint& joint : mechanism_.joints) {
      if (joint.kind == JointKind::generic) joint.is_gone = true;  // floating
    }
    if (options_.floating_base && body.name != "world") return;
    ImportedJoint weld;
    weld.name = body.name;
    weld.kind = JointKind::fixed;
    weld.body_j = root;
    mechanism_.joints.push_back(std::move(weld));
    if (body.name != "world") {
      log_.change("fixed to the ground", body.name, "the root link; --floating-base lets it move");
    }
  }

  void add_couplers() {
    for (std::size_t k = 0; k < extras_.size(); ++k) {
      const JointExtras& extras = extras_[k];
      if (extras.mimic.empty()) continue;
      const ImportedJoint& joint = mechanism_.joints[k];
      const auto found =
          std::find_if(mechanism_.joints.begin(), mechanism_.joints.end(),
                       [&](const ImportedJoint& other) { return other.name == extras.mimic; });
      if (found == mechanism_.joints.end()) {
        NearestWord nearest(extras.mimic);
        for (const ImportedJoint& other : mechanism_.joints) nearest.offer(other.name);
        log_.report(extras.mimic_element.place(), extras.mimic_element.path(),
                    "there is no joint '" + extras.mimic + "'", nearest.hint());
        continue;
      }
      const auto coordinate = find_coordinate(joint), other = find_coordinate(*found);
      if (!coordinate || !other || found->name == joint.name) {
        log_.report(extras.mimic_element.place(), extras.mimic_element.path(),
                    "only a hinge or slide can follow another hinge or slide");
        continue;
      }
      LinearCoupler law;
      law.terms = {{joint.name, *coordinate, 1.0}, {found->name, *other, -extras.multiplier}};
      law.value = extras.offset;
      mechanism_.couplers.push_back({joint.name + "_mimic", law});
    }
  }

  static std::optional<JointCoordinate> find_coordinate(const ImportedJoint& joint) {
    if (joint.kind == JointKind::revolute) return JointCoordinate::angle;
    if (joint.kind == JointKind::translational) return JointCoordinate::travel;
    return std::nullopt;
  }

  void read_others(const std::string& file) {
    for (const XmlElement& element : root_.children()) {
      const std::string name = element.name();
      if (name == "link" || name == "joint" || name == "material") continue;
      if (is_loop_element(name)) {
        read_loop(element, robot_);
      } else if (name == "gazebo") {
        read_gazebo(element, robot_);
      } else {
        log_.leave_out("<" + name + ">", element.get("name", "without a name"));
      }
    }
    read_loop_file(file, robot_);
  }

  XmlElement root_;
  ImportOptions options_;
  ImportLog& log_;
  ImportedMechanism mechanism_;
  UrdfRobot robot_;
  std::set<std::string> joint_names_;
  std::vector<Place> origins_;       // [joints] of the child's frame in the parent's
  std::vector<JointExtras> extras_;  // [joints of the file]
  std::vector<int> roots_;
};

}  // namespace

std::optional<int> UrdfRobot::find_link(const std::string& name, const XmlElement& at) {
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  NearestWord nearest(name);
  for (const auto& [known, index] : links) nearest.offer(known);
  log.report(at.place(), at.path(), "there is no link '" + name + "'", nearest.hint());
  return std::nullopt;
}

std::optional<int> UrdfRobot::find_link(const XmlElement& element, const char* attribute) {
  const std::string name = element.need(attribute, log);
  return name.empty() ? std::nullopt : find_link(name, element);
}

Place read_origin(const XmlElement& origin, ImportLog& log) {
  const Vec3 rpy = origin.vector("rpy", log).value_or(Vec3{});
  return {make_roll_pitch_yaw(rpy), origin.vector("xyz", log).value_or(Vec3{})};
}

Vec3 read_axis(const XmlElement& axis, const Vec3& otherwise, ImportLog& log) {
  const auto given = axis.vector("xyz", log);
  if (!given) return otherwise;
  const double size = length(*given);
  if (size > 1e-12) return (1 / size) * *given;
  log.report(axis.place(), axis.path(), "the axis must not be zero");
  return otherwise;
}

ImportedMechanism read_urdf(const std::string& text, const std::string& file,
                            const ImportOptions& options, ImportLog& log) {
  const XmlDocument document(text, file);
  const XmlElement root = document.root();
  if (root.name() != "robot") {
    log.report(root.place(), root.name(), "the root element of a URDF file must be 'robot'");
    log.throw_mistakes();
  }
  return UrdfReader(root, options, log).read(file);
}

}  // namespace trammel::import
