// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Part of compile: the frames of the bodies at the initial configuration, for everything that compile
// places (joints, coordinates, force elements). Three frames per body:
//
//   world ↔ body frame of the model ↔ principal axes, "inside" the System
//
// Inside, points of a body are measured from its centre of mass, those of the ground from the System's
// origin, which is near the mechanism.
// Geometry is done in three dimensions, as the Model has it; what goes into the System is reduced to
// the vectors of the space.
#pragma once

#include <cmath>
#include <string>

#include "math/euler_parameters.hpp"
#include "model/model_index.hpp"
#include "system/system.hpp"
#include "trammel/model.hpp"

namespace trammel {

using V = Vector3<double>;

inline V load(const Vec3& v) { return V::load(v.data()); }
inline double length_of(const V& v) { return std::sqrt(dot(v, v)); }

template <class Space>
class BodyFrames {
 public:
  using Position = Linear<double, Space>;

  // `principal`, `com` and `origin` of the system may be filled later, before the frames are used.
  BodyFrames(const Model& model, const SystemData& system) : names_(model), inside_(system) {}

  const ModelIndex& names() const { return names_; }
  const Model& model() const { return names_.model(); }
  int n_bodies() const { return names_.n_bodies(); }
  int body_index(const std::string& name) const { return names_.body(name); }
  bool is_ground(int body) const { return body == n_bodies(); }

  V position(int body) const {
    return is_ground(body) ? V::zero() : load(model().bodies[body].position);
  }
  // of mass, in the body; 0 of the ground
  V com(int body) const {
    return inside_.com.empty() || is_ground(body) ? V::zero() : load(inside_.com[body]);
  }
  // of mass, in the world
  V center(int body) const {
    return inside_.com.empty() ? position(body) : to_world(body, com(body));
  }
  Matrix3<double> rotation(int body) const {
    return is_ground(body) ? Matrix3<double>::identity()
                           : calc_rotation(model().bodies[body].orientation.data());
  }

  // ---- into the System

  // a vector in the axes of the model → principal axes
  V to_inside(int body, const V& vector_B) const {
    if (is_ground(body)) return vector_B;
    return transposed_times(calc_rotation(inside_.principal[body].data()), vector_B);
  }
  // a point in the axes of the model → inside
  V point_to_inside(int body, const V& point_B) const {
    if (is_ground(body)) return point_B - inside_.origin;
    return to_inside(body, inside_.com.empty() ? point_B : point_B - com(body));
  }
  Position import_point(int body, const V& point_B) const {
    return Space::import_linear(point_to_inside(body, point_B));
  }
  Position from_world(int body, const V& vector_W) const {
    return Space::import_linear(to_inside(body, transposed_times(rotation(body), vector_W)));
  }
  Position point_from_world(int body, const V& point_W) const {
    return import_point(body, transposed_times(rotation(body), point_W - position(body)));
  }

  // ---- back to the world

  // a point in the axes of the model → world
  V to_world(int body, const V& point_B) const { return position(body) + rotation(body) * point_B; }
  // a vector inside → world axes
  V vector_to_world(int body, const Position& inside) const {
    const V v = Space::export_linear(inside);
    if (is_ground(body)) return v;
    return rotation(body) * (calc_rotation(inside_.principal[body].data()) * v);
  }
  // a point inside → its position relative to the System's origin, world axes
  V point_from_origin(int body, const Position& inside) const {
    if (is_ground(body)) return Space::export_linear(inside);
    return (center(body) - inside_.origin) + vector_to_world(body, inside);
  }

 private:
  ModelIndex names_;
  const SystemData& inside_;
};

}  // namespace trammel
