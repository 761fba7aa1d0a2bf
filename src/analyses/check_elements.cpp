// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/check_elements.hpp"

#include <fmt/format.h>

#include <cmath>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"

namespace trammel {

namespace {

// f(name, element) for every element of one kind
template <template <class, class> class Element, class Space, class Function>
void for_each_named(const SystemIn<Space>& system, const Function& f) {
  for (const NamedForce& force : system.forces) {
    if (force.count == 0) continue;
    visit_list(system.parameters.forces, force.list, [&]<class One>(const std::vector<One>& list) {
      if constexpr (std::is_same_v<One, Element<double, Space>>) {
        f(force.name, list[force.first]);
      }
    });
  }
}

// Sums of the sizes of all forces and torques but those of stops, weights included.
struct Loads {
  double force = 0.0, torque = 0.0;
};
template <class Space>
Loads sum_loads(const SystemIn<Space>& system, const ForceSite<double, Space>& site) {
  std::vector<Linear<double, Space>> force(system.topology.n_bodies + 1,
                                           Linear<double, Space>::zero());
  std::vector<Angular<double, Space>> torque(force.size(), Angular<double, Space>::zero());
  ForceSite<double, Space> apart = site;
  apart.force_W = force.data();
  apart.torque_B = torque.data();
  for_each_force(system.parameters.forces, [&]<class Force>(const Force& of) {
    if constexpr (!std::is_same_v<Force, StopForce<double, Space>>) of.add_force(apart);
  });
  Loads sum;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    force[b] += system.parameters.bodies[b].mass * system.parameters.gravity;
    sum.force += std::sqrt(dot(force[b], force[b]));
    sum.torque += std::sqrt(dot(torque[b], torque[b]));
  }
  return sum;
}

}  // namespace

template <class Space>
std::vector<std::string> find_contradicted_limits(const SystemIn<Space>& system,
                                                  const std::vector<double>& z) {
  constexpr double leverage = 10.0;
  std::vector<std::string> reasons;
  if (system.parameters.forces.template list<StopForce>().empty()) return reasons;
  Workspace<double, Space> ws(system.topology);
  calc_positions(system.topology, z.data(), ws);
  calc_velocities(system.topology, z.data(), ws);
  const ForceSite<double, Space> site = prepare_force_site(system.topology, system.parameters, ws);
  const Loads loads = sum_loads(system, site);
  for_each_named<StopForce>(system, [&](const std::string& name, const auto& stop) {
    if (stop.is_limit == 0) return;
    const double q = stop.path.calc(site).value;
    const bool below = stop.sides.has_least != 0 && q < stop.sides.least;
    const bool above = stop.sides.has_most != 0 && q > stop.sides.most;
    if (!below && !above) return;
    const bool is_angle = stop.path.is_angle(site);
    const int body =
        stop.first_body() == system.topology.ground() ? stop.second_body() : stop.first_body();
    const double length = system.length[body];
    const double borne = leverage * (is_angle ? loads.force * length + loads.torque
                                              : loads.force + loads.torque / length);
    const double depth = below ? stop.sides.least - q : q - stop.sides.most;
    const double load = std::abs(stop.sides.calc_elastic_load(q));
    if (depth <= stop.sides.entry || load <= borne) return;
    const char* const unit = is_angle ? "rad" : "m";
    reasons.push_back(fmt::format(
        "the limits of '{}' contradict the initial position: it starts at {:.6g} {}, {} the limit "
        "{:.6g} {}, where the stop would push with {:.3g} {}",
        name, q, unit, below ? "below" : "above", below ? stop.sides.least : stop.sides.most, unit,
        load, is_angle ? "N m" : "N"));
  });
  return reasons;
}

template <class Space>
std::vector<std::string> list_coarse_frictions(const SystemIn<Space>& system, double atol) {
  constexpr double resolved = 10.0;
  std::vector<std::string> warnings;
  for_each_named<FrictionForce>(system, [&](const std::string& name, const auto& friction) {
    if (friction.threshold >= resolved * atol) return;
    warnings.push_back(
        fmt::format("the velocity {:.3g} of the friction '{}' is not resolved by atol {:.3g}: "
                    "use atol {:.2g} or less, or a larger velocity",
                    friction.threshold, name, atol, friction.threshold / resolved));
  });
  return warnings;
}

template std::vector<std::string> find_contradicted_limits(const SystemIn<Spatial>&,
                                                           const std::vector<double>&);
template std::vector<std::string> find_contradicted_limits(const SystemIn<Planar>&,
                                                           const std::vector<double>&);
template std::vector<std::string> list_coarse_frictions(const SystemIn<Spatial>&, double);
template std::vector<std::string> list_coarse_frictions(const SystemIn<Planar>&, double);

}  // namespace trammel
