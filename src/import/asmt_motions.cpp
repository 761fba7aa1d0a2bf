// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// .asmt: motions, limits and forces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "import/asmt.hpp"
#include "math/expression.hpp"

namespace trammel::import {
namespace {

// The value at t = 0; none where the text is no expression of t, which the checks of the model report.
std::optional<double> evaluate_at_start(const std::string& text) {
  try {
    VariableNames names;
    names.add("t");
    const double zero = 0.0;
    return Expression(text, names).evaluate({&zero, 1});
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

Function make_function(const std::string& text) {
  if (text.empty()) return 0.0;
  return Function(Formula{text});
}

// The joint whose markers a motion takes; an error where there is none.
ImportedJoint* find_joint(AsmtAssembly& assembly, int entry) {
  const std::string name = assembly.tree.text(entry, "MotionJoint");
  const auto found = assembly.joints.find(name);
  if (found != assembly.joints.end()) {
    return &assembly.mechanism.joints[static_cast<std::size_t>(found->second)];
  }
  const int key = assembly.tree.find(entry, "MotionJoint");
  assembly.tree.report(key < 0 ? entry : key, "there is no joint '" + name + "'");
  return nullptr;
}

void read_rotation(AsmtAssembly& assembly, int entry) {
  ImportedJoint* const joint = find_joint(assembly, entry);
  if (joint == nullptr) return;
  if (joint->kind != JointKind::revolute && joint->kind != JointKind::cylindrical) {
    assembly.tree.report(entry, "a joint of this kind has no angle that can be driven");
    return;
  }
  const std::string text =
      convert_expression(assembly.tree.text(entry, "RotationZ"), assembly.start);
  JointDriver law{joint->name, JointCoordinate::angle, make_function(text), false};
  assembly.mechanism.drivers.push_back({assembly.make_name(entry, "motion"), law});
}

void read_translation(AsmtAssembly& assembly, int entry) {
  const ImportedJoint* const joint = find_joint(assembly, entry);
  if (joint == nullptr) return;
  if (joint->kind != JointKind::translational && joint->kind != JointKind::cylindrical) {
    assembly.tree.report(entry, "a joint of this kind has no travel that can be driven");
    return;
  }
  const std::string text =
      convert_expression(assembly.tree.text(entry, "TranslationZ"), assembly.start);
  assembly.mechanism.drivers.push_back(
      {assembly.make_name(entry, "motion"),
       JointDriver{joint->name, JointCoordinate::travel, make_function(text), false}});
}

// r in the axes of marker I, and the attitude of J in I by three angles in the given order.
void read_general(AsmtAssembly& assembly, int entry) {
  AsmtTree& tree = assembly.tree;
  AsmtMarker i, j;
  if (!assembly.find_markers(entry, i, j)) return;
  const auto order = tree.numbers(entry, "RotationOrder", 3).value_or(std::vector<double>{1, 2, 3});
  std::vector<double> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != std::vector<double>{1, 2, 3}) {
    tree.report(tree.find(entry, "RotationOrder"), "must name each of the axes 1, 2, 3 once");
    return;
  }
  FrameDriver law;
  law.frames = assembly.make_frames(i, j);
  law.orientation.emplace();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto read = [&](const char* key) {
      return make_function(
          convert_expression(tree.text(entry, fmt::format("{}{}", key, k + 1)), assembly.start));
    };
    law.position[k] = read("rIJI");
    (*law.orientation)[k] = read("angIJJ");
    law.order[k] = static_cast<int>(order[k]) - 1;
  }
  assembly.mechanism.drivers.push_back({assembly.make_name(entry, "motion"), law});
}

}  // namespace

void read_asmt_motion(AsmtAssembly& assembly, int entry) {
  const std::string& word = assembly.tree[entry].text;
  if (word == "RotationalMotion") {
    read_rotation(assembly, entry);
  } else if (word == "TranslationalMotion") {
    read_translation(assembly, entry);
  } else if (word == "GeneralMotion") {
    read_general(assembly, entry);
  } else if (word == "AllowRotation") {
    assembly.log.leave_out("hint for dragging", assembly.tree.text(entry, "Name"));
  } else {
    assembly.tree.report(entry, "unknown kind of motion");
  }
}

void read_asmt_limit(AsmtAssembly& assembly, int entry) {
  assembly.log.leave_out("limit", assembly.tree.text(entry, "Name"), "stops are not simulated");
}

void read_asmt_force(AsmtAssembly& assembly, int entry) {
  AsmtTree& tree = assembly.tree;
  if (tree[entry].text != "InLineForceTorque") {
    tree.report(entry, "unknown kind of force");
    return;
  }
  AsmtMarker i, j;
  if (!assembly.find_markers(entry, i, j)) return;
  const std::string name = assembly.make_name(entry, "force");
  const std::string twist = convert_expression(tree.text(entry, "twist"), assembly.start);
  if (!twist.empty() && evaluate_at_start(twist) != 0.0) {
    assembly.log.leave_out("torque along the line of two points", name);
  }
  const std::string tension = convert_expression(tree.text(entry, "tension"), assembly.start);
  if (tension.empty()) return;
  const auto name_of = [&](int body) {
    return body == ground_body ? std::string(ground)
                               : assembly.mechanism.bodies[static_cast<std::size_t>(body)].name;
  };
  NonlinearSpring law;
  law.body_i = name_of(i.body);
  law.body_j = name_of(j.body);
  law.point_i = i.place.at;
  law.point_j = j.place.at;
  law.tension = Function(Formula{tension});
  assembly.mechanism.forces.push_back({name, law});
}

}  // namespace trammel::import
