// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's two projections of a point (a, a₁) of J₁(E) onto M = M_θ ∩ M_hc (∩ M_inv).
//
// quasi_orthogonal (Algorithms 5.3–5.5), in turn until all residuals are below the tolerance:
//   M_θ    θ ← a/|a|,  θ₁ ← a₁ − ⟨a₁, θ⟩θ
//   M_hc   y + dgᵀμ = a, g(y) = 0 by Newton;  then y₁ + dgᵀα = a₁, dg y₁ = 0, linear
//   M_inv  p + df_invᵀμ = a, f_inv(p) = 0 by Newton
// In M_hc dg is restricted to the tangent of S³ (the derivative of g(r, θ/|θ|)): with its radial part
// M_θ and M_hc undo each other's work.
//
// orthogonal: Newton on the whole system for (y, y₁, α, β), with d²g and d³g, the rows of M_θ among
// the constraints, and M_inv on request:
//   y  + d²gᵀ(y₁, ·)α + dgᵀβ (+ μ ∂f/∂y)  = a
//   y₁ + dgᵀα               (+ μ ∂f/∂y₁) = a₁
//   dg y₁ = 0,  g(y) = 0,   (f_inv = 0)
#pragma once

#include "paper/jet_constraints.hpp"
#include "paper/jet_energy.hpp"
#include "paper/jet_options.hpp"

namespace trammel::paper {

// f_inv at the point being projected: (W − s P − value)/energy_scale.
struct EnergyTarget {
  bool held = false;
  double value = 0.0;  // J
  double s = 0.0;      // s; ½h for the trapezoidal rule
};

// What a projection did.
struct ProjectionReport {
  bool converged = false;
  int newton = 0;            // iterations
  int loops = 0;             // rounds of M_θ, M_hc, M_inv
  double residual_in = 0.0;  // largest |g|, before
  int worst_row = -1;        // of g, before
};

class JetProjector {
 public:
  JetProjector(JetConstraints& constraints, const JetEnergy& energy, const JetOptions& options)
      : constraints_(constraints), energy_(energy), options_(options) {}

  ProjectionReport project(VectorX& y, VectorX& y1, const EnergyTarget& target);

  // Euclidean norm of everything that should be zero.
  double calc_residual(const VectorX& y, const VectorX& y1, const EnergyTarget& target);

 private:
  bool project_quasi(VectorX& y, VectorX& y1, const EnergyTarget& target, ProjectionReport& report);
  bool project_orthogonal(VectorX& y, VectorX& y1, const EnergyTarget& target,
                          ProjectionReport& report);
  void project_theta(VectorX& y, VectorX& y1) const;
  bool project_configuration(VectorX& y, ProjectionReport& report);
  bool project_velocity(const VectorX& y, VectorX& y1);
  bool project_energy(VectorX& y, VectorX& y1, const EnergyTarget& target,
                      ProjectionReport& report);
  MatrixX calc_tangent_dg(const VectorX& y);
  double calc_f_inv(const VectorX& y, const VectorX& y1, const EnergyTarget& target) const;
  JetEnergy::Gradient calc_f_inv_gradient(const VectorX& y, const VectorX& y1,
                                          const EnergyTarget& target);
  double calc_theta_residual2(const VectorX& y, const VectorX& y1) const;
  VectorX solve_newton(const MatrixX& matrix, const VectorX& right) const;

  JetConstraints& constraints_;
  const JetEnergy& energy_;
  const JetOptions& options_;
};

}  // namespace trammel::paper
