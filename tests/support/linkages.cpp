// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "support/linkages.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace trammel::test {
namespace {

// q̇ with Σ q̇_k $_k = 0, the largest 1, the first positive; the origin is taken to the joints.
Eigen::VectorXd find_rates(const std::vector<LoopJoint>& joints) {
  Eigen::MatrixXd screws(6, joints.size());
  double size = 0.0;
  for (const LoopJoint& joint : joints) size = std::max(size, (joint.at - joints[0].at).norm());
  for (std::size_t k = 0; k < joints.size(); ++k) {
    LoopJoint near = joints[k];
    near.at = (near.at - joints[0].at) / size;
    screws.col(static_cast<Eigen::Index>(k)) = make_screw(near);
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(screws, Eigen::ComputeFullV);
  Eigen::VectorXd rates = svd.matrixV().col(screws.cols() - 1);
  // a closed loop that moves: the screws are dependent
  if ((screws * rates).norm() > 1e-13) throw std::logic_error("the loop does not move");
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (joints[k].kind == JointKind::translational) rates[static_cast<Eigen::Index>(k)] *= size;
  }
  rates /= rates.cwiseAbs().maxCoeff();
  return rates[0] < 0 ? Eigen::VectorXd(-rates) : rates;
}

int count_rows(JointKind kind) {
  switch (kind) {
    case JointKind::spherical: return 3;
    case JointKind::cylindrical: return 4;
    case JointKind::parallel_axes:
    case JointKind::point_on_line: return 2;
    default: return 5;
  }
}

Eigen::Quaterniond to_quaternion(const EulerParameters& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

}  // namespace

Vector to_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }
Vec3 to_array(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector any_direction(Random& random) { return to_vector(random.unit_vector()).normalized(); }
Eigen::Matrix3d any_frame(Random& random) {
  return to_quaternion(random.orientation()).toRotationMatrix();
}

Twist make_screw(const LoopJoint& joint) {
  Twist screw;
  if (joint.kind == JointKind::translational) {
    screw << Vector::Zero(), joint.axis;
  } else {
    screw << joint.axis, joint.at.cross(joint.axis);
  }
  return screw;
}

// ---- the builder

LinkageBuilder::LinkageBuilder(unsigned seed, Joints joints) : random_(seed), joints_(joints) {
  linkage_.model.name = "linkage " + std::to_string(seed);
  twists_[ground] = Twist::Zero();
}

double LinkageBuilder::scale_of(const std::vector<Vector>& points) const {
  double size = 0.0;
  for (const Vector& p : points) size = std::max(size, (p - points[0]).norm());
  return size > 0.0 ? size : 0.5;
}

std::string LinkageBuilder::add_body(const std::string& name, const std::vector<Vector>& points,
                                     const Twist& twist) {
  const double size = scale_of(points);
  Vector centre = Vector::Zero();
  for (const Vector& p : points) centre += p / static_cast<double>(points.size());
  centre += 0.2 * size * to_vector(random_.vector());
  Body body;
  body.name = name;
  body.mass = random_.uniform(0.5, 3.0);
  // of a cloud of mass with these mean squares along its axes: meets the triangle inequality
  const Vector spread = size * Vector(random_.uniform(0.1, 0.4), random_.uniform(0.1, 0.4),
                                      random_.uniform(0.1, 0.4));
  const Vector square = spread.cwiseAbs2();
  const Eigen::Matrix3d axes = to_quaternion(random_.orientation()).toRotationMatrix();
  const Eigen::Matrix3d inertia = *body.mass * axes *
                                  Vector(square.sum() * Vector::Ones() - square).asDiagonal() *
                                  axes.transpose();
  body.inertia = Mat3{};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) (*body.inertia)[r][c] = 0.5 * (inertia(r, c) + inertia(c, r));
  }
  body.position = to_array(centre);
  body.orientation = random_.orientation();
  const Vector omega = twist.head<3>();
  body.velocity = to_array(twist.tail<3>() + omega.cross(centre));
  body.angular_velocity = to_array(to_quaternion(body.orientation).conjugate() * omega);
  linkage_.model.bodies.push_back(body);
  twists_[name] = twist;
  return name;
}

