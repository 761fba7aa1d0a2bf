// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// The corrections of the energy: scaling and the shift of positions; the other two have files of their own.
#include "manifold/energy_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "evaluate/step_end.hpp"
#include "manifold/projection.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

constexpr double largest_scaling = 0.1;  // part of the kinetic energy that is restored at once
constexpr double smallest_share =
    0.3;  // of the kinetic energy; from measurements, docs/studies/invariants.md

}  // namespace

template <class Space>
EnergyBalance<Space>::EnergyBalance(const SystemIn<Space>& system, MomentumBalance<Space>& momenta,
                                    bool hold_dissipative)
    : system_(system),
      momenta_(momenta),
      hold_dissipative_(hold_dissipative),
      kinetic_(system.topology.n_components()),
      potential_(system.topology.n_components()),
      start_(system.topology.n_components()),
      relative_(system.topology.n_bodies + 1, Twist<double, Space>::zero()),
      norm2_(system.topology.n_components()),
      product_(system.topology.n_components()),
      translation_(system.topology.n_components()),
      factor_(system.topology.n_components()),
      saved_(std::make_unique_for_overwrite<double[]>(system.topology.layout.size())),
      n_freedoms_(system.topology.n_components(), 0) {
  // degrees of freedom: velocities less constraint equations
  for (const int c : system.row_component) --n_freedoms_[c];
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    n_freedoms_[system.topology.component_of[b]] += Space::n_u;
  }
}

template <class Space>
void EnergyBalance<Space>::calc(Workspace<double, Space>& ws) {
  calc_energies(system_.topology, system_.parameters, ws, kinetic_.data(), potential_.data());
}

template <class Space>
void EnergyBalance<Space>::start(const double* z, Workspace<double, Space>& ws) {
  calc(ws);
  for (std::size_t c = 0; c < start_.size(); ++c) {
    // E(0) = T + U − W
    start_[c] = kinetic_[c] + potential_[c] - work(z, static_cast<int>(c));
  }
}

template <class Space>
double EnergyBalance<Space>::work(const double* z, int component) const {
  return ConstState<Space>(system_.topology.layout, z).work(component);
}

template <class Space>
double EnergyBalance<Space>::deficit(const double* z, int c) const {
  // ΔE = E(0) + W − U − T
  return start_[c] + work(z, c) - potential_[c] - kinetic_[c];
}

bool can_hold_energy(const Component& component, bool hold_dissipative) {
  return !component.driven && (!component.dissipative || hold_dissipative) &&
         (component.grounded || component.n_bodies > 1);
}

template <class Space>
double EnergyBalance<Space>::kinetic() const {
  return std::accumulate(kinetic_.begin(), kinetic_.end(), 0.0);
}

template <class Space>
double EnergyBalance<Space>::potential() const {
  return std::accumulate(potential_.begin(), potential_.end(), 0.0);
}

template <class Space>
double EnergyBalance<Space>::error(const double* z) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < start_.size(); ++c) sum -= deficit(z, static_cast<int>(c));
  return sum;
}

template <class Space>
int EnergyBalance<Space>::hold(EnergyCorrection correction, const Tolerance& tolerance,
                               const Step& step, double* z, Workspace<double, Space>& ws) {
  calc(ws);
  // positions first: scaling takes what they leave
  if (correction == EnergyCorrection::combined && shift(step.h, tolerance, z, ws)) calc(ws);
  // momenta before the energy, which is then corrected along motions without momentum
  const int momenta = momenta_.hold(step.t, tolerance, z, ws);
  if (momenta > 0) calc(ws);
  if (correction == EnergyCorrection::relaxation) return momenta;
  if (correction == EnergyCorrection::embedded) {
    return momenta + follow(step.difference, tolerance, z, ws);
  }
  return momenta + scale(tolerance, z, ws);
}

// The positions' share h²‖a‖²/(2T + h²‖a‖²) of the correction is at least 1 %; norm2: ‖a‖².
template <class Space>
bool EnergyBalance<Space>::is_worth_shifting(double h, int c, double norm2) const {
  const double shift = h * h * norm2;
  return can_hold(c) && system_.topology.components[c].grounded &&
         shift > 0.01 * (2.0 * kinetic_[c] + shift);
}

// Leaves a = M⁻¹∇U in relative_. ‖P a‖ ≤ ‖a‖: where the share is too small even without the joints, they
// are not considered.
template <class Space>
bool EnergyBalance<Space>::may_shift(double h, Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  calc_steepest_ascent(topology, system_.parameters, ws, relative_.data());
  calc_mass_norms(topology, system_.parameters, relative_.data(), norm2_.data());
  for (int c = 0; c < topology.n_components(); ++c) {
    if (is_worth_shifting(h, c, norm2_[c])) return true;
  }
  return false;
}

