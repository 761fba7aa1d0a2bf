// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MJCF: tendons. A fixed tendon is a sum over joint coordinates, of which only constraints can be had here; a
// spatial tendon between two sites is a spring, a damper, or with a constraint a rod.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/mjcf.hpp"

namespace trammel::import {
namespace {

void read_fixed(MjcfModel& model, const XmlElement& element, MjcfTendon& tendon) {
  for (const XmlElement& term : element.children("joint")) {
    const MjcfJoint* const joint = find_mjcf_joint(model, term, "joint");
    if (joint != nullptr) {
      tendon.terms.push_back({joint, term.number("coef", model.log).value_or(1.0)});
    }
  }
}

void read_spatial(MjcfModel& model, const XmlElement& element, MjcfTendon& tendon) {
  for (const XmlElement& part : element.children()) {
    const auto found = model.sites.find(part.get("site"));
    if (part.name() == "site" && found == model.sites.end()) {
      model.log.report(part.place(), part.path(), "there is no site '" + part.get("site") + "'");
    } else if (part.name() == "site") {
      tendon.sites.push_back(found->second);
    } else {
      tendon.is_simple = false;  // pulleys and wrapping
    }
  }
  if (tendon.sites.size() != 2) tendon.is_simple = false;
}

// Tension k(l − l₀) + d l̇; without springlength l₀ is the length as drawn.
void add_spring(MjcfModel& model, const MjcfElement& element, const MjcfTendon& tendon,
                const std::string& name) {
  const auto first = [&](const char* key) {
    const auto values = element.numbers(key);
    return values && !values->empty() ? (*values)[0] : 0.0;
  };
  const double stiffness = first("stiffness"), damping = first("damping");
  if (element.number("frictionloss", 0.0) != 0.0) model.log.leave_out("tendon friction", name);
  if (element.get("limited", "auto") == "true" || element.has("range")) {
    model.log.leave_out("limits of a tendon", name);
  }
  if (stiffness == 0.0 && damping == 0.0) return;
  if (!tendon.is_simple || tendon.sites.empty()) {
    model.log.leave_out("stiffness and damping of a tendon", name);
    return;
  }
  const ImportedFrame &i = tendon.sites[0], &j = tendon.sites[1];
  const auto range = element.numbers("springlength").value_or(std::vector<double>{-1});
  double free = range.empty() ? -1.0 : range[0];
  if (free < 0.0) {
    free = length(model.mechanism.place_of(i.body) * i.place.at -
                  model.mechanism.place_of(j.body) * j.place.at);
  } else if (range.size() > 1 && range[1] != range[0]) {
    model.log.leave_out("deadband of a tendon's spring", name);
  }
  const auto name_of = [&](int body) {
    return body == ground_body ? std::string(ground)
                               : model.mechanism.bodies[static_cast<std::size_t>(body)].name;
  };
  SpringDamper law{name_of(i.body), name_of(j.body), i.place.at, j.place.at,
                   stiffness,       damping,         free};
  model.mechanism.forces.push_back({name, law});
}

}  // namespace

void read_mjcf_tendon(MjcfModel& model, const XmlElement& element) {
  MjcfTendon tendon;
  const std::string name = element.get("name", fmt::format("tendon_{}", model.tendons.size() + 1));
  if (element.name() == "fixed") {
    read_fixed(model, element, tendon);
  } else {
    read_spatial(model, element, tendon);
  }
  add_spring(model, MjcfElement(model.source, element, ""), tendon, name);
  if (!model.tendons.emplace(name, tendon).second) {
    model.log.report(element.place(), element.path(), "duplicate name of a tendon");
  }
}

// Of one tendon: its length stays as drawn, plus c₀; of two: L₁ − L₁₀ = c₀ + c₁(L₂ − L₂₀).
void read_tendon_equality(MjcfModel& model, const XmlElement& element) {
  const auto find = [&](const char* attribute) -> const MjcfTendon* {
    const auto found = model.tendons.find(element.get(attribute));
    if (found != model.tendons.end()) return &found->second;
    model.log.report(element.place(), element.path(),
                     "there is no tendon '" + element.get(attribute) + "'");
    return nullptr;
  };
  const MjcfTendon* const first = find("tendon1");
  const MjcfTendon* const second = element.has("tendon2") ? find("tendon2") : nullptr;
  if (first == nullptr || (element.has("tendon2") && second == nullptr)) return;
  auto c = element.numbers("polycoef", model.log).value_or(std::vector<double>{0, 1, 0, 0, 0});
  c.resize(5, 0.0);
  const std::string name =
      element.get("name", fmt::format("equality_{}", model.mechanism.couplers.size() + 1));
  if (!first->sites.empty() && first->is_simple && second == nullptr) {
    const ImportedFrame &i = first->sites[0], &j = first->sites[1];
    ImportedJoint joint;
    joint.name = name;
    joint.kind = JointKind::distance;
    joint.body_i = i.body, joint.body_j = j.body;
    joint.frame_i = i.place, joint.frame_j = j.place;
    joint.length = c[0] + length(model.mechanism.place_of(i.body) * i.place.at -
                                 model.mechanism.place_of(j.body) * j.place.at);
    joint.source = element.place();
    joint.is_in_tree = false;
    model.mechanism.joints.push_back(std::move(joint));
    return;
  }
  const bool is_linear = c[2] == 0 && c[3] == 0 && c[4] == 0;
  if (first->terms.empty() || (second != nullptr && (second->terms.empty() || !is_linear))) {
    model.log.report(element.place(), element.path(),
                     "only sums of joint coordinates and straight lines between two sites can have "
                     "a fixed length");
    return;
  }
  LinearCoupler law;
  law.value = c[0];
  const auto add = [&](const MjcfTendon& tendon, double factor) {
    for (const auto& [joint, coefficient] : tendon.terms) {
      if (factor * coefficient == 0.0) continue;
      law.terms.push_back(make_mjcf_term(model, *joint, factor * coefficient));
      *law.value += factor * coefficient * joint->reference;
    }
  };
  add(*first, 1.0);
  if (second != nullptr) add(*second, -c[1]);
  model.mechanism.couplers.push_back({name, law});
}

}  // namespace trammel::import