void LinkageBuilder::add_joint(const std::string& name, JointKind kind, const std::string& body_i,
                               const std::string& body_j, const Vector& at, const Vector& axis) {
  WorldPlacement placement{to_array(at), {}, {}};
  if (kind == JointKind::universal) {
    placement.axis = to_array(axis);
    placement.axis_j = make_perpendicular(random_, to_array(axis));
  } else if (kind != JointKind::spherical) {
    placement.axis = to_array(axis);
  }
  if (kind == JointKind::parallel_axes) placement.point = {};
  linkage_.model.joints.push_back({name, kind, body_i, body_j, placement});
}

void LinkageBuilder::add_driver(const std::string& name, const std::string& joint,
                                JointCoordinate coordinate, const std::string& law) {
  linkage_.model.drivers.push_back({name, JointDriver{joint, coordinate, Formula{law}}});
}

std::vector<std::string> LinkageBuilder::add_loop(const std::string& name,
                                                  const std::string& carrier,
                                                  const std::vector<LoopJoint>& joints, double rate,
                                                  const std::vector<std::string>& link_names,
                                                  const std::string& first_joint) {
  const Eigen::VectorXd rates = rate * find_rates(joints);
  const std::size_t n = joints.size();
  std::vector<std::string> links, names;
  Twist twist = twists_.at(carrier);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    twist += rates[static_cast<Eigen::Index>(k)] * make_screw(joints[k]);
    const std::string link =
        link_names.empty() ? name + "_link_" + std::to_string(k + 1) : link_names[k];
    links.push_back(link);
    if (k > 0 || first_joint.empty()) add_body(link, {joints[k].at, joints[k + 1].at}, twist);
  }
  int rows = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const JointKind kind = joints_ == Joints::twin ? joints[k].twin : joints[k].kind;
    const bool is_there = k == 0 && !first_joint.empty();
    names.push_back(is_there ? first_joint : name + "_" + std::to_string(k + 1));
    if (!is_there) {
      add_joint(names.back(), kind, k == 0 ? carrier : links[k - 1],
                k + 1 == n ? carrier : links[k], joints[k].at, joints[k].axis);
    }
    rows += count_rows(kind);
  }
  // one degree of freedom: 6 (n − 1) − 1 of the rows are independent
  linkage_.redundant += rows - (6 * (static_cast<int>(n) - 1) - 1);
  linkage_.loops.push_back(names);
  return links;
}

Linkage LinkageBuilder::take(int dof) {
  linkage_.dof = dof;
  linkage_.model.gravity = to_array(9.81 * any_direction(random_));
  return std::move(linkage_);
}

double calc_regularity(const Linkage& linkage, const Results& results, std::size_t row) {
  const Model& model = linkage.model;
  const auto find_body = [&](const std::string& name) {
    std::size_t b = 0;
    while (b < model.bodies.size() && model.bodies[b].name != name) ++b;
    return b;
  };
  double smallest = 1.0;
  for (const auto& loop : linkage.loops) {
    std::vector<LoopJoint> joints;
    for (const std::string& name : loop) {
      const Joint& joint = *std::find_if(model.joints.begin(), model.joints.end(),
                                         [&](const Joint& j) { return j.name == name; });
      const auto& placed = std::get<WorldPlacement>(joint.placement);
      // the joint moves with its first body, or where that is the ground with its second
      const std::size_t b = find_body(joint.body_i == ground ? joint.body_j : joint.body_i);
      const Body& body = model.bodies[b];
      const std::size_t at = row * model.bodies.size() + b;
      const double* x = &results.position[3 * at];
      const double* q = &results.orientation[4 * at];
      const Eigen::Quaterniond turn =
          to_quaternion({q[0], q[1], q[2], q[3]}) * to_quaternion(body.orientation).conjugate();
      const Vector from = to_vector(body.position);
      joints.push_back({joint.kind, joint.kind,
                        Vector(x[0], x[1], x[2]) + turn * (to_vector(placed.point) - from),
                        turn * to_vector(*placed.axis).normalized()});
    }
    Eigen::MatrixXd screws(6, joints.size());
    double size = 0.0;
    for (const LoopJoint& joint : joints) size = std::max(size, (joint.at - joints[0].at).norm());
    for (std::size_t k = 0; k < joints.size(); ++k) {
      joints[k].at = (joints[k].at - joints[0].at) / size;
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
      screws.col(static_cast<Eigen::Index>(k)) = make_screw(joints[k]);
    }
    const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(screws).singularValues();
    smallest = std::min(smallest, sigma[screws.cols() - 2] / sigma[0]);
  }
  return smallest;
}

}  // namespace trammel::test
