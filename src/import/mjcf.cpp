// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MJCF: the tree of bodies and its joints. Several joints in one body are a chain through bodies without mass.
#include "import/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trammel::import {
namespace {

class MjcfReader {
 public:
  MjcfReader(MjcfSource& source, const ImportOptions& options, ImportLog& log)
      : source_(source), options_(options), log_(log), model_{source, mechanism_, log, {},
                                                              {},     {},         {},  {}} {}

  ImportedMechanism read() {
    const XmlElement root = source_.root();
    mechanism_.name = root.get("model");
    mechanism_.gravity = {0, 0, -9.81};
    const std::vector<XmlElement> sections = source_.children(root);
    for (const XmlElement& section : sections) {  // options first, wherever they are
      if (section.name() == "compiler") source_.read_compiler(section);
      if (section.name() == "option") read_option(section);
      if (section.name() == "default") source_.read_defaults(section, "");
    }
    log_.throw_mistakes();
    for (const XmlElement& section : sections) {
      if (section.name() == "worldbody") read_world(section);
    }
    log_.throw_mistakes();
    scale_masses();
    for (const XmlElement& section : sections) {
      if (section.name() != "tendon") continue;
      for (const XmlElement& element : source_.children(section)) read_mjcf_tendon(model_, element);
    }
    for (const XmlElement& section : sections) read_section(section);
    log_.throw_mistakes();
    merge_fixed(mechanism_, log_);
    merge_massless(mechanism_, log_);
    return std::move(mechanism_);
  }

 private:
  void read_option(const XmlElement& option) {
    mechanism_.gravity = option.vector("gravity", log_).value_or(mechanism_.gravity);
    for (const char* key : {"wind", "density", "viscosity", "magnetic"}) {
      const auto values = option.numbers(key, log_);
      if (values && std::any_of(values->begin(), values->end(), [](double x) { return x != 0; }) &&
          std::string(key) != "magnetic") {
        log_.leave_out("option", key, "the air has no effect");
      }
    }
    for (const XmlElement& flag : option.children("flag")) {
      for (const std::string& name : flag.attribute_names()) {
        if (name == "gravity" && flag.get("gravity") == "disable") {
          mechanism_.gravity = {};
        } else if (flag.get(name.c_str()) == "disable") {
          log_.leave_out("disabled flag", name, "the model has what it disables");
        }
      }
    }
  }

  void read_section(const XmlElement& section) {
    const std::string name = section.name();
    if (name == "equality") {
      for (const XmlElement& element : source_.children(section)) {
        read_mjcf_equality(model_, element);
      }
    } else if (name == "keyframe") {
      for (const XmlElement& key : source_.children(section)) {
        log_.leave_out("keyframe", key.get("name", "without a name"),
                       "the start is that of the drawing");
      }
    } else if (name == "actuator" || name == "sensor" || name == "deformable") {
      for (const XmlElement& element : source_.children(section)) {
        log_.leave_out(name, element.get("name", element.get("joint", element.name())));
      }
    } else if (name == "contact") {
      for (const XmlElement& element : source_.children(section)) {
        log_.leave_out("contact " + element.name(), element.get("name", element.get("body1")));
      }
    } else if (name != "compiler" && name != "option" && name != "default" && name != "worldbody" &&
               name != "tendon" && name != "asset" && name != "size" && name != "visual" &&
               name != "statistic" && name != "custom") {
      log_.leave_out("unknown section", name);
    }
  }

  // ---- bodies

  void read_world(const XmlElement& world) {
    model_.bodies.emplace("world", ground_body);
    MjcfBody none;
    none.body.name = "world";
    read_children(world, "", Place{}, none, ground_body);
  }

  // Children of a body or of a frame within it, which is at `frame` in the body.
  void read_children(const XmlElement& element, const std::string& child_class, const Place& frame,
                     MjcfBody& body, int index) {
    for (const XmlElement& child : source_.children(element)) {
      const std::string name = child.name();
      if (name == "geom") {
        if (index != ground_body) {
          read_mjcf_geom(MjcfElement(source_, child, child_class), frame, body, source_, log_);
        } else if (child.get("contype") != "0") {
          log_.leave_out("geom of the world", child.get("name", "without a name"));
        }
      } else if (name == "site") {
        const MjcfElement site(source_, child, child_class);
        const std::string own = child.get("name");
        if (!own.empty()) {
          const ImportedFrame at{own, index, frame * site.place()};
          model_.sites.emplace(own, at);
          mechanism_.frames.push_back(at);
        }
      } else if (name == "frame") {
        const MjcfElement inner(source_, child, child_class);
        read_children(child, child.get("childclass", child_class), frame * inner.place(), body,
                      index);
      } else if (name == "inertial" && index != ground_body) {
        read_mjcf_inertial(MjcfElement(source_, child, child_class), body);
      } else if (name == "body") {
        pending_.push_back({child, child_class, frame, index});
      } else if (name == "replicate" || name == "composite" || name == "flexcomp" ||
                 name == "attach") {
        log_.report(child.place(), child.path(), "<" + name + "> cannot be imported",
                    "save the compiled model from MuJoCo (mj_saveLastXML), which has none");
      } else if (name == "plugin") {
        log_.leave_out(name, child.get("name", body.body.name));
      }
    }
    if (depth_ > 0) return;  // only the outermost call reads what has been found
    ++depth_;
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      const Pending next = pending_[k];
      read_body(next);
    }
    --depth_;
  }

