// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What an element's `make` may ask of compile.
#pragma once

#include <cmath>
#include <string>

#include "compile/body_frames.hpp"
#include "elements/forces/force_path.hpp"
#include "elements/forces/state_function.hpp"
#include "elements/forces/stop_sides.hpp"
#include "model/coordinates.hpp"
#include "model/law_problems.hpp"
#include "system/system.hpp"

namespace trammel {

// The coordinate named, or the only one that the joint has.
inline JointCoordinate find_coordinate(const ModelIndex& index, const std::string& joint,
                                       std::optional<JointCoordinate> named) {
  return *find_coordinate(index.joint_of(joint), index.model().dimension == 2, named);
}

// What an element's `make` may ask for: indices, and numbers as the System has them.
template <class Space, class Compiler>
struct ForcePlaces {
  using Position = Linear<double, Space>;
  const BodyFrames<Space>& frames;
  const SystemIn<Space>& system;
  Compiler& compiler;       // make_path, make_function, find_slot
  const std::string& name;  // of the force

  int body(const std::string& of) const { return frames.body_index(of); }
  Position point(int body, const Vec3& point_B) const {
    return frames.import_point(body, load(point_B));
  }
  Position world_vector(const Vec3& v) const { return Space::import_linear(load(v)); }
  double mass(int body) const { return system.parameters.bodies[body].mass; }

  ForcePath<double, Space> path(const Along& along) const {
    if (!along.joint.empty()) {
      return compiler.make_path(along.joint,
                                find_coordinate(frames.names(), along.joint, along.coordinate));
    }
    const int i = body(along.body_i), j = body(along.body_j);
    return {-1, -1, {i, j, point(i, along.point_i), point(j, along.point_j)}};
  }
  StateFunction function(const Function& of, const Along& along) const {
    const char* const word =
        along.joint.empty()
            ? "length"
            : to_word(find_coordinate(frames.names(), along.joint, along.coordinate));
    return compiler.make_function(of, {word, "rate"});
  }

  // ---- stops

  template <class Law>
  bool is_limit(const Law&) const {
    return std::is_same_v<Law, EndStop>;
  }
  Range range(const EndStop& law) const {
    return law.limits ? *law.limits : *find_limits(law.along, frames.model());
  }
  Range range(const Backlash& law) const {
    return {law.middle - 0.5 * law.gap, law.middle + 0.5 * law.gap};
  }
  Range range(const OneSidedSpring& law) const {
    Range range;
    (law.in_compression ? range.least : range.most) = law.free;
    return range;
  }
  Range range(const GasStrut& law) const {
    return {law.extended_length - law.stroke, law.extended_length};
  }
  Range range(const LinearActuator& law) const {
    if (!law.stroke) return {};
    return {*law.retracted_length, *law.retracted_length + *law.stroke};
  }
  StopSides<double> sides(const Along& along, const Range& range,
                          const StopMaterial& material) const {
    constexpr double entry_angle = full_turn / 3600.0, entry_length = 1e-4;
    const double entry =
        acts_on_angle(along, frames.model()).value_or(false) ? entry_angle : entry_length;
    const bool has_least = std::isfinite(range.least), has_most = std::isfinite(range.most);
    return {has_least ? 1 : 0,
            has_most ? 1 : 0,
            has_least ? range.least : 0.0,
            has_most ? range.most : 0.0,
            material.stiffness,
            material.dissipation,
            material.entry.value_or(entry)};
  }

  // ---- motors

  MotorData motor(const DcMotor& law) const { return calc_motor_data(law); }
  int current_slot(const DcMotor&) const { return compiler.find_slot(current_name(name)); }
};

}  // namespace trammel
