// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "support/joint_gaps.hpp"

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "support/curve_distance.hpp"

namespace trammel::test {
namespace {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

Vector to_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }

Matrix to_rotation(const EulerParameters& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

// A number or a vector of the motion, with its rate.
struct Number {
  double value, rate;
};
struct Moving {
  Vector value, rate;
};
Moving operator-(const Moving& a, const Moving& b) { return {a.value - b.value, a.rate - b.rate}; }
Number operator-(const Number& a, double b) { return {a.value - b, a.rate}; }
Number dot(const Moving& a, const Moving& b) {
  return {a.value.dot(b.value), a.rate.dot(b.value) + a.value.dot(b.rate)};
}
Moving cross(const Moving& a, const Moving& b) {
  return {a.value.cross(b.value), a.rate.cross(b.value) + a.value.cross(b.rate)};
}
Number norm(const Moving& a) {
  const double length = a.value.norm();
  return {length, length > 0 ? a.value.dot(a.rate) / length : 0.0};
}
Moving unit(const Moving& a) {
  const double length = a.value.norm();
  const Vector e = a.value / length;
  return {e, (a.rate - e * e.dot(a.rate)) / length};
}

struct Frame {
  Vector r = Vector::Zero();
  Matrix R = Matrix::Identity();
  Vector v = Vector::Zero();
  Vector omega = Vector::Zero();  // world

  Moving direction(const Vector& local) const {
    const Vector world = R * local;
    return {world, omega.cross(world)};
  }
  Moving point(const Vector& local) const {
    const Moving arm = direction(local);
    return {r + arm.value, v + arm.rate};
  }
};

// What a joint is in the frames of its bodies. axis: what turns or slides goes along it, or it is the
// normal of a plane; side: a direction across that keeps the bodies from turning about the axis.
struct Geometry {
  Vector point_i = Vector::Zero(), point_j = Vector::Zero();
  Vector a_i = Vector::Zero(), b_i = Vector::Zero(), a_j = Vector::Zero(), b_j = Vector::Zero();
  Matrix attitude = Matrix::Identity();  // R_iᵀ R_j of the initial configuration
  double length = 0.0;
  Vector zero_i = Vector::Zero(), zero_j = Vector::Zero();  // parallel where the angle is 0
  double start_angle = 0.0, start_travel = 0.0, travel_of_start = 0.0;
};

class Rows {
 public:
  std::vector<GapRow> list;
  void add(const Number& g, bool is_length) { list.push_back({g.value, g.rate, is_length}); }
  void add_all(const Moving& g, bool is_length) {
    for (int c = 0; c < 3; ++c) list.push_back({g.value[c], g.rate[c], is_length});
  }
};

// Any direction across n that depends on n only.
Vector make_side(const Vector& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  return n.cross(Vector::Unit(least)).normalized();
}

using AnyPlacement = std::variant<LocalPlacement, WorldPlacement>;

}  // namespace

// ---- the geometry of a model

struct JointGaps::Implementation {
  explicit Implementation(const Model& of) : model(of) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) index[model.bodies[b].name] = b;
    for (const Joint& joint : model.joints) {
      joint_index[joint.name] = geometry.size();
      geometry.push_back(place(joint, joint.kind, joint.placement, joint.length));
      set_start(joint, geometry.back());
      basics.emplace_back();
      for (const BasicConstraint& basic : joint.constraints) {
        basics.back().push_back(place(joint, kind_like(basic.kind), basic.placement, basic.length));
      }
      if (joint.curve) curves.emplace(joint.name, make_curve(joint));
    }
    calc_sizes();
  }

  Frame drawn(const std::string& body) const {
    if (body == ground) return {};
    const Body& at = model.bodies[index.at(body)];
    return {to_vector(at.position), to_rotation(at.orientation), Vector::Zero(), Vector::Zero()};
  }

  // A kind of joint whose axes in the world mean the same.
  static JointKind kind_like(BasicKind kind) {
    switch (kind) {
      case BasicKind::symmetric_orthogonality:
        return JointKind::perpendicular;
      case BasicKind::orthogonality:
        return JointKind::point_in_plane;
      case BasicKind::constant_velocity:
        return JointKind::constant_velocity;
      default:
        return JointKind::spherical;
    }
  }

  Geometry place(const Joint& joint, JointKind kind, const AnyPlacement& placement,
                 const std::optional<double>& length) const {
    const Frame i = drawn(joint.body_i), j = drawn(joint.body_j);
    Geometry g;
    g.attitude = i.R.transpose() * j.R;
    if (const auto* local = std::get_if<LocalPlacement>(&placement)) {
      g.point_i = to_vector(local->point_i);
      g.point_j = to_vector(local->point_j);
      const auto set = [](Vector& v, const std::optional<Vec3>& given) {
        if (given) v = to_vector(*given).normalized();
      };
      set(g.a_i, local->a_i);
      set(g.b_i, local->b_i);
      set(g.a_j, local->a_j);
      set(g.b_j, local->b_j);
      g.length = length ? *length
                        : (i.point(g.point_i).value - j.point(g.point_j).value).norm();
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

  // The vectors that the bodies' frames would have given, docs/model_format.md.
  void set_axes(JointKind kind, const WorldPlacement& world, const Frame& i, const Frame& j,
                Geometry& g) const {
    const Vector n = to_vector(*world.axis).normalized();
    const Vector m = world.axis_j ? to_vector(*world.axis_j).normalized() : n;
    Vector a = make_side(n);
    if (model.dimension == 2) a = Vector(-n[1], n[0], 0);
    const Vector b = n.cross(a);
    Vector in_i[2] = {a, b}, in_j[2] = {n, b};
    if (kind == JointKind::universal || kind == JointKind::perpendicular) {
      in_i[0] = n, in_j[0] = m;
    } else if (kind == JointKind::planar || kind == JointKind::point_in_plane ||
               kind == JointKind::revolute_spherical) {
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
  void set_start(const Joint& joint, Geometry& g) const {
    g.start_angle = joint.start_angle.value_or(0.0);
    g.start_travel = joint.start_travel.value_or(0.0);
    const Frame i = drawn(joint.body_i), j = drawn(joint.body_j);
    const Vector n = axis_j(joint, g);
    if (!(n.norm() > 0)) return;
    g.zero_j = make_side(n);
    g.zero_i = i.R.transpose() * (j.R * g.zero_j);
    g.travel_of_start =
        (j.R * n).dot(j.point(g.point_j).value - i.point(g.point_i).value);
  }

  // The axis of a joint that turns or slides, in body j.
  Vector axis_j(const Joint& joint, const Geometry& g) const {
    switch (joint.kind) {
      case JointKind::revolute:
        return model.dimension == 2 ? Vector(0, 0, 1) : g.a_j;
      case JointKind::cylindrical:
      case JointKind::screw:
      case JointKind::translational:
        return g.a_j;
      default:
        return Vector::Zero();
    }
  }

  CurveDistance make_curve(const Joint& joint) const {
    const auto* local = std::get_if<LocalPlacement>(&joint.placement);
    const Vector origin = local != nullptr ? to_vector(local->point_i) : Vector::Zero();
    std::vector<Vector> points;
    for (const Vec3& p : joint.curve->points) points.push_back(origin + to_vector(p));
    return CurveDistance(points, joint.curve->closed);
  }

  void add_reach(const Joint& joint, const Geometry& g) {
    if (joint.body_i != ground) {
      double& reach = size[index.at(joint.body_i)];
      reach = std::max(reach, g.point_i.norm());
    }
    if (joint.body_j != ground) {
      double& reach = size[index.at(joint.body_j)];
      reach = std::max(reach, g.point_j.norm());
    }
  }

  void calc_sizes() {
    size.assign(model.bodies.size(), 0.0);
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      if (model.joints[k].kind == JointKind::point_on_curve) {
        geometry[k].point_i = to_vector(model.joints[k].curve->points[0]);
      }
      if (basics[k].empty()) add_reach(model.joints[k], geometry[k]);
      for (const Geometry& g : basics[k]) add_reach(model.joints[k], g);
    }
    const double extent = calc_extent();
    for (std::size_t b = 0; b < size.size(); ++b) {
      const Body& body = model.bodies[b];
      size[b] = std::max(size[b], calc_shape_size(body));
      // a body without mass, its joints at the centre but for rounding
      if (!(size[b] > 1e-6 * extent)) size[b] = extent;
      if (!body.mass || !body.inertia || !(*body.mass > 0)) continue;
      const Mat3& I = *body.inertia;
      const double gyration =
          std::sqrt(std::max(0.0, I[0][0] + I[1][1] + I[2][2]) / (2.0 * *body.mass));
      size[b] = std::max(size[b], extent > 0 ? std::min(gyration, extent) : gyration);
    }
  }

  // The largest distance of a body or joint from the first body, as drawn.
  double calc_extent() const {
    const Vector first = to_vector(model.bodies[0].position);
    double extent = 0.0;
    for (const Body& body : model.bodies) {
      extent = std::max(extent, (to_vector(body.position) - first).norm());
    }
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
      const Vector at = drawn(model.joints[k].body_i).point(geometry[k].point_i).value;
      extent = std::max(extent, (at - first).norm());
    }
    return extent;
  }

  static double calc_shape_size(const Body& body) {
    double largest = 0.0;
    for (const Shape& shape : body.shapes) {
      if (const auto* box = std::get_if<Box>(&shape.geometry)) {
        largest = std::max(largest, 0.5 * to_vector(box->size).norm());
      } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
        largest = std::max({largest, cylinder->radius, 0.5 * cylinder->length});
      } else {
        largest = std::max(largest, std::get<Sphere>(shape.geometry).radius);
      }
    }
    return largest;
  }

  double size_of_joint(const Joint& joint) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::string& name : {joint.body_i, joint.body_j}) {
      if (name != ground) least = std::min(least, size[index.at(name)]);
    }
    return least;
  }

  Frame frame_of(const std::string& body, const Results& results, std::size_t row) const {
    if (body == ground) return {};
    const std::size_t k = row * model.bodies.size() + index.at(body);
    const auto load = [&](const std::vector<double>& column) {
      return Vector(column[3 * k], column[3 * k + 1], column[3 * k + 2]);
    };
    const double* q = &results.orientation[4 * k];
    Frame frame;
    frame.r = load(results.position);
    frame.R = to_rotation({q[0], q[1], q[2], q[3]});
    if (!results.velocity.empty()) {
      frame.v = load(results.velocity);
      frame.omega = frame.R * load(results.angular_velocity);
    }
    return frame;
  }

  const Model& model;
  std::map<std::string, std::size_t> index, joint_index;
  std::vector<Geometry> geometry;             // [joints]
  std::vector<std::vector<Geometry>> basics;  // [joints], of generic ones
  std::map<std::string, CurveDistance> curves;
  std::vector<double> size;  // [bodies]
};

