// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over bodies and springs, in the order of the model.
#include "kernel/forces.hpp"

#include <algorithm>

#include "kernel/kernel.hpp"
#include "math/thread_pool.hpp"
#include "system/element_forces.hpp"
#include "system/spring_damper.hpp"

namespace trammel {

namespace {

template <class Real, class Space>
void clear_forces(const Topology& topology, Workspace<Real, Space>& ws) {
  in_chunks(topology.n_bodies + 1, [&](int begin, int end) {  // the ground's too
    kernel<Real, Space>().clear_forces(ws.arrays, {begin, end});
  });
}

}  // namespace

template <class Real, class Space>
void calc_forces(const Topology& topology, const Parameters<Real, Space>& parameters,
                 Workspace<Real, Space>& ws) {
  clear_forces(topology, ws);
  kernel<Real, Space>().add_forces(ws.arrays, parameters.arrays());
  if (!parameters.elements.empty()) add_element_forces(topology, parameters, ws);
}

template <class Real, class Space>
void calc_potential_gradient(const Topology& topology, const Parameters<Real, Space>& parameters,
                             Workspace<Real, Space>& ws) {
  clear_forces(topology, ws);
  for (int b = 0; b < topology.n_bodies; ++b) {
    ws.force_W[b] = -(parameters.bodies[b].mass * parameters.gravity);
  }
  for (const SpringDamperParameters<Real, Space>& spring : parameters.springs) {
    const Pose<Real, Space>& i = ws.pose[spring.body_i];
    const Pose<Real, Space>& j = ws.pose[spring.body_j];
    const SpringGeometry<Real, Space> geometry = calc_spring_geometry(spring, i, j);
    add_tension(spring, i, j, geometry.n,
                -spring.stiffness * (geometry.length - spring.free_length), ws.force_W.data(),
                ws.torque_B.data());
  }
  if (!parameters.elements.empty()) add_element_gradient(topology, parameters, ws);
}

template <class Real, class Space>
void calc_energies(const Topology& topology, const Parameters<Real, Space>& parameters,
                   const Workspace<Real, Space>& ws, Real* kinetic, Real* potential) {
  kernel<Real, Space>().calc_kinetic(ws.arrays, parameters.arrays(), kinetic);
  kernel<Real, Space>().calc_potential(ws.arrays, parameters.arrays(), potential);
  for (const SpringDamperParameters<Real, Space>& spring : parameters.springs) {
    const Real length =
        calc_spring_geometry(spring, ws.pose[spring.body_i], ws.pose[spring.body_j]).length;
    potential[component_of_pair(topology, spring.body_i, spring.body_j)] +=
        calc_spring_energy(spring, length);
  }
  if (!parameters.elements.empty()) {
    add_element_energies(topology, parameters, ws, potential);
  }
}

template void calc_forces(const Topology&, const Parameters<double, Spatial>&,
                          Workspace<double, Spatial>&);
template void calc_potential_gradient(const Topology&, const Parameters<double, Spatial>&,
                                      Workspace<double, Spatial>&);
template void calc_energies(const Topology&, const Parameters<double, Spatial>&,
                            const Workspace<double, Spatial>&, double*, double*);
template void calc_forces(const Topology&, const Parameters<double, Planar>&,
                          Workspace<double, Planar>&);
template void calc_potential_gradient(const Topology&, const Parameters<double, Planar>&,
                                      Workspace<double, Planar>&);
template void calc_energies(const Topology&, const Parameters<double, Planar>&,
                            const Workspace<double, Planar>&, double*, double*);

}  // namespace trammel
