// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Rows that constrain coordinates instead of points and vectors: couplers (gear, belt, rack), the
// thread of a screw, and drivers.
//
//   coupler   g = κ (Σ c q − b)            q = φ + 2πn, turns counted with references of the state
//             J = κ Σ c J_q                γ = κ Σ c γ_q
//   … of f(q) g = κ (Σ c f(q) − b)
//             J = κ Σ c f' J_q             γ = κ Σ c (f' γ_q + f'' q̇²)
//   driver    g = q − f(t)                 turns counted with f itself: no reference is needed
//             ġ = J u + g_t                g_t = −f˙
//             g̈ = J u̇ + γ                  γ = γ_q − f¨
//
// Where a driver gives the rate f˙, f is the component ρ of the state with ρ˙ = f˙(t).
// κ, b, c: CoordinateRowParameters and coefficients. Σ c n is formed by itself: with whole numbers
// of teeth it is exact after any number of turns.
#pragma once

#include "system/workspace.hpp"

namespace trammel {

// ws.law at ws.time: what the laws of drivers give. On traced numbers these are inputs.
template <class Space>
void calc_laws(const Parameters<double, Space>& parameters, Workspace<double, Space>& ws);

// g and J of the coordinate rows, drivers at ws.time, and the values of all references that follow a
// coordinate; needs calc_positions.
template <class Real, class Space>
void calc_coordinate_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
                          Workspace<Real, Space>& ws);

// Their γ, and the rates of the references; needs calc_coordinate_rows and calc_velocities.
template <class Real, class Space>
void calc_coordinate_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                           Workspace<Real, Space>& ws);

// rates += g_t; needs calc_coordinate_rows.
template <class Real, class Space>
void add_driven_rates(const Topology& topology, const Workspace<Real, Space>& ws, Real* rates) {
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    rates[topology.coordinate_rows[topology.drivers[k].coordinate_row].row] -= ws.drive[k].first;
  }
}

// The references that follow a coordinate take its value: at accepted steps.
template <class Real, class Space>
void renew_references(const Topology& topology, const Workspace<Real, Space>& ws, Real* z) {
  for (std::size_t k = 0; k < topology.references.size(); ++k) {
    if (topology.references[k].coordinate < 0) continue;
    z[topology.layout.reference(static_cast<int>(k))] = ws.reference_value[k];
  }
}

// J of a coordinate row by (v, ω) of the body of an entry.
template <class Real, class Space>
struct RowEntryData {
  Linear<Real, Space> linear;
  Angular<Real, Space> alpha;
};
template <class Real, class Space>
RowEntryData<Real, Space> get_entry(const Topology& topology, int entry,
                                    const Workspace<Real, Space>& ws);

}  // namespace trammel
