// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// All applied forces of the system, and its energies.
#pragma once

#include "system/workspace.hpp"

namespace trammel {

// force_W and torque_B of all bodies (gravity and the gyroscopic torque are not in it: they enter
// as accelerations), and the power of forces without a potential by component.
template <class Real, class Space>
void calc_forces(const Topology& topology, const Parameters<Real, Space>& parameters,
                 Workspace<Real, Space>& ws);

// Where elements find what they need, with what their formulas read: for elements one by one. Needs the
// velocities.
template <class Real, class Space>
ForceSite<Real, Space> prepare_force_site(const Topology& topology,
                                          const Parameters<Real, Space>& parameters,
                                          Workspace<Real, Space>& ws);

// force_W and torque_B ← ∇U: minus the forces that have a potential, gravity included.
template <class Real, class Space>
void calc_potential_gradient(const Topology& topology, const Parameters<Real, Space>& parameters,
                             Workspace<Real, Space>& ws);

// T = ½ Σ m|v|² + ⟨Ω, 𝕀Ω⟩ and U = −Σ m⟨g, r⟩ + that of the forces, added up by component (J).
// U is measured from the system's origin. Needs the poses.
template <class Real, class Space>
void calc_energies(const Topology& topology, const Parameters<Real, Space>& parameters,
                   Workspace<Real, Space>& ws, Real* kinetic, Real* potential);

}  // namespace trammel
