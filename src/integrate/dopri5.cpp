// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// DOPRI5: Dormand and Prince's pair 5(4) with dense output of order 4 (Hairer, Nørsett, Wanner,
// Solving Ordinary Differential Equations I, table II.5.2 and section II.6).
//
//   0    │
//   1/5  │ 1/5
//   3/10 │ 3/40         9/40
//   4/5  │ 44/45       −56/15       32/9
//   8/9  │ 19372/6561  −25360/2187  64448/6561  −212/729
//   1    │ 9017/3168   −355/33      46732/5247  49/176    −5103/18656
//   1    │ 35/384       0           500/1113    125/192   −2187/6784     11/84
//   ─────┼──────────────────────────────────────────────────────────────────────────
//   z₁   │ 35/384       0           500/1113    125/192   −2187/6784     11/84     0
//   ẑ₁   │ 5179/57600   0           7571/16695  393/640   −92097/339200  187/2100  1/40
#include "integrate/tableau.hpp"

namespace trammel {

namespace {

// clang-format off
Tableau make_dopri5() {
  Tableau t{};
  t.name = "dopri5";
  t.order = 5;
  t.n_stages = 6;
  t.c = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0};
  t.a = {{},
         {{0}, {1.0 / 5}},
         {{0, 1}, {3.0 / 40, 9.0 / 40}},
         {{0, 1, 2}, {44.0 / 45, -56.0 / 15, 32.0 / 9}},
         {{0, 1, 2, 3}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}},
         {{0, 1, 2, 3, 4},
          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}};
  t.b = {{0, 2, 3, 4, 5}, {35.0 / 384, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  t.embedded = {{0, 2, 3, 4, 5, 6},
                {5179.0 / 57600, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100,
                 1.0 / 40}};
  // z₁ − ẑ₁
  t.error = {{0, 2, 3, 4, 5, 6},
             {71.0 / 57600, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};
  t.error_uses_end = true;
  t.law.exponent = 1.0 / 5.0;
  t.dense = {{{0, 2, 3, 4, 5, 6},
              {-12715105075.0 / 11282082432.0, 87487479700.0 / 32700410799.0,
               -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0,
               -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0}}};
  t.law.shrink = 0.2;
  t.law.grow = 10.0;
  t.law.pi_beta = 0.04;
  return t;
}
// clang-format on

// The weights of dense output do not change: stage 6 is f at z₁ before its projection.
Tableau make_dopri5_unshared() {
  Tableau t = make_dopri5();
  t.n_stages = 7;
  t.c.push_back(1.0);
  t.a.push_back(t.b);
  t.error_uses_end = false;
  return t;
}

}  // namespace

const Tableau& dopri5() {
  static const Tableau tableau = make_dopri5();
  return tableau;
}

const Tableau& dopri5_unshared() {
  static const Tableau tableau = make_dopri5_unshared();
  return tableau;
}

}  // namespace trammel
