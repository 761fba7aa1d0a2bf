// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "support/model_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/frame_axes.hpp"

namespace trammel::test {
namespace {

// Any direction across n that depends on n only.
Vector make_side(const Vector& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  return n.cross(Vector::Unit(least)).normalized();
}

// A kind of joint whose axes in the world mean the same.
JointKind kind_like(BasicKind kind) {
  switch (kind) {
    case BasicKind::symmetric_orthogonality: return JointKind::perpendicular;
    case BasicKind::orthogonality: return JointKind::point_in_plane;
    case BasicKind::constant_velocity: return JointKind::constant_velocity;
    case BasicKind::angle: return JointKind::angle;
    case BasicKind::radial_distance: return JointKind::cylindrical_spherical;
    case BasicKind::axis_distance: return JointKind::axis_distance;
    default: return JointKind::spherical;
  }
}

// From the centre of its frame to the farthest point.
double calc_reach(const Box& box) { return 0.5 * to_vector(box.size).norm(); }
double calc_reach(const Cylinder& at) { return std::max(at.radius, 0.5 * at.length); }
double calc_reach(const Sphere& sphere) { return sphere.radius; }
double calc_reach(const Capsule& at) { return at.radius + 0.5 * at.length; }
double calc_reach(const Cone& at) { return std::max({at.radius, at.top, 0.5 * at.length}); }
double calc_reach(const Ring& at) { return std::max(at.radius, 0.5 * at.length); }
double calc_reach(const Extrusion& at) {
  double largest = 0.5 * at.length;
  for (const auto& loop : at.loops) {
    for (const auto& [x, y] : loop) largest = std::max(largest, std::hypot(x, y));
  }
  return largest;
}
double calc_reach(const Mesh& mesh) {
  double largest = 0.0;
  for (const auto& point : mesh.surface->points) {
    largest = std::max(largest, std::hypot(mesh.scale[0] * point[0], mesh.scale[1] * point[1],
                                           mesh.scale[2] * point[2]));
  }
  return largest;
}

double calc_shape_size(const Body& body) {
  double largest = 0.0;
  for (const Shape& shape : body.shapes) {
    largest = std::max(largest,
                       std::visit([](const auto& at) { return calc_reach(at); }, shape.geometry));
  }
  return largest;
}

// 0 for a body without mass, or one whose inertia follows from its shapes.
double calc_gyration(const Body& body) {
  if (!body.mass || !body.inertia || !(*body.mass > 0)) return 0.0;
  const Mat3& I = *body.inertia;
  return std::sqrt(std::max(0.0, I[0][0] + I[1][1] + I[2][2]) / (2.0 * *body.mass));
}

CurveDistance make_curve(const Joint& joint) {
  const auto* local = std::get_if<LocalPlacement>(&joint.placement);
  const auto* frames = std::get_if<FramePlacement>(&joint.placement);
  Vector origin = local != nullptr ? to_vector(local->point_i) : Vector::Zero();
  Matrix R = Matrix::Identity();
  if (frames != nullptr) {
    origin = to_vector(frames->frame_i.position);
    R = to_rotation(frames->frame_i.orientation);
  }
  std::vector<Vector> points;
  for (const Vec3& p : joint.curve->points) points.push_back(origin + R * to_vector(p));
  return CurveDistance(points, joint.curve->closed);
}

}  // namespace

ModelGeometry::ModelGeometry(const Model& model) : model_(model) {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) index_[model_.bodies[b].name] = b;
  for (const Joint& joint : model.joints) {
    joint_index_[joint.name] = joints_.size();
    joints_.push_back(place_part(joint, joint.kind, joint));
    set_start(joint, joints_.back());
    constraints_.emplace_back();
    for (const BasicConstraint& basic : joint.constraints) {
      constraints_.back().push_back(place_part(joint, kind_like(basic.kind), basic));
    }
    if (joint.curve) curves_.emplace(joint.name, make_curve(joint));
  }
  calc_sizes();
}

// With the numbers of a joint or of a constraint of a generic joint.
template <class Part>
JointGeometry ModelGeometry::place_part(const Joint& joint, JointKind kind,
                                        const Part& part) const {
  JointGeometry g = place(
      joint, kind, std::visit([](const auto& at) { return AnyPlacement(at); }, part.placement),
      part.length);
  const MovingFrame i = drawn(joint.body_i), j = drawn(joint.body_j);
  const Vector s = i.R * g.a_i, t = j.R * g.a_j;
  g.angle = part.angle ? *part.angle : std::acos(std::clamp(s.dot(t), -1.0, 1.0));
  g.offset = part.offset.value_or(0.0);
  if (std::holds_alternative<WorldPlacement>(part.placement)) {
    g.point_j += j.R.transpose() * (g.offset * s);
  }
  const Vector d = j.point(g.point_j).value - i.point(g.point_i).value;
  if (kind == JointKind::axis_distance) {
    const double side = d.dot(s.cross(t).normalized());
    g.length = part.length ? std::copysign(*part.length, side) : side;
  } else if (kind == JointKind::cylindrical_spherical || kind == JointKind::revolute_cylindrical ||
             kind == JointKind::revolute_revolute) {
    g.length = part.length ? *part.length : s.cross(d).norm();
  }
  return g;
}

