// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Twins of a model: the same mechanism with other frames in its bodies, and with joints between frames.
#pragma once

#include <string>
#include <type_traits>

#include "math/euler_parameters.hpp"
#include "math/unit_vector.hpp"
#include "model/joint_rules.hpp"
#include "model/mass_properties.hpp"
#include "model/model_index.hpp"
#include "trammel/model.hpp"

namespace trammel::test {

using V = Vector3<double>;
inline V to_vector(const Vec3& v) { return V::load(v.data()); }
inline Vec3 to_array(const V& v) { return {v.x, v.y, v.z}; }

// "arm.position.x" → "arm.com.position.x", of every body
inline std::string name_centers(std::string text, const Model& model) {
  for (const Body& body : model.bodies) {
    for (const char* word : {".position.", ".velocity.", ".acceleration."}) {
      const std::string old = body.name + word, changed = body.name + ".com" + word;
      for (std::size_t at = text.find(old); at != std::string::npos;
           at = text.find(old, at + changed.size())) {
        const bool inside = at > 0 && (std::isalnum(text[at - 1]) != 0 || text[at - 1] == '_');
        if (!inside) text.replace(at, old.size(), changed);
      }
    }
  }
  return text;
}

// The origin of each body's frame moves to −offset, its axes and its centre of mass stay.
class ShiftedModel {
 public:
  ShiftedModel(const Model& model, const std::vector<Vec3>& offsets)
      : result_(model), index_(model), offsets_(offsets) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) shift_body(result_.bodies[b], offsets[b]);
    for (Joint& joint : result_.joints) {
      shift(joint.body_i, joint.body_j, joint.placement);
      const bool local = std::holds_alternative<LocalPlacement>(joint.placement);
      for (Vec3& point : joint.curve ? joint.curve->points : none_) {
        if (!local) shift(joint.body_i, point);
      }
      for (BasicConstraint& basic : joint.constraints) {
        shift(joint.body_i, joint.body_j, basic.placement);
      }
    }
    for (Driver& driver : result_.drivers)
      std::visit([&](auto& law) { shift_law(law); }, driver.law);
    for (Coupler& coupler : result_.couplers) {
      std::visit([&](auto& law) { shift_frames(law); }, coupler.law);
    }
    for (Force& force : result_.forces) std::visit([&](auto& law) { shift_law(law); }, force.law);
    for (NamedPoint& point : result_.points) shift(point.body, point.point);
    for (Output& output : result_.outputs) rename(output.formula);
  }
  const Model& model() const { return result_; }

 private:
  const Vec3& offset(const std::string& body) const {
    static const Vec3 zero{};
    return body == ground ? zero : offsets_[static_cast<std::size_t>(index_.body(body))];
  }
  void shift(const std::string& body, Vec3& point) const {
    const Vec3& c = offset(body);
    for (std::size_t k = 0; k < 3; ++k) point[k] += c[k];
  }
  static void shift_body(Body& body, const Vec3& c) {
    // shapes give the same mass and inertia, and the centre of mass by themselves
    if (body.mass && body.inertia) {
      body.com = body.com.value_or(Vec3{});
      for (std::size_t k = 0; k < 3; ++k) (*body.com)[k] += c[k];
    }
    for (Shape& shape : body.shapes) {
      for (std::size_t k = 0; k < 3; ++k) shape.position[k] += c[k];
    }
    if (body.mass == 0.0) body.com = c;
    shift_state(body, c);
    if (body.initial) shift_state(*body.initial, c);
  }
  template <class State>
  static void shift_state(State& state, const Vec3& c) {
    const Matrix3<double> R = calc_rotation(state.orientation.data());
    const V spin = cross(to_vector(state.angular_velocity), to_vector(c));
    state.position = to_array(to_vector(state.position) - R * to_vector(c));
    state.velocity = to_array(to_vector(state.velocity) - R * spin);
  }
  template <class Placement>
  void shift(const std::string& i, const std::string& j, Placement& placement) const {
    auto* local = std::get_if<LocalPlacement>(&placement);
    if (local == nullptr) return;
    shift(i, local->point_i);
    shift(j, local->point_j);
  }
  void rename(Formula& formula) const { formula.text = name_centers(formula.text, index_.model()); }
  void rename(Function& function) const {
    if (auto* formula = std::get_if<Formula>(&function.form)) rename(*formula);
  }
  void rename(std::optional<Function>& function) const {
    if (function) rename(*function);
  }

  void shift(CoupledFrames& frames) const {
    shift(frames.body_i, frames.frame_i.position);
    shift(frames.body_j, frames.frame_j.position);
  }
  template <class Law>
  void shift_frames(Law& law) const {
    if constexpr (requires { law.frames->body_i; }) {
      if (law.frames) shift(*law.frames);
    } else if constexpr (requires { law.frames; }) {
      shift(law.frames);
    }
  }

  template <class Law>
  void shift_law(Law& law) {
    shift_frames(law);
    if constexpr (requires { law.point_j; }) {
      shift(law.body_i, law.point_i);
      shift(law.body_j, law.point_j);
    } else if constexpr (requires { law.point_i; }) {
      shift(law.body_i, law.point_i);
    } else if constexpr (requires { law.point; }) {
      shift(law.body, law.point);
    }
    if constexpr (requires { law.along; }) {
      if (law.along.joint.empty()) shift_law(law.along);
    }
    if constexpr (requires { law.tension; }) rename(law.tension);
    if constexpr (requires { law.load; }) rename(law.load);
    if constexpr (requires { law.command; }) rename(law.command);
    if constexpr (requires { law.voltage; }) rename(law.voltage);
    if constexpr (requires { law.speed; }) rename(law.speed);
    if constexpr (std::is_same_v<Law, VariableForce> || std::is_same_v<Law, VariableTorque>) {
      for (Function& component : law.value) rename(component);
    }
  }

  Model result_;
  ModelIndex index_;
  const std::vector<Vec3>& offsets_;
  std::vector<Vec3> none_;
};