  struct Pending {
    XmlElement element;
    std::string child_class;
    Place frame;  // in the parent body
    int parent;
  };

  void read_body(const Pending& at) {
    const MjcfElement element(source_, at.element, "");
    const std::string child_class = at.element.get("childclass", at.child_class);
    MjcfBody body;
    body.body.source = at.element.place();
    body.body.name = at.element.get("name");
    if (body.body.name.empty())
      body.body.name = fmt::format("body_{}", mechanism_.bodies.size() + 1);
    const int index = static_cast<int>(mechanism_.bodies.size());
    if (!model_.bodies.emplace(body.body.name, index).second) {
      log_.report(at.element.place(), at.element.path(), "duplicate name of a body");
    }
    const Place in_parent = at.frame * element.place();
    body.body.place = mechanism_.place_of(at.parent) * in_parent;
    note_extras(at.element, body.body.name);
    mechanism_.bodies.push_back(body.body);  // its place, for its children
    read_children(at.element, child_class, Place{}, body, index);
    const std::vector<XmlElement> joints = list_joints(at.element);
    finish_mjcf_mass(body, source_, !joints.empty() || at.parent != ground_body, log_);
    body.body.place = mechanism_.bodies[static_cast<std::size_t>(index)].place;
    mechanism_.bodies[static_cast<std::size_t>(index)] = body.body;
    add_joints(joints, child_class, at.parent, in_parent, index);
  }

  void note_extras(const XmlElement& element, const std::string& name) {
    if (element.get("mocap") == "true") log_.change("mocap body", name, "fixed where it is drawn");
    if (!element.get("gravcomp").empty() && element.get("gravcomp") != "0") {
      log_.leave_out("gravcomp", name);
    }
  }

  std::vector<XmlElement> list_joints(const XmlElement& body) {
    std::vector<XmlElement> result;
    for (const XmlElement& child : source_.children(body)) {
      if (child.name() == "joint" || child.name() == "freejoint") result.push_back(child);
    }
    return result;
  }

  // ---- joints

