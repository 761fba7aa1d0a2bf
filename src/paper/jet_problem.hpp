// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanism in jet coordinates as a problem for the integrator: z = (y, y₁, W, W_trap) with 14
// numbers a body, as the paper has it.
//
//   stage       projected onto M_θ ∩ M_hc (project_stages), then ż = (y₁, y₂, P, 0)
//   step end    projected onto M_θ ∩ M_hc ∩ M_inv; so is the embedded result, and the error is the
//               difference of the two
//
// The distribution is Algorithm 5.1 as printed: (d, λ) from E d + H dgᵀλ = F_e − 8K̃ − H∇U and
// dg Hᵀd = dg I y − d²g(y₁, y₁) by the Schur complement, y₂ = Hᵀd − I y.
#pragma once

#include <string>

#include "paper/jet_constraints.hpp"
#include "paper/jet_energy.hpp"
#include "paper/jet_options.hpp"
#include "paper/jet_projection.hpp"
#include "system/workspace.hpp"

namespace trammel::paper {

class JetProblem {
 public:
  JetProblem(const SystemIn<Spatial>& system, const JetOptions& options);

  // ---- what the integrator calls
  int dimension() const { return 2 * constraints_.n() + 2; }
  bool begin_step(double t, const double* z, double* rate);
  bool calc_derivative(double t, double* z, double* rate);
  bool finish_step(double t, double h, double* z, double* rate);
  bool finish_embedded(double t, double h, double* z);
  bool finish_output(double h, double* z);  // a point between steps, onto M
  double calc_error_norm(const double* z0, const double* z1, const double* e) const;
  double calc_state_norm(const double* z) const;

  // ---- between the two forms: body-rate state (space.hpp) ↔ jet state
  void import_state(const double* body_rates, double* z) const;
  void export_state(const double* z, double* body_rates) const;

  // Takes z as the start: its energy is the one to keep.
  void start(const double* z);

  const JetCounts& counts() const { return constraints_.counts; }
  JetConstraints& constraints() { return constraints_; }
  JetProjector& projector() { return projector_; }
  const ProjectionReport& last_projection() const { return last_; }
  const ProjectionReport& step_projection() const { return step_; }  // of z₁, not of ẑ₁
  const VectorX& multipliers() const { return lambda_; }

 private:
  bool project(double* z, const EnergyTarget& target);
  EnergyTarget make_target(double h, const double* z) const;
  bool calc_rate(const double* z, double* rate);
  bool calc_distribution(const VectorX& y, const VectorX& y1, VectorX& y2);
  VectorX solve_schur(const MatrixX& S, const VectorX& right) const;
  Eigen::Map<VectorX> y(double* z) const { return {z, constraints_.n()}; }
  Eigen::Map<VectorX> y1(double* z) const { return {z + constraints_.n(), constraints_.n()}; }
  Eigen::Map<const VectorX> y(const double* z) const { return {z, constraints_.n()}; }
  Eigen::Map<const VectorX> y1(const double* z) const {
    return {z + constraints_.n(), constraints_.n()};
  }
  int work() const { return 2 * constraints_.n(); }
  int trapezoid() const { return 2 * constraints_.n() + 1; }

  const SystemIn<Spatial>& system_;
  JetOptions options_;
  JetConstraints constraints_;
  JetEnergy energy_;
  JetProjector projector_;
  Workspace<double, Spatial> ws_;  // for the applied forces
  ProjectionReport last_;
  ProjectionReport step_;
  VectorX lambda_;
  double start_energy_ = 0.0;
  double first_power_ = 0.0;  // P at the start of the attempted step
  double power_ = 0.0;        // P at the last evaluated point
};

}  // namespace trammel::paper
