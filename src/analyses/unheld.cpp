// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/unheld.hpp"

#include <fmt/format.h>

#include "manifold/energy_balance.hpp"
#include "manifold/momentum_balance.hpp"

namespace trammel {

namespace {

void warn_of_energy(const SystemData& system, const SimulationOptions& options,
                    std::vector<std::string>& warnings) {
  if (!options.hold_energy) return;
  bool driven = false, dissipative = false, single = false;
  for (const Component& component : system.topology.components) {
    if (can_hold_energy(component, options.hold_dissipative)) continue;
    const bool damped = component.dissipative && !options.hold_dissipative;
    (component.driven ? driven : damped ? dissipative : single) = true;
  }
  if (driven) {
    warnings.emplace_back("the energy of a mechanism with drivers is monitored, not enforced");
  }
  if (dissipative) {
    warnings.emplace_back("the energy of a mechanism with dampers is monitored, not enforced");
  }
  if (single) {
    warnings.emplace_back("the energy of a single free body is monitored, not enforced");
  }
}

template <class Space>
void warn_of_momenta(const SystemIn<Space>& system, const SimulationOptions& options,
                     std::vector<std::string>& warnings) {
  if (!options.hold_linear_momentum && !options.hold_angular_momentum) return;
  const MomentumBalance<Space> momenta(system, options.hold_linear_momentum,
                                       options.hold_angular_momentum);
  bool grounded = false, turning = false, tied = false, loaded = false;
  for (int c = 0; c < system.topology.n_components(); ++c) {
    const bool on_ground = system.topology.components[c].grounded;
    if (options.hold_linear_momentum && !momenta.holds_linear(c)) {
      (on_ground ? grounded : turning) = true;
    }
    if (options.hold_angular_momentum && !momenta.holds_angular(c)) {
      (on_ground ? tied : loaded) = true;
    }
  }
  if (grounded) {
    warnings.emplace_back("the linear momentum of a mechanism tied to the ground is not enforced");
  }
  if (turning) {
    warnings.emplace_back(
        "the linear momentum of a mechanism with a force that turns with a body is not enforced");
  }
  if (tied) {
    warnings.emplace_back(
        system.planar
            ? "the angular momentum of a planar mechanism tied to the ground is enforced only with "
              "one "
              "revolute joint and no forces, and is not enforced here"
            : "the angular momentum of a mechanism tied to the ground is enforced only with one "
              "spherical joint and no forces but gravity, and is not enforced here");
  }
  if (loaded) {
    warnings.emplace_back(
        "the angular momentum of a mechanism with applied forces or torques is not enforced");
  }
}

// In jet coordinates only the energy can be enforced, by the projection itself.
void warn_of_jets(const SimulationOptions& options, std::vector<std::string>& warnings) {
  if (options.hold_linear_momentum || options.hold_angular_momentum ||
      !options.user_invariants.empty()) {
    warnings.emplace_back("in jet coordinates invariants other than the energy are not enforced");
  }
}

}  // namespace

void warn_of_unheld(const SystemData& system, const SimulationOptions& options,
                    std::vector<std::string>& warnings) {
  warn_of_energy(system, options, warnings);
  if (uses_jets(options.projection)) return warn_of_jets(options, warnings);
  visit_space(system, [&](const auto& in) { warn_of_momenta(in, options, warnings); });
  const bool relaxes =
      options.hold_energy && options.energy_correction == EnergyCorrection::relaxation;
  if (relaxes && options.fixed_step > 0.0) {
    warnings.emplace_back("with a fixed step the energy is not enforced by relaxation");
  }
  if (relaxes && system.topology.n_components() > 1) {
    warnings.emplace_back(
        "the energy of more than one mechanism in a model is not enforced by relaxation");
  }
}

void warn_of_waits(std::int64_t waits, std::int64_t attempts, std::vector<std::string>& warnings) {
  if (2 * waits <= attempts) return;
  warnings.push_back(
      fmt::format("the energy was not corrected at {} of {} points, where too little of the motion "
                  "can change it "
                  "(see balance_error_max)",
                  waits, attempts));
}

}  // namespace trammel
