// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over the list of forces, in the order of elements/forces/forces.hpp.
#include "evaluate/forces.hpp"

#include "evaluate/kernel.hpp"
#include "math/thread_pool.hpp"
#include "math/trace.hpp"

namespace trammel {

namespace {

template <class Real, class Space>
ForceSite<Real, Space> make_site(const Topology& topology,
                                 const Parameters<Real, Space>& parameters,
                                 Workspace<Real, Space>& ws) {
  return {ws.pose.data(),     ws.force_W.data(),           ws.torque_B.data(),
          ws.slots,           topology.coordinates.data(), parameters.coordinates.data(),
          ws.reference.data()};
}

// A force belongs to the component of whichever of its bodies is not the ground.
template <class Force>
int component_of(const Topology& topology, const Force& force) {
  const int body = force.first_body();
  return topology.component_of[body == topology.ground() ? force.second_body() : body];
}

template <class Real, class Space>
void clear_forces(const Topology& topology, Workspace<Real, Space>& ws) {
  in_chunks(topology.n_bodies + 1, [&](int begin, int end) {  // the ground's too
    kernel<Real, Space>().clear_forces(ws.arrays, {begin, end});
  });
}

// What formulas read: the time and the numbers of the state they name.
template <class Real, class Space>
[[gnu::always_inline]] inline void calc_slots(const Topology& topology,
                                              const Parameters<Real, Space>& parameters,
                                              const ForceSite<Real, Space>& site,
                                              const std::vector<Real>& state, const Real& time) {
  site.slots[time_slot] = time;
  for (std::size_t k = 0; k < parameters.signals.size(); ++k) {
    const Signal<Real, Space>& signal = parameters.signals[k];
    Real& slot = site.slots[first_signal_slot + k];
    switch (signal.kind) {
      case SignalKind::position:
        slot = dot(signal.linear, site.pose[signal.body].r) + signal.offset;
        break;
      case SignalKind::velocity: slot = dot(signal.linear, site.pose[signal.body].v); break;
      case SignalKind::point_position: {
        const Pose<Real, Space>& pose = site.pose[signal.body];
        slot = dot(signal.linear, pose.r + pose.R * signal.point) + signal.offset;
        break;
      }
      case SignalKind::point_velocity: {
        const Pose<Real, Space>& pose = site.pose[signal.body];
        slot = dot(signal.linear, pose.v + cross(pose.omega, pose.R * signal.point));
        break;
      }
      case SignalKind::spin: slot = dot(signal.angular, site.pose[signal.body].Omega); break;
      case SignalKind::coordinate:
        slot = site.unwrap(site.calc(signal.body), signal.reference);
        break;
      case SignalKind::coordinate_rate: {
        const CoordinateTopology& coordinate = topology.coordinates[signal.body];
        slot = site.calc(signal.body)
                   .calc_rate(site.pose[coordinate.body_i], site.pose[coordinate.body_j]);
        break;
      }
      case SignalKind::own: slot = state[signal.body]; break;
    }
  }
}

// ẋ of the model's states
template <class Real, class Space>
void calc_state_rates(const Parameters<Real, Space>& parameters, Workspace<Real, Space>& ws) {
  for (std::size_t k = 0; k < parameters.states.size(); ++k) {
    const StateParameters<Real>& state = parameters.states[k];
    ws.state_rate[k] =
        state.is_held != 0 ? Real(0) : state.rate.evaluate(std::span<const Real>(ws.slots));
  }
}

}  // namespace

template <class Real, class Space>
ForceSite<Real, Space> prepare_force_site(const Topology& topology,
                                          const Parameters<Real, Space>& parameters,
                                          Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::velocities);
  const ForceSite<Real, Space> site = make_site(topology, parameters, ws);
  calc_slots(topology, parameters, site, ws.state, ws.time);
  return site;
}

