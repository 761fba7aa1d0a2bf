// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Small dense systems A x = b in the sense of least squares: where A is singular, the shortest x among those
// that leave the smallest residual. By complete orthogonal decomposition, A P = Q T Z. Up to 12
// equations solving allocates nothing.
#pragma once

#include <memory>
#include <vector>

namespace trammel {

class LeastSquares {
 public:
  explicit LeastSquares(int n);
  ~LeastSquares();

  int size() const { return static_cast<int>(x_.size()); }
  double& a(int row, int column);
  double& b(int row);

  // Solves for x; false where it is not finite.
  bool solve();
  const std::vector<double>& x() const { return x_; }

  struct Factor;

 private:
  std::unique_ptr<Factor> factor_;
  std::vector<double> x_;  // [n]
};

}  // namespace trammel
