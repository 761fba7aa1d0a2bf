// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/momentum_balance.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/distribution.hpp"
#include "dynamics/projection.hpp"
#include "system/joint_rows.hpp"

namespace trammel {

namespace {

double length_of(const Vector3<double>& v) { return std::sqrt(dot(v, v)); }
bool is_zero(const Vector3<double>& v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

}  // namespace

MomentumBalance::MomentumBalance(const SystemData& system, bool hold_linear, bool hold_angular)
    : system_(system),
      held_(system.topology.n_components()),
      motion_(system.topology.n_components()),
      velocity_(system.topology.n_bodies + 1, Twist<double>{Vector::zero(), Vector::zero()}),
      delta_v_(system.topology.n_components(), Vector::zero()),
      delta_omega_(system.topology.n_components(), Vector::zero()),
      share_(system.topology.n_components()),
      turn_(system.topology.n_components(), Vector::zero()) {
  find_held(hold_linear, hold_angular);
  for (int c = 0; c < system.topology.n_components(); ++c) any_ |= is_held(c);
}

// What is conserved, of what was asked. Joints, springs and dampers between the bodies of a component
// conserve both momenta; a load may not.
void MomentumBalance::find_held(bool hold_linear, bool hold_angular) {
  const Topology& topology = system_.topology;
  for (int c = 0; c < topology.n_components(); ++c) {
    if (!is_free(c)) continue;
    held_[c].linear = hold_linear;
    if (hold_angular) held_[c].angular = Angular::centre;
  }
  for (int b = 0; b < topology.n_bodies; ++b) {
    held_[topology.component_of[b]].force +=
        system_.parameters.bodies[b].mass * system_.parameters.gravity;
  }
  if (hold_angular) find_pivots();
  for (const ConstantLoad<double>& load : system_.parameters.loads) {
    Held& held = held_[topology.component_of[load.body]];
    held.force += load.force_W;
    if (!is_zero(load.force_B)) held.linear = false;  // turns with the body
    held.angular = Angular::none;
  }
}

// Components that one spherical joint, and nothing else, ties to the ground.
void MomentumBalance::find_pivots() {
  const Topology& topology = system_.topology;
  std::vector<int> ties(topology.n_components(), 0);
  std::vector<int> pivot(topology.n_components(), -1);
  const auto tie = [&](int i, int j, int joint) {
    if (i != topology.ground() && j != topology.ground()) return;
    const int c = topology.component_of[i == topology.ground() ? j : i];
    ++ties[c];
    pivot[c] = joint;
  };
  for (int k = 0; k < topology.n_joints; ++k) {
    tie(topology.joints[k].body_i, topology.joints[k].body_j, k);
  }
  for (const auto& spring : system_.parameters.springs) tie(spring.body_i, spring.body_j, -1);
  const double g = length_of(system_.parameters.gravity);
  for (int c = 0; c < topology.n_components(); ++c) {
    if (ties[c] != 1 || pivot[c] < 0) continue;
    const JointTopology& joint = topology.joints[pivot[c]];
    if (joint.kind != JointKind::spherical) continue;
    const JointParameters<double>& at = system_.parameters.joints[pivot[c]];
    held_[c].point = joint.body_i == topology.ground() ? at.point_i : at.point_j;
    held_[c].angular = g > 0.0 ? Angular::axis : Angular::point;
    if (g > 0.0) held_[c].axis = (1.0 / g) * system_.parameters.gravity;
  }
}

// motion_ ← the rigid motion with the momenta of the twists w, where one is carried.
void MomentumBalance::find_motion(const Workspace<double>& ws, const Twist<double>* w) {
  const Topology& topology = system_.topology;
  std::fill(motion_.begin(), motion_.end(), RigidMotion{});
  const auto for_carried = [&](auto use) {
    for (int b = 0; b < topology.n_bodies; ++b) {
      const int c = topology.component_of[b];
      if (is_carried(c)) use(b, motion_[c]);
    }
  };
  for_carried([&](int b, RigidMotion& motion) {
    motion.add_mass(system_.parameters.bodies[b], ws.pose[b], w[b]);
  });
  for (int c = 0; c < topology.n_components(); ++c) {
    if (is_free(c)) motion_[c].find_centre();
    else motion_[c].fix_centre(held_[c].point);
  }
  for_carried([&](int b, RigidMotion& motion) {
    motion.add_spin(system_.parameters.bodies[b], ws.pose[b], w[b]);
  });
  for (int c = 0; c < topology.n_components(); ++c) {
    if (held_[c].angular == Angular::axis) motion_[c].find_rotation_about(held_[c].axis);
    else motion_[c].find_rotation();
  }
}

void MomentumBalance::start(const Workspace<double>& ws) {
  if (!any_) return;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    velocity_[b] = {ws.pose[b].v, ws.pose[b].Omega};
  }
  find_motion(ws, velocity_.data());
  for (std::size_t c = 0; c < held_.size(); ++c) {
    held_[c].momentum0 = motion_[c].mass() * motion_[c].velocity();
    held_[c].spin0 = motion_[c].spin();
    share_[c] = 0.0;
  }
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const int c = system_.topology.component_of[b];
    const BodyParameters<double>& body = system_.parameters.bodies[b];
    const Vector d = ws.pose[b].r - motion_[c].centre();
    share_[c] += length_of(cross(d, body.mass * (ws.pose[b].v - motion_[c].velocity()))) +
                 length_of(scaled(body.inertia, ws.pose[b].Omega));
  }
  for (std::size_t c = 0; c < held_.size(); ++c) {
    const bool all = held_[c].angular == Angular::centre || held_[c].angular == Angular::point;
    held_[c].directed = all && length_of(held_[c].spin0) > 1e-3 * share_[c];
  }
}

