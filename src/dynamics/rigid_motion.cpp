// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "dynamics/rigid_motion.hpp"

namespace trammel {

template <class Space>
void RigidMotion<Space>::add_mass(const BodyParameters<double, Space>& body,
                                  const Pose<double, Space>& pose) {
  mass_ += body.mass;
  centre_ += body.mass * pose.r;
  velocity_ += body.mass * pose.v;
}

template <class Space>
void RigidMotion<Space>::find_centre() {
  if (mass_ == 0.0) return;
  centre_ = (1.0 / mass_) * centre_;
  velocity_ = (1.0 / mass_) * velocity_;
}

template <class Space>
void RigidMotion<Space>::add_spin(const BodyParameters<double, Space>& body,
                                  const Pose<double, Space>& pose) {
  const Position d = pose.r - centre_;
  spin_ += cross(d, body.mass * (pose.v - velocity_)) +
           pose.R * scaled(body.inertia, pose.Omega);
  Space::add_inertia(inertia_, pose.R, body.inertia, body.mass, d);
}

template <class Space>
void RigidMotion<Space>::find_rotation() {
  if (mass_ == 0.0) return;
  omega_ = Space::solve_inertia(inertia_, spin_);
}

template <class Space>
Twist<double, Space> RigidMotion<Space>::at(const Pose<double, Space>& pose) const {
  return {velocity_ + cross(omega_, pose.r - centre_), transposed_times(pose.R, omega_)};
}

template class RigidMotion<Spatial>;
template class RigidMotion<Planar>;

}  // namespace trammel
