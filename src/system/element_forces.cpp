// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over the force elements, and the slots their formulas read.
#include "system/element_forces.hpp"

#include "system/attraction.hpp"
#include "system/bushing.hpp"
#include "system/coordinate_spring.hpp"
#include "system/drag.hpp"
#include "system/nonlinear_spring.hpp"
#include "system/scaled_load.hpp"

namespace trammel {

namespace {

// What formulas see: the time and the numbers of the state they name.
template <class Real, class Space>
void calc_slots(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws) {
  const ForceElements<Real, Space>& elements = parameters.elements;
  ws.slots[time_slot] = ws.time;
  for (std::size_t k = 0; k < elements.signals.size(); ++k) {
    const Signal<Real, Space>& signal = elements.signals[k];
    Real& slot = ws.slots[first_signal_slot + k];
    if (signal.kind == SignalKind::coordinate || signal.kind == SignalKind::coordinate_rate) {
      const CoordinateTopology& of = topology.coordinates[signal.body];
      const auto q = calc_followed(topology, parameters, signal.body, ws);
      slot = signal.kind == SignalKind::coordinate
                 ? count_over_turns(q, signal.reference, ws)
                 : q.calc_rate(ws.pose[of.body_i], ws.pose[of.body_j]);
      continue;
    }
    const Pose<Real, Space>& pose = ws.pose[signal.body];
    switch (signal.kind) {
      case SignalKind::position:
        slot = dot(signal.linear, pose.r) + signal.offset;
        break;
      case SignalKind::velocity:
        slot = dot(signal.linear, pose.v);
        break;
      case SignalKind::spin:
        slot = dot(signal.angular, pose.Omega);
        break;
      default:
        break;
    }
  }
}

}  // namespace

template <class Real, class Space>
void add_element_forces(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws) {
  const ForceElements<Real, Space>& elements = parameters.elements;
  calc_slots(topology, parameters, ws);
  const auto power_of = [&](int body_i, int body_j) -> Real& {
    return ws.power[component_of_pair(topology, body_i, body_j)];
  };
  auto* force = ws.force_W.data();
  auto* torque = ws.torque_B.data();
  for (const auto& load : elements.loads) {
    const int b = load.body;
    power_of(b, b) += add_scaled_load<Real, Space>(load, ws.slots, ws.pose[b], force[b], torque[b]);
  }
  for (const auto& spring : elements.springs) {
    power_of(spring.body_i, spring.body_j) += add_nonlinear_spring<Real, Space>(
        spring, ws.slots, ws.pose[spring.body_i], ws.pose[spring.body_j], force, torque);
  }
  for (const auto& bushing : elements.bushings) {
    power_of(bushing.body_i, bushing.body_j) +=
        add_bushing(bushing, ws.pose[bushing.body_i], ws.pose[bushing.body_j], force, torque);
  }
  for (const auto& drag : elements.drags) {
    const int b = drag.body;
    power_of(b, b) += add_drag(drag, ws.pose[b], force[b], torque[b]);
  }
  for (const auto& at : elements.attractions) {
    add_attraction(at, ws.pose[at.body_i], ws.pose[at.body_j], Real(1), force, torque);
  }
  for (const auto& spring : elements.coordinate_springs) {
    const CoordinateTopology& of = topology.coordinates[spring.coordinate];
    power_of(of.body_i, of.body_j) += add_coordinate_spring(topology, parameters, spring, ws);
  }
}

template <class Real, class Space>
void add_element_gradient(const Topology& topology, const Parameters<Real, Space>& parameters,
                          Workspace<Real, Space>& ws) {
  const ForceElements<Real, Space>& elements = parameters.elements;
  auto* force = ws.force_W.data();
  auto* torque = ws.torque_B.data();
  for (const auto& spring : elements.springs) {
    const SpringDamperParameters<Real, Space> line = line_of(spring);
    const Pose<Real, Space>&i = ws.pose[spring.body_i], &j = ws.pose[spring.body_j];
    const SpringGeometry<Real, Space> geometry = calc_spring_geometry(line, i, j);
    add_tension(line, i, j, geometry.n, -calc_elastic_tension(spring, geometry.length), force,
                torque);
  }
  for (const auto& bushing : elements.bushings) {
    add_bushing_gradient(bushing, ws.pose[bushing.body_i], ws.pose[bushing.body_j], force, torque);
  }
  for (const auto& at : elements.attractions) {
    add_attraction(at, ws.pose[at.body_i], ws.pose[at.body_j], Real(-1), force, torque);
  }
  for (const auto& spring : elements.coordinate_springs) {
    const auto q = calc_followed(topology, parameters, spring.coordinate, ws);
    const Real value = count_over_turns(q, spring.reference, ws);
    add_coordinate_load(topology.coordinates[spring.coordinate], q,
                        -calc_elastic_load(spring, value), ws);
  }
}

template <class Real, class Space>
void add_element_energies(const Topology& topology, const Parameters<Real, Space>& parameters,
                          const Workspace<Real, Space>& ws, Real* potential) {
  const ForceElements<Real, Space>& elements = parameters.elements;
  const auto add = [&](int body_i, int body_j, Real energy) {
    potential[component_of_pair(topology, body_i, body_j)] += energy;
  };
  for (const auto& spring : elements.springs) {
    const Real length =
        calc_spring_geometry(line_of(spring), ws.pose[spring.body_i], ws.pose[spring.body_j])
            .length;
    add(spring.body_i, spring.body_j, calc_elastic_energy(spring, length));
  }
  for (const auto& bushing : elements.bushings) {
    add(bushing.body_i, bushing.body_j,
        calc_bushing_energy(bushing, ws.pose[bushing.body_i], ws.pose[bushing.body_j]));
  }
  for (const auto& at : elements.attractions) {
    add(at.body_i, at.body_j, calc_attraction_energy(at, ws.pose[at.body_i], ws.pose[at.body_j]));
  }
  for (const auto& spring : elements.coordinate_springs) {
    const CoordinateTopology& of = topology.coordinates[spring.coordinate];
    const auto q = calc_followed(topology, parameters, spring.coordinate, ws);
    add(of.body_i, of.body_j,
        calc_coordinate_energy(spring, count_over_turns(q, spring.reference, ws)));
  }
}

template void add_element_forces(const Topology&, const Parameters<double, Spatial>&,
                                 Workspace<double, Spatial>&);
template void add_element_gradient(const Topology&, const Parameters<double, Spatial>&,
                                   Workspace<double, Spatial>&);
template void add_element_energies(const Topology&, const Parameters<double, Spatial>&,
                                   const Workspace<double, Spatial>&, double*);
template void add_element_forces(const Topology&, const Parameters<double, Planar>&,
                                 Workspace<double, Planar>&);
template void add_element_gradient(const Topology&, const Parameters<double, Planar>&,
                                   Workspace<double, Planar>&);
template void add_element_energies(const Topology&, const Parameters<double, Planar>&,
                                   const Workspace<double, Planar>&, double*);

}  // namespace trammel