void MomentumBalance::remove_carried(const Workspace<double>& ws, Twist<double>* w) {
  remove_motion(ws, false, w);
}

void MomentumBalance::remove_held(const Workspace<double>& ws, Twist<double>* w) {
  if (any_) remove_motion(ws, true, w);
}

void MomentumBalance::remove_motion(const Workspace<double>& ws, bool held_only,
                                    Twist<double>* w) {
  const Topology& topology = system_.topology;
  find_motion(ws, w);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const int c = topology.component_of[b];
    if (!is_carried(c) || (held_only && !is_held(c))) continue;
    const Twist<double> carried = motion_[c].at(ws.pose[b]);
    w[b].linear -= carried.linear;
    w[b].angular -= carried.angular;
  }
}

// δv, δω of a component from its momenta in motion_.
void MomentumBalance::find_correction(double t, int c) {
  const Held& held = held_[c];
  const RigidMotion& motion = motion_[c];
  delta_v_[c] = delta_omega_[c] = Vector::zero();
  if (held.linear) {
    delta_v_[c] = (1.0 / motion.mass()) * (held.momentum0 + t * held.force) - motion.velocity();
  }
  // after turn() only the size is left, or a part of the direction that waits for the next step
  const double size = length_of(motion.spin());
  const Vector lack = held.directed && size > 0.0
                          ? (length_of(held.spin0) / size - 1.0) * motion.spin()
                          : held.spin0 - motion.spin();
  if (held.angular == Angular::axis) {
    const Vector& n = held.axis;
    delta_omega_[c] = (dot(n, lack) / motion.calc_inertia_about(n)) * n;
  } else if (held.angular != Angular::none) {
    delta_omega_[c] = motion.solve_inertia(lack);
  }
}

