// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Stops at one or both ends of the range of a coordinate q. At depth x in a stop (x = least − q, or
// x = q − most) it pushes back with
//
//   F = F_e(x) · max(1 + d ẋ, 0)          never negative: damping cannot pull (Hunt and Crossley, 1975)
//   F_e = k e P(x/e)      for 0 ≤ x ≤ e,   P(s) = s⁴ (5/2 − 3 s + s²)
//   F_e = k (x − e/2)     for x ≥ e,       a linear spring, shifted by half of the entry depth e
//   U = ∫ F_e dx = k e² Q(x/e),            Q(s) = s⁵ (1/2 − s/2 + s²/7), then with the line
//
// P' is the step s³(10 − 15 s + 6 s²), so that F_e has three continuous derivatives wherever the stop is
// touched and the depth e passed. With e = 0 the spring is linear from the first touch on. The power of the
// damping, −F_e (max(1 + d ẋ, 0) − 1) ẋ, is never positive.
#pragma once

#include <tuple>

#include "math/choices.hpp"

namespace trammel {

template <class Real>
struct StopSides {
  int has_least = 0, has_most = 0;
  Real least, most;  // rad or m
  Real stiffness;    // k, N m/rad or N/m
  Real dissipation;  // d, s/rad or s/m
  Real entry;        // e, rad or m

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.has_least, self.has_most, self.least, self.most, self.stiffness,
                    self.dissipation, self.entry);
  }

  // The part of the load that has a potential, positive where it makes q grow.
  Real calc_elastic_load(const Real& q) const {
    Real load(0);
    if (has_least != 0) load += calc_push(least - q);
    if (has_most != 0) load -= calc_push(q - most);
    return load;
  }
  Real calc_damping_load(const Real& q, const Real& rate) const {
    Real load(0);
    if (has_least != 0) load += calc_push(least - q) * calc_excess(-rate);
    if (has_most != 0) load -= calc_push(q - most) * calc_excess(rate);
    return load;
  }
  Real calc_energy(const Real& q) const {
    Real energy(0);
    if (has_least != 0) energy += calc_side_energy(least - q);
    if (has_most != 0) energy += calc_side_energy(q - most);
    return energy;
  }

 private:
  struct Depth {
    Real share;  // s = x/e within the entry, between 0 and 1
    Real rest;   // x − e, or 0
  };
  Depth split(const Real& x) const {
    const Real depth = greater(x, Real(0));
    return {lesser(depth * inverse_or_zero(entry), Real(1)), greater(x - entry, Real(0))};
  }
  // F_e
  Real calc_push(const Real& x) const {
    const auto [s, rest] = split(x);
    const Real s2 = s * s;
    return stiffness * (entry * (s2 * s2 * (Real(2.5) + s * (s - Real(3)))) + rest);
  }
  // max(1 + d ẋ, 0) − 1
  Real calc_excess(const Real& depth_rate) const {
    return greater(dissipation * depth_rate, Real(-1));
  }
  Real calc_side_energy(const Real& x) const {
    const auto [s, rest] = split(x);
    const Real s2 = s * s;
    const Real in_entry =
        entry * entry * (s2 * s2 * s * (Real(0.5) + s * (s * Real(1.0 / 7.0) - Real(0.5))));
    return stiffness * (in_entry + rest * (Real(0.5) * (entry + rest)));
  }
};

}  // namespace trammel
