// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From a state to accelerations (dynamics/distribution.hpp has the equations), in parts and whole.
#pragma once

#include "kernel/jacobian.hpp"
#include "kernel/rows.hpp"
#include "kernel/schur.hpp"
#include "math/block_ldlt.hpp"
#include "system/constant_load.hpp"
#include "system/rotational_damper.hpp"
#include "system/spring_damper.hpp"

namespace trammel {
namespace {

// ---- positions and velocities

template <class Real, class Space>
[[gnu::always_inline]] inline void calc_position(const Real* y, Pose<Real, Space>& pose) {
  pose.R = Space::calc_rotation(y);
  pose.r = Linear<Real, Space>::load(y);
}
template <class Real, class Space>
[[gnu::always_inline]] inline void calc_velocity(const Real* u, Pose<Real, Space>& pose) {
  pose.v = Linear<Real, Space>::load(u);
  pose.Omega = Angular<Real, Space>::load(u + Space::dimension);
  pose.omega = pose.R * pose.Omega;
}

template <class Real, class Space>
void calc_positions(const Arrays<Real, Space>& at, const Real* z) {
  for (int b = 0; b < at.n_bodies; ++b) calc_position<Real, Space>(z + Space::n_y * b, at.pose[b]);
}
template <class Real, class Space>
void calc_velocities(const Arrays<Real, Space>& at, const Real* z) {
  const Real* u = z + at.first_u;
  for (int b = 0; b < at.n_bodies; ++b) calc_velocity<Real, Space>(u + Space::n_u * b, at.pose[b]);
}
template <class Real, class Space>
void calc_poses(const Arrays<Real, Space>& at, const Real* z) {
  const Real* u = z + at.first_u;
  for (int b = 0; b < at.n_bodies; ++b) {
    calc_position<Real, Space>(z + Space::n_y * b, at.pose[b]);
    calc_velocity<Real, Space>(u + Space::n_u * b, at.pose[b]);
  }
}

// ---- forces

// An element belongs to the component of whichever of its bodies is not the ground.
template <class Real, class Space>
[[gnu::always_inline]] inline int component_of(const Arrays<Real, Space>& at, int body_i,
                                               int body_j) {
  return at.component_of[body_i == at.n_bodies ? body_j : body_i];
}

// force_W, torque_B and power of loads, springs and dampers.
template <class Real, class Space>
void calc_forces(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters) {
  for (int b = 0; b <= at.n_bodies; ++b) {
    at.force_W[b] = Linear<Real, Space>::zero();
    at.torque_B[b] = Angular<Real, Space>::zero();
  }
  for (int c = 0; c < at.n_components; ++c) at.power[c] = Real(0);
  for (int k = 0; k < parameters.n_loads; ++k) {
    const ConstantLoad<Real, Space>& load = parameters.loads[k];
    at.power[at.component_of[load.body]] += add_constant_load(
        load, at.pose[load.body], at.force_W[load.body], at.torque_B[load.body]);
  }
  for (int k = 0; k < parameters.n_springs; ++k) {
    const SpringDamperParameters<Real, Space>& spring = parameters.springs[k];
    const Pose<Real, Space>&i = at.pose[spring.body_i], &j = at.pose[spring.body_j];
    const SpringGeometry<Real, Space> geometry = calc_spring_geometry(spring, i, j);
    const Real damping_force = spring.damping * geometry.rate;
    const Real tension = spring.stiffness * (geometry.length - spring.free_length) + damping_force;
    add_tension(spring, i, j, geometry.n, tension, at.force_W, at.torque_B);
    at.power[component_of(at, spring.body_i, spring.body_j)] -= damping_force * geometry.rate;
  }
  for (int k = 0; k < parameters.n_dampers; ++k) {
    const RotationalDamperParameters<Real, Space>& damper = parameters.dampers[k];
    at.power[component_of(at, damper.body_i, damper.body_j)] += add_rotational_damper(
        damper, at.pose[damper.body_i], at.pose[damper.body_j], at.torque_B);
  }
}

// ---- energies, by component; springs, whose energy has a square root, are added by the caller

template <class Real, class Space>
void calc_kinetic(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                  Real* kinetic) {
  for (int c = 0; c < at.n_components; ++c) kinetic[c] = Real(0);
  for (int b = 0; b < at.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    const Pose<Real, Space>& pose = at.pose[b];
    kinetic[at.component_of[b]] += Real(0.5) * (body.mass * dot(pose.v, pose.v) +
                                                dot(pose.Omega, scaled(body.inertia, pose.Omega)));
  }
}

// of the weight
template <class Real, class Space>
void calc_potential(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                    Real* potential) {
  for (int c = 0; c < at.n_components; ++c) potential[c] = Real(0);
  for (int b = 0; b < at.n_bodies; ++b) {
    potential[at.component_of[b]] -=
        parameters.bodies[b].mass * dot(parameters.gravity, at.pose[b].r);
  }
}

// ---- the distribution

template <class Real, class Space>
[[gnu::always_inline]] inline BlockFactor<Real> factor_of(const Arrays<Real, Space>& at) {
  return {at.values, at.pivot, at.inverse, at.diagonal};
}

// twist ← M⁻¹ f, world_twist the same; forces of constraints ← 0. Needs calc_forces.
template <class Real, class Space>
void calc_free_accelerations(const Arrays<Real, Space>& at,
                             const ParameterArrays<Real, Space>& parameters) {
  for (int b = 0; b < at.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    const Pose<Real, Space>& pose = at.pose[b];
    const Angular<Real, Space> torque =
        Space::calc_effective_torque(at.torque_B[b], body.inertia, pose.Omega);
    const Linear<Real, Space> linear = parameters.gravity + body.inverse_mass * at.force_W[b];
    const Angular<Real, Space> angular = scaled(body.inverse_inertia, torque);
    at.twist[b] = {linear, angular};
    at.world_twist[b] = {linear, pose.R * angular};
    at.force_W[b] = Linear<Real, Space>::zero();
    at.torque_W[b] = Angular<Real, Space>::zero();
  }
  at.force_W[at.n_bodies] = Linear<Real, Space>::zero();
  at.torque_W[at.n_bodies] = Angular<Real, Space>::zero();
}

// M⁻¹ Jᵀμ of a body, whose forces are in force_W and torque_W.
template <class Real, class Space>
[[gnu::always_inline]] inline Twist<Real, Space> calc_response(
    const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters, int b) {
  const BodyParameters<Real, Space>& body = parameters.bodies[b];
  return {body.inverse_mass * at.force_W[b],
          scaled(body.inverse_inertia, transposed_times(at.pose[b].R, at.torque_W[b]))};
}

// twist ← twist − M⁻¹ Jᵀλ
template <class Real, class Space>
void subtract_constraint_forces(const Arrays<Real, Space>& at,
                                const ParameterArrays<Real, Space>& parameters) {
  add_jt_times(at, at.lambda);
  for (int b = 0; b < at.n_bodies; ++b) {
    const Twist<Real, Space> by_joints = calc_response(at, parameters, b);
    at.twist[b].linear -= by_joints.linear;
    at.twist[b].angular -= by_joints.angular;
  }
}

// w ← M⁻¹ Jᵀμ
template <class Real, class Space>
void calc_mass_step(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                    const Real* mu, Twist<Real, Space>* w) {
  for (int b = 0; b <= at.n_bodies; ++b) {
    at.force_W[b] = Linear<Real, Space>::zero();
    at.torque_W[b] = Angular<Real, Space>::zero();
  }
  add_jt_times(at, mu);
  for (int b = 0; b < at.n_bodies; ++b) w[b] = calc_response(at, parameters, b);
}

// rates ← J w for twists with the angular part in the bodies' frames.
template <class Real, class Space>
void calc_j_times(const Arrays<Real, Space>& at, const Twist<Real, Space>* w, Real* rates) {
  for (int b = 0; b < at.n_bodies; ++b) {
    at.world_twist[b] = {w[b].linear, at.pose[b].R * w[b].angular};
  }
  calc_rates<false>(at, at.world_twist, rates);
}

// rates ← J u for the velocities in the poses.
template <class Real, class Space>
void calc_velocity_rates(const Arrays<Real, Space>& at, Real* rates) {
  for (int b = 0; b < at.n_bodies; ++b) at.world_twist[b] = {at.pose[b].v, at.pose[b].omega};
  calc_rates<false>(at, at.world_twist, rates);
}

// ż of bodies and work from twist and power; 0 · the sum of all accelerations: 0, or not a number.
template <class Real, class Space>
Real write_rate(const Arrays<Real, Space>& at, const Real* z, Real* rate) {
  Real sum(0);
  for (int b = 0; b < at.n_bodies; ++b) {
    const int y = Space::n_y * b, u = at.first_u + Space::n_u * b;
    Space::calc_rate(z + y, z + u, rate + y);
    const Twist<Real, Space>& a = at.twist[b];
    a.linear.store(rate + u);
    a.angular.store(rate + u + Space::dimension);
    sum += a.linear.sum() + a.angular.sum();
  }
  for (int c = 0; c < at.n_components; ++c) rate[at.first_work + c] = at.power[c];
  return Real(0) * sum;
}

// 0 where a row that takes part was dropped, else positive.
template <class Real, class Space>
Real find_least_inverse(const Arrays<Real, Space>& at) {
  Real least(1);
  for (int r = 0; r < at.n_rows; ++r) {
    const Real kept = at.inverse[r] + (at.mask[r] - Real(1));  // +∞ where it is masked
    least = lesser(kept, least);
  }
  return least;
}

// The whole: ż at the state z of a system whose rows and forces are all the kernel's own. false: a row
// was dropped, or the result is not finite.
template <class Real, class Space>
EvaluationOutcome<Real> evaluate(const Arrays<Real, Space>& at,
                                 const ParameterArrays<Real, Space>& parameters,
                                 const Real& drop_tolerance, const Real* z, Real* rate) {
  calc_poses(at, z);
  calc_rows<true>(at, parameters);
  calc_schur<true>(at, parameters);
  factorise(*at.program, factor_of(at), drop_tolerance);
  const Real least = find_least_inverse(at);
  calc_forces(at, parameters);
  calc_free_accelerations(at, parameters);
  calc_rates<true>(at, at.world_twist, at.lambda);
  solve(*at.program, factor_of(at), at.lambda);
  subtract_constraint_forces(at, parameters);
  return {least, write_rate(at, z, rate)};
}

}  // namespace
}  // namespace trammel
