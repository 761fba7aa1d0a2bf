// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The solution between the ends of a step (tableau.hpp has the formula).
#pragma once

#include <vector>

#include "integrate/tableau.hpp"

namespace trammel {

class DenseOutput {
 public:
  DenseOutput(const Tableau& tableau, int dimension);

  // From both ends and all stages, the further ones included.
  void prepare(double h, const double* z0, const double* z1, const std::vector<double*>& k);

  // z(θ), θ ∈ [0, 1]
  void calc(double theta, double* z) const;

 private:
  const Tableau& tableau_;
  int n_;
  std::vector<std::vector<double>> part_;  // [4 + dense][n] z, Δ, h k₀ − Δ, 2Δ − h(k₀ + kₛ), d₀ …
};

}  // namespace trammel
