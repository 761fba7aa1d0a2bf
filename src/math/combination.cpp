// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The number of terms is a template parameter, so that the loop over components has a fixed body
// and is vectorised; the order of additions does not depend on the width of the vectors.
#include "math/combination.hpp"

#include <array>

#include "math/unroll.hpp"

namespace trammel {

namespace {

using Kernel = void (*)(int, const double*, double, const double*, const double* const*, double*);

template <int count>
void combine_terms(int n, const double* base, double h, const double* weights,
                   const double* const* k, double* __restrict out) {
  double w[count + 1];
  const double* v[count + 1];
  for (int s = 0; s < count; ++s) {
    w[s] = weights[s];
    v[s] = k[s];
  }
  if (base == nullptr) {
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      unroll<count>([&](auto s) { sum += w[s] * v[s][i]; });
      out[i] = h * sum;
    }
  } else {
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      unroll<count>([&](auto s) { sum += w[s] * v[s][i]; });
      out[i] = base[i] + h * sum;
    }
  }
}

constexpr auto kernels = [] {
  std::array<Kernel, max_combination_terms + 1> table{};
  unroll<max_combination_terms + 1>([&](auto count) { table[count] = combine_terms<count>; });
  return table;
}();

}  // namespace

void combine(int n, const double* base, double h, int count, const double* weights,
             const double* const* k, double* out) {
  kernels[count](n, base, h, weights, k, out);
}

}  // namespace trammel
