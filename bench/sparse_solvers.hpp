// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Other people's factorisations of the same Schur matrix: numerical factorisation and one solve,
// the symbolic part done before, as in ours.
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

namespace trammel::bench {

struct SolverTime {
  std::string name;
  double seconds;     // factorisation + solve
  double difference;  // largest |x − ours| over largest |ours|
};

// lower: lower triangle of S; b: right-hand side; x: our solution.
std::vector<SolverTime> time_sparse_solvers(const Eigen::SparseMatrix<double>& lower,
                                            const std::vector<double>& b,
                                            const std::vector<double>& x);

}  // namespace trammel::bench
