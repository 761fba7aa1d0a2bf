// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One evaluation of the accelerations, whole and in parts, at the start of a model: what a
// Runge–Kutta stage costs without the integrator around it. Uses the library's insides, because no
// run of the public API is one evaluation.
#pragma once

#include <Eigen/SparseCore>
#include <trammel/trammel.hpp>
#include <vector>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel::bench {

class Evaluation {
 public:
  // Velocities are given to the bodies, so that no term is a product with zero.
  explicit Evaluation(const System& system);

  int bodies() const { return system_.topology.n_bodies; }
  int rows() const { return system_.topology.n_rows; }
  const LargeVector<double>& rate() const { return rate_; }  // ż of `evaluate`

  void evaluate();              // all of the following, as a run does it
  void calc_rows_of();          // positions, velocities, g and J
  void calc_factor_of();        // S and its factor
  void calc_distribution_of();  // right-hand side, solve, accelerations

  // The projections of a step's end, of a point a little off the manifold.
  void project();

  // S of the last rows as a matrix like any other (lower triangle), for other solvers.
  Eigen::SparseMatrix<double> make_schur_matrix() const;
  // Puts such a matrix into the blocks of the factor; then factorise and solve alone.
  void put_schur_matrix(const Eigen::SparseMatrix<double>& lower);
  void restore_schur_matrix();
  void factorise_only();
  void solve_only(std::vector<double>& b);

 private:
  const System handle_;
  const SystemIn<Spatial>& system_;
  Workspace<double> ws_;
  LargeVector<double> z_, z_off_, scratch_, rate_;
  std::vector<double> blocks_;  // S by blocks, as put
};

}  // namespace trammel::bench
