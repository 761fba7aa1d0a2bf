// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The energy balance E = T + U − W of each connected component: always known, enforced on request.
//
//   ΔE = E(0) − E          what the state at the end of a step lacks
//
//   scaling    u ← u √(1 + ΔE/T). Stays in ker J. No effect at rest.
//   combined   first the share h²‖a‖²/(2T + h²‖a‖²) of ΔE along a = P M⁻¹∇U, the steepest way up the
//              potential within the joints (‖·‖ in the mass metric), then scaling for the rest.
//              Where the share is below 1 % it is scaling.
//   embedded   u ← u + σ P e, e the embedded difference of the step (embedded_correction.cpp).
//   relaxation nothing here: the integrator changes the length of the step (relaxation.cpp).
//
// Rules that keep it from doing harm:
//   · one balance per component: errors are not moved between unconnected mechanisms;
//   · a component that nothing ties to the ground keeps its linear and angular momentum: only its
//     internal motion, relative to the rigid motion with the same momenta, is scaled, and its positions
//     are not shifted. A single free body has no internal motion: its energy is reported only;
//   · the correction of any body's velocity stays within the tolerance of the local error;
//   · enforced momenta come first, and the energy is corrected along motions that carry none of them
//     (momentum_balance.hpp);
//   · a component with dampers is monitored, not enforced; nor is one with drivers: J u = −g_t there, and
//     scaled velocities would not meet that.
#pragma once

#include <cstdint>
#include <vector>

#include "manifold/momentum_balance.hpp"
#include "math/lane_numbers.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"
#include "trammel/options.hpp"

namespace trammel {

// Whether the balance of a component can be enforced; else it is reported only. hold_dissipative: with
// dampers too.
bool can_hold_energy(const Component& component, bool hold_dissipative = false);

template <class Space>
class EnergyBalance {
 public:
  using Tolerance = CorrectionTolerance;

  // hold_dissipative: components with dampers too.
  EnergyBalance(const SystemIn<Space>& system, MomentumBalance<Space>& momenta,
                bool hold_dissipative = false);

  // T, U of the state whose positions and velocities are in ws.
  void calc(Workspace<double, Space>& ws);

  // Takes the balance of the state z, already in ws, as the one to keep.
  void start(const double* z, Workspace<double, Space>& ws);

  // Where and how a balance is restored.
  struct Step {
    double t;                  // s, of z
    double h;                  // s, size of the step: the weight of positions against velocities
    const double* difference;  // [layout.size()] the embedded difference, for `embedded`
  };

  // Restores the balance of z, held momenta first. Needs positions, rows, factor and velocities of z
  // in ws and leaves those of the new z there. Returns the number of corrections.
  int hold(EnergyCorrection correction, const Tolerance& tolerance, const Step& step, double* z,
           Workspace<double, Space>& ws);

  // The same where code has computed it (generate/step_code.hpp), by scaling, of a system whose components
  // are all tied to the ground.
  struct ScaledEnergies {
    LaneNumbers kinetic_before;      // [components] J
    LaneNumbers gradient_power;      // [components] W, uᵀ∇U
    LaneNumbers steepness;           // [components] ‖M⁻¹∇U‖²
    LaneNumbers deficit;             // [components] what T lacks, relative to T
    LaneNumbers growth;              // [components] of the velocities
    LaneNumbers kinetic, potential;  // [components] J, after it
  };
  // false: it lacks too much, and nothing was done; corrected: how many components were.
  bool take_scaled(const ScaledEnergies& known, int& corrected);
  // Whether `combined` may have to shift the positions before; of one component, whether it has to, from ‖P a‖².
  bool may_shift(double h, const ScaledEnergies& known);
  bool has_to_shift(double h, double norm2) const { return is_worth_shifting(h, 0, norm2); }
  static constexpr double shift_tolerance = 1e-12;  // of the joints behind it
  void set_energies(const LaneNumbers& kinetic, const LaneNumbers& potential) {
    for (std::size_t c = 0; c < kinetic_.size(); ++c) {
      kinetic_[c] = kinetic[static_cast<int>(c)];
      potential_[c] = potential[static_cast<int>(c)];
    }
  }
  double start(int component) const { return start_[component]; }  // J, E(0)
  bool can_hold(int component) const {
    return can_hold_energy(system_.topology.components[component], hold_dissipative_);
  }

  // 1 + ΔE/(dE/dσ) of a system of one component: z ← z₀ + σ (z − z₀) restores its balance, to first
  // order. z as above; dz = z − z₀ before z was projected. 1 where σ would be far from it.
  double find_relaxation(const double* dz, const double* z, Workspace<double, Space>& ws);

  double kinetic() const;  // J, all components
  double kinetic(int component) const { return kinetic_[component]; }
  double potential() const;             // J, from the system's origin
  double error(const double* z) const;  // J, E − E(0), all components

  // How often hold had a balance to restore, and how often it was postponed because too little of the
  // motion could change it; by component and point.
  std::int64_t attempts() const { return attempts_; }
  std::int64_t waits() const { return waits_; }

 private:
  double work(const double* z, int component) const;
  double deficit(const double* z, int component) const;
  bool is_worth_shifting(double h, int component, double norm2) const;
  double bound_shift(int component, const ScaledEnergies& known) const;
  bool may_shift(double h, Workspace<double, Space>& ws);
  bool shift(double h, const Tolerance& tolerance, double* z, Workspace<double, Space>& ws);
  int find_scale(const Tolerance& tolerance, const double* z);
  int scale(const Tolerance& tolerance, double* z, Workspace<double, Space>& ws);
  int follow(const double* difference, const Tolerance& tolerance, double* z,
             Workspace<double, Space>& ws);
  void move_velocities(double* z, Workspace<double, Space>& ws);

  const SystemIn<Space>& system_;
  MomentumBalance<Space>& momenta_;
  bool hold_dissipative_;
  std::vector<double> kinetic_;    // [components] J
  std::vector<double> potential_;  // [components] J
  std::vector<double> start_;      // [components] J, E(0)
  // scratch of hold
  std::vector<Twist<double, Space>> relative_;  // [bodies + 1]
  std::vector<double> norm2_;                   // [components]
  std::vector<double> product_;                 // [components]
  std::vector<double> translation_;             // [components] J
  std::vector<double> factor_;                  // [components]
  std::unique_ptr<double[]> saved_;  // [layout.size()] z before the shift; else not touched
  std::vector<int> n_freedoms_;      // [components] where no row depends on others
  std::int64_t attempts_ = 0;
  std::int64_t waits_ = 0;
};

}  // namespace trammel