// ---- the conditions of each kind

namespace {

// Both bodies of a joint as they are now.
struct Pair {
  const Geometry& g;
  const Frame &i, &j;

  Moving apart() const { return j.point(g.point_j) - i.point(g.point_i); }
  Moving a_i() const { return i.direction(g.a_i); }
  Moving b_i() const { return i.direction(g.b_i); }
  Moving a_j() const { return j.direction(g.a_j); }
  Moving b_j() const { return j.direction(g.b_j); }
  Moving axis_i() const { return unit(cross(a_i(), b_i())); }
  Moving axis_j() const { return unit(cross(a_j(), b_j())); }
};

void add_same_attitude(const Pair& at, Rows& rows) {
  if (at.g.a_i.norm() > 0) {  // axis along axis, and no turn about it
    rows.add_all(cross(at.axis_i(), at.a_j()), false);
    rows.add(dot(at.a_i(), at.b_j()), false);
    return;
  }
  for (int c = 0; c < 3; ++c) {  // each axis of body j where it was drawn in body i
    const Moving now = at.j.direction(Vector::Unit(c));
    rows.add_all(now - at.i.direction(at.g.attitude.col(c)), false);
  }
}

// Point j on the line through point i along the axis of body i.
void add_on_line(const Pair& at, Rows& rows) {
  rows.add_all(cross(at.axis_i(), at.apart()), true);
}

void add_spatial(JointKind kind, const Pair& at, Rows& rows) {
  switch (kind) {
    case JointKind::spherical:
      return rows.add_all(at.apart(), true);
    case JointKind::universal:
      rows.add_all(at.apart(), true);
      return rows.add(dot(at.a_i(), at.a_j()), false);
    case JointKind::revolute:
      rows.add_all(at.apart(), true);
      return rows.add_all(cross(at.axis_i(), at.a_j()), false);
    case JointKind::cylindrical:
    case JointKind::screw:
      add_on_line(at, rows);
      return rows.add_all(cross(at.axis_i(), at.a_j()), false);
    case JointKind::translational:
      add_on_line(at, rows);
      return add_same_attitude(at, rows);
    case JointKind::fixed:
      rows.add_all(at.apart(), true);
      return add_same_attitude(at, rows);
    case JointKind::point_on_line:
      return add_on_line(at, rows);
    case JointKind::distance:
    case JointKind::universal_spherical:
      return rows.add(norm(at.apart()) - at.g.length, true);
    case JointKind::planar:
      rows.add(dot(at.a_i(), at.apart()), true);
      return rows.add_all(cross(at.a_i(), at.axis_j()), false);
    case JointKind::point_in_plane:
      return rows.add(dot(at.a_i(), at.apart()), true);
    case JointKind::parallel_axes:
      return rows.add_all(cross(at.axis_i(), at.a_j()), false);
    case JointKind::perpendicular:
      return rows.add(dot(at.a_i(), at.a_j()), false);
    case JointKind::orientation:
      return add_same_attitude(at, rows);
    case JointKind::revolute_spherical:
      rows.add(dot(at.a_i(), at.apart()), true);
      return rows.add(norm(at.apart()) - at.g.length, true);
    case JointKind::revolute_translational:
      rows.add_all(cross(at.b_i(), at.axis_j()), false);
      return add_on_line(at, rows);
    case JointKind::constant_velocity: {
      rows.add_all(at.apart(), true);
      const Number p = dot(at.b_i(), at.a_j()), q = dot(at.a_i(), at.b_j());
      return rows.add({0.5 * (p.value - q.value), 0.5 * (p.rate - q.rate)}, false);
    }
    case JointKind::point_on_curve:
    case JointKind::generic:
      return;
  }
}

void add_planar(JointKind kind, const Pair& at, Rows& rows) {
  const auto add_no_turn = [&] {
    if (at.g.a_i.norm() > 0) return rows.add(dot(at.a_i(), at.a_j()), false);
    add_same_attitude(at, rows);
  };
  switch (kind) {
    case JointKind::revolute:
      return rows.add_all(at.apart(), true);
    case JointKind::translational:
      rows.add(dot(at.a_i(), at.apart()), true);
      return add_no_turn();
    case JointKind::fixed:
      rows.add_all(at.apart(), true);
      return add_no_turn();
    case JointKind::point_on_line:
      return rows.add(dot(at.a_i(), at.apart()), true);
    case JointKind::distance:
      return rows.add(norm(at.apart()) - at.g.length, true);
    case JointKind::orientation:
      return add_no_turn();
    default:
      return;
  }
}

void add_basic(BasicKind kind, const Pair& at, Rows& rows) {
  switch (kind) {
    case BasicKind::coincidence:
      return rows.add_all(at.apart(), true);
    case BasicKind::symmetric_orthogonality:
      return rows.add(dot(at.a_i(), at.a_j()), false);
    case BasicKind::orthogonality:
      return rows.add(dot(at.a_i(), at.apart()), true);
    case BasicKind::distance:
      return rows.add(norm(at.apart()) - at.g.length, true);
    case BasicKind::constant_velocity: {
      const Number p = dot(at.b_i(), at.a_j()), q = dot(at.a_i(), at.b_j());
      return rows.add({0.5 * (p.value - q.value), 0.5 * (p.rate - q.rate)}, false);
    }
  }
}

// The recorded coordinate; empty where it is not recorded.
std::optional<Number> find_coordinate(const Results& results, std::size_t row,
                                      const std::string& name) {
  const auto& names = results.coordinate_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end() || results.coordinate.empty()) return {};
  const std::size_t k = row * names.size() + static_cast<std::size_t>(found - names.begin());
  return Number{results.coordinate[k], results.coordinate_rate[k]};
}

