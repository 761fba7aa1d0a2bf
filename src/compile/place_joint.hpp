// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Part of compile: where joints are. Points and vectors in the bodies' frames, or in the world at
// the initial configuration, become points and vectors in the principal axes of both bodies.
//
// Geometry is done in three dimensions, as the Model has it; what goes into the System is reduced
// to the vectors of the space.
#pragma once

#include <cmath>

#include "compile/body_frames.hpp"
#include "math/unit_vector.hpp"
#include "model/frame_axes.hpp"
#include "model/joint_rules.hpp"
#include "system/parameters.hpp"
#include "trammel/model.hpp"

namespace trammel {

// A unit vector normal to the unit vector n. In the plane: n turned by a right angle. In space:
// from the coordinate axis least aligned with it.
template <class Space>
V make_normal(const V& n) {
  if (Space::dimension == 2) return {-n.y, n.x, 0.0};
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const V e = x <= y && x <= z ? V{1, 0, 0} : y <= z ? V{0, 1, 0} : V{0, 0, 1};
  return make_unit(cross(n, e));
}

template <class Space>
class JointPlacer {
 public:
  using JointData = JointParameters<double, Space>;

  explicit JointPlacer(const BodyFrames<Space>& frames) : frames_(frames) {}

  // `part`: the joint itself, or one of its constraints.
  template <class Part>
  JointData place(const JointRules& rules, const Joint& joint, const Part& part) const {
    const Bodies at{frames_.body_index(joint.body_i), frames_.body_index(joint.body_j)};
    const LocalPlacement* local = std::get_if<LocalPlacement>(&part.placement);
    const auto* world = std::get_if<WorldPlacement>(&part.placement);
    LocalPlacement of_frames;
    if constexpr (std::is_same_v<Part, Joint>) {
      if (const auto* frames = std::get_if<FramePlacement>(&part.placement)) {
        of_frames = make_local(joint.kind, *frames, Space::dimension == 2);
        local = &of_frames;
      }
    }
    JointData data =
        local != nullptr ? place_locally(rules, *local, at) : place_in_world(rules, *world, at);
    if (rules.points == 2) {
      data.length = part.length                        ? *part.length
                    : rules.length != LengthOf::points ? calc_length(rules, data, at)
                    : local != nullptr                 ? calc_distance(*local, at)
                                       : length_of(load(*world->point_j) - load(world->point));
      // axes cross on the side on which they are drawn
      if (part.length && rules.length == LengthOf::of_axes) {
        data.length = std::copysign(data.length, calc_length(rules, data, at));
      }
    }
    if (rules.has_angle) {
      data.length = part.angle ? std::cos(*part.angle)
                               : dot(frames_.vector_to_world(at.i, data.vector_i[0]),
                                     frames_.vector_to_world(at.j, data.vector_j[0]));
    }
    for (int v = 0; v < 2; ++v) data.offset[v] = dot(data.vector_i[v], data.point_i);
    if (rules.has_offset && part.offset) set_offset(*part.offset, world != nullptr, at, data);
    return data;
  }

  // The point of a generic joint, where its reaction is given: that of its first constraint that
  // has one, else the bodies' origins.
  JointData place_generic(const Joint& joint) const {
    const bool planar = Space::dimension == 2;
    JointData data{};
    const Bodies at{frames_.body_index(joint.body_i), frames_.body_index(joint.body_j)};
    data.point_i = Space::import_linear(frames_.to_inside(at.i, -frames_.com(at.i)));
    data.point_j = Space::import_linear(frames_.to_inside(at.j, -frames_.com(at.j)));
    for (const BasicConstraint& basic : joint.constraints) {
      const JointRules& rules = rules_of(basic.kind, planar);
      if (rules.points == 0) continue;
      const JointData first = place(rules, joint, basic);
      data.point_i = first.point_i;
      data.point_j = first.point_j;
      break;
    }
    return data;
  }

  // The curve is added to `curves`. The joint's point in body i is where the curve begins.
  JointData place_on_curve(const Joint& joint,
                           std::vector<std::shared_ptr<const SplineCurve>>& curves) const {
    const int i = frames_.body_index(joint.body_i), j = frames_.body_index(joint.body_j);
    const auto* local = std::get_if<LocalPlacement>(&joint.placement);
    const auto* world = std::get_if<WorldPlacement>(&joint.placement);
    const auto* frames = std::get_if<FramePlacement>(&joint.placement);
    std::vector<V> points;
    for (const Vec3& point : joint.curve->points) {
      V point_i = load(point);
      if (local != nullptr) point_i = load(local->point_i) + point_i;
      if (frames != nullptr) {
        point_i = load(frames->frame_i.position) +
                  calc_rotation(frames->frame_i.orientation.data()) * point_i;
      }
      points.push_back(frames_.point_to_inside(i, point_i));
    }
    JointData data{};
    data.point_i = Space::import_linear(points[0]);
    data.point_j = world != nullptr
                       ? frames_.point_from_world(j, load(world->point))
                       : frames_.import_point(j, load(frames != nullptr ? frames->frame_j.position
                                                                        : local->point_j));
    data.curve = static_cast<int>(curves.size());
    curves.push_back(std::make_shared<const SplineCurve>(points, joint.curve->closed));
    return data;
  }

