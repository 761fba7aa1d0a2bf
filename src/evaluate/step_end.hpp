// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of the end of a step and of an output point, on numbers of any kind (double or Traced).
// Each is straight-line: it computes and returns numbers, and decides nothing.
//
//   positions    μ = S⁻¹g,             y ← y ⊕ (−M⁻¹Jᵀμ)        chord iteration, S of a nearby point
//   velocities   μ = S⁻¹(J u + g_t),   u ← u − M⁻¹Jᵀμ
//   energy       u ← (1 + x) u,        x from what the energy lacks (scaling)
//                y ← y ⊕ f P M⁻¹∇U     along the potential, within the joints (shift)
//   error        largest over the bodies of the error of a step in units of its tolerance
//
// Users: src/manifold and src/problem on doubles, with the decisions that belong to one run;
// src/generate/step_tracer.hpp, which turns the parts into machine code for one or four runs.
#pragma once

#include <cmath>
#include <limits>

#include "evaluate/accelerations.hpp"
#include "evaluate/coordinate_rows.hpp"
#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/step_judgement.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

// Sizes by which moves, gaps and errors are judged (SystemData has them as doubles).
template <class Real>
struct Scales {
  const Real* length;     // [bodies] m, size of the mechanism that the body belongs to
  const Real* own_part;   // [bodies] size of the body relative to that, where far smaller
  const Real* row_scale;  // [rows] natural size of g
  const Real* row_reach;  // [rows] 1 for lengths, 0 for angles
};
inline Scales<double> get_scales(const SystemData& system) {
  return {system.length.data(), system.own_part.data(), system.row_scale.data(),
          system.row_reach.data()};
}

// ---- positions

// reach ← the largest coordinate of a centre of mass, per component: coordinates carry its rounding
template <class Space, class Real>
void calc_reach(const Topology& topology, const Real* z, Real* reach) {
  using std::abs;
  for (int c = 0; c < topology.n_components(); ++c) reach[c] = Real(0);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Real* r = z + topology.layout.y(b);
    Real& largest = reach[topology.component_of[b]];
    for (int k = 0; k < Space::dimension; ++k) largest = greater(abs(r[k]), largest);
  }
}

// How far |g| of a row is below what rounding can leave: not negative where g is rounding.
template <class Real, class Space>
[[gnu::always_inline]] inline Real calc_rounding_room(const SystemData& system,
                                                      const Scales<Real>& scales, int row,
                                                      const Real* reach,
                                                      const Workspace<Real, Space>& ws) {
  using std::abs;
  return calc_noise_limit(scales.row_scale[row], scales.row_reach[row],
                          reach[system.row_component[row]]) -
         abs(ws.g[row]);
}

// The move of a chord iteration.
template <class Real>
struct PositionMove {
  Real size2;  // max(|dr|/L, |φ|)² over the bodies, or not a number where one of them is not finite
  Real room;  // least of limit² − size²: positive where the move is small for every body
};

// One chord iteration with the factor in ws: moves y of z by −M⁻¹JᵀS⁻¹g. Needs positions and rows of z.
template <class Real, class Space>
PositionMove<Real> move_onto_rows(const Topology& topology,
                                  const Parameters<Real, Space>& parameters,
                                  const Scales<Real>& scales, const Real& tolerance,
                                  const Real* reach, Real* z, Workspace<Real, Space>& ws) {
  // S μ = g,  w = M⁻¹Jᵀμ
  std::copy(ws.g.begin(), ws.g.end(), ws.mu.begin());
  solve_schur(topology, parameters, ws, ws.mu.data());
  calc_mass_step(topology, parameters, ws, ws.mu.data());
  PositionMove<Real> move{Real(0), Real(std::numeric_limits<double>::infinity())};
  Real sum(0);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Twist<Real, Space>& w = ws.twist[b];
    Real* y = z + topology.layout.y(b);
    const BodyMove<Real> of_body =
        judge_body<Space>(scales.length[b], dot(w.linear, w.linear), dot(w.angular, w.angular),
                          tolerance * scales.own_part[b], reach[topology.component_of[b]], y);
    move.size2 = b == 0 ? of_body.size2 : greater(of_body.size2, move.size2);
    const Real room = of_body.limit2 - of_body.size2;
    move.room = b == 0 ? room : lesser(room, move.room);
    sum += of_body.size2;
    // y ← y ⊕ (−w)
    Space::retract(y, -w.linear, -w.angular);
  }
  // the larger of two numbers may leave out one that is none; 0 · ∞ and NaN show in the sum
  move.size2 = move.size2 + (sum - sum);
  return move;
}

