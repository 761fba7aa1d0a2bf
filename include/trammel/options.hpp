// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How to simulate: what the `simulation:` section of a model file and the command line can set.
#pragma once

#include <cstdint>

namespace trammel {

// Embedded Runge–Kutta pairs (Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I).
enum class Method { dopri5, dop853 };

// none: positions and velocities as the Runge–Kutta method leaves them (drifts; for comparison).
// mass: onto M_θ ∩ M_hc in the mass metric, with the factorisation of the acceleration.
enum class Projection { none, mass };

// How the energy balance is restored where it is held (docs/method.md, "Energy").
// scaling:  u ← u √(1 + ΔE/T); exact for joints that do not move by themselves, powerless at rest.
// combined: along (h² a_g, u), a_g the constrained acceleration by the potential; works at rest.
enum class EnergyCorrection { scaling, combined };

// classical: h ← h·safety·err^(−1/q).  pi: with memory of the last error, fewer rejections.
enum class StepControl { pi, classical };

struct SimulationOptions {
  double t_end = 10.0;  // s; a run starts at t = 0
  double rtol = 1e-7;   // relative tolerance of the local error
  double atol = 1e-7;   // absolute tolerance of the local error, in SI units

  Method method = Method::dop853;
  Projection projection = Projection::mass;
  bool project_stages = false;  // project each Runge–Kutta stage too, not only the step's end

  bool hold_energy = false;  // `invariants: [energy]`
  EnergyCorrection energy_correction = EnergyCorrection::combined;

  StepControl step_control = StepControl::pi;
  double initial_step = 0.0;         // s; 0 = estimated
  double max_step = 0.0;             // s; 0 = no limit
  double fixed_step = 0.0;           // s; 0 = error control; else every step has this size
  std::int64_t max_steps = 0;        // attempted steps; 0 = no limit

  double output_interval = 0.0;  // s; 0 = t_end/1000
  bool output_at_steps = false;  // record the accepted steps instead of an even grid
};

}  // namespace trammel