 private:
  using Position = Linear<double, Space>;
  struct Bodies {
    int i, j;
  };

  // Of the joint's two points, at the initial configuration.
  double calc_distance(const LocalPlacement& local, const Bodies& at) const {
    return length_of(frames_.to_world(at.j, load(local.point_j)) -
                     frames_.to_world(at.i, load(local.point_i)));
  }

  // Of a point from an axis or of two axes, as drawn; of axes with the sign of the side.
  double calc_length(const JointRules& rules, const JointData& data, const Bodies& at) const {
    const V d = frames_.point_from_origin(at.j, data.point_j) -
                frames_.point_from_origin(at.i, data.point_i);
    const V s = frames_.vector_to_world(at.i, data.vector_i[0]);
    if (rules.length == LengthOf::from_axis) return length_of(d - dot(d, s) * s);
    const V m = cross(s, frames_.vector_to_world(at.j, data.vector_j[0]));
    return dot(d, m) / length_of(m);
  }

  // Point j lies so far along a_i from the plane; a joint placed in the world has its plane at `at`.
  void set_offset(double offset, bool in_world, const Bodies& at, JointData& data) const {
    data.offset[0] += offset;
    if (!in_world) return;
    const V n = frames_.vector_to_world(at.i, data.vector_i[0]);
    data.point_j = data.point_j + frames_.from_world(at.j, offset * n);
  }

  JointData place_locally(const JointRules& rules, const LocalPlacement& local,
                          const Bodies& at) const {
    JointData data{};
    if (rules.world == WorldVectors::attitude && !local.a_i) set_attitude_of_start(at, data);
    data.point_i = frames_.import_point(at.i, load(local.point_i));
    data.point_j = frames_.import_point(at.j, load(local.point_j));
    const auto set = [&](Position& vector, int body, const std::optional<Vec3>& given) {
      if (given) vector = Space::import_linear(frames_.to_inside(body, make_unit(load(*given))));
    };
    set(data.vector_i[0], at.i, local.a_i);
    set(data.vector_i[1], at.i, local.b_i);
    set(data.vector_j[0], at.j, local.a_j);
    set(data.vector_j[1], at.j, local.b_j);
    return data;
  }

  void set_vectors(const Bodies& at, const V& a_i, const V& b_i, const V& a_j, const V& b_j,
                   JointData& data) const {
    data.vector_i[0] = frames_.from_world(at.i, a_i);
    data.vector_i[1] = frames_.from_world(at.i, b_i);
    data.vector_j[0] = frames_.from_world(at.j, a_j);
    data.vector_j[1] = frames_.from_world(at.j, b_j);
  }

  // Any right-handed axes; in the plane a and n span it.
  void set_attitude_of_start(const Bodies& at, JointData& data) const {
    if (Space::dimension == 2) {
      set_vectors(at, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}, {0, 0, -1}, data);
    } else {
      set_vectors(at, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}, data);
    }
  }

  JointData place_in_world(const JointRules& rules, const WorldPlacement& world,
                           const Bodies& at) const {
    JointData data{};
    data.point_i = frames_.point_from_world(at.i, load(world.point));
    data.point_j = frames_.point_from_world(at.j, load(world.point_j.value_or(world.point)));
    if (rules.world == WorldVectors::none) return data;
    if (rules.world == WorldVectors::attitude) {
      set_attitude_of_start(at, data);
      return data;
    }
    const V n = make_unit(load(*world.axis));
    const V a = make_normal<Space>(n);
    const V b = cross(n, a);
    const V m = world.axis_j ? make_unit(load(*world.axis_j)) : n;
    switch (rules.world) {
      case WorldVectors::axes:
      case WorldVectors::cross: set_vectors(at, n, V::zero(), m, V::zero(), data); break;
      case WorldVectors::around: set_vectors(at, a, b, n, b, data); break;
      case WorldVectors::normal: set_vectors(at, n, V::zero(), a, b, data); break;
      case WorldVectors::slot:  // n along the line, m along the pin
        set_vectors(at, cross(n, m), m, n, cross(m, n), data);
        break;
      case WorldVectors::shafts: set_shafts(at, n, m, data); break;
      case WorldVectors::none:
      case WorldVectors::attitude: break;
    }
    return data;
  }

  // Folded about the common normal of both shafts, or straight.
  void set_shafts(const Bodies& at, const V& n, const V& m, JointData& data) const {
    const V common = cross(n, m);
    const double sine = length_of(common);
    const V fold = sine > 1e-12 ? (1.0 / sine) * common : make_normal<Space>(n);
    set_vectors(at, fold, cross(n, fold), fold, cross(m, fold), data);
  }

  const BodyFrames<Space>& frames_;
};

}  // namespace trammel