// A joint placed in the world as one between two frames; false where it is not placed there.
inline bool make_framed(const Model& model, Joint& joint) {
  const auto* world = std::get_if<WorldPlacement>(&joint.placement);
  if (world == nullptr || joint.kind == JointKind::generic) return false;
  const bool planar = model.dimension == 2;
  const V axis = world->axis ? make_unit(to_vector(*world->axis)) : V{0, 0, 1};
  const V other = world->axis_j ? make_unit(to_vector(*world->axis_j)) : axis;
  const auto any_normal = [](const V& n) {
    return make_unit(cross(n, std::abs(n.x) < 0.9 ? V{1, 0, 0} : V{0, 1, 0}));
  };
  struct Axes {
    V x, z;
  };
  Axes i{any_normal(axis), axis}, j = i;
  if (joint.kind == JointKind::universal) i = j = {axis, cross(axis, other)};
  if (joint.kind == JointKind::perpendicular) j = {axis, other};
  if (joint.kind == JointKind::line_in_plane) j = {other, axis};
  if (joint.kind == JointKind::angle || joint.kind == JointKind::axis_distance) {
    j = {any_normal(other), other};
  }
  if (joint.kind == JointKind::revolute_translational) i = j = {axis, other};
  if (joint.kind == JointKind::constant_velocity) {
    const V fold = make_unit(cross(axis, other));
    i = {fold, axis};
    j = {fold, other};
  }
  if (planar) i = j = {world->axis ? axis : V{1, 0, 0}, {0, 0, 1}};
  const auto make = [&](const std::string& name, const Axes& axes, const Vec3& point) {
    V r = V::zero();
    Matrix3<double> R = Matrix3<double>::identity();
    for (const Body& body : model.bodies) {
      if (body.name != name) continue;
      r = to_vector(body.position);
      R = calc_rotation(body.orientation.data());
    }
    const V x = transposed_times(R, axes.x), z = transposed_times(R, axes.z), y = cross(z, x);
    NamedFrame frame{"f", to_array(transposed_times(R, to_vector(point) - r))};
    // the rotation vector of [x y z] by its matrix: axis from the antisymmetric part is not safe near π
    const double m[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
    double q[4][4] = {
        {1 + m[0][0] + m[1][1] + m[2][2], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]},
        {m[2][1] - m[1][2], 1 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0]},
        {m[0][2] - m[2][0], m[0][1] + m[1][0], 1 - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1]},
        {m[1][0] - m[0][1], m[0][2] + m[2][0], m[1][2] + m[2][1], 1 - m[0][0] - m[1][1] + m[2][2]}};
    int largest = 0;
    for (int k = 1; k < 4; ++k) {
      if (q[k][k] > q[largest][largest]) largest = k;
    }
    normalise4(q[largest]);
    for (std::size_t k = 0; k < 4; ++k) frame.orientation[k] = q[largest][k];
    return frame;
  };
  FramePlacement frames{make(joint.body_i, i, world->point),
                        make(joint.body_j, j, world->point_j.value_or(world->point))};
  if (joint.offset) {  // the point of body j lies in the plane in the world
    V r = to_vector(frames.frame_j.position);
    for (const Body& body : model.bodies) {
      const V along = *joint.offset * axis;
      if (body.name == joint.body_j)
        r += transposed_times(calc_rotation(body.orientation.data()), along);
    }
    frames.frame_j.position = to_array(r);
  }
  if (joint.curve) {  // its points are in body i
    frames.frame_i.position = {};
    frames.frame_i.orientation = {1, 0, 0, 0};
  }
  joint.placement = frames;
  return true;
}

}  // namespace trammel::test
