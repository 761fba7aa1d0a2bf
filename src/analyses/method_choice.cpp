// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/method_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "elements/forces/forces.hpp"

namespace trammel {

namespace {

// Forces that depend on positions or velocities, which may be stiff.
template <class Space>
bool has_stiff_candidates(const SystemIn<Space>& system) {
  const auto& forces = system.parameters.forces;
  const auto counts = count_forces(forces);
  const auto constant = static_cast<int>(forces.template list<ConstantLoad>().size());
  return std::accumulate(counts.begin(), counts.end(), 0) > constant;
}

}  // namespace

template <class Space>
bool has_massless_bodies(const SystemIn<Space>& system) {
  const auto& candidates = system.light_candidates;
  return std::any_of(candidates.begin(), candidates.end(), [&](const LightBody<Space>& light) {
    const auto& body = system.parameters.bodies[light.body];
    double inertia[Space::n_angular];
    body.inertia.store(inertia);
    return !(body.mass > 0.0) || !(*std::min_element(inertia, inertia + Space::n_angular) > 0.0);
  });
}

template <class Space>
Hindrance find_hindrance(const SystemIn<Space>& system, const SimulationOptions& options) {
  for (std::size_t k = 0; k < system.states.size(); ++k) {
    if (system.parameters.states[k].is_held != 0) continue;  // sampled, or a switch
    return {"the model has states with a rate",
            fmt::format(
                "method radau does not support states with a rate (the model has '{}'): use dop853",
                system.states[k].name)};
  }
  if (uses_jets(options.projection)) {
    return {"jet coordinates", "method radau has no jet form: use projection mass"};
  }
  if (options.project_stages) {
    return {"stages are projected",
            "method radau does not project its stages: leave out project_stages"};
  }
  if (options.hold_energy) {
    return {"the energy is enforced",
            "method radau cannot enforce the energy: it damps fast vibrations, and their energy "
            "would be added to the slow motion (use invariants none; the balance error is "
            "reported)"};
  }
  if (has_massless_bodies(system)) {
    return {"bodies without mass or moment of inertia",
            "method radau does not support bodies without mass or moment of inertia: use dop853"};
  }
  return {};
}

template <class Space>
std::string explain_explicit(const SystemIn<Space>& system, const SimulationOptions& options) {
  if (!has_stiff_candidates(system)) return "no forces that depend on positions or velocities";
  if (options.fixed_step > 0.0) return "fixed steps";
  return find_hindrance(system, options).reason;
}

template bool has_massless_bodies(const SystemIn<Spatial>&);
template bool has_massless_bodies(const SystemIn<Planar>&);
template Hindrance find_hindrance(const SystemIn<Spatial>&, const SimulationOptions&);
template Hindrance find_hindrance(const SystemIn<Planar>&, const SimulationOptions&);
template std::string explain_explicit(const SystemIn<Spatial>&, const SimulationOptions&);
template std::string explain_explicit(const SystemIn<Planar>&, const SimulationOptions&);

}  // namespace trammel
