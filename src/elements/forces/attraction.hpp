// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Gravitation between a point χ_i of body i (of the ground: a fixed centre) and the centre of mass
// of body j: Newton's law.
//
//   d = r_j − x_i,   F = −k d/|d|³ on body j at r_j, its opposite on body i at x_i
//   U = −k/|d|,      k = μ m_j,  μ the gravitational parameter of body i
#pragma once

#include <cmath>
#include <tuple>

#include "elements/forces/force_site.hpp"

namespace trammel {

struct Gravitation;

template <class Real, class Space = Spatial>
struct AttractionForce {
  int body_i, body_j;
  Linear<Real, Space> point_i;  // m
  Real strength;                // N m²

  using Law = Gravitation;
  static AttractionForce make(const auto& law, const auto& places) {
    const int i = places.body(law.body_i), j = places.body(law.body_j);
    return {i, j, places.point(i, law.point_i), law.gravitational_parameter * places.mass(j)};
  }

  static constexpr ForceTraits traits{.has_potential = true, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body_i, self.body_j, self.point_i, self.strength);
  }
  int first_body() const { return body_i; }
  int second_body() const { return body_j; }

  // It has a potential: its power is 0 here.
  Real add_force(const ForceSite<Real, Space>& at) const {
    add(at, Real(1));
    return Real(0);
  }
  // ∇U
  void add_gradient(const ForceSite<Real, Space>& at) const { add(at, Real(-1)); }
  Real calc_energy(const ForceSite<Real, Space>& at) const {
    return -strength * calc_geometry(at).inverse;
  }
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const Geometry geometry = calc_geometry(at);
    const Pose<Real, Space>& i = at.pose[body_i];
    // ḋ; the length changes by ⟨d, ḋ⟩/|d|
    const Linear<Real, Space> d1 = at.pose[body_j].v - (i.v + cross(i.omega, i.R * point_i));
    const Real force = strength * geometry.inverse * geometry.inverse;
    const Real rate = geometry.inverse * dot(geometry.d, d1);
    out("force", "N", force);
    out("length", "m", Real(1) / geometry.inverse);
    out("length_rate", "m/s", rate);
    out("power", "W", -force * rate);
    out("energy", "J", calc_energy(at));
  }

 private:
  struct Geometry {
    Linear<Real, Space> d;
    Real inverse;  // 1/|d|
  };
  Geometry calc_geometry(const ForceSite<Real, Space>& at) const {
    using std::sqrt;
    const Pose<Real, Space>& i = at.pose[body_i];
    // d = r_j − x_i
    const Linear<Real, Space> d = at.pose[body_j].r - (i.r + i.R * point_i);
    return {d, Real(1) / sqrt(dot(d, d))};
  }
  void add(const ForceSite<Real, Space>& at, const Real& sign) const {
    const Geometry geometry = calc_geometry(at);
    const Real inverse = geometry.inverse;
    // k d/|d|³: on body j towards x_i, on body i, at x_i, towards r_j
    const Linear<Real, Space> pull = (sign * strength * inverse * inverse * inverse) * geometry.d;
    at.force_W[body_j] -= pull;
    at.force_W[body_i] += pull;
    at.torque_B[body_i] += cross(point_i, transposed_times(at.pose[body_i].R, pull));
  }
};

}  // namespace trammel