// The largest | |θ|² − 1 | over the bodies.
template <class Space, class Real>
Real calc_largest_defect(const Topology& topology, const Real* z) {
  Real defect = Space::calc_defect(z);
  for (int b = 1; b < topology.n_bodies; ++b) {
    defect = greater(Space::calc_defect(z + topology.layout.y(b)), defect);
  }
  return defect;
}

// ---- velocities

// ws.mu ← J u + g_t of the velocities in ws. Needs the rows.
template <class Real, class Space>
void calc_velocity_gap(const Topology& topology, Workspace<Real, Space>& ws) {
  calc_velocity_rates(topology, ws, ws.mu.data());
  add_driven_rates(topology, ws, ws.mu.data());
}

// u of z ← u − M⁻¹JᵀS⁻¹(J u + g_t), with J u + g_t in ws.mu; leaves the new velocities in ws.
template <class Real, class Space>
void close_velocity_gap(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Real* z, Workspace<Real, Space>& ws) {
  // S μ = J u + g_t,  u ← u − M⁻¹Jᵀμ
  solve_schur(topology, parameters, ws, ws.mu.data());
  calc_mass_step(topology, parameters, ws, ws.mu.data());
  for (int b = 0; b < topology.n_bodies; ++b) {
    Real* u = z + topology.layout.u(b);
    Real* angular = u + Space::dimension;
    (Linear<Real, Space>::load(u) - ws.twist[b].linear).store(u);
    (Angular<Real, Space>::load(angular) - ws.twist[b].angular).store(angular);
  }
  calc_velocities(topology, z, ws);
}

// ---- energy

// norm2 ← ‖w‖² in the mass metric, per component
template <class Real, class Space>
void calc_mass_norms(const Topology& topology, const Parameters<Real, Space>& parameters,
                     const Twist<Real, Space>* w, Real* norm2) {
  for (int c = 0; c < topology.n_components(); ++c) norm2[c] = Real(0);
  for (int b = 0; b < topology.n_bodies; ++b) {
    norm2[topology.component_of[b]] += mass_norm2(parameters.bodies[b], w[b]);
  }
}

// limit ← by which part the velocities w of a component may grow within the tolerance of the local error
template <class Real, class Space>
void calc_growth_limits(const Topology& topology, const Real& rtol, const Real& atol,
                        const Twist<Real, Space>* w, Real* limit) {
  for (int c = 0; c < topology.n_components(); ++c) {
    limit[c] = Real(std::numeric_limits<double>::infinity());
  }
  for (int b = 0; b < topology.n_bodies; ++b) {
    Real& least = limit[topology.component_of[b]];
    least = lesser(calc_growth_limit(rtol, atol, w[b].linear, w[b].angular), least);
  }
}

// u of z ← u + growth · w
template <class Real, class Space>
void grow_velocities(const Topology& topology, const Real* growth, const Twist<Real, Space>* w,
                     Real* z) {
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Real& x = growth[topology.component_of[b]];
    Real* u = z + topology.layout.u(b);
    Real* angular = u + Space::dimension;
    (Linear<Real, Space>::load(u) + x * w[b].linear).store(u);
    (Angular<Real, Space>::load(angular) + x * w[b].angular).store(angular);
  }
}

