// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "sparse_solvers.hpp"

#include <Eigen/CholmodSupport>
#include <Eigen/SparseCholesky>

#include "cpu_clock.hpp"

namespace trammel::bench {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

template <class Solver>
SolverTime time_solver(const char* name, Solver& solver, const Matrix& lower, const Vector& b,
                       const Vector& x) {
  solver.analyzePattern(lower);
  Vector found;
  const double seconds = find_least_cpu(
      [&] {
        solver.factorize(lower);
        found = solver.solve(b);
      },
      2, 15, 0.3);
  return {name, seconds, (found - x).lpNorm<Eigen::Infinity>() / x.lpNorm<Eigen::Infinity>()};
}

}  // namespace

std::vector<SolverTime> time_sparse_solvers(const Matrix& lower, const std::vector<double>& b,
                                            const std::vector<double>& x) {
  const Vector right = Vector::Map(b.data(), static_cast<Eigen::Index>(b.size()));
  const Vector own = Vector::Map(x.data(), static_cast<Eigen::Index>(x.size()));
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> eigen;
  Eigen::CholmodSimplicialLDLT<Matrix, Eigen::Lower> simplicial;
  Eigen::CholmodSupernodalLLT<Matrix, Eigen::Lower> supernodal;
  return {time_solver("Eigen SimplicialLDLT", eigen, lower, right, own),
          time_solver("CHOLMOD simplicial", simplicial, lower, right, own),
          time_solver("CHOLMOD supernodal", supernodal, lower, right, own)};
}

}  // namespace trammel::bench
