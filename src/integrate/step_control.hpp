// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From the error of a step to the size of the next one (Hairer, Nørsett, Wanner I, II.4; PI
// controller: Gustafsson, in Hairer, Wanner II, IV.2).
//
//   classical   h ← h · 0.9 err^(−1/q)
//   pi          h ← h · 0.9 err^(−(1/q − ¾β)) err_old^β
//
// clamped to [shrink, grow]; no growth right after a rejection.
#pragma once

#include "integrate/tableau.hpp"

namespace trammel {

class StepController {
 public:
  // max_growth: 0 = the tableau's
  StepController(const Tableau& tableau, bool pi, double max_growth = 0.0);

  // The next step after an accepted step of size h with error err ≤ 1.
  double after_accepted(double h, double err);
  // The next attempt after a step of size h with error err > 1.
  double after_rejected(double h, double err);
  // The next attempt after a step that could not be evaluated or projected.
  double after_failure(double h);

 private:
  double alpha_, beta_;
  double classical_exponent_;
  double shrink_, grow_;
  double last_error_ = 1e-4;
  bool last_rejected_ = false;
};

}  // namespace trammel
