// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Dense output of a Runge–Kutta pair: the solution between the ends of a step (tableau.hpp has the formula).
#pragma once

#include <memory>
#include <vector>

#include "integrate/tableau.hpp"

namespace trammel {

class Interpolant {
 public:
  Interpolant(const Tableau& tableau, int dimension);

  // From both ends and all slopes, those of the further stages included.
  void prepare(double h, const double* z0, const double* z1, const std::vector<double*>& k);

  // z(θ), θ ∈ [0, 1]
  void calc(double theta, double* z) const;

 private:
  const Tableau& tableau_;
  int n_;
  double* part(std::size_t p) const { return parts_.get() + p * static_cast<std::size_t>(n_); }

  // [4 + dense][n] z, Δ, h k₀ − Δ, 2Δ − h(k₀ + kₛ), d₀ … Not initialised: a large run without output
  // between its steps never touches this memory, and the system never provides it.
  std::unique_ptr<double[]> parts_;
  std::size_t n_parts_;
};

}  // namespace trammel
