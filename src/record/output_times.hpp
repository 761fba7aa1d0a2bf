// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The even grid of output times: k·Δt as a person would write it, 0.3 and not 0.30000000000000004. Where Δt
// is a decimal number m/10^d, k·Δt = (k m)/10^d, with one rounding.
#pragma once

#include <cmath>
#include <cstdint>

#include "trammel/options.hpp"

namespace trammel {

class OutputTimes {
 public:
  explicit OutputTimes(const SimulationOptions& options)
      : t_end_(options.t_end),
        interval_(options.output_interval > 0.0 ? options.output_interval
                                                : options.t_end / 1000.0) {
    double power = 1.0;
    for (int d = 0; d <= 15; ++d, power *= 10.0) {
      const double whole = std::round(interval_ * power);
      if (whole < 1.0 || whole / power != interval_) continue;
      whole_ = whole;
      power_ = power;
      break;
    }
  }

  double interval() const { return interval_; }

  // The last one is t_end itself.
  double at(std::int64_t index) const {
    const auto k = static_cast<double>(index);
    const double product = k * whole_;
    constexpr double exact = 9007199254740992.0;  // 2⁵³
    const double t = whole_ > 0.0 && product < exact ? product / power_ : k * interval_;
    return t > t_end_ * (1.0 - 1e-12) ? t_end_ : t;
  }

 private:
  double t_end_;
  double interval_;
  double whole_ = 0.0;  // m; 0: the interval is no short decimal number
  double power_ = 1.0;  // 10^d
};

}  // namespace trammel
