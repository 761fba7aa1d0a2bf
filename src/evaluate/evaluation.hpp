// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From a state to accelerations (evaluate/accelerations.hpp has the equations), in parts and whole.
#pragma once

#include "evaluate/jacobian.hpp"
#include "evaluate/rows.hpp"
#include "evaluate/schur.hpp"
#include "math/block_ldlt.hpp"
#include "math/prefetch.hpp"

namespace trammel {
namespace {

// ---- positions and velocities

template <class Real, class Space>
[[gnu::always_inline]] inline void calc_position(const Real* y, Pose<Real, Space>& pose) {
  // R of the orientation in y; r are its first components
  pose.R = Space::calc_rotation(y);
  pose.r = Linear<Real, Space>::load(y);
}
template <class Real, class Space>
[[gnu::always_inline]] inline void calc_velocity(const Real* u, Pose<Real, Space>& pose) {
  // u = (v, Ω) with Ω in the body's frame, ω = R Ω
  pose.v = Linear<Real, Space>::load(u);
  pose.Omega = Angular<Real, Space>::load(u + Space::dimension);
  pose.omega = pose.R * pose.Omega;
}

template <class Real, class Space>
void calc_positions(const Arrays<Real, Space>& at, const Real* z, const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b)
    calc_position<Real, Space>(z + Space::n_y * b, at.pose[b]);
}
template <class Real, class Space>
void calc_velocities(const Arrays<Real, Space>& at, const Real* z, const IndexRange& bodies) {
  const Real* u = z + at.first_u;
  for (int b = bodies.begin; b < bodies.end; ++b)
    calc_velocity<Real, Space>(u + Space::n_u * b, at.pose[b]);
}
template <class Real, class Space>
void calc_poses(const Arrays<Real, Space>& at, const Real* z, const IndexRange& bodies) {
  const Real* u = z + at.first_u;
  for (int b = bodies.begin; b < bodies.end; ++b) {
    calc_position<Real, Space>(z + Space::n_y * b, at.pose[b]);
    calc_velocity<Real, Space>(u + Space::n_u * b, at.pose[b]);
  }
}

// ---- forces

template <class Real, class Space>
void clear_forces(const Arrays<Real, Space>& at, const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b) {
    at.force_W[b] = Linear<Real, Space>::zero();
    at.torque_B[b] = Angular<Real, Space>::zero();
  }
}

// ---- energies of bodies, by component

template <class Real, class Space>
void calc_kinetic(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                  Real* kinetic) {
  for (int c = 0; c < at.n_components; ++c) kinetic[c] = Real(0);
  for (int b = 0; b < at.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    const Pose<Real, Space>& pose = at.pose[b];
    // T = ½ (m|v|² + ⟨Ω, 𝕀Ω⟩)
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
    // U = −m⟨g, r⟩
    potential[at.component_of[b]] -=
        parameters.bodies[b].mass * dot(parameters.gravity, at.pose[b].r);
  }
}

// ---- accelerations and multipliers

// twist ← M⁻¹ f of a body, world_twist the same
template <class Real, class Space>
[[gnu::always_inline]] inline void calc_free_acceleration(
    const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters, int b,
    const Linear<Real, Space>& force, const Angular<Real, Space>& torque) {
  const BodyParameters<Real, Space>& body = parameters.bodies[b];
  const Pose<Real, Space>& pose = at.pose[b];
  // v̇ = g + F/m, Ω̇ = 𝕀⁻¹ (τ − Ω×𝕀Ω); in the plane 𝕀⁻¹τ
  const Linear<Real, Space> linear = parameters.gravity + body.inverse_mass * force;
  const Angular<Real, Space> angular =
      scaled(body.inverse_inertia, Space::calc_effective_torque(torque, body.inertia, pose.Omega));
  at.twist[b] = {linear, angular};
  at.world_twist[b] = {linear, pose.R * angular};
}

// Needs the forces.
template <class Real, class Space>
void calc_free_accelerations(const Arrays<Real, Space>& at,
                             const ParameterArrays<Real, Space>& parameters,
                             const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b) {
    calc_free_acceleration(at, parameters, b, at.force_W[b], at.torque_B[b]);
  }
}

// The same where no force acts but the weight: without a look at the forces, which is memory to move.
template <class Real, class Space>
void calc_free_fall(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                    const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b) {
    calc_free_acceleration(at, parameters, b, Linear<Real, Space>::zero(),
                           Angular<Real, Space>::zero());
  }
}

// M⁻¹ Jᵀμ of body_order[k]
template <bool in_place, class Real, class Space>
[[gnu::always_inline]] inline Twist<Real, Space> calc_response(
    const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters, const Real* mu,
    int k) {
  const int b = at.body_order[k];
  const BodyParameters<Real, Space>& body = parameters.bodies[b];
  // fetch what a later round will read
  if (k + rounds_ahead < at.n_bodies) {
    const int ahead = at.body_order[k + rounds_ahead];
    prefetch<sizeof(Rotation<Real, Space>)>(at.pose + ahead);
    prefetch<sizeof(body)>(parameters.bodies + ahead);
    prefetch<sizeof(Twist<Real, Space>)>(at.twist + ahead);
  }
  // (F, τ) = Jᵀμ in the world's frame; F/m and 𝕀⁻¹ Rᵀτ
  const BodyForces<Real, Space> on = calc_jt_times<in_place>(at, mu, k);
  return {body.inverse_mass * on.force,
          scaled(body.inverse_inertia, transposed_times(at.pose[b].R, on.torque))};
}

