// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Which momenta are conserved, the rigid motion that has them, and the correction along it.
#include "manifold/momentum_balance.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/projection.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

template <class Vector>
double length_of(const Vector& v) {
  return std::sqrt(dot(v, v));
}
bool is_zero(const Vector3<double>& v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// A body of a group that turns by the rotation vector phi about its centre: new y and v.
void turn_body(const RigidMotion<Spatial>& group, const Vector3<double>& phi,
               const Pose<double>& pose, double* y, double* v) {
  const double angle = length_of(phi);
  if (angle == 0.0) return;
  const double half = std::sin(0.5 * angle) / angle;
  // the rotation by φ as Euler parameters
  const double q[4] = {std::cos(0.5 * angle), half * phi.x, half * phi.y, half * phi.z};
  const Matrix3<double> Q = calc_rotation(q);
  // r ← c + Q (r − c), v ← v_c + Q (v − v_c), θ ← q θ; Ω, in the body's frame, stays
  (group.centre() + Q * (pose.r - group.centre())).store(y);
  (group.velocity() + Q * (pose.v - group.velocity())).store(v);
  double theta[4];
  multiply4(q, y + 3, theta);
  std::copy(theta, theta + 4, y + 3);
  normalise4(y + 3);
}

}  // namespace

template <class Space>
MomentumBalance<Space>::MomentumBalance(const SystemIn<Space>& system, bool hold_linear,
                                        bool hold_angular)
    : system_(system),
      held_(system.topology.n_components()),
      motion_(system.topology.n_components()),
      velocity_(system.topology.n_bodies + 1, Twist<double, Space>::zero()),
      delta_v_(system.topology.n_components(), Position::zero()),
      delta_omega_(system.topology.n_components(), Spin::zero()),
      share_(system.topology.n_components()),
      turn_(system.topology.n_components(), Spin::zero()) {
  find_held(hold_linear, hold_angular);
  for (int c = 0; c < system.topology.n_components(); ++c) {
    any_ |= is_held(c);
    any_carried_ |= is_carried(c);
  }
}

// What is conserved, of what was requested. Joints, springs and dampers between the bodies of a component
// conserve both momenta; a load may not.
template <class Space>
void MomentumBalance<Space>::find_held(bool hold_linear, bool hold_angular) {
  const Topology& topology = system_.topology;
  for (int c = 0; c < topology.n_components(); ++c) {
    if (!is_free(c)) continue;
    held_[c].linear = hold_linear;
    if (hold_angular) held_[c].angular = About::centre;
  }
  // all constant forces from outside: P(t) = P(0) + t Σ F
  for (int b = 0; b < topology.n_bodies; ++b) {
    held_[topology.component_of[b]].force +=
        system_.parameters.bodies[b].mass * system_.parameters.gravity;
  }
  if (hold_angular) find_pivots();
  for (const ConstantLoad<double, Space>& load :
       system_.parameters.forces.template list<ConstantLoad>()) {
    Held& held = held_[topology.component_of[load.body]];
    // a constant force: P is known, L about the centre of mass is not
    held.force += load.force_W;
    if (!is_zero(Space::export_linear(load.force_B))) held.linear = false;  // turns with the body
    held.angular = About::none;
  }
  // forces that depend on the time or the state, and drag
  const auto spoil = [&](int body) {
    held_[topology.component_of[body]].linear = false;
    held_[topology.component_of[body]].angular = About::none;
  };
  for_each_force(system_.parameters.forces, [&]<class Force>(const Force& force) {
    constexpr bool is_constant = std::is_same_v<Force, ConstantLoad<double, Space>>;
    if (!Force::traits.is_internal && !is_constant) spoil(force.first_body());
  });
}

