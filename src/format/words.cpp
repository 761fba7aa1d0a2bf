// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Switches without default: the compiler names the value that has no word yet.
#include "format/words.hpp"

namespace trammel {

const char* to_word(Method method) {
  switch (method) {
    case Method::dopri5:
      return "dopri5";
    case Method::dop853:
      return "dop853";
  }
  return "?";
}

const char* to_word(Projection projection) {
  switch (projection) {
    case Projection::none:
      return "none";
    case Projection::mass:
      return "mass";
    case Projection::quasi_orthogonal:
      return "quasi_orthogonal";
    case Projection::orthogonal:
      return "orthogonal";
  }
  return "?";
}

const char* to_word(WorkQuadrature quadrature) {
  switch (quadrature) {
    case WorkQuadrature::runge_kutta:
      return "runge_kutta";
    case WorkQuadrature::trapezoidal:
      return "trapezoidal";
  }
  return "?";
}

const char* to_word(ReactionFrame frame) {
  switch (frame) {
    case ReactionFrame::world:
      return "world";
    case ReactionFrame::body:
      return "body";
  }
  return "?";
}

const char* to_word(SchurSolver solver) {
  switch (solver) {
    case SchurSolver::direct:
      return "direct";
    case SchurSolver::iterative:
      return "iterative";
  }
  return "?";
}

const char* to_word(EnergyCorrection correction) {
  switch (correction) {
    case EnergyCorrection::scaling:
      return "scaling";
    case EnergyCorrection::combined:
      return "combined";
    case EnergyCorrection::embedded:
      return "embedded";
    case EnergyCorrection::relaxation:
      return "relaxation";
  }
  return "?";
}

std::vector<std::string> to_words_of_invariants(const SimulationOptions& options) {
  std::vector<std::string> words;
  if (options.hold_energy) words.emplace_back("energy");
  if (options.hold_linear_momentum) words.emplace_back("linear_momentum");
  if (options.hold_angular_momentum) words.emplace_back("angular_momentum");
  for (const UserInvariant& invariant : options.user_invariants) words.push_back(invariant.name);
  return words;
}

std::vector<std::string> to_words_of_record(const Recorded& record) {
  std::vector<std::string> words;
  if (record.positions) words.emplace_back("positions");
  if (record.velocities) words.emplace_back("velocities");
  if (record.reactions) words.emplace_back("reactions");
  if (record.energies) words.emplace_back("energies");
  if (record.violations) words.emplace_back("violations");
  if (record.steps) words.emplace_back("steps");
  return words;
}

const char* to_word(StepControl control) {
  switch (control) {
    case StepControl::pi:
      return "pi";
    case StepControl::classical:
      return "classical";
  }
  return "?";
}

const char* to_word(Kinematics kinematics) {
  switch (kinematics) {
    case Kinematics::automatic:
      return "auto";
    case Kinematics::off:
      return "off";
  }
  return "?";
}

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
      return "finished";
    case Outcome::interrupted:
      return "interrupted";
    case Outcome::step_too_small:
      return "step_too_small";
    case Outcome::too_many_steps:
      return "too_many_steps";
    case Outcome::running:
      return "running";
    case Outcome::open_joint:
      return "open_joint";
  }
  return "?";
}

}  // namespace trammel
