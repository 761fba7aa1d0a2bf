// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "four_bar_reference.hpp"

#include <cmath>
#include <utility>

namespace trammel::bench {

namespace {

struct PendulumState {
  long double angle, rate;
};

// Classical Runge–Kutta, fine enough to leave rounding errors of double only.
void advance(PendulumState& at, long double pull, long double h) {
  const auto rate = [&](const PendulumState& s) {
    return PendulumState{s.rate, -pull * std::cos(s.angle)};
  };
  const auto moved = [&](const PendulumState& k, long double by) {
    return PendulumState{at.angle + by * k.angle, at.rate + by * k.rate};
  };
  const PendulumState a = rate(at), b = rate(moved(a, h / 2)), c = rate(moved(b, h / 2)),
                      d = rate(moved(c, h));
  at.angle += h / 6 * (a.angle + 2 * b.angle + 2 * c.angle + d.angle);
  at.rate += h / 6 * (a.rate + 2 * b.rate + 2 * c.rate + d.rate);
}

bool is_crank(const Body& body) { return body.name.rfind("crank", 0) == 0; }

}  // namespace

ReferenceMotion make_four_bar_reference(const Model& model, const std::vector<BodyState>& start,
                                        double interval) {
  long double A = 0, B = 0;
  for (const Body& body : model.bodies) {
    const long double m = *body.mass;
    A += is_crank(body) ? (*body.inertia)[2][2] + m / 4 : m;
    B += is_crank(body) ? m / 2 : m;
  }
  const long double pull = -B * model.gravity[1] / A;
  // all cranks turn alike; the angle is that of crank 0 as assembled
  PendulumState at{std::atan2(static_cast<long double>(start[0].position[1]),
                              static_cast<long double>(start[0].position[0])),
                   start[0].angular_velocity[2]};
  const auto points = std::lround(model.simulation.t_end / interval) + 1;
  const int steps = static_cast<int>(std::ceil(interval / 5e-5));
  std::vector<double> positions, velocities;
  for (long k = 0; k < points; ++k) {
    const long double x = std::cos(at.angle), y = std::sin(at.angle);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Vec3& drawn = model.bodies[b].position;  // cranks upright: φ = 90°
      const long double share = is_crank(model.bodies[b]) ? 0.5L : 1.0L;
      positions.push_back(static_cast<double>(drawn[0] + share * x));
      positions.push_back(static_cast<double>(share * y));
      velocities.push_back(static_cast<double>(-share * y * at.rate));
      velocities.push_back(static_cast<double>(share * x * at.rate));
      positions.push_back(0.0);
      velocities.push_back(0.0);
    }
    for (int s = 0; s < steps; ++s) advance(at, pull, static_cast<long double>(interval) / steps);
  }
  return ReferenceMotion(interval, static_cast<int>(model.bodies.size()), std::move(positions),
                         std::move(velocities));
}

}  // namespace trammel::bench
