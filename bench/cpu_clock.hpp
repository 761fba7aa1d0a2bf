// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// CPU time of the process, and the shortest of several repetitions: on a shared machine every
// disturbance makes a run longer, none makes it shorter.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace trammel::bench {

// s
inline double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The least of what `run` returns (s): at least `least` runs, then as many as fit into the budget.
template <class Run>
double find_least_seconds(Run&& run, int least = 2, int most = 15, double budget = 0.03) {
  double best = std::numeric_limits<double>::infinity(), total = 0.0;
  for (int k = 0; k < most && (k < least || total < budget); ++k) {
    const double seconds = run();
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

// The same for a call that does not time itself.
template <class Call>
double find_least_cpu(Call&& call, int least = 2, int most = 15, double budget = 0.03) {
  const auto timed = [&] {
    const double begin = cpu_now();
    call();
    return cpu_now() - begin;
  };
  return find_least_seconds(timed, least, most, budget);
}

}  // namespace trammel::bench
