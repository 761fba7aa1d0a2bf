// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A gas strut by its data sheet: stroke s = extended length − q, from 0 extended to S compressed. The gas is
// enclosed at constant temperature, its volume falls linearly with the stroke:
//
//   F(s) = F₁/(1 − a s/S),  a = 1 − F₁/F₂        F(0) = F₁, F(S) = F₂; it pushes the points apart
//   U = ∫ F ds = −F₁ (S/a) ln(1 − a s/S)
//   Q = F(s) − c q̇, and end stops at q = extended length and S below it (stop_sides.hpp)
//
// The volume does not fall below half of that at full stroke, which end stops keep it from: there F is
// constant.
#pragma once

#include "elements/forces/force_path.hpp"
#include "elements/forces/stop_sides.hpp"
#include "math/functions.hpp"

namespace trammel {

struct GasStrut;

template <class Real, class Space = Spatial>
struct GasStrutForce : PathForce<GasStrutForce<Real, Space>, Real, Space> {
  StopSides<Real> ends;
  Real extended;     // F₁, N
  Real slope;        // a/S, 1/m
  Real least_share;  // of the volume
  Real damping;      // c, N s/m

  using Laws = std::tuple<GasStrut>;
  static GasStrutForce make(const auto& law, const auto& places) {
    const double ratio = law.force_extended / law.force_compressed;
    return {{places.path(law.along)},
            places.sides(law.along, places.range(law), law.end_stops),
            law.force_extended,
            (1.0 - ratio) / law.stroke,
            0.5 * ratio,
            law.damping};
  }

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.path, self.ends, self.extended, self.slope, self.least_share,
                    self.damping);
  }

  Real calc_free_load(const ForceSite<Real, Space>&, const Real& q, const Real& rate) const {
    return ends.calc_damping_load(q, rate) - damping * rate;
  }
  Real calc_elastic_load(const Real& q) const {
    return extended / greater(calc_share(q), least_share) + ends.calc_elastic_load(q);
  }
  Real calc_path_energy(const Real& q) const {
    const Real share = calc_share(q), kept = greater(share, least_share);
    const Real gas = (extended / slope) * ((kept - share) / kept - calc_logarithm(kept));
    return gas + ends.calc_energy(q);
  }
  void show_own(const ForceSite<Real, Space>&, const Real& q, const Real&, auto&& out) const {
    out("gas_force", "N", extended / greater(calc_share(q), least_share));
    out("stroke", "m", ends.most - q);
  }

 private:
  // The volume of the gas, relative to that of the extended strut.
  Real calc_share(const Real& q) const { return Real(1) - slope * (ends.most - q); }
};

}  // namespace trammel