// a ← M⁻¹∇U, with ∇U left in ws.force_W and ws.torque_B
template <class Real, class Space>
void calc_steepest_ascent(const Topology& topology, const Parameters<Real, Space>& parameters,
                          Workspace<Real, Space>& ws, Twist<Real, Space>* a) {
  calc_potential_gradient(topology, parameters, ws);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    // M⁻¹∇U: as accelerations by minus the forces
    a[b] = {body.inverse_mass * ws.force_W[b], scaled(body.inverse_inertia, ws.torque_B[b])};
  }
}

// w ← P w = w − M⁻¹JᵀS⁻¹J w
template <class Real, class Space>
void project_twists(const Topology& topology, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, Twist<Real, Space>* w) {
  // S μ = J w,  w ← w − M⁻¹Jᵀμ
  calc_j_times(topology, ws, w, ws.mu.data());
  solve_schur(topology, parameters, ws, ws.mu.data());
  calc_mass_step(topology, parameters, ws, ws.mu.data());
  for (int b = 0; b < topology.n_bodies; ++b) {
    w[b].linear -= ws.twist[b].linear;
    w[b].angular -= ws.twist[b].angular;
  }
}

// What of P a a shift goes along: h² ΔE/(2T + h²‖P a‖²)
template <class Real>
[[gnu::always_inline]] inline Real calc_shift_factor(const Real& deficit, const Real& kinetic,
                                                     const Real& h, const Real& norm2) {
  return deficit / (Real(2) * kinetic + h * h * norm2) * h * h;
}

// y of z ← y ⊕ f a, f first limited so that no body moves by more than the tolerance
template <class Real, class Space>
void shift_along(const Topology& topology, const Scales<Real>& scales, const Real& limit, Real* f,
                 const Twist<Real, Space>* a, Real* z) {
  for (int b = 0; b < topology.n_bodies; ++b) {
    Real& part = f[topology.component_of[b]];
    part = part *
           limit_shift(part, limit, calc_shift_size(a[b].linear, a[b].angular, scales.length[b]));
  }
  for (int b = 0; b < topology.n_bodies; ++b) {
    const Real& part = f[topology.component_of[b]];
    Space::retract(z + topology.layout.y(b), part * a[b].linear, part * a[b].angular);
  }
}

// ---- the error of a step

// e of a step from z0 to z1 in units of the tolerance; step_kinetic: [components] J, T at its start.
// Not a number where the error of a body or a state is not finite.
template <class Space, class Real>
Real calc_error_norm(const Topology& topology, const Real* length,
                     const std::vector<StateParameters<Real>>& states, const Real& rtol,
                     const Real& atol, const Real* step_kinetic, const Real* z0, const Real* z1,
                     const Real* e) {
  using V = Linear<Real, Space>;
  using A = Angular<Real, Space>;
  using std::sqrt;
  const StateLayout& layout = topology.layout;
  Real largest(0), sum(0);
  for (int b = 0; b < layout.n_bodies; ++b) {
    const int y = layout.y(b), u = layout.u(b), w = u + Space::dimension;
    // the larger speed of both ends
    const Real v = calc_larger_length(V::load(z1 + u), V::load(z0 + u));
    const Real Omega = calc_larger_length(A::load(z1 + w), A::load(z0 + w));
    const Real of_body =
        calc_body_error2<Space>(rtol, atol, length[b], v, Omega, z1 + y, e + y, e + u);
    largest = greater(take_mean(of_body), largest);
    sum += of_body;
  }
  for (int c = 0; c < layout.n_components; ++c) {
    const int w = layout.work(c);
    const Real of_work = calc_work_error2(rtol, atol, z0[w], z1[w], step_kinetic[c], e[w]);
    largest = greater(of_work, largest);
  }
  for (std::size_t k = 0; k < states.size(); ++k) {
    if (states[k].is_held != 0) continue;
    const int x = layout.state(static_cast<int>(k));
    const Real of_state = calc_state_error2(rtol, atol * states[k].scale, z0[x], z1[x], e[x]);
    largest = greater(of_state, largest);
    sum += of_state;
  }
  // not a number where one of the errors is not finite
  return sqrt(largest + (sum - sum));
}

}  // namespace trammel
