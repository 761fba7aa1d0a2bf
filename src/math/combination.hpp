// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// out = base + h Σ wₛ kₛ: the sums of a Runge–Kutta method, the terms always added in the same
// order.
#pragma once

namespace trammel {

inline constexpr int max_combination_terms = 16;

// Term s is weights[s] · k[stages[s]]. base may be null (then 0); n: length of the vectors;
// 1 ≤ count ≤ max_combination_terms.
void combine(int n, const double* base, double h, int count, const int* stages,
             const double* weights, const double* const* k, double* out);

// The same for four runs at once, each with its own h: number i of run l is at [4i + l].
void combine_lanes(int n, const double* base, const double* h, int count, const int* stages,
                   const double* weights, const double* const* k, double* out);

// out = c₀ + f₀ (c₁ + f₁ (c₂ + …)), 1 ≤ count ≤ max_combination_terms; c: [count][n], f: [count − 1].
void nest(int n, int count, const double* c, const double* f, double* out);

}  // namespace trammel
