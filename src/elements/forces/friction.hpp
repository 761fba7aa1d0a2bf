// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Dry and viscous friction along a path, with a given Coulomb load, regularised:
//
//   Q = −(F_c + (F_s − F_c)/(1 + (q̇/v_s)²)) q̇/√(q̇² + v_r²) − c q̇
//
// F_c: the load of sliding, F_s ≥ F_c that of breaking away, which falls off with the speed v_s (the form of
// Hess and Soom, 1990); v_r: the speed at which the Coulomb load has grown to 1/√2 of its value. Below it
// the joint creeps: under a load Q₀ < F_s at v_r Q₀/√(F_s² − Q₀²), where v_s is far above v_r. Analytic in q̇,
// without calls of a library; P = Q q̇ ≤ 0 always.
#pragma once

#include <cmath>

#include "elements/forces/force_path.hpp"

namespace trammel {

struct Friction;

template <class Real, class Space = Spatial>
struct FrictionForce : PathForce<FrictionForce<Real, Space>, Real, Space> {
  Real sliding;    // F_c, N m or N
  Real excess;     // F_s − F_c, N m or N
  Real stribeck;   // v_s, rad/s or m/s
  Real viscous;    // c, N m s/rad or N s/m
  Real threshold;  // v_r, rad/s or m/s

  using Laws = std::tuple<Friction>;
  static FrictionForce make(const auto& law, const auto& places) {
    const double above = law.static_coefficient.value_or(law.coefficient) - law.coefficient;
    return {{places.path(law.along)},
            law.coefficient * law.preload,
            above * law.preload,
            law.stribeck_velocity.value_or(1.0),
            law.viscous,
            law.velocity};
  }

  static constexpr ForceTraits traits{.has_potential = false, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.path, self.sliding, self.excess, self.stribeck, self.viscous,
                    self.threshold);
  }

  Real calc_free_load(const ForceSite<Real, Space>&, const Real&, const Real& rate) const {
    using std::sqrt;
    const Real v2 = rate * rate, s2 = stribeck * stribeck;
    const Real level = sliding + excess * (s2 / (s2 + v2));
    return -(level / sqrt(v2 + threshold * threshold) + viscous) * rate;
  }
};

}  // namespace trammel
