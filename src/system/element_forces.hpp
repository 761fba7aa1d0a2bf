// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Forces, potential gradient and energy of the force elements (force_elements.hpp); called by
// forces.cpp, and only where there are any.
#pragma once

#include "system/force_elements.hpp"
#include "system/workspace.hpp"

namespace trammel {

// An element belongs to the component of whichever of its bodies is not the ground.
inline int component_of_pair(const Topology& topology, int body_i, int body_j) {
  return topology.component_of[body_i == topology.ground() ? body_j : body_i];
}

// force_W, torque_B and power += the elements'; needs positions, velocities and the time.
template <class Real, class Space>
void add_element_forces(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws);

// force_W, torque_B += ∇U of those that have a potential.
template <class Real, class Space>
void add_element_gradient(const Topology& topology, const Parameters<Real, Space>& parameters,
                          Workspace<Real, Space>& ws);

// potential += U, by component (J).
template <class Real, class Space>
void add_element_energies(const Topology& topology, const Parameters<Real, Space>& parameters,
                          const Workspace<Real, Space>& ws, Real* potential);

}  // namespace trammel
