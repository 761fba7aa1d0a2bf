// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MJCF: constraints that close loops and couple joints, and tendons. Both are soft there and exact here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/mjcf.hpp"
#include "math/nearest_word.hpp"

namespace trammel::import {
namespace {

struct End {
  int body = ground_body;
  Place place;
};

// A body by name, the world where there is none; an error for a name that does not exist.
std::optional<int> find_body(MjcfModel& model, const XmlElement& element, const char* attribute) {
  const std::string name = element.get(attribute, "world");
  if (const auto found = model.bodies.find(name); found != model.bodies.end()) return found->second;
  NearestWord nearest(name);
  for (const auto& [known, index] : model.bodies) nearest.offer(known);
  model.log.report(element.place(), element.path(), "there is no body '" + name + "'",
                   nearest.hint());
  return std::nullopt;
}

std::optional<End> find_site(MjcfModel& model, const XmlElement& element, const char* attribute) {
  const std::string name = element.get(attribute);
  if (const auto found = model.sites.find(name); found != model.sites.end()) {
    return End{found->second.body, found->second.place};
  }
  model.log.report(element.place(), element.path(), "there is no site '" + name + "'");
  return std::nullopt;
}

void add_joint(MjcfModel& model, const XmlElement& element, JointKind kind, const End& i,
               const End& j) {
  ImportedJoint joint;
  joint.name = element.get("name");
  if (joint.name.empty())
    joint.name = fmt::format("{}_{}", element.name(), model.mechanism.joints.size());
  joint.kind = kind;
  joint.body_i = i.body;
  joint.body_j = j.body;
  joint.frame_i = i.place;
  joint.frame_j = j.place;
  joint.source = element.place();
  joint.is_in_tree = false;
  model.mechanism.joints.push_back(std::move(joint));
  model.log.change("exact instead of soft",
                   element.get("name", element.get("body1", element.name())),
                   "<" + element.name() + ">");
}

// The anchor is a point of body 1; where it is on body 2 follows from the drawing.
void read_connect(MjcfModel& model, const XmlElement& element) {
  if (element.has("site1") || element.has("site2")) {
    const auto i = find_site(model, element, "site1"), j = find_site(model, element, "site2");
    if (i && j) add_joint(model, element, JointKind::spherical, *i, *j);
    return;
  }
  const auto i = find_body(model, element, "body1"), j = find_body(model, element, "body2");
  const auto anchor = element.vector("anchor", model.log);
  if (!anchor) model.log.report(element.place(), element.path(), "needs an anchor, or two sites");
  if (!i || !j || !anchor) return;
  const Vec3 in_world = model.mechanism.place_of(*i) * *anchor;
  add_joint(model, element, JointKind::spherical, {*i, {identity, *anchor}},
            {*j, {identity, inverse(model.mechanism.place_of(*j)) * in_world}});
}

// As drawn, or with body 2 at relpose in body 1.
void read_weld(MjcfModel& model, const XmlElement& element) {
  if (element.has("site1") || element.has("site2")) {
    const auto i = find_site(model, element, "site1"), j = find_site(model, element, "site2");
    if (i && j) add_joint(model, element, JointKind::fixed, *i, *j);
    return;
  }
  const auto i = find_body(model, element, "body1"), j = find_body(model, element, "body2");
  if (!i || !j) return;
  Place relative = inverse(model.mechanism.place_of(*i)) * model.mechanism.place_of(*j);
  if (const auto p = element.numbers("relpose", model.log); p && p->size() == 7) {
    const EulerParameters q{(*p)[3], (*p)[4], (*p)[5], (*p)[6]};
    if (q != EulerParameters{0, 0, 0, 0}) {
      relative = {from_quaternion(q), {(*p)[0], (*p)[1], (*p)[2]}};
    }
  }
  // the joint's point is the anchor, which is given in body 2
  const Vec3 anchor = element.vector("anchor", model.log).value_or(Vec3{});
  const Place at{identity, anchor};
  add_joint(model, element, JointKind::fixed, {*i, relative * at}, {*j, at});
}

std::vector<double> read_polynomial(MjcfModel& model, const XmlElement& element) {
  auto c = element.numbers("polycoef", model.log).value_or(std::vector<double>{0, 1, 0, 0, 0});
  c.resize(5, 0.0);
  return c;
}

// c₀ + c₁ x + … of x = q − reference, as a formula of q.
Formula make_polynomial(const char* q, double reference, const std::vector<double>& c) {
  const std::string x = reference == 0.0 ? q : fmt::format("({} - ({}))", q, reference);
  std::string text;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (c[k] == 0.0) continue;
    text += fmt::format("{}({})", text.empty() ? "" : " + ", c[k]);
    if (k > 0) text += "*" + x;
    if (k > 1) text += fmt::format("^{}", k);
  }
  return Formula{text.empty() ? "0" : text};
}

bool is_linear(const std::vector<double>& c) { return c[2] == 0 && c[3] == 0 && c[4] == 0; }

// q₁ − ref₁ = c₀ + c₁(q₂ − ref₂) + …
void read_joint_equality(MjcfModel& model, const XmlElement& element) {
  const MjcfJoint* const first = find_mjcf_joint(model, element, "joint1");
  const bool has_second = element.has("joint2");
  const MjcfJoint* const second = has_second ? find_mjcf_joint(model, element, "joint2") : nullptr;
  if (first == nullptr || (has_second && second == nullptr)) return;
  const std::vector<double> c = read_polynomial(model, element);
  const std::string name =
      element.get("name", fmt::format("equality_{}", model.mechanism.couplers.size() + 1));
  LinearCoupler law;
  law.terms.push_back(make_mjcf_term(model, *first, 1.0));
  if (has_second && !is_linear(c)) {
    LinearCoupler::Term term = make_mjcf_term(model, *second, -1.0);
    const char* q = term.coordinate == JointCoordinate::angle ? "angle" : "travel";
    term.function = Function(make_polynomial(q, second->reference, c));
    law.terms.push_back(std::move(term));
    law.value = first->reference;
    model.mechanism.couplers.push_back({name, law});
    return;
  }
  law.value = first->reference + c[0];
  if (has_second && c[1] != 0.0) {
    law.terms.push_back(make_mjcf_term(model, *second, -c[1]));
    *law.value -= c[1] * second->reference;
  }
  model.mechanism.couplers.push_back({name, law});
}

}  // namespace