template <class Real, class Space>
void calc_forces(const Topology& topology, const Parameters<Real, Space>& parameters,
                 Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::velocities);
  clear_forces(topology, ws);
  for (Real& power : ws.power) power = Real(0);
  if (parameters.is_free()) return;
  const ForceSite<Real, Space> site = make_site(topology, parameters, ws);
  calc_slots(topology, parameters, site, ws.state, ws.time);
  calc_state_rates(parameters, ws);
  // each adds its force and torque to its bodies, and returns its power
  for_each_force(parameters.forces, [&](const auto& force) {
    ws.power[component_of(topology, force)] += force.add_force(site);
  });
}

template <class Real, class Space>
void calc_potential_gradient(const Topology& topology, const Parameters<Real, Space>& parameters,
                             Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::positions);
  clear_forces(topology, ws);
  // of the weight: ∂U/∂r = −m g
  for (int b = 0; b < topology.n_bodies; ++b) {
    ws.force_W[b] = -(parameters.bodies[b].mass * parameters.gravity);
  }
  const ForceSite<Real, Space> site = make_site(topology, parameters, ws);
  for_each_force(parameters.forces, [&]<class Force>(const Force& force) {
    if constexpr (Force::traits.has_potential) force.add_gradient(site);
  });
}

template <class Real, class Space>
void calc_energies(const Topology& topology, const Parameters<Real, Space>& parameters,
                   Workspace<Real, Space>& ws, Real* kinetic, Real* potential) {
  ws.stages.need(Stage::velocities);
  // T and the part of the weight in U, then that of the forces
  kernel<Real, Space>().calc_kinetic(ws.arrays, parameters.arrays(), kinetic);
  kernel<Real, Space>().calc_potential(ws.arrays, parameters.arrays(), potential);
  const ForceSite<Real, Space> site = make_site(topology, parameters, ws);
  for_each_force(parameters.forces, [&]<class Force>(const Force& force) {
    if constexpr (Force::traits.has_potential) {
      potential[component_of(topology, force)] += force.calc_energy(site);
    }
  });
}

template ForceSite<double, Spatial> prepare_force_site(const Topology&,
                                                       const Parameters<double, Spatial>&,
                                                       Workspace<double, Spatial>&);
template ForceSite<double, Planar> prepare_force_site(const Topology&,
                                                      const Parameters<double, Planar>&,
                                                      Workspace<double, Planar>&);
template ForceSite<Traced, Spatial> prepare_force_site(const Topology&,
                                                       const Parameters<Traced, Spatial>&,
                                                       Workspace<Traced, Spatial>&);
template ForceSite<Traced, Planar> prepare_force_site(const Topology&,
                                                      const Parameters<Traced, Planar>&,
                                                      Workspace<Traced, Planar>&);
template void calc_forces(const Topology&, const Parameters<double, Spatial>&,
                          Workspace<double, Spatial>&);
template void calc_forces(const Topology&, const Parameters<double, Planar>&,
                          Workspace<double, Planar>&);
template void calc_forces(const Topology&, const Parameters<Traced, Spatial>&,
                          Workspace<Traced, Spatial>&);
template void calc_forces(const Topology&, const Parameters<Traced, Planar>&,
                          Workspace<Traced, Planar>&);
template void calc_potential_gradient(const Topology&, const Parameters<double, Spatial>&,
                                      Workspace<double, Spatial>&);
template void calc_potential_gradient(const Topology&, const Parameters<double, Planar>&,
                                      Workspace<double, Planar>&);
template void calc_potential_gradient(const Topology&, const Parameters<Traced, Spatial>&,
                                      Workspace<Traced, Spatial>&);
template void calc_potential_gradient(const Topology&, const Parameters<Traced, Planar>&,
                                      Workspace<Traced, Planar>&);
template void calc_energies(const Topology&, const Parameters<double, Spatial>&,
                            Workspace<double, Spatial>&, double*, double*);
template void calc_energies(const Topology&, const Parameters<double, Planar>&,
                            Workspace<double, Planar>&, double*, double*);
template void calc_energies(const Topology&, const Parameters<Traced, Spatial>&,
                            Workspace<Traced, Spatial>&, Traced*, Traced*);
template void calc_energies(const Topology&, const Parameters<Traced, Planar>&,
                            Workspace<Traced, Planar>&, Traced*, Traced*);

}  // namespace trammel
