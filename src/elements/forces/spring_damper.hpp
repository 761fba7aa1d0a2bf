// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A spring and a damper along the line between two points.
//
//   d = x_j − x_i,  ℓ = |d|,  n = d/ℓ,  ℓ̇ = ⟨n, ḋ⟩
//   f = k (ℓ − ℓ₀) + c ℓ̇             tension: +f n on body i at x_i, −f n on body j at x_j
//   U = ½ k (ℓ − ℓ₀)²                 P = −c ℓ̇²
//
// Where the two points meet (ℓ = 0) the direction is not defined; the force is taken as 0 there.
#pragma once

#include <cmath>
#include <tuple>

#include "elements/forces/force_site.hpp"
#include "math/choices.hpp"

namespace trammel {

struct SpringDamper;

// The line between a point of body i and a point of body j.
template <class Real, class Space = Spatial>
struct SpringLine {
  int body_i, body_j;
  Linear<Real, Space> point_i, point_j;  // m

  struct Geometry {
    Linear<Real, Space> n;  // unit vector from point i to point j, or 0
    Real length;            // m
    Real rate;              // m/s
  };

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.body_i, self.body_j, self.point_i, self.point_j);
  }

  Geometry calc_geometry(const ForceSite<Real, Space>& at) const {
    using std::sqrt;
    const Pose<Real, Space>&i = at.pose[body_i], &j = at.pose[body_j];
    const Linear<Real, Space> p_i = i.R * point_i, p_j = j.R * point_j;
    // d = x_j − x_i, and its rate
    const Linear<Real, Space> d = (j.r + p_j) - (i.r + p_i);
    const Linear<Real, Space> d1 = (j.v + cross(j.omega, p_j)) - (i.v + cross(i.omega, p_i));
    const Real length = sqrt(dot(d, d));
    // n = d/|d|; at length 0 no direction, and no force
    const Linear<Real, Space> n = inverse_or_zero(length) * d;
    return {n, length, dot(n, d1)};
  }

  void add_tension(const ForceSite<Real, Space>& at, const Linear<Real, Space>& n,
                   const Real& f) const {
    // F = f n on body i at x_i, −f n on body j at x_j
    const Linear<Real, Space> fn = f * n;
    at.force_W[body_i] += fn;
    at.force_W[body_j] -= fn;
    at.torque_B[body_i] += cross(point_i, transposed_times(at.pose[body_i].R, fn));
    at.torque_B[body_j] -= cross(point_j, transposed_times(at.pose[body_j].R, fn));
  }

  // What is recorded of an element with tension f along the line.
  static void show(const Geometry& geometry, const Real& f, auto&& out) {
    out("force", "N", f);
    out("length", "m", geometry.length);
    out("length_rate", "m/s", geometry.rate);
    out("power", "W", -f * geometry.rate);
  }
};

template <class Real, class Space = Spatial>
struct SpringDamperForce {
  SpringLine<Real, Space> line;
  Real stiffness;    // N/m
  Real damping;      // N s/m
  Real free_length;  // m

  using Law = SpringDamper;
  static SpringDamperForce make(const auto& law, const auto& places) {
    const int i = places.body(law.body_i), j = places.body(law.body_j);
    return {{i, j, places.point(i, law.point_i), places.point(j, law.point_j)},
            law.stiffness,
            law.damping,
            law.free_length};
  }

  static constexpr ForceTraits traits{.has_potential = true, .is_internal = true};
  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.line, self.stiffness, self.damping, self.free_length);
  }
  int first_body() const { return line.body_i; }
  int second_body() const { return line.body_j; }

  // Returns the power of the damper.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const auto geometry = line.calc_geometry(at);
    const Real damping_force = damping * geometry.rate;
    line.add_tension(at, geometry.n, stiffness * (geometry.length - free_length) + damping_force);
    return -(damping_force * geometry.rate);
  }
  // ∇U
  void add_gradient(const ForceSite<Real, Space>& at) const {
    const auto geometry = line.calc_geometry(at);
    line.add_tension(at, geometry.n, -stiffness * (geometry.length - free_length));
  }
  Real calc_energy(const ForceSite<Real, Space>& at) const {
    const Real stretch = line.calc_geometry(at).length - free_length;
    return Real(0.5) * stiffness * stretch * stretch;
  }
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const auto geometry = line.calc_geometry(at);
    line.show(geometry, stiffness * (geometry.length - free_length) + damping * geometry.rate, out);
    out("energy", "J", calc_energy(at));
  }
};

}  // namespace trammel
