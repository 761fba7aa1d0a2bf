// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The energy balance E = T + U − W of each connected component: always known, held where asked.
//
//   ΔE = E(0) − E          what the state at the end of a step lacks
//
//   scaling    u ← u √(1 + ΔE/T). Stays in ker J. Powerless at rest.
//   combined   first the share h²‖a‖²/(2T + h²‖a‖²) of ΔE along a = P M⁻¹∇U, the steepest way up the
//              potential within the joints (‖·‖ in the mass metric), then scaling for the rest.
//              Where the share is below 1 % it is scaling.
//
// Rules that keep it from doing harm:
//   · one balance per component: a mechanism never pays for the error of another;
//   · a component that nothing ties to the ground keeps its linear and angular momentum: only its
//     internal motion, relative to the rigid motion with the same momenta, is scaled, and it does
//     not climb. A single free body has no internal motion: its energy is reported only;
//   · the correction of any body's velocity stays within the tolerance of the local error;
//   · a component with dampers is reported, not held.
#pragma once

#include <vector>

#include "dynamics/rigid_motion.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"
#include "trammel/options.hpp"

namespace trammel {

// Whether the balance of a component can be held; else it is reported only.
bool can_hold_energy(const Component& component);

template <class Space>
class EnergyBalance {
 public:
  struct Tolerance {
    double rtol;
    double atol;
  };

  explicit EnergyBalance(const SystemIn<Space>& system);

  // T, U of the state whose positions and velocities are in ws.
  void calc(const Workspace<double, Space>& ws);

  // Takes the balance of the state z, already in ws, as the one to keep.
  void start(const double* z, const Workspace<double, Space>& ws);

  // Restores the balance of z. Needs positions, rows, factor and velocities of z in ws and leaves
  // those of the new z there. h: size of the step, the weight of positions against velocities.
  // Returns the number of components that were corrected.
  int hold(EnergyCorrection correction, const Tolerance& tolerance, double h, double* z,
           Workspace<double, Space>& ws);

  double kinetic() const;                      // J, all components
  double kinetic(int component) const { return kinetic_[component]; }
  double potential() const;                    // J, from the system's origin
  double error(const double* z) const;         // J, E − E(0), all components

 private:
  double work(const double* z, int component) const;
  double lack(const double* z, int component) const;
  void subtract_rigid_motion(const Workspace<double, Space>& ws);
  bool climb(double h, const Tolerance& tolerance, double* z, Workspace<double, Space>& ws);
  int scale(const Tolerance& tolerance, double* z, Workspace<double, Space>& ws);

  const SystemIn<Space>& system_;
  std::vector<double> kinetic_;    // [components] J
  std::vector<double> potential_;  // [components] J
  std::vector<double> start_;      // [components] J, E(0)
  // scratch of hold
  std::vector<Twist<double, Space>> relative_;  // [bodies + 1]
  std::vector<RigidMotion<Space>> rigid_;  // [components], used where nothing ties to the ground
  std::vector<double> norm2_;            // [components]
  std::vector<double> factor_;           // [components]
  std::vector<double> saved_;            // [layout.size()] z before climbing
};

}  // namespace trammel
