// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A mechanism as a problem for implicit steppers: MechanicalProblem with the linear algebra that they need
// (saddle_point_matrix.hpp). All other questions are answered by that problem.
#pragma once

#include <cstdint>
#include <memory>

#include "problem/mechanical_problem.hpp"
#include "problem/saddle_point_matrix.hpp"

namespace trammel {

// Work on matrices.
struct MatrixCounts {
  std::int64_t linearisations = 0;
  std::int64_t real_factors = 0, complex_factors = 0;
  std::int64_t real_solves = 0, complex_solves = 0;
};

// Operations of an evaluation, estimated from the sizes of the mechanism.
template <class Space>
double estimate_evaluation(const SystemIn<Space>& system);

template <class Space>
class ImplicitProblem {
 public:
  explicit ImplicitProblem(MechanicalProblem<Space>& problem);

  const MatrixCounts& counts() const { return counts_; }
  // Operations so far, of evaluations and matrices, estimated from the sizes of the mechanism.
  double work() const;

  // ---- what a stepper calls (src/integrate/concepts.hpp)

  int dimension() const { return problem_.dimension(); }
  bool start(double* z, double* rate, double t = 0.0) { return problem_.start(z, rate, t); }
  bool calc_derivative(double t, double* z, double* rate) {
    return problem_.calc_derivative(t, z, rate);
  }
  bool finish_step(double t, double h, double* z, double* rate) {
    return problem_.finish_step(t, h, z, rate);
  }
  void accept_step(double t, double* z) { problem_.accept_step(t, z); }
  double calc_error_norm(const double* z0, const double* z1, const double* e) const {
    return problem_.calc_error_norm(z0, z1, e);
  }
  double calc_state_norm(const double* z) const { return problem_.calc_state_norm(z); }

  // Recorded angles are counted from step to step with the mean of both rates: in space, where an attitude
  // does not say how many turns led to it, no body may turn by more than two radians in a step.
  double calc_longest_step(const double* z) const;

  // Coordinates and velocities: the works and references only integrate.
  int n_unknowns() const { return layout().work(0); }
  // Throws NotDifferentiable where a force has no derivatives.
  void prepare_factors(int n_pairs);
  bool linearise(double t, const double* z);
  bool is_linearised() {
    problem_.point().use_step_rows();
    return matrix_->has_rows_of(problem_.point().ws);
  }
  bool factor(int k, const Complex& shift) {
    ++(k == 0 ? counts_.real_factors : counts_.complex_factors);
    return matrix_->factor(k, shift);
  }
  void solve(double* b) {
    ++counts_.real_solves;
    matrix_->solve(b);
  }
  void solve(int k, double* re, double* im) {
    ++counts_.complex_solves;
    matrix_->solve(k, re, im);
  }
  void turn_to(const double* z, double* x) const { matrix_->turn_to(z, x); }
  void turn_from(const double* z, double* x) const { matrix_->turn_from(z, x); }

 private:
  const StateLayout& layout() const { return problem_.point().system.topology.layout; }

  MechanicalProblem<Space>& problem_;
  std::unique_ptr<SaddlePointMatrix<Space>> matrix_;
  MatrixCounts counts_;
  struct Prices {
    double evaluation = 0.0, linearisation = 0.0, real_factor = 0.0, real_solve = 0.0;
  } prices_;
};

}  // namespace trammel
