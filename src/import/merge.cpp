// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Links that are no bodies of their own: on fixed joints, or without mass between hinges. Formats with hinges
// only write universal and spherical joints as chains of them, through links without mass.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "import/mechanism.hpp"

namespace trammel::import {
namespace {

constexpr double same_point = 1e-9;   // m
constexpr double right_angle = 1e-9;  // rad

// Where a body is: fixed in another one.
struct Fixed {
  int to = ground_body;
  Place place;
};

bool is_zero(const Mat3& m) {
  return std::all_of(m.begin(), m.end(), [](const Vec3& row) { return row == Vec3{}; });
}

bool has_no_inertia(const ImportedBody& body) { return is_zero(body.inertia); }

// Links that only close loops: people give them a milligram, because programs ask for a mass.
bool is_negligible(const ImportedMechanism& mechanism, int b) {
  if (b == ground_body) return false;
  const ImportedBody& body = mechanism.bodies[static_cast<std::size_t>(b)];
  return has_no_inertia(body) && body.mass <= 1e-6;
}

std::set<std::string> list_used_joints(const ImportedMechanism& mechanism) {
  std::set<std::string> used;
  for (const Coupler& coupler : mechanism.couplers) {
    if (const auto* linear = std::get_if<LinearCoupler>(&coupler.law)) {
      for (const auto& term : linear->terms) used.insert(term.joint);
    }
  }
  for (const Driver& driver : mechanism.drivers) {
    if (const auto* joint = std::get_if<JointDriver>(&driver.law)) used.insert(joint->joint);
  }
  for (const ImportedJoint& joint : mechanism.joints) {
    if (joint.armature != 0.0) used.insert(joint.name);
  }
  for (const Force& force : mechanism.forces) {
    if (const auto* spring = std::get_if<JointSpringDamper>(&force.law)) used.insert(spring->joint);
    if (const auto* damper = std::get_if<RotationalDamper>(&force.law)) used.insert(damper->joint);
  }
  return used;
}

class MasslessMerger {
 public:
  MasslessMerger(ImportedMechanism& mechanism, ImportLog& log)
      : mechanism_(mechanism), log_(log), used_(list_used_joints(mechanism)) {
    at_.resize(mechanism.bodies.size());
    for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
      const ImportedJoint& joint = mechanism.joints[k];
      if (joint.is_gone) continue;
      if (joint.body_i != ground_body) at_[index(joint.body_i)].push_back(static_cast<int>(k));
      if (joint.body_j != ground_body) at_[index(joint.body_j)].push_back(static_cast<int>(k));
    }
  }

