// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Stops at the ends of a range, the play of a backlash between two of them, and springs that act on one side
// only: all of them the sides of stop_sides.hpp along a path.
#pragma once

#include "elements/forces/force_path.hpp"
#include "elements/forces/stop_sides.hpp"

namespace trammel {

struct EndStop;
struct Backlash;
struct OneSidedSpring;

template <class Real, class Space = Spatial>
struct StopForce : PathForce<StopForce<Real, Space>, Real, Space> {
  StopSides<Real> sides;
  int is_limit;  // of an EndStop, which a mechanism does not start far inside of

  using Laws = std::tuple<EndStop, Backlash, OneSidedSpring>;
  static StopForce make(const auto& law, const auto& places) {
    return {{places.path(law.along)},
            places.sides(law.along, places.range(law), law.material),
            places.is_limit(law) ? 1 : 0};
  }

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.path, self.sides, self.is_limit);
  }

  Real calc_free_load(const ForceSite<Real, Space>&, const Real& q, const Real& rate) const {
    return sides.calc_damping_load(q, rate);
  }
  Real calc_elastic_load(const Real& q) const { return sides.calc_elastic_load(q); }
  Real calc_path_energy(const Real& q) const { return sides.calc_energy(q); }
};

}  // namespace trammel
