// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the paper leaves open or fixes for all its runs, in one place. docs/explanation/paper.md gives reasons.
#pragma once

#include "trammel/options.hpp"

namespace trammel::paper {

struct JetOptions {
  Projection projection = Projection::quasi_orthogonal;
  bool hold_energy = true;
  WorkQuadrature work = WorkQuadrature::runge_kutta;
  bool project_stages = true;      // every stage onto M_θ ∩ M_hc; M_inv at the step's end only
  double newton_tolerance = 1e-5;  // tol_abs: Euclidean norm of the residual, units mixed
  double energy_scale = 1.0;       // J; f_inv is measured in this unit (the paper: joules)
  double forcing = 0.0;            // η of the inexact Newton method; 0: linear systems by LU
  bool iterative_schur = false;    // S of the distribution by conjugate gradients
  int max_newton = 50;
  int max_loops = 400;  // M_θ, M_hc, M_inv in turn
  double rtol = 1e-6, atol = 1e-6;
};

}  // namespace trammel::paper
