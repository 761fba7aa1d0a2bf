// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The constraint map of the whole system: g, its Jacobian J and γ, joint by joint.
#pragma once

#include "system/workspace.hpp"

namespace trammel {

// R and r of all bodies from the state z.
template <class Real>
void calc_positions(const Topology& topology, const Real* z, Workspace<Real>& ws);

// v, Ω, ω of all bodies from the state z; needs calc_positions.
template <class Real>
void calc_velocities(const Topology& topology, const Real* z, Workspace<Real>& ws);

// g and J; needs calc_positions.
template <class Real>
void calc_rows(const Topology& topology, const Parameters<Real>& parameters, Workspace<Real>& ws);

// γ(y, u) of g̈ = J u̇ + γ; needs calc_rows and calc_velocities at the same state.
template <class Real>
void calc_gamma(const Topology& topology, Workspace<Real>& ws);

}  // namespace trammel