// f(b, M⁻¹ Jᵀμ of body b) for a range of body_order
template <class Real, class Space, class Function>
[[gnu::always_inline]] inline void for_each_response(const Arrays<Real, Space>& at,
                                                     const ParameterArrays<Real, Space>& parameters,
                                                     const Real* mu, const IndexRange& range,
                                                     Function&& f) {
  if (at.common_shape == 0) {  // the first of RowShapes
    for (int k = range.begin; k < range.end; ++k) {
      f(at.body_order[k], calc_response<true>(at, parameters, mu, k));
    }
  } else {
    for (int k = range.begin; k < range.end; ++k) {
      f(at.body_order[k], calc_response<false>(at, parameters, mu, k));
    }
  }
}

// twist ← twist − M⁻¹ Jᵀλ, of a range of body_order
template <class Real, class Space>
void subtract_constraint_forces(const Arrays<Real, Space>& at,
                                const ParameterArrays<Real, Space>& parameters,
                                const IndexRange& range) {
  for_each_response(
      at, parameters, at.lambda,
      range, [&](int b, const Twist<Real, Space>& by_joints) __attribute__((always_inline)) {
        at.twist[b].linear -= by_joints.linear;
        at.twist[b].angular -= by_joints.angular;
      });
}

// w ← M⁻¹ Jᵀμ, of a range of body_order
template <class Real, class Space>
void calc_mass_step(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                    const Real* mu, Twist<Real, Space>* w, const IndexRange& range) {
  for_each_response(
      at, parameters, mu,
      range, [&](int b, const Twist<Real, Space>& response) __attribute__((always_inline)) {
        w[b] = response;
      });
}

// world_twist ← w, whose angular part is in the bodies' frames, or the velocities in the poses
template <class Real, class Space>
void turn_twists(const Arrays<Real, Space>& at, const Twist<Real, Space>* w,
                 const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b) {
    at.world_twist[b] = {w[b].linear, at.pose[b].R * w[b].angular};
  }
}
template <class Real, class Space>
void take_velocities(const Arrays<Real, Space>& at, const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b) {
    at.world_twist[b] = {at.pose[b].v, at.pose[b].omega};
  }
}

// ẏ of bodies
template <class Real, class Space>
void write_position_rate(const Arrays<Real, Space>& at, const Real* z, Real* rate,
                         const IndexRange& bodies) {
  for (int b = bodies.begin; b < bodies.end; ++b) {
    const int y = Space::n_y * b;
    Space::calc_rate(z + y, z + at.first_u + Space::n_u * b, rate + y);
  }
}

// u̇ of a body; returns the sum of its components.
template <class Real, class Space>
[[gnu::always_inline]] inline Real write_acceleration(const Arrays<Real, Space>& at, int b,
                                                      const Twist<Real, Space>& a, Real* rate) {
  const int u = at.first_u + Space::n_u * b;
  a.linear.store(rate + u);
  a.angular.store(rate + u + Space::dimension);
  return a.linear.sum() + a.angular.sum();
}

// u̇ of bodies from twist; 0 · the sum of all accelerations: 0, or not a number.
template <class Real, class Space>
Real write_accelerations(const Arrays<Real, Space>& at, Real* rate, const IndexRange& bodies) {
  Real sum(0);
  for (int b = bodies.begin; b < bodies.end; ++b) {
    sum += write_acceleration(at, b, at.twist[b], rate);
  }
  return Real(0) * sum;
}

// u̇ = M⁻¹ f − M⁻¹ Jᵀλ of a range of body_order, with M⁻¹ f in twist, which stays as it is; returns as above.
template <class Real, class Space>
Real write_constrained_accelerations(const Arrays<Real, Space>& at,
                                     const ParameterArrays<Real, Space>& parameters, Real* rate,
                                     const IndexRange& range) {
  Real sum(0);
  for_each_response(
      at, parameters, at.lambda,
      range, [&](int b, const Twist<Real, Space>& by_joints) __attribute__((always_inline)) {
        const Twist<Real, Space>& free = at.twist[b];
        sum += write_acceleration(
            at, b, {free.linear - by_joints.linear, free.angular - by_joints.angular}, rate);
      });
  return Real(0) * sum;
}

// Ẇ of the components
template <class Real, class Space>
void write_power(const Arrays<Real, Space>& at, Real* rate) {
  for (int c = 0; c < at.n_components; ++c) rate[at.first_work + c] = at.power[c];
}

// 0 where a row that takes part was dropped, else positive.
template <class Real, class Space>
Real find_least_inverse(const Arrays<Real, Space>& at, const IndexRange& rows) {
  Real least(1);
  for (int r = rows.begin; r < rows.end; ++r) {
    const Real kept = at.inverse[r] + (at.mask[r] - Real(1));  // +∞ where it is masked
    least = lesser(kept, least);
  }
  return least;
}

}  // namespace
}  // namespace trammel
