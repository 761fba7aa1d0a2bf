// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/rigid_motion.hpp"

namespace trammel {

void RigidMotion::add_mass(const BodyParameters<double>& body, const Pose<double>& pose) {
  mass_ += body.mass;
  centre_ += body.mass * pose.r;
  velocity_ += body.mass * pose.v;
}

void RigidMotion::find_centre() {
  if (mass_ == 0.0) return;
  centre_ = (1.0 / mass_) * centre_;
  velocity_ = (1.0 / mass_) * velocity_;
}

void RigidMotion::add_spin(const BodyParameters<double>& body, const Pose<double>& pose) {
  const Vector d = pose.r - centre_;
  spin_ += cross(d, body.mass * (pose.v - velocity_)) +
           pose.R * scaled(body.inertia, pose.Omega);
  const Matrix3<double> unit = Matrix3<double>::identity();
  for (int k = 0; k < 3; ++k) {
    // row k of R 𝕀 Rᵀ and of m (|d|² I − d dᵀ)
    const Vector turned = pose.R * scaled(body.inertia, pose.R.row[k]);
    inertia_.row[k] += turned + body.mass * (dot(d, d) * unit.row[k] - dot(d, unit.row[k]) * d);
  }
}

// I_c⁻¹ L by cofactors: I_c is symmetric and positive definite.
void RigidMotion::find_rotation() {
  if (mass_ == 0.0) return;
  const Vector& a = inertia_.row[0];
  const Vector& b = inertia_.row[1];
  const Vector& c = inertia_.row[2];
  const Vector bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  omega_ = (1.0 / dot(a, bc)) * (spin_.x * bc + spin_.y * ca + spin_.z * ab);
}

Twist<double> RigidMotion::at(const Pose<double>& pose) const {
  return {velocity_ + cross(omega_, pose.r - centre_), transposed_times(pose.R, omega_)};
}

}  // namespace trammel