// Components that one spherical joint, in the plane a revolute one, and nothing else ties to the
// ground.
template <class Space>
void MomentumBalance<Space>::find_pivots() {
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
  for (const CoordinateTerm& term : topology.terms) {
    const CoordinateTopology& coordinate = topology.coordinates[term.coordinate];
    tie(coordinate.body_i, coordinate.body_j, -1);
  }
  for_each_force(system_.parameters.forces, [&]<class Force>(const Force& force) {
    if (Force::traits.is_internal) tie(force.first_body(), force.second_body(), -1);
  });
  constexpr bool spatial = std::is_same_v<Space, Spatial>;
  constexpr JointKind pin = spatial ? JointKind::spherical : JointKind::revolute;
  const double g = length_of(system_.parameters.gravity);
  for (int c = 0; c < topology.n_components(); ++c) {
    // tied to the ground by one joint and nothing else
    if (ties[c] != 1 || pivot[c] < 0) continue;
    const JointTopology& joint = topology.joints[pivot[c]];
    if (joint.kind != pin) continue;
    const JointParameters<double, Space>& at = system_.parameters.joints[pivot[c]];
    held_[c].point = joint.body_i == topology.ground() ? at.point_i : at.point_j;
    // without gravity all of L about the joint, with it the component along gravity
    if (g == 0.0) {
      held_[c].angular = About::point;
    } else if constexpr (spatial) {
      held_[c].angular = About::axis;
      held_[c].axis = (1.0 / g) * system_.parameters.gravity;
    }
  }
}

// motion_ ← the rigid motion with the momenta of the twists w, where one is carried.
template <class Space>
void MomentumBalance<Space>::find_motion(const Workspace<double, Space>& ws,
                                         const Twist<double, Space>* w) {
  const Topology& topology = system_.topology;
  std::fill(motion_.begin(), motion_.end(), RigidMotion<Space>{});
  const auto for_carried = [&](auto use) {
    for (int b = 0; b < topology.n_bodies; ++b) {
      const int c = topology.component_of[b];
      if (is_carried(c)) use(b, motion_[c]);
    }
  };
  // Σ m, Σ m r, Σ m v
  for_carried([&](int b, RigidMotion<Space>& motion) {
    motion.add_mass(system_.parameters.bodies[b], ws.pose[b], w[b]);
  });
  for (int c = 0; c < topology.n_components(); ++c) {
    if (is_free(c))
      motion_[c].find_centre();
    else
      motion_[c].fix_centre(held_[c].point);
  }
  for_carried([&](int b, RigidMotion<Space>& motion) {
    motion.add_spin(system_.parameters.bodies[b], ws.pose[b], w[b]);
  });
  for (int c = 0; c < topology.n_components(); ++c) {
    if (held_[c].angular == About::axis)
      motion_[c].find_rotation_about(held_[c].axis);
    else
      motion_[c].find_rotation();
  }
}

template <class Space>
void MomentumBalance<Space>::start(const Workspace<double, Space>& ws) {
  if (!any_) return;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    velocity_[b] = {ws.pose[b].v, ws.pose[b].Omega};
  }
  find_motion(ws, velocity_.data());
  for (std::size_t c = 0; c < held_.size(); ++c) {
    // P = M v_c, L
    held_[c].momentum0 = motion_[c].mass() * motion_[c].velocity();
    held_[c].spin0 = motion_[c].spin();
    share_[c] = 0.0;
  }
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const int c = system_.topology.component_of[b];
    const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
    const Position d = ws.pose[b].r - motion_[c].centre();
    // Σ |d × m (v − v_c)| + |𝕀 Ω|: what L would be if nothing cancelled
    share_[c] += length_of(cross(d, body.mass * (ws.pose[b].v - motion_[c].velocity()))) +
                 length_of(scaled(body.inertia, ws.pose[b].Omega));
  }
  for (std::size_t c = 0; c < held_.size(); ++c) {
    // in the plane L has no direction to lose
    const bool all = std::is_same_v<Space, Spatial> &&
                     (held_[c].angular == About::centre || held_[c].angular == About::point);
    held_[c].directed = all && length_of(held_[c].spin0) > 1e-3 * share_[c];
  }
}

template <class Space>
void MomentumBalance<Space>::remove_carried(const Workspace<double, Space>& ws,
                                            Twist<double, Space>* w) {
  if (any_carried_) remove_motion(ws, false, w);
}

template <class Space>
void MomentumBalance<Space>::calc_translation_energy(const Workspace<double, Space>& ws,
                                                     std::vector<double>& energy) {
  std::fill(energy.begin(), energy.end(), 0.0);
  if (!any_carried_) return;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    velocity_[b] = {ws.pose[b].v, ws.pose[b].Omega};
  }
  find_motion(ws, velocity_.data());
  for (std::size_t c = 0; c < energy.size(); ++c) {
    if (!is_free(static_cast<int>(c))) continue;
    // ½ M |v_c|²
    energy[c] = 0.5 * motion_[c].mass() * dot(motion_[c].velocity(), motion_[c].velocity());
  }
}

