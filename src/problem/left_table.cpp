// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "problem/left_table.hpp"

#include <cmath>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"

namespace trammel {
namespace {

template <class Space, class Force>
const std::string* find_name(const Force& force, const ForceSite<double, Space>& site) {
  if constexpr (requires { force.formula(); }) {
    force.add_force(site);  // its length or angle is among the numbers that its formula reads
    const StateFunction* formula = force.formula();
    if (formula != nullptr) return formula->find_left_table(site.slots);
  }
  if constexpr (requires { force.law.table_name(); }) {
    if (std::isnan(force.calc_energy(site))) return force.law.table_name();
  }
  return nullptr;
}

}  // namespace

template <class Space>
LeftTable find_left_table(const SystemIn<Space>& system, Workspace<double, Space>& ws) {
  const ForceSite<double, Space> site = prepare_force_site(system.topology, system.parameters, ws);
  for (std::size_t k = 0; k < system.forces.size(); ++k) {
    const NamedForce& named = system.forces[k];
    const std::string* name = nullptr;
    visit_list(system.parameters.forces, named.list, [&](const auto& list) {
      for (int n = named.first; n < named.first + named.count && name == nullptr; ++n) {
        name = find_name<Space>(list[n], site);
      }
    });
    if (name != nullptr) return {static_cast<int>(k), name};
  }
  return {};
}

template <class Space>
LeftTable find_left_table_after(const SystemIn<Space>& system, double t, double t_end,
                                const std::vector<double>& z, const std::vector<double>& rate,
                                Workspace<double, Space>& ws) {
  std::vector<double> ahead(z.size());
  for (const double part : {1e-12, 1e-9, 1e-6}) {
    const double h = part * t_end;
    for (std::size_t k = 0; k < z.size(); ++k) ahead[k] = z[k] + h * rate[k];
    ws.time = t + h;
    calc_positions(system.topology, ahead.data(), ws);
    calc_velocities(system.topology, ahead.data(), ws);
    const LeftTable left = find_left_table(system, ws);
    if (left.force >= 0) return left;
  }
  return {};
}

template LeftTable find_left_table_after(const SystemIn<Spatial>&, double, double,
                                         const std::vector<double>&, const std::vector<double>&,
                                         Workspace<double, Spatial>&);
template LeftTable find_left_table_after(const SystemIn<Planar>&, double, double,
                                         const std::vector<double>&, const std::vector<double>&,
                                         Workspace<double, Planar>&);
template LeftTable find_left_table(const SystemIn<Spatial>&, Workspace<double, Spatial>&);
template LeftTable find_left_table(const SystemIn<Planar>&, Workspace<double, Planar>&);

}  // namespace trammel
