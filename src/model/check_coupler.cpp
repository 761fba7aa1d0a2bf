// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one coupler, and of what a joint says about its coordinates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/check_function.hpp"
#include "model/check_parts.hpp"
#include "model/coordinates.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

class CouplerCheck {
 public:
  CouplerCheck(const Model& model, std::size_t index, const NameTable& bodies,
               const NameTable& joints, const ConstantTable& parameters,
               std::vector<Finding>& findings)
      : model_(model),
        index_(index),
        bodies_(bodies),
        joints_(joints),
        parameters_(parameters),
        findings_(findings) {}

  void operator()(const Gear& gear) {
    if (!check_frames(gear.frames)) {
      check_pair(gear.joint_1, JointCoordinate::angle, gear.joint_2, JointCoordinate::angle);
    }
    check_positive("teeth[0]", gear.teeth_1);
    check_positive("teeth[1]", gear.teeth_2);
  }

  void operator()(const RackAndPinion& rack) {
    if (!check_frames(rack.frames)) {
      check_pair(rack.hinge, JointCoordinate::angle, rack.slide, JointCoordinate::travel);
    }
    check_not_zero("radius", rack.radius);
  }

  void operator()(const Belt& belt) {
    if (!check_frames(belt.frames)) {
      check_pair(belt.joint_1, JointCoordinate::angle, belt.joint_2, JointCoordinate::angle);
    }
    check_positive("radii[0]", belt.radius_1);
    check_positive("radii[1]", belt.radius_2);
  }

  void operator()(const LinearCoupler& coupler) {
    if (coupler.terms.empty()) add("terms", "a coupler needs at least one term");
    for (std::size_t k = 0; k < coupler.terms.size(); ++k) {
      const LinearCoupler::Term& term = coupler.terms[k];
      const std::string field = fmt::format("terms[{}]", k);
      check_coordinate(field + ".joint", term.joint, term.coordinate);
      check_not_zero(field + ".coefficient", term.coefficient);
      if (term.function) {
        FunctionNeeds needs{to_word(term.coordinate), true};
        needs.purpose = "a coupler";
        check_function(model_, *term.function, needs, parameters_,
                       {Section::couplers, index_, field + ".function", ""}, findings_);
      }
      for (std::size_t before = 0; before < k; ++before) {
        const LinearCoupler::Term& other = coupler.terms[before];
        if (other.joint != term.joint || other.coordinate != term.coordinate) continue;
        add(field,
            fmt::format("the {} of '{}' is listed twice", to_word(term.coordinate), term.joint));
        break;
      }
    }
    if (coupler.value) add_problem("value", find_problem(*coupler.value));
  }

  void operator()(const Thread& thread) {
    check_frames(thread.frames);
    check_not_zero("pitch", thread.pitch);
    if (model_.dimension == 2) add("", "there is no thread in the plane");
  }

 private:
  void add(const std::string& field, const std::string& reason, const std::string& hint = {}) {
    findings_.push_back({Section::couplers, index_, field, reason, hint});
  }

  void add_problem(const std::string& field, const std::string& problem) {
    if (!problem.empty()) add(field, problem);
  }

  // False where there are none, and joints count.
  bool check_frames(const std::optional<CoupledFrames>& frames) {
    if (frames)
      check_coupled_frames(model_, *frames, bodies_, {Section::couplers, index_, "", ""},
                           findings_);
    return frames.has_value();
  }

  // The joint, when it is there and has the coordinate.
  const Joint* check_coordinate(const std::string& field, const std::string& name,
                                JointCoordinate coordinate) {
    const auto found = find_joint(name, joints_, {Section::couplers, index_, field, ""}, findings_);
    if (found < 0) return nullptr;
    const Joint& joint = model_.joints[static_cast<std::size_t>(found)];
    const std::string problem = calc_coordinate_problem(model_, joint, coordinate);
    if (problem.empty()) return &joint;
    add(field, problem);
    findings_.back().joint = found;
    return nullptr;
  }

  // Both joints turn or slide on the same body.
  void check_pair(const std::string& first, JointCoordinate of_first, const std::string& second,
                  JointCoordinate of_second) {
    const Joint* a = check_coordinate("joints[0]", first, of_first);
    const Joint* b = check_coordinate("joints[1]", second, of_second);
    if (a == nullptr || b == nullptr) return;
    if (a == b) {
      add("joints", "must be two different joints");
    } else if (find_common_body(*a, *b).empty()) {
      const bool same = (a->body_i == b->body_i && a->body_j == b->body_j) ||
                        (a->body_i == b->body_j && a->body_j == b->body_i);
      add("joints", fmt::format("'{}' and '{}' {}", first, second,
                                same ? "connect the same two bodies" : "have no body in common"));
    }
  }

  void check_positive(const char* field, double value) {
    add_problem(field, find_problem_of_positive(value));
  }
  void check_not_zero(const std::string& field, double value) {
    add_problem(field, find_problem_of_nonzero(value));
  }

  const Model& model_;
  std::size_t index_;
  const NameTable& bodies_;
  const NameTable& joints_;
  const ConstantTable& parameters_;
  std::vector<Finding>& findings_;
};

}  // namespace

