// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A body without a shape is drawn as the box of its mass and inertia: with principal moments
// I = m/12 (b² + c², a² + c², a² + b²) its edges are a² = 6 (I₂ + I₃ − I₁)/m, and so on.
#include "system/picture.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {

namespace {

using V = Vector3<double>;

Vec3 to_vec3(const V& v) {
  Vec3 result;
  v.store(result.data());
  return result;
}

// An edge of length zero would not be seen: at least a twentieth of the longest. In the plane only
// the moment about z is known: a square plate.
template <class Space>
Shape make_inertia_box(const BodyParameters<double, Space>& body, const EulerParameters& axes,
                       const Vec3& com) {
  const V I = Space::export_angular(body.inertia);
  Vec3 size;
  if constexpr (Space::dimension == 2) {
    const double edge = std::sqrt(6.0 * I.z * body.inverse_mass);
    size = {edge, edge, 0.25 * edge};
  } else {
    const auto edge = [&](double other, double another, double own) {
      return std::sqrt(std::max(0.0, 6.0 * (other + another - own) * body.inverse_mass));
    };
    size = {edge(I.y, I.z, I.x), edge(I.x, I.z, I.y), edge(I.x, I.y, I.z)};
    const double longest = std::max({size[0], size[1], size[2]});
    for (double& x : size) x = std::max(x, 0.05 * longest);
  }
  return {Box{size}, {}, com, axes};
}

// A vector inside → the axes of the model.
template <class Space>
V vector_to_user(const SystemIn<Space>& system, int body, const Linear<double, Space>& inside) {
  const V vector = Space::export_linear(inside);
  if (body == system.topology.ground()) return vector;
  return calc_rotation(system.principal[body].data()) * vector;
}

template <class Space>
Vec3 point_to_user(const SystemIn<Space>& system, int body, const Linear<double, Space>& inside) {
  const V point = vector_to_user(system, body, inside);
  if (body == system.topology.ground()) return to_vec3(point + system.origin);
  return to_vec3(system.com.empty() ? point : point + V::load(system.com[body].data()));
}

// a × b as a unit vector; zero where a joint does not have both.
Vec3 make_axis(const V& a, const V& b) {
  const V normal = cross(a, b);
  const double length = std::sqrt(dot(normal, normal));
  return length > 0.0 ? to_vec3((1.0 / length) * normal) : Vec3{};
}

// The axis as either body sees it. In space a_j lies along it, or a_i and b_i are normal to it; a
// plane has a_i as normal; a cross, or two shafts, have two axes. In the plane turns are about z, and
// a_i is normal to a line.
template <class Space>
void add_axes(const SystemIn<Space>& system, int k, SceneJoint& drawn) {
  const JointTopology& at = system.topology.joints[k];
  const JointParameters<double, Space>& data = system.parameters.joints[k];
  const V a_i = vector_to_user(system, at.body_i, data.vector_i[0]);
  const V b_i = vector_to_user(system, at.body_i, data.vector_i[1]);
  const V a_j = vector_to_user(system, at.body_j, data.vector_j[0]);
  const V b_j = vector_to_user(system, at.body_j, data.vector_j[1]);
  const auto kind = at.kind;
  if constexpr (Space::dimension == 2) {
    if (kind == JointKind::revolute) drawn.axis_i = drawn.axis_j = {0, 0, 1};
    if (kind == JointKind::translational) drawn.axis_j = to_vec3(a_j);
    if (kind == JointKind::translational || kind == JointKind::point_on_line) {
      drawn.axis_i = {a_i.y, -a_i.x, 0.0};
    }
    return;
  }
  switch (kind) {
    case JointKind::universal:
    case JointKind::perpendicular:
    case JointKind::angle:
    case JointKind::line_in_plane:
    case JointKind::axis_distance:
      drawn.axis_i = to_vec3(a_i);
      drawn.axis_j = to_vec3(a_j);
      break;
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::screw:
    case JointKind::translational:
    case JointKind::parallel_axes:
      drawn.axis_i = make_axis(a_i, b_i);
      drawn.axis_j = to_vec3(a_j);
      break;
    case JointKind::planar:
    case JointKind::point_in_plane:
    case JointKind::revolute_spherical:
    case JointKind::cylindrical_spherical:
    case JointKind::revolute_cylindrical:
    case JointKind::revolute_revolute:
      drawn.axis_i = to_vec3(a_i);
      drawn.axis_j = make_axis(a_j, b_j);
      break;
    case JointKind::point_on_line:
    case JointKind::revolute_translational:
    case JointKind::constant_velocity:
      drawn.axis_i = make_axis(a_i, b_i);
      drawn.axis_j = make_axis(a_j, b_j);
      break;
    default:  // no axis
      break;
  }
}

}  // namespace

template <class Space>
Scene make_scene(const SystemIn<Space>& system) {
  const Topology& topology = system.topology;
  const PictureData& picture = system.picture;
  Scene scene;
  scene.dimension = Space::dimension;
  scene.gravity = picture.gravity;
  scene.forces = picture.forces;
  scene.drivers = picture.drivers;
  scene.points = picture.points;
  scene.bodies.resize(topology.n_bodies);
  for (int b = 0; b < topology.n_bodies; ++b) {
    SceneBody& drawn = scene.bodies[b];
    drawn.name = system.body_names[b];
    drawn.mass = system.parameters.bodies[b].mass;
    drawn.inertia = picture.inertia[b];
    if (!system.com.empty()) drawn.com = system.com[b];
    drawn.shapes.assign(picture.shapes.begin() + picture.shape_begin[b],
                        picture.shapes.begin() + picture.shape_begin[b + 1]);
    drawn.inertia_shape = drawn.shapes.empty();
    if (drawn.inertia_shape) {
      drawn.shapes = {
          make_inertia_box(system.parameters.bodies[b], system.principal[b], drawn.com)};
    }
    scene.length = std::max(scene.length, system.length[b]);
  }
  scene.joints.resize(topology.n_joints);
  for (int k = 0; k < topology.n_joints; ++k) {
    const JointTopology& at = topology.joints[k];
    const auto index = [&](int body) { return body == topology.ground() ? ground_index : body; };
    SceneJoint& drawn = scene.joints[k];
    drawn.name = system.joint_names[k];
    drawn.kind = to_word(at.kind);
    drawn.body_i = index(at.body_i);
    drawn.body_j = index(at.body_j);
    drawn.point_i = point_to_user(system, at.body_i, system.parameters.joints[k].point_i);
    drawn.point_j = point_to_user(system, at.body_j, system.parameters.joints[k].point_j);
    add_axes(system, k, drawn);
  }
  // what acts at a joint is drawn there
  for (std::vector<SceneForce>* actions : {&scene.forces, &scene.drivers}) {
    for (SceneForce& action : *actions) {
      if (action.joint < 0) continue;
      const SceneJoint& joint = scene.joints[action.joint];
      action.body_i = joint.body_i;
      action.body_j = joint.body_j;
      action.point_i = joint.point_i;
      action.point_j = joint.point_j;
      action.axis = joint.axis_j;
    }
  }
  return scene;
}

template Scene make_scene(const SystemIn<Spatial>&);
template Scene make_scene(const SystemIn<Planar>&);

}  // namespace trammel