const char* word_of(JointCoordinate coordinate) {
  constexpr const char* words[] = {".angle", ".travel", ".angle_i", ".angle_j"};
  return words[static_cast<int>(coordinate)];
}

}  // namespace

// ---- couplers and drivers

namespace {

struct Term {
  std::string joint;
  JointCoordinate coordinate;
  double coefficient;
};

const Joint& joint_of(const Model& model, const std::string& name) {
  return *std::find_if(model.joints.begin(), model.joints.end(),
                       [&](const Joint& joint) { return joint.name == name; });
}

// +1 where the body that both joints share is the first of joint a.
double sign_of(const Model& model, const std::string& a, const std::string& b) {
  const Joint &of = joint_of(model, a), &other = joint_of(model, b);
  const bool first = of.body_i == other.body_i || of.body_i == other.body_j;
  return first ? 1.0 : -1.0;
}

std::vector<Term> list_terms(const Model& model, const Coupler& coupler) {
  const auto angle = JointCoordinate::angle;
  if (const auto* gear = std::get_if<Gear>(&coupler.law)) {
    return {{gear->joint_1, angle, sign_of(model, gear->joint_1, gear->joint_2)},
            {gear->joint_2, angle,
             (gear->internal ? -1 : 1) * gear->teeth_2 / gear->teeth_1 *
                 sign_of(model, gear->joint_2, gear->joint_1)}};
  }
  if (const auto* rack = std::get_if<RackAndPinion>(&coupler.law)) {
    return {{rack->slide, JointCoordinate::travel, sign_of(model, rack->slide, rack->hinge)},
            {rack->hinge, angle, -rack->radius * sign_of(model, rack->hinge, rack->slide)}};
  }
  if (const auto* belt = std::get_if<Belt>(&coupler.law)) {
    return {{belt->joint_1, angle, belt->radius_1 * sign_of(model, belt->joint_1, belt->joint_2)},
            {belt->joint_2, angle,
             (belt->crossed ? 1 : -1) * belt->radius_2 *
                 sign_of(model, belt->joint_2, belt->joint_1)}};
  }
  std::vector<Term> terms;
  for (const auto& term : std::get<LinearCoupler>(coupler.law).terms) {
    terms.push_back({term.joint, term.coordinate, term.coefficient});
  }
  return terms;
}

}  // namespace

