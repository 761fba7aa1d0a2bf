// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "integrate/steppers/interpolant.hpp"

#include <algorithm>

#include "math/combination.hpp"

namespace trammel {

Interpolant::Interpolant(const Tableau& tableau, int dimension)
    : tableau_(tableau),
      n_(dimension),
      parts_(std::make_unique_for_overwrite<double[]>((4 + tableau.dense.size()) *
                                                      static_cast<std::size_t>(dimension))),
      n_parts_(4 + tableau.dense.size()) {}

void Interpolant::prepare(double h, const double* z0, const double* z1,
                          const std::vector<double*>& k) {
  const double* first = k[0];
  const double* end = k[tableau_.n_stages];
  for (int i = 0; i < n_; ++i) {
    const double delta = z1[i] - z0[i];
    const double slope = h * first[i] - delta;
    part(0)[i] = z0[i];
    part(1)[i] = delta;
    part(2)[i] = slope;
    part(3)[i] = delta - h * end[i] - slope;
  }
  for (std::size_t j = 0; j < tableau_.dense.size(); ++j) {
    const StageSum& sum = tableau_.dense[j];
    combine(n_, nullptr, h, static_cast<int>(sum.stage.size()), sum.stage.data(), sum.weight.data(),
            k.data(), part(4 + j));
  }
}

// Horner with the factors θ and 1 − θ in turn, from the inside out.
void Interpolant::calc(double theta, double* z) const {
  const std::size_t last = n_parts_ - 1;
  std::copy(part(last), part(last) + n_, z);
  for (std::size_t p = last; p-- > 0;) {
    const double factor = p % 2 == 0 ? theta : 1.0 - theta;
    const double* const c = part(p);
    for (int i = 0; i < n_; ++i) z[i] = c[i] + factor * z[i];
  }
}

}  // namespace trammel
