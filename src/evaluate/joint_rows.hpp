// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The constraint map of the whole system: g, its Jacobian J and γ, joint by joint.
#pragma once

#include <algorithm>

#include "math/thread_pool.hpp"
#include "system/workspace.hpp"

namespace trammel {

// body(piece) for all joints, on all threads
template <class Body>
[[gnu::always_inline]] inline void in_pieces(const Topology& topology, Body&& body) {
  const int count = count_chunks(topology.n_joints);
  if (count == 1) [[likely]] {
    body(JointPiece::all());
  } else {
    parallel_for(count, [&](int k) { body(JointPiece{k, count}); });
  }
}

// ws.reference ← ρ and ws.state ← x of the state z
template <class Real, class Space>
void load_references(const Topology& topology, const Real* z, Workspace<Real, Space>& ws) {
  const Real* rho = z + topology.layout.reference(0);
  std::copy(rho, rho + topology.references.size(), ws.reference.begin());
  const Real* x = z + topology.layout.state(0);
  std::copy(x, x + topology.layout.n_states, ws.state.begin());
}

// R and r of all bodies, and the reference angles, from the state z.
template <class Real, class Space>
void calc_positions(const Topology& topology, const Real* z, Workspace<Real, Space>& ws);

// v, Ω, ω of all bodies from the state z; needs calc_positions.
template <class Real, class Space>
void calc_velocities(const Topology& topology, const Real* z, Workspace<Real, Space>& ws);

// g and J; needs calc_positions, and ws.time where drivers act.
template <class Real, class Space>
void calc_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
               Workspace<Real, Space>& ws);

// γ(y, u) of g̈ = J u̇ + γ as well; needs calc_positions and calc_velocities.
template <class Real, class Space>
void calc_rows_and_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                         Workspace<Real, Space>& ws);

// γ alone where g and J are those of the same positions and time.
template <class Real, class Space>
void calc_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws);

// A row of J, counted within its joint, in the world's frame. What belongs to the ground is 0, but for
// generic joints.
template <class Real, class Space>
Row<Real, Space> get_row(const Topology& topology, const Workspace<Real, Space>& ws, int joint,
                         int row);

}  // namespace trammel