double calc_value(const Function& function, const Model& model, double t) {
  if (const auto* number = std::get_if<double>(&function.form)) return *number;
  const auto* formula = std::get_if<Formula>(&function.form);
  if (formula == nullptr) return std::numeric_limits<double>::quiet_NaN();
  // a model file evaluates its parameters: t becomes one of them
  const auto print = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return std::string(text);
  };
  std::string text = "trammel: 1\nparameters:\n  t: " + print(t) + "\n";
  for (const auto& [name, value] : formula->constants) text += "  " + name + ": " + print(value) + "\n";
  for (const auto& [name, value] : model.parameters) {
    const auto has = [&](const auto& entry) { return entry.first == name; };
    if (std::none_of(formula->constants.begin(), formula->constants.end(), has)) {
      text += "  " + name + ": " + print(value) + "\n";
    }
  }
  text += "  value_at_t: \"" + formula->text + "\"\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n";
  try {
    for (const auto& [name, value] : read_model_text(text, "formula").parameters) {
      if (name == "value_at_t") return value;
    }
  } catch (const ModelError&) {
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// ---- all of them

JointGaps::JointGaps(const Model& model) : implementation_(new Implementation(model)) {}
JointGaps::~JointGaps() { delete implementation_; }

double JointGaps::size_of(const std::string& body) const {
  return implementation_->size[implementation_->index.at(body)];
}

std::vector<Gap> JointGaps::calc(const Results& results, std::size_t row) const {
  const Implementation& in = *implementation_;
  const Model& model = in.model;
  std::vector<Gap> gaps;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    const Geometry& g = in.geometry[k];
    const Frame i = in.frame_of(joint.body_i, results, row);
    const Frame j = in.frame_of(joint.body_j, results, row);
    const Pair at{g, i, j};
    Rows rows;
    if (model.dimension == 2) {
      add_planar(joint.kind, at, rows);
    } else {
      add_spatial(joint.kind, at, rows);
    }
    for (std::size_t c = 0; c < in.basics[k].size(); ++c) {
      add_basic(joint.constraints[c].kind, Pair{in.basics[k][c], i, j}, rows);
    }
    if (joint.curve) {
      const Vector q = i.R.transpose() * (j.point(g.point_j).value - i.r);
      rows.add({in.curves.at(joint.name).calc(q), 0.0}, true);
    }
    const Vector n = in.axis_j(joint, g);
    const auto angle = find_coordinate(results, row, joint.name + ".angle");
    const auto travel = find_coordinate(results, row, joint.name + ".travel");
    if (n.norm() > 0) {
      const Moving axis = j.direction(n);
      // the recorded angle less the one seen: whole turns
      const Moving zero = i.direction(g.zero_i), now = j.direction(g.zero_j);
      const double seen = std::atan2(axis.value.dot(zero.value.cross(now.value)),
                                     zero.value.dot(now.value));
      if (angle) {
        const double off = angle->value - g.start_angle - seen;
        rows.add({std::remainder(off, 2 * M_PI), 0.0}, false);
      }
      if (travel) {
        const double seen_travel = axis.value.dot(at.apart().value) - g.travel_of_start;
        rows.add({travel->value - g.start_travel - seen_travel, 0.0}, true);
      }
    }
    if (joint.kind == JointKind::screw && angle && travel) {
      const double lead = *joint.pitch / (2 * M_PI);
      rows.add({travel->value - g.start_travel - lead * (angle->value - g.start_angle),
                travel->rate - lead * angle->rate},
               true);
    }
    gaps.push_back({joint.name, in.size_of_joint(joint), std::move(rows.list)});
  }
  for (const Coupler& coupler : model.couplers) {
    const auto* linear = std::get_if<LinearCoupler>(&coupler.law);
    double sum = 0.0, rate = 0.0, largest = 0.0, size = std::numeric_limits<double>::infinity();
    bool is_known = true, is_length = false;
    for (const Term& term : list_terms(model, coupler)) {
      const auto q = find_coordinate(results, row, term.joint + word_of(term.coordinate));
      if (!q) is_known = false;
      if (!q) break;
      const Geometry& g = in.geometry[in.joint_index.at(term.joint)];
      const bool travels = term.coordinate == JointCoordinate::travel;
      const double start = travels ? g.start_travel
                           : term.coordinate == JointCoordinate::angle ? g.start_angle
                                                                       : 0.0;
      sum += term.coefficient * (linear != nullptr && linear->value ? q->value : q->value - start);
      rate += term.coefficient * q->rate;
      largest = std::max(largest, std::abs(term.coefficient));
      is_length = is_length || travels;
      size = std::min(size, in.size_of_joint(joint_of(model, term.joint)));
    }
    if (!is_known) continue;
    if (linear != nullptr && linear->value) sum -= *linear->value;
    size = std::max(size, largest);  // or the radius of a pinion
    gaps.push_back({coupler.name, size, {{sum / largest, rate / largest, is_length}}});
  }
  const double t = results.time[row];
  for (const Driver& driver : model.drivers) {
    if (const auto* law = std::get_if<JointDriver>(&driver.law)) {
      const double f = law->is_rate ? NAN : calc_value(law->value, model, t);
      const auto q = find_coordinate(results, row, law->joint + word_of(law->coordinate));
      if (!q || std::isnan(f)) continue;
      gaps.push_back({driver.name, in.size_of_joint(joint_of(model, law->joint)),
                      {{q->value - f, 0.0, law->coordinate == JointCoordinate::travel}}});
    } else if (const auto* distance = std::get_if<DistanceDriver>(&driver.law)) {
      const double f = distance->is_rate ? NAN : calc_value(distance->value, model, t);
      if (std::isnan(f)) continue;
      const Frame i = in.frame_of(distance->body_i, results, row);
      const Frame j = in.frame_of(distance->body_j, results, row);
      const Moving d = j.point(to_vector(distance->point_j)) - i.point(to_vector(distance->point_i));
      gaps.push_back({driver.name, std::max(f, 1e-300), {{norm(d).value - f, 0.0, true}}});
    }
  }
  return gaps;
}

