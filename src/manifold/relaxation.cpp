// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Relaxation: σ near 1 such that the step z₀ + σ dz, dz = h Σ b k, has the right energy once it is back
// on the manifold; the time advances by σh (Ketcheson 2019; Ranocha and others 2020).
//
// By one Newton step from σ = 1, whose result is projected first:
//
//   σ = 1 + ΔE/E′,   E′ = ⟨u, du⟩ + ⟨∇U, P w⟩ − dW,   w = (dr, 2H dθ), in the plane (dr, dβ)
//
// (⟨u, dP u⟩ = 0 for u in ker J: the change of P with the position does not enter). Components share
// the time, so there is only one σ: with more than one component nothing is enforced: errors would
// be moved from one to another.
#include <algorithm>
#include <cmath>

#include "evaluate/step_end.hpp"
#include "manifold/energy_balance.hpp"

namespace trammel {

namespace {

constexpr double largest_change = 0.1;  // of σ

}  // namespace

template <class Space>
double EnergyBalance<Space>::find_relaxation(const double* dz, const double* z,
                                             Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  const StateLayout& layout = topology.layout;
  if (topology.n_components() != 1) return 1.0;
  calc(ws);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const double* dy = dz + layout.y(b);
    // w = (dr, 2H dθ)
    relative_[b] = {Linear<double, Space>::load(dy), Space::calc_turn(z + layout.y(b), dy)};
  }
  // P w, and ∇U
  if (topology.n_rows > 0) project_twists(topology, system_.parameters, ws, relative_.data());
  calc_potential_gradient(topology, system_.parameters, ws);
  double slope = 0.0, lacking = 0.0;
  for (int b = 0; b < topology.n_bodies; ++b) {
    if (!can_hold(topology.component_of[b])) continue;
    const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
    const double* du = dz + layout.u(b);
    const auto dv = Linear<double, Space>::load(du);
    const auto dOmega = Angular<double, Space>::load(du + Space::dimension);
    // ⟨u, du⟩ in the mass metric
    slope +=
        body.mass * dot(ws.pose[b].v, dv) + dot(ws.pose[b].Omega, scaled(body.inertia, dOmega));
    // ⟨∇U, P w⟩
    slope += dot(ws.force_W[b], relative_[b].linear) + dot(ws.torque_B[b], relative_[b].angular);
  }
  for (int c = 0; c < topology.n_components(); ++c) {
    if (!can_hold(c)) continue;
    slope -= dz[layout.work(c)];
    lacking += deficit(z, c);
  }
  // σ = 1 + ΔE/E′; 1 where it would change too much
  return std::abs(lacking) < largest_change * std::abs(slope) ? 1.0 + lacking / slope : 1.0;
}

template double EnergyBalance<Spatial>::find_relaxation(const double*, const double*,
                                                        Workspace<double, Spatial>&);
template double EnergyBalance<Planar>::find_relaxation(const double*, const double*,
                                                       Workspace<double, Planar>&);

}  // namespace trammel
