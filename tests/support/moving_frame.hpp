// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers, vectors and frames of a motion together with their rates.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <trammel/model.hpp>

namespace trammel::test {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

inline Vector to_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }

inline Matrix to_rotation(const EulerParameters& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

// A number or a vector of the motion, with its rate.
struct Number {
  double value, rate;
};
struct Moving {
  Vector value, rate;
};
inline Moving operator-(const Moving& a, const Moving& b) {
  return {a.value - b.value, a.rate - b.rate};
}
inline Number operator-(const Number& a, double b) { return {a.value - b, a.rate}; }
inline Number dot(const Moving& a, const Moving& b) {
  return {a.value.dot(b.value), a.rate.dot(b.value) + a.value.dot(b.rate)};
}
inline Moving cross(const Moving& a, const Moving& b) {
  return {a.value.cross(b.value), a.rate.cross(b.value) + a.value.cross(b.rate)};
}
inline Number norm(const Moving& a) {
  const double length = a.value.norm();
  return {length, length > 0 ? a.value.dot(a.rate) / length : 0.0};
}
inline Moving unit(const Moving& a) {
  const double length = a.value.norm();
  const Vector e = a.value / length;
  return {e, (a.rate - e * e.dot(a.rate)) / length};
}

struct MovingFrame {
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

}  // namespace trammel::test
