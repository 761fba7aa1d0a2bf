// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/rigid_motion.hpp"

namespace trammel {

void RigidMotion::add_mass(const BodyParameters<double>& body, const Pose<double>& pose,
                           const Twist<double>& w) {
  mass_ += body.mass;
  centre_ += body.mass * pose.r;
  velocity_ += body.mass * w.linear;
}

void RigidMotion::find_centre() {
  if (mass_ == 0.0) return;
  centre_ = (1.0 / mass_) * centre_;
  velocity_ = (1.0 / mass_) * velocity_;
}

void RigidMotion::fix_centre(const Vector& point) {
  centre_ = point;
  velocity_ = Vector::zero();
}

void RigidMotion::add_spin(const BodyParameters<double>& body, const Pose<double>& pose,
                           const Twist<double>& w) {
  const Vector d = pose.r - centre_;
  spin_ += cross(d, body.mass * (w.linear - velocity_)) +
           pose.R * scaled(body.inertia, w.angular);
  const Matrix3<double> unit = Matrix3<double>::identity();
  for (int k = 0; k < 3; ++k) {
    // row k of R 𝕀 Rᵀ and of m (|d|² I − d dᵀ)
    const Vector turned = pose.R * scaled(body.inertia, pose.R.row[k]);
    inertia_.row[k] += turned + body.mass * (dot(d, d) * unit.row[k] - dot(d, unit.row[k]) * d);
  }
}

void RigidMotion::find_rotation() {
  if (mass_ != 0.0) omega_ = solve_inertia(spin_);
}

void RigidMotion::find_rotation_about(const Vector& n) {
  if (mass_ != 0.0) omega_ = (dot(n, spin_) / calc_inertia_about(n)) * n;
}

// By cofactors: I_c is symmetric and positive definite.
RigidMotion::Vector RigidMotion::solve_inertia(const Vector& spin) const {
  const Vector& a = inertia_.row[0];
  const Vector& b = inertia_.row[1];
  const Vector& c = inertia_.row[2];
  const Vector bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  return (1.0 / dot(a, bc)) * (spin.x * bc + spin.y * ca + spin.z * ab);
}

Twist<double> RigidMotion::at(const Pose<double>& pose, const Vector& velocity,
                              const Vector& omega) const {
  return {velocity + cross(omega, pose.r - centre_), transposed_times(pose.R, omega)};
}

}  // namespace trammel