  void run() {
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      if (!mechanism_.bodies[b].is_gone) try_merge(static_cast<int>(b));
    }
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      if (!mechanism_.bodies[b].is_gone && mechanism_.bodies[b].mass == 0.0) look_at(b);
    }
  }

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  ImportedJoint& joint(int k) { return mechanism_.joints[index(k)]; }
  ImportedBody& body(int k) { return mechanism_.bodies[index(k)]; }

  // The hinge that carries the body, and the one that it carries; −1 where it is not like that.
  struct Link {
    int before = -1, after = -1;
  };
  Link find_link(int b, JointKind first_kind, JointKind second_kind) {
    if (!has_no_inertia(body(b)) || at_[index(b)].size() != 2 || !body(b).shapes.empty()) return {};
    int first = at_[index(b)][0], second = at_[index(b)][1];
    if (joint(first).body_j != b) std::swap(first, second);
    if (joint(first).body_j != b) flip(first);
    if (joint(second).body_i != b) flip(second);
    const auto fits = [&](int k, JointKind kind) {
      return joint(k).kind == kind && joint(k).is_in_tree && used_.count(joint(k).name) == 0;
    };
    if (!fits(first, first_kind) || !fits(second, second_kind)) return {};
    return {first, second};
  }

  // From the second body to the first: its coordinate changes sign, so only where nothing uses that.
  void flip(int k) {
    ImportedJoint& j = joint(k);
    if (used_.count(j.name) != 0) return;
    std::swap(j.body_i, j.body_j);
    std::swap(j.frame_i, j.frame_j);
  }

  Vec3 axis_of(int k) {
    const ImportedJoint& j = joint(k);
    return column((mechanism_.place_of(j.body_i) * j.frame_i).turn, 2);
  }
  Vec3 point_of(int k) {
    const ImportedJoint& j = joint(k);
    return mechanism_.place_of(j.body_i) * j.frame_i.at;
  }

  // The point that two axes have in common, in the world.
  std::optional<Vec3> find_common_point(int first, int second) {
    const Vec3 n = axis_of(first), m = axis_of(second), d = point_of(second) - point_of(first);
    const Vec3 across = cross(n, m);
    const double square = dot(across, across);
    if (square < 1e-6) return std::nullopt;
    if (std::abs(dot(d, across)) / std::sqrt(square) > same_point) return std::nullopt;
    return point_of(first) + (dot(cross(d, m), across) / square) * n;
  }

  bool is_mass_at(int b, const Vec3& point) {
    return body(b).mass == 0.0 || length(body(b).place * body(b).com - point) <= same_point;
  }

  void try_merge(int b) {
    if (try_sleeve(b) || try_plane(b)) return;
    const Link link = find_link(b, JointKind::revolute, JointKind::revolute);
    if (link.before < 0) return;
    if (are_coaxial(link)) return make_one_hinge(b, link);
    const auto point = find_common_point(link.before, link.after);
    if (!point || !is_mass_at(b, *point)) return;
    const int next = joint(link.after).body_j;
    const Link second =
        next == ground_body ? Link{} : find_link(next, JointKind::revolute, JointKind::revolute);
    if (second.before == link.after) {
      const auto other = find_common_point(link.after, second.after);
      if (other && length(*other - *point) <= same_point && is_mass_at(next, *other)) {
        make_spherical(b, next, link.before, link.after, second.after, *point);
        return;
      }
    }
    if (std::abs(dot(axis_of(link.before), axis_of(link.after))) <= right_angle) {
      make_universal(b, link.before, link.after, *point);
    }
  }

  // A hinge and a slide along the same axis.
  bool try_sleeve(int b) {
    for (const bool slides_first : {false, true}) {
      const JointKind slide = JointKind::translational, hinge = JointKind::revolute;
      const Link link = find_link(b, slides_first ? slide : hinge, slides_first ? hinge : slide);
      if (link.before < 0 || body(b).mass > 0.0 || !are_coaxial_axes(link)) continue;
      join(link, JointKind::cylindrical, "cylindrical joint instead of a hinge and a slide");
      body(b).is_gone = true;
      return true;
    }
    return false;
  }

  // Two slides at right angles and a hinge normal to both.
  bool try_plane(int b) {
    const Link link = find_link(b, JointKind::translational, JointKind::translational);
    if (link.before < 0 || joint(link.after).body_j == ground_body) return false;
    const int next = joint(link.after).body_j;
    const Link second = find_link(next, JointKind::translational, JointKind::revolute);
    if (second.before != link.after || body(b).mass > 0.0 || body(next).mass > 0.0) return false;
    const Vec3 x = axis_of(link.before), y = axis_of(link.after), n = axis_of(second.after);
    if (std::abs(dot(x, y)) > right_angle || std::abs(dot(x, n)) > right_angle ||
        std::abs(dot(y, n)) > right_angle) {
      return false;
    }
    const std::string names = fmt::format("{}, {} and {}", joint(link.before).name,
                                          joint(link.after).name, joint(second.after).name);
    ImportedJoint& joined = joint(link.before);
    const Place normal = inverse(mechanism_.place_of(joined.body_i)) *
                         (mechanism_.place_of(next) * joint(second.after).frame_i);
    joint(link.after).is_gone = true;
    join({link.before, second.after}, JointKind::planar,
         "planar joint instead of two slides and a hinge", names);
    joined.frame_i = normal;
    body(b).is_gone = body(next).is_gone = true;
    return true;
  }

  bool are_coaxial_axes(const Link& link) {
    const Vec3 n = axis_of(link.before), m = axis_of(link.after);
    return length(cross(n, m)) < right_angle &&
           length(cross(n, point_of(link.after) - point_of(link.before))) < same_point;
  }

  // The first joint connects what both connect.
  void join(const Link& link, JointKind kind, const char* what, std::string names = {}) {
    ImportedJoint& first = joint(link.before);
    const ImportedJoint& second = joint(link.after);
    if (names.empty()) names = first.name + " and " + second.name;
    if (dot(axis_of(link.before), axis_of(link.after)) < 0) {
      const Place turned{{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {}};
      first.frame_j = second.frame_j * turned;
    } else {
      first.frame_j = second.frame_j;
    }
    first.body_j = second.body_j;
    first.kind = kind;
    if (first.body_j != ground_body) {
      for (int& k : at_[index(first.body_j)]) {
        if (k == link.after) k = link.before;
      }
    }
    joint(link.after).is_gone = true;
    log_.change(what, first.name, names);
  }

  // The same line in the link between them, wherever the drawing has the others.
  bool are_coaxial(const Link& link) {
    const Place& before = joint(link.before).frame_j;
    const Place& after = joint(link.after).frame_i;
    const Vec3 n = column(before.turn, 2);
    const Vec3 d = after.at - before.at;
    return length(cross(n, column(after.turn, 2))) < right_angle &&
           length(cross(n, d)) < same_point;
  }

  // The link between could turn without anything else moving.
  void make_one_hinge(int b, const Link& link) {
    ImportedJoint& first = joint(link.before);
    const ImportedJoint& second = joint(link.after);
    const std::string names = first.name + " and " + second.name;
    // the second frame follows the first along and about the axis
    Place between = inverse(first.frame_j) * second.frame_i;
    first.frame_j = second.frame_j * inverse(between);
    first.body_j = second.body_j;
    if (first.body_j != ground_body) {
      for (int& k : at_[index(first.body_j)]) {
        if (k == link.after) k = link.before;
      }
    }
    joint(link.after).is_gone = true;
    if (body(b).mass > 0.0 && first.body_i != ground_body) {
      add_mass(body(first.body_i), body(b).mass, first.frame_i.at, Mat3{});
    }
    body(b).is_gone = true;
    log_.change("one hinge instead of two on the same axis", first.name,
                fmt::format("{}; link {} without mass", names, body(b).name));
  }

  // The first joint takes the place of all; the frames have their origin in the point.
  void move_frames(int first, int last, const Vec3& point) {
    ImportedJoint& joined = joint(first);
    const ImportedJoint& end = joint(last);
    joined.frame_i.at = inverse(mechanism_.place_of(joined.body_i)) * point;
    joined.frame_j = end.frame_j;
    joined.frame_j.at = inverse(mechanism_.place_of(end.body_j)) * point;
    joined.body_j = end.body_j;
    if (joined.body_j != ground_body) {
      for (int& k : at_[index(joined.body_j)]) {
        if (k == last) k = first;
      }
    }
  }

  // A point mass in the point goes to the body before it.
  void drop(int b, int to, const Vec3& point) {
    if (body(b).mass > 0.0 && to != ground_body) {
      add_mass(body(to), body(b).mass, inverse(mechanism_.place_of(to)) * point, Mat3{});
    }
    body(b).is_gone = true;
  }

  void make_universal(int b, int before, int after, const Vec3& point) {
    const std::string names = joint(before).name + " and " + joint(after).name;
    move_frames(before, after, point);
    joint(before).kind = JointKind::universal;
    joint(after).is_gone = true;
    drop(b, joint(before).body_i, point);
    log_.change("universal joint instead of two hinges and a link without mass", joint(before).name,
                fmt::format("{}; link {}", names, body(b).name));
  }

  void make_spherical(int b, int next, int before, int middle, int after, const Vec3& point) {
    const std::string names =
        fmt::format("{}, {} and {}", joint(before).name, joint(middle).name, joint(after).name);
    move_frames(before, after, point);
    joint(before).kind = JointKind::spherical;
    joint(middle).is_gone = joint(after).is_gone = true;
    drop(b, joint(before).body_i, point);
    drop(next, joint(before).body_i, point);
    log_.change("spherical joint instead of three hinges and two links without mass",
                joint(before).name,
                fmt::format("{}; links {} and {}", names, body(b).name, body(next).name));
  }

  void look_at(std::size_t b) {
    const ImportedBody& link = mechanism_.bodies[b];
    const auto& joints = at_[b];
    const bool driven = std::any_of(joints.begin(), joints.end(), [&](int k) {
      return std::any_of(mechanism_.drivers.begin(), mechanism_.drivers.end(),
                         [&](const Driver& driver) {
                           const auto* of = std::get_if<JointDriver>(&driver.law);
                           return of != nullptr && of->joint == joint(k).name;
                         });
    });
    if (joints.size() < 2 && !driven) {
      log_.report(link.source, link.name, "a body without mass whose motion nothing determines",
                  "give it a mass and moments of inertia, or fix it to another body");
    } else {
      log_.change("body without mass", link.name, "its joints determine how it moves");
    }
  }

  ImportedMechanism& mechanism_;
  ImportLog& log_;
  std::set<std::string> used_;
  std::vector<std::vector<int>> at_;  // [bodies] joints
};

}  // namespace