MovingFrame ModelGeometry::drawn(const std::string& body) const {
  if (body == ground) return {};
  const Body& at = model_.bodies[index_.at(body)];
  return {to_vector(at.position), to_rotation(at.orientation), Vector::Zero(), Vector::Zero()};
}

JointGeometry ModelGeometry::place(const Joint& joint, JointKind kind,
                                   const AnyPlacement& placement,
                                   const std::optional<double>& length) const {
  const MovingFrame i = drawn(joint.body_i), j = drawn(joint.body_j);
  JointGeometry g;
  g.attitude = i.R.transpose() * j.R;
  const auto* const frames = std::get_if<FramePlacement>(&placement);
  const LocalPlacement of_frames =
      frames != nullptr ? make_local(kind, *frames, model_.dimension == 2) : LocalPlacement();
  const auto* local = frames != nullptr ? &of_frames : std::get_if<LocalPlacement>(&placement);
  if (local != nullptr) {
    g.point_i = to_vector(local->point_i);
    g.point_j = to_vector(local->point_j);
    const auto set = [](Vector& v, const std::optional<Vec3>& given) {
      if (given) v = to_vector(*given).normalized();
    };
    set(g.a_i, local->a_i);
    set(g.b_i, local->b_i);
    set(g.a_j, local->a_j);
    set(g.b_j, local->b_j);
    g.length = length ? *length : (i.point(g.point_i).value - j.point(g.point_j).value).norm();
    return g;
  }
  const auto& world = std::get<WorldPlacement>(placement);
  const Vector p = to_vector(world.point), q = to_vector(world.point_j.value_or(world.point));
  g.point_i = i.R.transpose() * (p - i.r);
  g.point_j = j.R.transpose() * (q - j.r);
  g.length = length ? *length : (p - q).norm();
  if (world.axis) set_axes(kind, world, i, j, g);
  return g;
}

// The vectors that the bodies' frames would have given, docs/reference/model_file.md.
void ModelGeometry::set_axes(JointKind kind, const WorldPlacement& world, const MovingFrame& i,
                             const MovingFrame& j, JointGeometry& g) const {
  const Vector n = to_vector(*world.axis).normalized();
  const Vector m = world.axis_j ? to_vector(*world.axis_j).normalized() : n;
  Vector a = make_side(n);
  if (model_.dimension == 2) a = Vector(-n[1], n[0], 0);
  const Vector b = n.cross(a);
  Vector in_i[2] = {a, b}, in_j[2] = {n, b};
  if (kind == JointKind::universal || kind == JointKind::perpendicular ||
      kind == JointKind::angle || kind == JointKind::line_in_plane ||
      kind == JointKind::axis_distance) {
    in_i[0] = n, in_j[0] = m;
  } else if (kind == JointKind::planar || kind == JointKind::point_in_plane ||
             kind == JointKind::revolute_spherical || kind == JointKind::cylindrical_spherical ||
             kind == JointKind::revolute_cylindrical || kind == JointKind::revolute_revolute) {
    in_i[0] = n, in_j[0] = a, in_j[1] = b;
  } else if (kind == JointKind::revolute_translational) {
    in_i[0] = n.cross(m), in_i[1] = m, in_j[0] = n, in_j[1] = m.cross(n);
  } else if (kind == JointKind::constant_velocity) {
    const Vector common = n.cross(m);
    const Vector fold = common.norm() > 1e-12 ? Vector(common.normalized()) : make_side(n);
    in_i[0] = fold, in_i[1] = n.cross(fold), in_j[0] = fold, in_j[1] = m.cross(fold);
  }
  g.a_i = i.R.transpose() * in_i[0];
  g.b_i = i.R.transpose() * in_i[1];
  g.a_j = j.R.transpose() * in_j[0];
  g.b_j = j.R.transpose() * in_j[1];
}