double Gap::position() const {
  double largest = 0.0;
  for (const GapRow& row : rows) {
    if (!(std::abs(row.value) <= largest)) largest = std::abs(row.value);
  }
  return largest;
}
double Gap::velocity() const {
  double largest = 0.0;
  for (const GapRow& row : rows) {
    if (!(std::abs(row.rate) <= largest)) largest = std::abs(row.rate);
  }
  return largest;
}
double Gap::relative() const {
  double largest = 0.0;
  for (const GapRow& row : rows) {
    const double part = row.value == 0.0 ? 0.0 : std::abs(row.value) / (row.is_length ? size : 1.0);
    if (!(part <= largest)) largest = part;
  }
  return largest;
}

WorstGap find_worst_gap(const Model& model, const Results& results, std::size_t stride) {
  const JointGaps gaps(model);
  WorstGap worst;
  const std::size_t n = results.time.size();
  for (std::size_t row = 0; row < n; row = row + 1 < n ? std::min(row + stride, n - 1) : n) {
    for (const Gap& gap : gaps.calc(results, row)) {
      worst.position = std::max(worst.position, gap.position());
      worst.velocity = std::max(worst.velocity, gap.velocity());
      const double relative = gap.relative();
      if (!(relative <= worst.relative)) {
        worst.relative = relative;
        worst.name = gap.name;
        worst.t = results.time[row];
      }
    }
  }
  return worst;
}

}  // namespace trammel::test
