// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A Runge–Kutta pair as data. An explicit method of s stages for ż = f(t, z):
//
//   k₀ = f(t, z),  kᵢ = f(t + cᵢh, z + h Σⱼ<ᵢ aᵢⱼ kⱼ),  z₁ = z + h Σ bᵢ kᵢ,  kₛ = f(t + h, z₁)
//
// kₛ is the first stage of the next step, and takes part in dense output.
#pragma once

#include <cmath>
#include <vector>

#include "integrate/step_control.hpp"

namespace trammel {

// Σ weight·k[stage], zero weights left out.
struct StageSum {
  std::vector<int> stage;
  std::vector<double> weight;
};

struct Tableau {
  const char* name;
  int order;                // of z₁
  int n_stages;             // s
  std::vector<double> c;    // [s] nodes
  std::vector<StageSum> a;  // [s] row i: the sum for stage i (row 0 is empty)
  StageSum b;
  StageSum embedded;  // ẑ₁, where it is wanted by itself (DOPRI5)

  // Error: |h Σ eᵢkᵢ|, or with a second estimate of lower order (Hairer's DOP853)
  //   |h| E²/√(E² + 0.01 Ê²), E and Ê the norms of the two sums.
  StageSum error;
  StageSum error_low;           // empty: none
  bool error_uses_end = false;  // e has a weight for kₛ

  // Dense output: further stages, then with θ ∈ [0, 1], Δ = z₁ − z
  //   z(θ) = z + θ(Δ + (1−θ)(h k₀ − Δ + θ(2Δ − h(k₀ + kₛ) + (1−θ)(d₀ + θ(d₁ + (1−θ)(d₂ + θ d₃))))))
  // d_j = h Σ dense[j]; DOPRI5 has d₀ only.
  std::vector<double> extra_c;
  std::vector<StageSum> extra_a;
  std::vector<StageSum> dense;

  StepLaw law;
};

// The error of a step from its two estimates: high weighs, low guards (0: there is none).
inline double combine_errors(double high, double low) {
  const double denominator = high * high + 0.01 * low * low;
  return denominator > 0.0 ? high * high / std::sqrt(denominator) : denominator;
}

const Tableau& dopri5();
const Tableau& dop853();

// DOPRI5 as the paper runs it: the seventh stage is a stage like the others and no stage is shared
// between steps.
const Tableau& dopri5_unshared();

}  // namespace trammel