// The positions' share of the combined correction. Returns whether anything moved.
template <class Space>
bool EnergyBalance<Space>::shift(double h, const Tolerance& tolerance, double* z,
                                 Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  // a = P M⁻¹∇U
  if (!may_shift(h, ws)) return false;
  // P: without the part that would open the joints
  project_twists(topology, system_.parameters, ws, relative_.data());
  calc_mass_norms(topology, system_.parameters, relative_.data(), norm2_.data());
  bool any = false;
  for (int c = 0; c < topology.n_components(); ++c) {
    // f = h² ΔE/(2T + h²‖P a‖²)
    factor_[c] = is_worth_shifting(h, c, norm2_[c])
                     ? calc_shift_factor(deficit(z, c), kinetic_[c], h, norm2_[c])
                     : 0.0;
    any |= factor_[c] != 0.0;
  }
  if (!any) return false;
  const double limit = calc_shift_limit(tolerance.rtol, tolerance.atol);
  const int size = topology.layout.size();
  std::copy(z, z + size, saved_.get());
  // y ← y ⊕ f P a, bounded for every body
  shift_along(topology, get_scales(system_), limit, factor_.data(), relative_.data(), z);
  // the joints at the new place
  const bool closed = project_position(system_, z, ws, shift_tolerance).outcome ==
                      PositionProjection::Outcome::converged;
  if (!closed || calc_factor(topology, system_.parameters, ws, run_drop_tolerance) >= 0) {
    // stay where it was, a point of M
    std::copy(saved_.get(), saved_.get() + size, z);
    calc_positions(topology, z, ws);
    calc_rows(topology, system_.parameters, ws);
    calc_factor(topology, system_.parameters, ws, run_drop_tolerance);
    calc_velocities(topology, z, ws);
    return true;
  }
  // the velocities into ker J at the new place
  project_velocity(system_, z, ws);
  return true;
}

template <class Space>
int EnergyBalance<Space>::scale(const Tolerance& tolerance, double* z,
                                Workspace<double, Space>& ws) {
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    relative_[b] = {ws.pose[b].v, ws.pose[b].Omega};
  }
  // without the rigid motion that carries conserved momenta
  momenta_.remove_carried(ws, relative_.data());
  const int corrected = find_scale(tolerance, z);
  if (corrected > 0) move_velocities(z, ws);
  return corrected;
}

// Not less than ‖P a‖². With one degree of freedom P a = u (uᵀ∇U)/(uᵀM u), so that ‖P a‖² = (uᵀ∇U)²/2T.
// A little more than that: the decision is to be the one that P itself would lead to, rounded.
template <class Space>
double EnergyBalance<Space>::bound_shift(int c, const ScaledEnergies& known) const {
  // P is not known here: ‖P a‖ ≤ ‖a‖
  if (n_freedoms_[c] != 1) return known.steepness[c];
  const double power = known.gradient_power[c];
  return 1.001 * (power * power / (2.0 * kinetic_[c])) + 1e-6 * known.steepness[c];
}

template <class Space>
bool EnergyBalance<Space>::may_shift(double h, const ScaledEnergies& known) {
  for (int c = 0; c < system_.topology.n_components(); ++c) {
    kinetic_[c] = known.kinetic_before[c];
    if (is_worth_shifting(h, c, known.steepness[c]) &&
        is_worth_shifting(h, c, bound_shift(c, known))) {
      return true;
    }
  }
  return false;
}

template <class Space>
bool EnergyBalance<Space>::take_scaled(const ScaledEnergies& known, int& corrected) {
  const int n = system_.topology.n_components();
  for (int c = 0; c < n; ++c) {
    kinetic_[c] = known.kinetic_before[c];
    // as in find_scale: too much to be restored by scaling
    if (can_hold(c) && !(std::abs(known.deficit[c]) < largest_scaling)) return false;
  }
  corrected = 0;
  for (int c = 0; c < n; ++c) {
    corrected += known.growth[c] != 0.0;
    attempts_ += can_hold(c) && kinetic_[c] > 0.0;
    kinetic_[c] = known.kinetic[c];
    potential_[c] = known.potential[c];
  }
  return true;
}

// factor_ by which relative_ has to grow; how many components do.
template <class Space>
int EnergyBalance<Space>::find_scale(const Tolerance& tolerance, const double* z) {
  const Topology& topology = system_.topology;
  // what the tolerance of the local error allows: |factor|·|u| ≤ atol + rtol |u| for every body
  calc_mass_norms(topology, system_.parameters, relative_.data(), norm2_.data());
  calc_growth_limits(topology, tolerance.rtol, tolerance.atol, relative_.data(), factor_.data());
  int corrected = 0;
  for (int c = 0; c < topology.n_components(); ++c) {
    // ΔE relative to the kinetic energy of the motion that is scaled
    const double ratio = deficit(z, c) / (0.5 * norm2_[c]);
    // where little is left besides an enforced momentum, a little energy is a large change: postponed. What
    // is left of a free rigid motion after subtracting it is rounding, not motion
    const double least = topology.components[c].grounded ? smallest_share : 1e-10;
    const bool moving = 0.5 * norm2_[c] > least * kinetic_[c];
    const bool possible = can_hold(c) && moving && std::abs(ratio) < largest_scaling;
    factor_[c] = possible ? calc_growth(ratio, factor_[c]) : 0.0;
    corrected += factor_[c] != 0.0;
    attempts_ += can_hold(c) && kinetic_[c] > 0.0;
    waits_ += can_hold(c) && kinetic_[c] > 0.0 && !moving;
  }
  return corrected;
}

template <class Space>
void EnergyBalance<Space>::move_velocities(double* z, Workspace<double, Space>& ws) {
  // u ← u + factor · relative motion
  grow_velocities(system_.topology, factor_.data(), relative_.data(), z);
  calc_velocities(system_.topology, z, ws);
  calc(ws);
}

template class EnergyBalance<Spatial>;
template class EnergyBalance<Planar>;

}  // namespace trammel