  void add_joints(const std::vector<XmlElement>& joints, const std::string& child_class, int parent,
                  const Place& in_parent, int body) {
    if (joints.empty()) return weld(parent, in_parent, body);
    int before = parent;
    Place frame = in_parent;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const bool is_last = k + 1 == joints.size();
      const MjcfElement joint(source_, joints[k], child_class);
      const bool is_free = joints[k].name() == "freejoint" || joint.get("type") == "free";
      if (is_free) {
        if (joints.size() > 1 || parent != ground_body) {
          joint.report("a free joint must be the only one of a body of the world");
        }
        add_free(joints[k], joint, body);
        return;
      }
      int to = body;
      if (!is_last) {
        to = static_cast<int>(mechanism_.bodies.size());
        ImportedBody between;
        const ImportedBody& end = mechanism_.bodies[static_cast<std::size_t>(body)];
        between.name = fmt::format("{}_{}", end.name, k + 1);
        between.place = end.place;
        between.source = joints[k].place();
        mechanism_.bodies.push_back(std::move(between));
      }
      add_joint(joints[k], joint, before, frame, to, body);
      before = to;
      frame = Place{};
    }
  }

  void weld(int parent, const Place& in_parent, int body) {
    ImportedJoint joint;
    joint.name = mechanism_.bodies[static_cast<std::size_t>(body)].name;
    joint.kind = JointKind::fixed;
    joint.body_i = parent;
    joint.body_j = body;
    joint.frame_i = in_parent;
    mechanism_.joints.push_back(std::move(joint));
  }

  void add_free(const XmlElement& xml, const MjcfElement& joint, int body) {
    const std::string name = xml.get("name", "free");
    if (xml.name() == "joint") {
      for (const char* key : {"damping", "armature", "frictionloss", "stiffness"}) {
        if (joint.number(key, 0.0) != 0.0)
          log_.leave_out(std::string(key) + " of a free joint", name);
      }
    }
    const MjcfJoint entry{-1, "free", 0.0, body};
    if (!xml.get("name").empty()) model_.joints.emplace(name, entry);
    model_.order.push_back(entry);
  }

  void add_joint(const XmlElement& xml, const MjcfElement& element, int before, const Place& frame,
                 int to, int body) {
    ImportedJoint joint;
    const std::string type = element.get("type", "hinge");
    joint.name = xml.get("name");
    if (joint.name.empty()) {
      joint.name = fmt::format("{}_joint", mechanism_.bodies[static_cast<std::size_t>(to)].name);
    }
    joint.source = xml.place();
    joint.kind = type == "hinge"   ? JointKind::revolute
                 : type == "slide" ? JointKind::translational
                                   : JointKind::spherical;
    if (type != "hinge" && type != "slide" && type != "ball") {
      element.report("unknown joint type '" + type + "'", "known: hinge, slide, ball, free");
    }
    const Vec3 axis = element.vector("axis", {0, 0, 1});
    if (length(axis) < 1e-12) element.report("the axis must not be zero");
    const Mat3 along =
        length(axis) < 1e-12 || type == "ball" ? identity : make_frame_along(normalised(axis));
    const Place own{along, element.vector("pos", Vec3{})};
    joint.body_i = before;
    joint.body_j = to;
    joint.frame_i = frame * own;
    joint.frame_j = own;
    const bool is_angle = joint.kind == JointKind::revolute;
    const auto in_si = [&](double x) { return is_angle ? source_.to_radians(x) : x; };
    const double reference = type == "ball" ? 0.0 : in_si(element.number("ref", 0.0));
    (is_angle ? joint.angle : joint.travel) = reference;
    joint.armature = element.number("armature", 0.0);
    if (type == "ball" && joint.armature != 0.0) {
      log_.leave_out("armature of a ball joint", joint.name);
      joint.armature = 0.0;
    }
    read_forces(element, joint, in_si(element.number("springref", 0.0)));
    read_range(element, joint, is_angle);
    const MjcfJoint entry{static_cast<int>(mechanism_.joints.size()), type, reference, body};
    if (!model_.joints.emplace(joint.name, entry).second) {
      element.report("duplicate name of a joint");
    }
    model_.order.push_back(entry);
    mechanism_.joints.push_back(std::move(joint));
  }

  void read_forces(const MjcfElement& element, const ImportedJoint& joint, double free) {
    const auto get = [&](const char* key) {
      const auto values = element.numbers(key);
      if (values && values->size() > 1 &&
          std::any_of(values->begin() + 1, values->end(), [](double x) { return x != 0; })) {
        log_.leave_out(std::string("nonlinear ") + key, joint.name, "its linear part is imported");
      }
      return values && !values->empty() ? (*values)[0] : 0.0;
    };
    const double stiffness = get("stiffness"), damping = get("damping");
    if (element.number("frictionloss", 0.0) != 0.0) {
      log_.leave_out("joint friction", joint.name, "docs/howto/friction.md shows how to add it");
    }
    if (element.has("springdamper") && element.get("springdamper") != "0 0") {
      log_.leave_out("springdamper", joint.name);
    }
    if (stiffness < 0.0 || damping < 0.0)
      element.report("stiffness and damping must not be negative");
    if (stiffness == 0.0 && damping == 0.0) return;
    if (joint.kind == JointKind::spherical) {
      if (stiffness != 0.0) log_.leave_out("stiffness of a ball joint", joint.name);
      if (damping != 0.0) {
        mechanism_.forces.push_back(
            {joint.name + "_damping", RotationalDamper{joint.name, damping}});
      }
      return;
    }
    JointSpringDamper law;
    law.joint = joint.name;
    law.stiffness = stiffness;
    law.damping = damping;
    if (stiffness != 0.0) law.free = free;
    mechanism_.forces.push_back({joint.name + (stiffness != 0.0 ? "_spring" : "_damping"), law});
  }

  void read_range(const MjcfElement& element, ImportedJoint& joint, bool is_angle) {
    const auto range = element.numbers("range");
    const std::string limited = element.get("limited", "auto");
    const bool applies = limited == "true" ||
                         (limited == "auto" && source_.compiler.autolimits && range.has_value());
    if (!applies || !range || range->size() != 2 || ((*range)[0] == 0 && (*range)[1] == 0)) return;
    log_.leave_out("limits of travel", joint.name, "stops are not simulated");
    if (joint.kind == JointKind::spherical) return;
    joint.least = is_angle ? source_.to_radians((*range)[0]) : (*range)[0];
    joint.most = is_angle ? source_.to_radians((*range)[1]) : (*range)[1];
  }

  // settotalmass
  void scale_masses() {
    if (source_.compiler.total_mass <= 0.0) return;
    double sum = 0.0;
    for (const ImportedBody& body : mechanism_.bodies) sum += body.mass;
    if (sum <= 0.0) return;
    const double factor = source_.compiler.total_mass / sum;
    for (ImportedBody& body : mechanism_.bodies) {
      body.mass *= factor;
      for (Vec3& row : body.inertia) row = factor * row;
    }
  }

  MjcfSource& source_;
  ImportOptions options_;
  ImportLog& log_;
  ImportedMechanism mechanism_;
  MjcfModel model_;
  std::vector<Pending> pending_;
  int depth_ = 0;
};

}  // namespace

ImportedMechanism read_mjcf(const std::string& text, const std::string& file,
                            const ImportOptions& options, ImportLog& log) {
  MjcfSource source(text, file, log);
  if (source.root().name() != "mujoco") {
    log.report(source.root().place(), source.root().name(),
               "the root element of an MJCF file must be 'mujoco'");
    log.throw_mistakes();
  }
  return MjcfReader(source, options, log).read();
}

}  // namespace trammel::import