template <class Space>
void MomentumBalance<Space>::remove_held(const Workspace<double, Space>& ws,
                                         Twist<double, Space>* w) {
  if (any_) remove_motion(ws, true, w);
}

template <class Space>
void MomentumBalance<Space>::remove_motion(const Workspace<double, Space>& ws, bool held_only,
                                           Twist<double, Space>* w) {
  const Topology& topology = system_.topology;
  find_motion(ws, w);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const int c = topology.component_of[b];
    if (!is_carried(c) || (held_only && !is_held(c))) continue;
    // w ← w − ξ, the rigid motion with the momenta of w
    const Twist<double, Space> carried = motion_[c].at(ws.pose[b]);
    w[b].linear -= carried.linear;
    w[b].angular -= carried.angular;
  }
}

// δv, δω of a component from its momenta in motion_.
template <class Space>
void MomentumBalance<Space>::find_correction(double t, int c) {
  const Held& held = held_[c];
  const RigidMotion<Space>& motion = motion_[c];
  delta_v_[c] = Position::zero();
  delta_omega_[c] = Spin::zero();
  if (held.linear) {
    // M δv = P(0) + t Σ F − P
    delta_v_[c] = (1.0 / motion.mass()) * (held.momentum0 + t * held.force) - motion.velocity();
  }
  // after turn() only the size is left, or a part of the direction that waits for the next step
  const double size = length_of(motion.spin());
  const Spin deficit = held.directed && size > 0.0
                           ? (length_of(held.spin0) / size - 1.0) * motion.spin()
                           : held.spin0 - motion.spin();
  if (held.angular == About::axis) {
    // δω = n ⟨n, L(0) − L⟩/⟨n, I n⟩
    const Spin& n = held.axis;
    delta_omega_[c] = (dot(n, deficit) / motion.calc_inertia_about(n)) * n;
  } else if (held.angular != About::none) {
    // I δω = L(0) − L
    delta_omega_[c] = motion.solve_inertia(deficit);
  }
}

template <class Space>
int MomentumBalance<Space>::hold(double t, const CorrectionTolerance& tolerance, double* z,
                                 Workspace<double, Space>& ws) {
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
template <class Space>
bool MomentumBalance<Space>::turn(const CorrectionTolerance& tolerance, double* z,
                                  const Workspace<double, Space>& ws) {
  if constexpr (std::is_same_v<Space, Spatial>) {
    bool any = false;
    for (std::size_t c = 0; c < held_.size(); ++c) {
      turn_[c] = Spin::zero();
      if (!held_[c].directed) continue;
      // the rotation from L to L(0): about L × L(0), by the angle between them
      const Spin normal = cross(motion_[c].spin(), held_[c].spin0);
      const double sine = length_of(normal), cosine = dot(motion_[c].spin(), held_[c].spin0);
      if (!(sine > 0.0)) continue;
      const double angle = std::min(std::atan2(sine, cosine), tolerance.atol + tolerance.rtol);
      turn_[c] = (angle / sine) * normal;
      any = true;
    }
    const State<Space> state(system_.topology.layout, z);
    for (int b = 0; any && b < system_.topology.n_bodies; ++b) {
      const int c = system_.topology.component_of[b];
      turn_body(motion_[c], turn_[c], ws.pose[b], state.y(b), state.u(b));
    }
    return any;
  } else {
    return false;
  }
}

template <class Space>
int MomentumBalance<Space>::correct_velocities(double t, const CorrectionTolerance& tolerance,
                                               double* z, Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  int corrected = 0;
  for (int c = 0; c < topology.n_components(); ++c) {
    find_correction(t, c);
    share_[c] = 1.0;
    corrected += !is_zero(Space::export_linear(delta_v_[c])) ||
                 !is_zero(Space::export_angular(delta_omega_[c]));
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
    const Twist<double, Space> delta = change(b);
    double& share = share_[topology.component_of[b]];
    share = std::min({share, allow(length_of(delta.linear), length_of(ws.pose[b].v)),
                      allow(length_of(delta.angular), length_of(ws.pose[b].Omega))});
  }
  const State<Space> state(topology.layout, z);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Twist<double, Space> delta = change(b);
    const double share = share_[topology.component_of[b]];
    state.add_velocity(b, share * delta.linear, share * delta.angular);
  }
  calc_velocities(topology, z, ws);
  return corrected;
}

template class MomentumBalance<Spatial>;
template class MomentumBalance<Planar>;

}  // namespace trammel