std::string calc_coordinate_problem(const Model& model, const Joint& joint,
                                    JointCoordinate coordinate) {
  const bool planar = model.dimension == 2;
  if (joint.body_i == joint.body_j) {
    return fmt::format("the joint '{}' connects two frames of one body and leaves nothing to move",
                       joint.name);
  }
  if (has_coordinate(joint.kind, planar, coordinate)) return {};
  const std::vector<JointCoordinate> has = list_coordinates(joint.kind, planar);
  std::string text = fmt::format("the joint '{}' has no {}", joint.name, to_word(coordinate));
  for (std::size_t k = 0; k < has.size(); ++k) {
    text += fmt::format("{}{}", k == 0 ? ", but " : " and ", to_word(has[k]));
  }
  return text;
}

void check_coupler(const Model& model, std::size_t index, const NameTable& bodies,
                   const NameTable& joints, const ConstantTable& parameters,
                   std::vector<Finding>& findings) {
  std::visit(CouplerCheck(model, index, bodies, joints, parameters, findings),
             model.couplers[index].law);
}

void check_coupled_frames(const Model& model, const CoupledFrames& frames, const NameTable& bodies,
                          const Finding& part, std::vector<Finding>& findings) {
  const auto at = [&](const char* field) {
    Finding finding = part;
    finding.field = field;
    return finding;
  };
  const bool i = check_reference(frames.body_i, bodies, at("frames[0]"), findings);
  const bool j = check_reference(frames.body_j, bodies, at("frames[1]"), findings);
  if (i && j && frames.body_i == frames.body_j) {
    findings.push_back(at("frames"));
    findings.back().reason =
        "must be frames of two different bodies, got '" + frames.body_i + "' twice";
  }
  const bool planar = model.dimension == 2;
  const NamedFrame* const both[] = {&frames.frame_i, &frames.frame_j};
  for (int k = 0; k < 2; ++k) {
    const std::string problem = find_problem(*both[k], planar);
    if (problem.empty()) continue;
    findings.push_back(at(k == 0 ? "frames[0]" : "frames[1]"));
    findings.back().reason = problem;
  }
}

namespace {

template <class Add>
void check_armature(const Model& model, const Joint& joint, const Add& add) {
  const auto has = list_coordinates(joint.kind, model.dimension == 2);
  std::vector<JointCoordinate> seen;
  for (const Joint::Armature& armature : joint.armature) {
    const JointCoordinate coordinate =
        armature.coordinate.value_or(has.empty() ? JointCoordinate::angle : has[0]);
    std::string problem = calc_coordinate_problem(model, joint, coordinate);
    if (problem.empty() && !armature.coordinate && has.size() > 1) {
      problem = fmt::format("the joint '{}' has {} and {}: give a map of them", joint.name,
                            to_word(has[0]), to_word(has[1]));
    }
    if (problem.empty()) problem = find_problem_of_size(armature.inertia);
    if (problem.empty() && std::find(seen.begin(), seen.end(), coordinate) != seen.end()) {
      problem = "is given twice";
    }
    seen.push_back(coordinate);
    const std::string field =
        armature.coordinate ? fmt::format("armature.{}", to_word(coordinate)) : "armature";
    if (!problem.empty()) add(field.c_str(), problem);
  }
}

}  // namespace

void check_coordinates_of_joint(const Model& model, std::size_t index,
                                std::vector<Finding>& findings) {
  const Joint& joint = model.joints[index];
  const auto add = [&](const char* field, const std::string& reason) {
    findings.push_back({Section::joints, index, field, reason});
  };
  if (joint.kind == JointKind::screw && !joint.pitch) {
    add("", "a screw joint needs 'pitch'");
  } else if (joint.kind != JointKind::screw && joint.pitch) {
    add("pitch", "only a screw joint has a 'pitch'");
  } else if (joint.pitch) {
    const std::string problem = find_problem_of_nonzero(*joint.pitch);
    if (!problem.empty()) add("pitch", problem);
  }
  const auto check_start = [&](const char* field, const std::optional<double>& start,
                               JointCoordinate coordinate) {
    if (!start) return;
    std::string problem = calc_coordinate_problem(model, joint, coordinate);
    if (problem.empty()) problem = find_problem(*start);
    if (!problem.empty()) add(field, problem);
  };
  for (std::size_t k = 0; k < joint.starts.size(); ++k) {
    const Joint::Start& start = joint.starts[k];
    const std::string field = fmt::format("initial.{}", to_word(start.coordinate));
    check_start(field.c_str(), start.value ? start.value : start.rate, start.coordinate);
    const bool twice = std::any_of(
        joint.starts.begin(), joint.starts.begin() + static_cast<std::ptrdiff_t>(k),
        [&](const Joint::Start& other) { return other.coordinate == start.coordinate; });
    if (twice) add(field.c_str(), "is given twice");
  }
  check_armature(model, joint, add);
  check_start("start_angle", joint.start_angle, JointCoordinate::angle);
  check_start("start_travel", joint.start_travel, JointCoordinate::travel);
}

}  // namespace trammel