// Where angle and travel are counted from.
void ModelGeometry::set_start(const Joint& joint, JointGeometry& g) const {
  g.start_angle = joint.start_angle.value_or(0.0);
  g.start_travel = joint.start_travel.value_or(0.0);
  const MovingFrame i = drawn(joint.body_i), j = drawn(joint.body_j);
  const Vector n = axis_j(joint, g);
  if (!(n.norm() > 0)) return;
  g.zero_j = make_side(n);
  g.zero_i = i.R.transpose() * (j.R * g.zero_j);
  Vector axis = j.R * n;
  // in the plane along the line, which is fixed in body i: another direction where the joint is not closed
  if (model_.dimension == 2 && joint.kind == JointKind::translational && g.a_i.norm() > 0) {
    const Vector line = i.R * Vector(-g.a_i[1], g.a_i[0], 0);
    axis = line.dot(axis) < 0 ? Vector(-line) : line;
  }
  g.travel_of_start = axis.dot(j.point(g.point_j).value - i.point(g.point_i).value);
  const auto* const frames = std::get_if<FramePlacement>(&joint.placement);
  if (frames == nullptr) return;
  // parallel x axes, origins level along the axis
  g.zero_i = to_rotation(frames->frame_i.orientation).col(0);
  g.zero_j = to_rotation(frames->frame_j.orientation).col(0);
  g.travel_of_start = 0.0;
}

// The axis of a joint that turns or slides, in body j.
Vector ModelGeometry::axis_j(const Joint& joint, const JointGeometry& g) const {
  switch (joint.kind) {
    case JointKind::revolute: return model_.dimension == 2 ? Vector(0, 0, 1) : g.a_j;
    case JointKind::cylindrical:
    case JointKind::screw:
    case JointKind::translational: return g.a_j;
    default: return Vector::Zero();
  }
}

void ModelGeometry::add_reach(const Joint& joint, const JointGeometry& g) {
  if (joint.body_i != ground) {
    double& reach = size_[index_.at(joint.body_i)];
    reach = std::max(reach, g.point_i.norm());
  }
  if (joint.body_j != ground) {
    double& reach = size_[index_.at(joint.body_j)];
    reach = std::max(reach, g.point_j.norm());
  }
}

void ModelGeometry::calc_sizes() {
  size_.assign(model_.bodies.size(), 0.0);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    if (model_.joints[k].kind == JointKind::point_on_curve) {
      joints_[k].point_i = to_vector(model_.joints[k].curve->points[0]);
    }
    if (constraints_[k].empty()) add_reach(model_.joints[k], joints_[k]);
    for (const JointGeometry& g : constraints_[k]) add_reach(model_.joints[k], g);
  }
  double extent = calc_extent();
  // all joints at the centres of mass but for rounding: radii of gyration are the only lengths
  double least = std::numeric_limits<double>::infinity();
  for (const Body& body : model_.bodies) {
    if (const double gyration = calc_gyration(body); gyration > 0)
      least = std::min(least, gyration);
  }
  if (std::isfinite(least) && extent < 1e-5 * least) extent = 0.0;
  for (std::size_t b = 0; b < size_.size(); ++b) {
    const Body& body = model_.bodies[b];
    size_[b] = std::max(size_[b], calc_shape_size(body));
    // a body without mass, its joints at the centre but for rounding
    if (!(size_[b] > 1e-6 * extent)) size_[b] = extent;
    const double gyration = calc_gyration(body);
    size_[b] = std::max(size_[b], extent > 0 ? std::min(gyration, extent) : gyration);
  }
}

// The largest distance of a body or joint from the first body, as drawn.
double ModelGeometry::calc_extent() const {
  const Vector first = to_vector(model_.bodies[0].position);
  double extent = 0.0;
  for (const Body& body : model_.bodies) {
    extent = std::max(extent, (to_vector(body.position) - first).norm());
  }
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Vector at = drawn(model_.joints[k].body_i).point(joints_[k].point_i).value;
    extent = std::max(extent, (at - first).norm());
  }
  return extent;
}

double ModelGeometry::size_of_joint(const Joint& joint) const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& name : {joint.body_i, joint.body_j}) {
    if (name != ground) least = std::min(least, size_[index_.at(name)]);
  }
  return least;
}

MovingFrame ModelGeometry::frame_of(const std::string& body, const Results& results,
                                    std::size_t row) const {
  if (body == ground) return {};
  // the results may have bodies of their own: rotors, after those of the model
  const std::size_t k = row * results.body_names.size() + index_.at(body);
  const auto load = [&](const std::vector<double>& column) {
    return Vector(column[3 * k], column[3 * k + 1], column[3 * k + 2]);
  };
  const double* q = &results.orientation[4 * k];
  MovingFrame frame;
  frame.r = load(results.position);
  frame.R = to_rotation({q[0], q[1], q[2], q[3]});
  if (!results.velocity.empty()) {
    frame.v = load(results.velocity);
    frame.omega = frame.R * load(results.angular_velocity);
  }
  return frame;
}

}  // namespace trammel::test
