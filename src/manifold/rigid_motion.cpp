// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "manifold/rigid_motion.hpp"

namespace trammel {

template <class Space>
void RigidMotion<Space>::add_mass(const BodyParameters<double, Space>& body,
                                  const Pose<double, Space>& pose, const Twist<double, Space>& w) {
  mass_ += body.mass;
  centre_ += body.mass * pose.r;
  velocity_ += body.mass * w.linear;
}

template <class Space>
void RigidMotion<Space>::find_centre() {
  if (mass_ == 0.0) return;
  centre_ = (1.0 / mass_) * centre_;
  velocity_ = (1.0 / mass_) * velocity_;
}

template <class Space>
void RigidMotion<Space>::fix_centre(const Position& point) {
  centre_ = point;
  velocity_ = Position::zero();
}

template <class Space>
void RigidMotion<Space>::add_spin(const BodyParameters<double, Space>& body,
                                  const Pose<double, Space>& pose, const Twist<double, Space>& w) {
  const Position d = pose.r - centre_;
  spin_ += cross(d, body.mass * (w.linear - velocity_)) + pose.R * scaled(body.inertia, w.angular);
  Space::add_inertia(inertia_, pose.R, body.inertia, body.mass, d);
}

template <class Space>
void RigidMotion<Space>::find_rotation() {
  if (mass_ != 0.0) omega_ = solve_inertia(spin_);
}

template <class Space>
void RigidMotion<Space>::find_rotation_about(const Spin& n) {
  if (mass_ != 0.0) omega_ = (dot(n, spin_) / calc_inertia_about(n)) * n;
}

template <class Space>
Twist<double, Space> RigidMotion<Space>::at(const Pose<double, Space>& pose,
                                            const Position& velocity, const Spin& omega) const {
  return {velocity + cross(omega, pose.r - centre_), transposed_times(pose.R, omega)};
}

template class RigidMotion<Spatial>;
template class RigidMotion<Planar>;

}  // namespace trammel
