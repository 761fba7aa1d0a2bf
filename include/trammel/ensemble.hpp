// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ensembles whose results are taken as they come, with progress and a stop:
//
//   EnsembleCallbacks callbacks;
//   callbacks.sink = [&](std::size_t k, Results&& results) { final[k] = results.final; };
//   simulate_ensemble(members, options, callbacks);
//
// simulate_ensemble without callbacks, which returns all results: trammel.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel {

struct EnsembleProgress {
  std::size_t finished = 0;  // members, stopped ones included
  std::size_t members = 0;
};

// Callbacks come from any thread of the ensemble, one at a time. An exception stops the ensemble and is thrown
// by simulate_ensemble.
struct EnsembleCallbacks {
  // Takes the results of a member as soon as it is over, in no particular order.
  std::function<void(std::size_t member, Results&& results)> sink;
  // Called after each member, and about ten times per second while members run; returning false stops the
  // ensemble: running members end where they are (Outcome::interrupted), no others are started.
  std::function<bool(const EnsembleProgress&)> progress;
};

// With a sink, the list returned is empty, and the memory needed does not depend on the number of members.
// Members that a stop kept from starting are not given to the sink; in the list they are interrupted at
// t = 0 without a row.
std::vector<Results> simulate_ensemble(const std::vector<System>& members,
                                       const SimulationOptions& options,
                                       const EnsembleCallbacks& callbacks);

}  // namespace trammel
