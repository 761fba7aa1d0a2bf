// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How to simulate. What users can set in the `simulation` section of a model file and on the command line is
// in the option table (option_table.hpp, src/model/option_table.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trammel {

struct BodyState;  // results.hpp

// dopri5, dop853: embedded explicit Runge–Kutta pairs (Hairer, Nørsett, Wanner: Solving Ordinary Differential
// Equations I). radau: implicit, for stiff forces, with orders 5, 9 and 13 chosen as the run goes (the same, II).
// automatic: where forces depend on positions or velocities, dop853 or radau, whichever takes less counted work,
// tried again and again as the run goes; else, and where implicit steps are not possible, dop853.
enum class Method { dopri5, dop853, radau, automatic };

// Some steps may be implicit.
constexpr bool uses_implicit_steps(Method method) {
  return method == Method::radau || method == Method::automatic;
}

// none: positions and velocities as the Runge–Kutta method leaves them (drifts; for comparison).
// mass: onto M_θ ∩ M_hc in the mass metric, with the factorisation of the acceleration.
// quasi_orthogonal, orthogonal: the paper's, in jet coordinates (docs/explanation/paper.md); slow, for comparison.
enum class Projection { none, mass, quasi_orthogonal, orthogonal };

constexpr bool uses_jets(Projection projection) {
  return projection == Projection::quasi_orthogonal || projection == Projection::orthogonal;
}

// How W_ext is integrated where the energy is held in jet coordinates: as a component of the
// Runge–Kutta system, or by the paper's trapezoidal rule.
enum class WorkQuadrature { runge_kutta, trapezoidal };

// The linear systems with the Schur complement S: by a factorisation, or by conjugate gradients
// preconditioned with the blocks of the joints.
enum class SchurSolver { direct, iterative };

// What evaluates the accelerations: machine code made for the mechanism where that pays (a processor
// with AVX2, not too large), or loops that run anywhere. The bits are the same.
enum class KernelChoice { automatic, loops };

// The axes of recorded reactions: those of the world, or those of the body that they act on, the
// joint's second.
enum class ReactionFrame { world, body };

// How the energy balance is restored where it is held (docs/explanation/method.md, "Energy").
// scaling:  u ← u √(1 + ΔE/T); exact for joints that do not move by themselves, powerless at rest.
// combined: along (h² a_g, u), a_g the constrained acceleration by the potential; works at rest.
// embedded: along the embedded difference of the Runge–Kutta pair, projected into ker J.
// relaxation: the step is lengthened or shortened along its own direction, z + σ h Σ b k.
enum class EnergyCorrection { scaling, combined, embedded, relaxation };

// A function of the state whose value at the start is held by changing the velocities: it must depend
// on them. States are as in Results, one per body; the gradient is taken by central differences.
struct UserInvariant {
  std::string name;
  std::function<double(const std::vector<BodyState>&)> function;
};

// classical: h ← h·safety·err^(−1/q).  pi: with memory of the last error, fewer rejections.
enum class StepControl { pi, classical };

// Where drivers and joints leave no degree of freedom, positions follow from the laws at each time and
// nothing has to be integrated (docs/explanation/kinematics.md). off: integrate nevertheless.
enum class Kinematics { automatic, off };

// What is kept over time, `record: [positions, energies]`; times are always kept.
struct Recorded {
  bool positions = true;       // and orientations
  bool velocities = true;      // and angular velocities
  bool reactions = true;       // forces and moments in the joints
  bool forces = true;          // loads, lengths, rates, powers and energies of force elements
  bool energies = true;        // kinetic, potential, work, balance error
  bool violations = true;      // of the constraints
  bool steps = true;           // size, error and iterations of each attempted step
  bool accelerations = false;  // of bodies and joint coordinates

  // Channels by name or pattern ("motor.*", "pin.reaction_force"): where there are any, CSV files have
  // only these, and the quantities they need are recorded besides those above (docs/reference/results.md).
  std::vector<std::string> channels;

  bool operator==(const Recorded&) const = default;
};

struct SimulationOptions {
  double t_end = 10.0;  // s; a run starts at t = 0
  double rtol = 1e-7;   // relative tolerance of the local error
  double atol = 1e-7;   // absolute tolerance of the local error, in SI units

  Method method = Method::automatic;
  Projection projection = Projection::mass;
  bool project_stages = false;  // project each Runge–Kutta stage too, not only the step's end
  Kinematics kinematics = Kinematics::automatic;

  // `invariants: [energy, linear_momentum, angular_momentum]`, each where it is conserved
  bool hold_energy = false;
  bool hold_linear_momentum = false;
  bool hold_angular_momentum = false;
  std::vector<UserInvariant> user_invariants;
  EnergyCorrection energy_correction = EnergyCorrection::combined;
  bool hold_dissipative = false;  // energy with dampers' work too; for studies, it can do harm

  StepControl step_control = StepControl::pi;
  double initial_step = 0.0;   // s; 0 = estimated
  double max_step = 0.0;       // s; 0 = no limit
  double fixed_step = 0.0;     // s; 0 = error control; else every step has this size
  std::int64_t max_steps = 0;  // attempted steps; 0 = no limit

  int threads = 1;  // per run; does not change results; ignored for small systems

  SchurSolver schur = SchurSolver::direct;
  KernelChoice kernel = KernelChoice::automatic;
  double max_growth = 0.0;  // largest factor from a step to the next; 0 = the method's

  // Jet coordinates only (projection quasi_orthogonal or orthogonal)
  WorkQuadrature work_quadrature = WorkQuadrature::runge_kutta;
  double newton_tolerance = 0.0;  // residual of a projection, Euclidean norm; 0 = atol/100
  double energy_scale = 0.0;    // J, unit of the energy in that residual; 0 = Σ m|g|L + T at t = 0
  double newton_forcing = 0.0;  // η of the inexact Newton method; 0 = exact linear solves
  bool raw_error = false;       // error from the unprojected embedded difference

  double output_interval = 0.0;  // s; 0 = t_end/1000
  bool output_at_steps = false;  // record the accepted steps instead of an even grid
  Recorded record;
  ReactionFrame reaction_frame = ReactionFrame::world;

  double event_resolution =
      0.0;  // s; no event that is over later than this is missed; 0 = t_end/1000
};

}  // namespace trammel
