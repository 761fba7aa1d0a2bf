// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Radau IIA with s = 3, 5, 7 stages, orders 2s − 1 = 5, 9, 13 (Hairer, Wanner, Solving Ordinary Differential
// Equations II, IV.5 and IV.8):
//
//   Zᵢ = h Σⱼ aᵢⱼ f(t + cⱼh, z₀ + Zⱼ),   z₁ = z₀ + Z_s,   Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k  for k = 1 … s
//
// c: the zeros of P_s(2x−1) − P_{s−1}(2x−1), P_k Legendre's polynomials; c_s = 1. Newton's method decouples in
// the eigenvectors of A⁻¹ = T Λ T⁻¹, which has one real eigenvalue μ₀ and (s − 1)/2 pairs α ± iβ:
//
//   T = (v₀, p₁, q₁, …),   A⁻¹ v₀ = μ₀ v₀,   A⁻¹ (p + iq) = (α + iβ)(p + iq),   last components 1
//
// The error of a step is estimated with a formula of order s that has f₀ as a further stage, with the weight
// γ₀ = 1/μ₀, so that it can be filtered by the real factor:
//
//   E = (I − hγ₀ ∂f/∂z)⁻¹ (hγ₀ f₀ + Σ eᵢ Zᵢ),   e = A⁻ᵀ b̂ − (0, …, 0, 1),
//   Σ b̂ᵢ cᵢᵏ⁻¹ = 1/k − γ₀ [k = 1],  k = 1 … s
#pragma once

#include <vector>

namespace trammel {

struct RadauTable {
  struct Eigenvalue {
    double re, im;  // im > 0
  };

  int n_stages = 0;                    // s
  std::vector<double> c;               // [s]
  std::vector<double> a, inverse_a;    // [s × s] by rows
  std::vector<double> t, inverse_t;    // [s × s] by rows
  double real_eigenvalue = 0.0;        // μ₀
  std::vector<Eigenvalue> eigenvalue;  // [(s − 1)/2]
  std::vector<double> error;           // [s] e

  int n_pairs() const { return static_cast<int>(eigenvalue.size()); }
  int order() const { return 2 * n_stages - 1; }
};

// n_stages: 3, 5 or 7
const RadauTable& radau_table(int n_stages);

}  // namespace trammel