int MomentumBalance::hold(double t, const CorrectionTolerance& tolerance, double* z,
                          Workspace<double>& ws) {
  if (!any_) return 0;
  const Topology& topology = system_.topology;
  const auto find = [&] {
    for (int b = 0; b < topology.n_bodies; ++b) velocity_[b] = {ws.pose[b].v, ws.pose[b].Omega};
    find_motion(ws, velocity_.data());
  };
  find();
  if (turn(tolerance, z, ws)) {
    calc_positions(topology, z, ws);
    calc_velocities(topology, z, ws);
    calc_rows(topology, system_.parameters, ws);
    calc_factor(topology, system_.parameters, ws, run_drop_tolerance);
    find();
  }
  return correct_velocities(t, tolerance, z, ws);
}

// Turns components as a whole so that L has the direction of L(0); an angle up to the tolerance.
// Returns whether anything moved.
bool MomentumBalance::turn(const CorrectionTolerance& tolerance, double* z,
                           const Workspace<double>& ws) {
  const Topology& topology = system_.topology;
  bool any = false;
  for (std::size_t c = 0; c < held_.size(); ++c) {
    turn_[c] = Vector::zero();
    if (!held_[c].directed) continue;
    const Vector normal = cross(motion_[c].spin(), held_[c].spin0);
    const double sine = length_of(normal), cosine = dot(motion_[c].spin(), held_[c].spin0);
    if (!(sine > 0.0)) continue;
    const double angle = std::min(std::atan2(sine, cosine), tolerance.atol + tolerance.rtol);
    turn_[c] = (angle / sine) * normal;
    any = true;
  }
  if (!any) return false;
  for (int b = 0; b < topology.n_bodies; ++b) {
    const int c = topology.component_of[b];
    const double angle = length_of(turn_[c]);
    if (angle == 0.0) continue;
    const double half = std::sin(0.5 * angle) / angle;
    const double q[4] = {std::cos(0.5 * angle), half * turn_[c].x, half * turn_[c].y,
                         half * turn_[c].z};
    const Matrix3<double> Q = calc_rotation(q);
    double* y = z + topology.layout.y(b);
    double* v = z + topology.layout.u(b);
    const Vector& centre = motion_[c].centre();
    const Vector& velocity = motion_[c].velocity();
    (centre + Q * (ws.pose[b].r - centre)).store(y);
    (velocity + Q * (ws.pose[b].v - velocity)).store(v);
    double theta[4];
    multiply4(q, y + 3, theta);
    std::copy(theta, theta + 4, y + 3);
    normalise4(y + 3);
  }
  return true;
}

int MomentumBalance::correct_velocities(double t, const CorrectionTolerance& tolerance, double* z,
                                        Workspace<double>& ws) {
  const Topology& topology = system_.topology;
  int corrected = 0;
  for (int c = 0; c < topology.n_components(); ++c) {
    find_correction(t, c);
    share_[c] = 1.0;
    corrected += !is_zero(delta_v_[c]) || !is_zero(delta_omega_[c]);
  }
  // the share of the correction that the tolerance of the local error allows for every body
  const auto change = [&](int b) {
    const int c = topology.component_of[b];
    return motion_[c].at(ws.pose[b], delta_v_[c], delta_omega_[c]);
  };
  const auto allow = [&](double change_size, double size) {
    const double allowed = tolerance.atol + tolerance.rtol * size;
    return change_size > allowed ? allowed / change_size : 1.0;
  };
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Twist<double> delta = change(b);
    double& share = share_[topology.component_of[b]];
    share = std::min({share, allow(length_of(delta.linear), length_of(ws.pose[b].v)),
                      allow(length_of(delta.angular), length_of(ws.pose[b].Omega))});
  }
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Twist<double> delta = change(b);
    const double share = share_[topology.component_of[b]];
    double* u = z + topology.layout.u(b);
    (Vector::load(u) + share * delta.linear).store(u);
    (Vector::load(u + 3) + share * delta.angular).store(u + 3);
  }
  calc_velocities(topology, z, ws);
  return corrected;
}

}  // namespace trammel