const MjcfJoint* find_mjcf_joint(MjcfModel& model, const XmlElement& element,
                                 const char* attribute) {
  const std::string name = element.need(attribute, model.log);
  if (name.empty()) return nullptr;
  const auto found = model.joints.find(name);
  if (found == model.joints.end()) {
    NearestWord nearest(name);
    for (const auto& [known, joint] : model.joints) nearest.offer(known);
    model.log.report(element.place(), element.path(), "there is no joint '" + name + "'",
                     nearest.hint());
    return nullptr;
  }
  if (found->second.type == "hinge" || found->second.type == "slide") return &found->second;
  model.log.report(element.place(), element.path(), "joint '" + name + "' is no hinge or slide");
  return nullptr;
}

LinearCoupler::Term make_mjcf_term(const MjcfModel& model, const MjcfJoint& joint,
                                   double coefficient) {
  const ImportedJoint& of = model.mechanism.joints[static_cast<std::size_t>(joint.joint)];
  return {of.name,
          joint.type == "hinge" ? JointCoordinate::angle : JointCoordinate::travel,
          coefficient,
          {}};
}

void read_mjcf_equality(MjcfModel& model, const XmlElement& element) {
  const std::string name = element.name();
  const MjcfElement with_class(model.source, element, "");
  if (with_class.get("active", "true") == "false") {
    model.log.leave_out("inactive constraint", element.get("name", name));
  } else if (name == "connect") {
    read_connect(model, element);
  } else if (name == "weld") {
    read_weld(model, element);
  } else if (name == "joint") {
    read_joint_equality(model, element);
  } else if (name == "tendon") {
    read_tendon_equality(model, element);
  } else {
    model.log.leave_out("constraint <" + name + ">", element.get("name", "without a name"));
  }
}

}  // namespace trammel::import
