// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "integrate/steppers/interpolant.hpp"

#include <algorithm>
#include <cassert>

#include "math/combination.hpp"

namespace trammel {

Interpolant::Interpolant(const Tableau& tableau, int dimension)
    : tableau_(tableau),
      n_(dimension),
      parts_(std::make_unique_for_overwrite<double[]>((4 + tableau.dense.size()) *
                                                      static_cast<std::size_t>(dimension))),
      n_parts_(4 + tableau.dense.size()) {
  assert(n_parts_ <= max_combination_terms);
}

void Interpolant::prepare(double h, const double* z0, const double* z1,
                          const std::vector<double*>& k) {
  const double* __restrict first = k[0];
  const double* __restrict end = k[tableau_.n_stages];
  double* __restrict deltas = part(1);
  double* __restrict slopes = part(2);
  double* __restrict bends = part(3);
  std::copy(z0, z0 + n_, part(0));
  for (int i = 0; i < n_; ++i) {
    const double delta = z1[i] - z0[i];
    const double slope = h * first[i] - delta;
    deltas[i] = delta;
    slopes[i] = slope;
    bends[i] = delta - h * end[i] - slope;
  }
  for (std::size_t j = 0; j < tableau_.dense.size(); ++j) {
    const StageSum& sum = tableau_.dense[j];
    combine(n_, nullptr, h, static_cast<int>(sum.stage.size()), sum.stage.data(), sum.weight.data(),
            k.data(), part(4 + j));
  }
}

// Horner with the factors θ and 1 − θ in turn.
void Interpolant::calc(double theta, double* z) const {
  double factor[max_combination_terms];
  for (std::size_t p = 0; p < n_parts_; ++p) factor[p] = p % 2 == 0 ? theta : 1.0 - theta;
  nest(n_, static_cast<int>(n_parts_), parts_.get(), factor, z);
}

}  // namespace trammel
