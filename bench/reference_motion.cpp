// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "reference_motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel::bench {

ReferenceMotion::ReferenceMotion(double interval, int bodies, std::vector<double> positions,
                                 std::vector<double> velocities)
    : interval_(interval),
      bodies_(bodies),
      points_(positions.size() / (3 * static_cast<std::size_t>(bodies))),
      positions_(std::move(positions)),
      velocities_(std::move(velocities)) {}

double ReferenceMotion::calc_error(double t, const std::function<Vec3(int)>& position) const {
  const double place = std::max(0.0, t / interval_);
  const auto k = std::min(static_cast<std::size_t>(place), points_ - 2);
  const double x = place - static_cast<double>(k), y = 1.0 - x;
  // Hermite's basis: values and slopes at both ends
  const double h00 = (1.0 + 2.0 * x) * y * y, h10 = x * y * y;
  const double h01 = x * x * (3.0 - 2.0 * x), h11 = -x * x * y;
  double largest = 0.0;
  for (int b = 0; b < bodies_; ++b) {
    const Vec3 at = position(b);
    double distance2 = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t p = 3 * (k * bodies_ + b) + i,
                        q = p + 3 * static_cast<std::size_t>(bodies_);
      const double exact = h00 * positions_[p] + h01 * positions_[q] +
                           interval_ * (h10 * velocities_[p] + h11 * velocities_[q]);
      distance2 += (at[i] - exact) * (at[i] - exact);
    }
    if (!(distance2 <= largest)) largest = distance2;  // lets NaN through
  }
  return std::sqrt(largest);
}

ReferenceMotion make_own_reference(const System& system, double t_end, double interval) {
  SimulationOptions options;
  options.t_end = t_end;
  options.rtol = options.atol = 1e-13;
  options.method = Method::dop853;
  options.output_interval = interval;
  options.record = {};
  options.record.reactions = options.record.steps = false;
  Results results = simulate(system, options);
  return ReferenceMotion(interval, static_cast<int>(results.body_names.size()),
                         std::move(results.position), std::move(results.velocity));
}

}  // namespace trammel::bench
