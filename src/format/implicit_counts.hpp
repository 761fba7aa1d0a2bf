// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The counts of implicit steps and their names in files, for both directions.
#pragma once

#include "trammel/results.hpp"

namespace trammel {

template <class C, class Visit>
void visit_implicit_counts(C& counts, Visit visit) {
  visit("stage_iterations", counts.iterations);
  visit("stage_failures", counts.failures);
  visit("linearisations", counts.linearisations);
  visit("real_factors", counts.real_factors);
  visit("complex_factors", counts.complex_factors);
  visit("steps_of_order_5", counts.steps_of_order_5);
  visit("steps_of_order_9", counts.steps_of_order_9);
  visit("steps_of_order_13", counts.steps_of_order_13);
}

}  // namespace trammel
