// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// When a run is given up: steps of the size of rounding, more attempts than allowed, or no progress.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "integrate/step.hpp"

namespace trammel {

// So many attempts that advance the time by less than this part of t_end are no progress: a run at
// that pace would not end within a lifetime.
inline constexpr std::int64_t attempts_without_progress = 100'000;
inline constexpr double least_progress = 1e-6;

class RunLimits {
 public:
  // max_attempts: 0 = no limit. A fixed step is meant to be as small as it is.
  RunLimits(std::int64_t max_attempts, bool has_fixed_step)
      : max_attempts_(max_attempts), has_fixed_step_(has_fixed_step) {}

  // Counts an attempt of size h at t, or says why it must not be made.
  std::optional<Stop> count_attempt(double t, double t_end, double h) {
    if (max_attempts_ > 0 && n_attempts_ >= max_attempts_) return Stop::too_many_steps;
    if (!(h > 1e-14 * std::max(t, 1e-3 * t_end))) return Stop::step_too_small;
    if (n_attempts_ == next_look_ && !has_progressed(t, t_end)) return Stop::no_progress;
    ++n_attempts_;
    return std::nullopt;
  }

 private:
  bool has_progressed(double t, double t_end) {
    const bool progressed = has_fixed_step_ || t - t_looked_ >= least_progress * t_end;
    next_look_ = n_attempts_ + attempts_without_progress;
    t_looked_ = t;
    return progressed;
  }

  std::int64_t max_attempts_;
  bool has_fixed_step_;
  std::int64_t n_attempts_ = 0;
  std::int64_t next_look_ = attempts_without_progress;  // attempts: then progress is looked at
  double t_looked_ = 0.0;
};

}  // namespace trammel