void add_mass(ImportedBody& to, double mass, const Vec3& com, const Mat3& inertia) {
  const double sum = to.mass + mass;
  if (sum == 0.0) {
    to.inertia = to.inertia + inertia;
    return;
  }
  const Vec3 center = (1.0 / sum) * (to.mass * to.com + mass * com);
  to.inertia = to.inertia + inertia + calc_point_inertia(to.mass, to.com - center) +
               calc_point_inertia(mass, com - center);
  to.com = center;
  to.mass = sum;
}

void merge_fixed(ImportedMechanism& mechanism, ImportLog& log) {
  const std::size_t n = mechanism.bodies.size();
  std::vector<std::optional<Fixed>> fixed(n);
  const auto find = [&](int body) {
    Fixed at{body, {}};
    while (at.to != ground_body && fixed[static_cast<std::size_t>(at.to)]) {
      const Fixed& next = *fixed[static_cast<std::size_t>(at.to)];
      at.place = next.place * at.place;
      at.to = next.to;
    }
    return at;
  };
  for (ImportedJoint& joint : mechanism.joints) {
    if (joint.kind != JointKind::fixed || !joint.is_in_tree || joint.is_gone) continue;
    if (joint.body_j == ground_body) continue;
    fixed[static_cast<std::size_t>(joint.body_j)] =
        Fixed{joint.body_i, joint.frame_i * inverse(joint.frame_j)};
    joint.is_gone = true;
  }
  // a loop that is closed by fixing a link without mass: the link becomes part of the other
  for (ImportedJoint& joint : mechanism.joints) {
    if (joint.kind != JointKind::fixed || joint.is_in_tree || joint.is_gone) continue;
    const Fixed i = find(joint.body_i), j = find(joint.body_j);
    if (i.to == j.to) continue;
    const Place frame_i = i.place * joint.frame_i, frame_j = j.place * joint.frame_j;
    if (is_negligible(mechanism, j.to)) {
      fixed[static_cast<std::size_t>(j.to)] = Fixed{i.to, frame_i * inverse(frame_j)};
    } else if (is_negligible(mechanism, i.to)) {
      fixed[static_cast<std::size_t>(i.to)] = Fixed{j.to, frame_j * inverse(frame_i)};
    } else {
      continue;
    }
    joint.is_gone = true;
  }
  std::vector<Fixed> ends;
  for (std::size_t b = 0; b < n; ++b) ends.push_back(find(static_cast<int>(b)));
  const auto move = [&](int& body, Place& place) {
    if (body == ground_body) return;
    const Fixed& end = ends[static_cast<std::size_t>(body)];
    place = end.place * place;
    body = end.to;
  };
  for (ImportedJoint& joint : mechanism.joints) {
    move(joint.body_i, joint.frame_i);
    move(joint.body_j, joint.frame_j);
  }
  for (ImportedFrame& frame : mechanism.frames) move(frame.body, frame.place);
  for (std::size_t b = 0; b < n; ++b) {
    if (!fixed[b]) continue;
    ImportedBody& body = mechanism.bodies[b];
    body.is_gone = true;
    const Fixed& end = ends[b];
    mechanism.frames.push_back({body.name, end.to, end.place});
    if (end.to == ground_body) {
      if (body.mass > 0.0) log.change("part of the ground", body.name, "its mass has no effect");
      continue;
    }
    ImportedBody& to = mechanism.bodies[static_cast<std::size_t>(end.to)];
    add_mass(to, body.mass, end.place * body.com, turned(body.inertia, end.place.turn));
    for (Shape shape : body.shapes) {
      const Place at = end.place * Place{from_quaternion(shape.orientation), shape.position};
      shape.position = at.at;
      shape.orientation = to_quaternion(at.turn);
      to.shapes.push_back(std::move(shape));
    }
  }
}

