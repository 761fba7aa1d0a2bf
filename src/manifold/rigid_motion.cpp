// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The sums over the bodies of a group, in two passes: the second needs the centre of the first.
#include "manifold/rigid_motion.hpp"

namespace trammel {

template <class Space>
void RigidMotion<Space>::add_mass(const BodyParameters<double, Space>& body,
                                  const Pose<double, Space>& pose, const Twist<double, Space>& w) {
  // Σ m, Σ m r, Σ m v
  mass_ += body.mass;
  centre_ += body.mass * pose.r;
  velocity_ += body.mass * w.linear;
}

template <class Space>
void RigidMotion<Space>::find_centre() {
  // c = Σ m r/Σ m, v_c = Σ m v/Σ m; a group that is not carried has no mass here
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
  // L = Σ d × m (v − v_c) + R 𝕀 Ω
  spin_ += cross(d, body.mass * (w.linear - velocity_)) + pose.R * scaled(body.inertia, w.angular);
  // I_c = Σ R 𝕀 Rᵀ + m (|d|² I − d dᵀ)
  Space::add_inertia(inertia_, pose.R, body.inertia, body.mass, d);
}

template <class Space>
void RigidMotion<Space>::find_rotation() {
  // I_c ω = L
  if (mass_ != 0.0) omega_ = solve_inertia(spin_);
}

template <class Space>
void RigidMotion<Space>::find_rotation_about(const Spin& n) {
  if (mass_ != 0.0) omega_ = (dot(n, spin_) / calc_inertia_about(n)) * n;
}

template <class Space>
Twist<double, Space> RigidMotion<Space>::at(const Pose<double, Space>& pose,
                                            const Position& velocity, const Spin& omega) const {
  // v_c + ω × (r − c), Ω = Rᵀω
  return {velocity + cross(omega, pose.r - centre_), transposed_times(pose.R, omega)};
}

template class RigidMotion<Spatial>;
template class RigidMotion<Planar>;

}  // namespace trammel