void merge_massless(ImportedMechanism& mechanism, ImportLog& log) {
  MasslessMerger(mechanism, log).run();
}

void make_names_unique(ImportedMechanism& mechanism, ImportLog& log) {
  const auto clean = [](const std::string& name, const char* otherwise) {
    std::string result;
    for (const char c : name) {
      const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '-' || (c & 0x80) != 0;
      result += good ? c : '_';
    }
    if (result.empty()) result = otherwise;
    return result == ground ? "ground_" : result;
  };
  // Names of results start with those of bodies and of points.
  std::set<std::string> body_names;
  const auto make = [&](auto& parts, const char* otherwise) {
    const bool are_frames = otherwise == std::string_view("frame");
    std::set<std::string> taken = are_frames ? body_names : std::set<std::string>{};
    std::map<std::string, std::string> names;
    for (auto& part : parts) {
      if constexpr (requires { part.is_gone; }) {
        if (part.is_gone) continue;
      }
      const std::string old = part.name;
      std::string name = clean(old, otherwise);
      if (are_frames && body_names.contains(name)) name += "_frame";
      const std::string stem = name;
      for (int k = 2; !taken.insert(name).second; ++k) name = fmt::format("{}_{}", stem, k);
      names.emplace(old, name);
      if (name == old) continue;
      log.change("renamed", fmt::format("'{}' to {}", old, name), "names must be different words");
      part.name = name;
    }
    return names;
  };
  const auto bodies = make(mechanism.bodies, "body"), joints = make(mechanism.joints, "joint");
  for (const ImportedBody& body : mechanism.bodies) {
    if (!body.is_gone) body_names.insert(body.name);
  }
  make(mechanism.frames, "frame");
  make(mechanism.couplers, "coupler");
  make(mechanism.drivers, "driver");
  make(mechanism.forces, "force");
  const auto rename = [](const auto& names, std::string& name) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  };
  const auto rename_frames = [&](CoupledFrames& frames) {
    rename(bodies, frames.body_i);
    rename(bodies, frames.body_j);
  };
  for (Coupler& coupler : mechanism.couplers) {
    if (auto* linear = std::get_if<LinearCoupler>(&coupler.law)) {
      for (auto& term : linear->terms) rename(joints, term.joint);
    }
    if (auto* thread = std::get_if<Thread>(&coupler.law)) rename_frames(thread->frames);
    if (auto* gear = std::get_if<Gear>(&coupler.law)) rename_frames(*gear->frames);
    if (auto* rack = std::get_if<RackAndPinion>(&coupler.law)) rename_frames(*rack->frames);
  }
  for (Driver& driver : mechanism.drivers) {
    if (auto* joint = std::get_if<JointDriver>(&driver.law)) rename(joints, joint->joint);
    if (auto* point = std::get_if<PointDriver>(&driver.law)) rename(bodies, point->body);
    if (auto* frames = std::get_if<FrameDriver>(&driver.law)) rename_frames(frames->frames);
  }
  for (Force& force : mechanism.forces) {
    std::visit(
        [&](auto& law) {
          if constexpr (requires { law.joint; }) rename(joints, law.joint);
          if constexpr (requires { law.body_i, law.body_j; }) {
            rename(bodies, law.body_i);
            rename(bodies, law.body_j);
          }
        },
        force.law);
  }
}

}  // namespace trammel::import
