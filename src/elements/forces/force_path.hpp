// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a force acts along: a coordinate q of a joint (elements/coordinate.hpp), unwrapped, or the distance q
// of two points; and forces whose law is a load Q along it, positive where it makes q grow:
//
//   forces Jᵀ Q on the two bodies,      J the gradient of q: q̇ = J u
//   Q = Q_e(q) + Q_f(q, q̇, …),          U = −∫ Q_e dq,   P = Q_f q̇
#pragma once

#include <tuple>

#include "elements/forces/force_site.hpp"
#include "elements/forces/spring_damper.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct ForcePath {
  int coordinate;                // of a joint; −1: the distance of the points of the line
  int reference;                 // that counts its revolutions, or −1
  SpringLine<Real, Space> line;  // its bodies are those of the joint, too

  struct Motion {
    Real value, rate;                    // q, q̇
    CoordinateGradient<Real, Space> of;  // of a coordinate
    Linear<Real, Space> n;               // of a line
  };

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.coordinate, self.reference, self.line);
  }

  Motion calc(const ForceSite<Real, Space>& at) const {
    if (coordinate < 0) {
      const auto geometry = line.calc_geometry(at);
      return {geometry.length, geometry.rate, {}, geometry.n};
    }
    const CoordinateGradient<Real, Space> q = at.calc(coordinate);
    return {at.unwrap(q, reference), q.calc_rate(at.pose[line.body_i], at.pose[line.body_j]), q,
            Linear<Real, Space>::zero()};
  }
  // Adds Jᵀ Q.
  void add_load(const ForceSite<Real, Space>& at, const Motion& q, const Real& Q) const {
    if (coordinate < 0) return line.add_tension(at, q.n, -Q);
    add_coordinate_load(at, line.body_i, line.body_j, q.of, Q);
  }
  bool is_angle(const ForceSite<Real, Space>& at) const {
    return coordinate >= 0 && at.coordinates[coordinate].kind == CoordinateKind::angle;
  }
  // Load, coordinate and rate. The load acts on body j, positive where it makes q grow.
  void show(const ForceSite<Real, Space>& at, const Motion& q, const Real& Q, auto&& out) const {
    if (is_angle(at)) {
      out("torque", "N m", Q);
      out("angle", "rad", q.value);
      out("angle_rate", "rad/s", q.rate);
      return;
    }
    out("force", "N", Q);
    out(coordinate < 0 ? "length" : "travel", "m", q.value);
    out(coordinate < 0 ? "length_rate" : "travel_rate", "m/s", q.rate);
  }
};

// A force along a path, for an `Element` with calc_free_load(site, q, q̇), which has no potential and, with a
// potential, calc_elastic_load(q) and calc_path_energy(q).
template <class Element, class Real, class Space>
struct PathForce {
  ForcePath<Real, Space> path;

  static constexpr ForceTraits traits{.has_potential = true, .is_internal = true};
  int first_body() const { return path.line.body_i; }
  int second_body() const { return path.line.body_j; }

  // Returns the power of what has no potential.
  Real add_force(const ForceSite<Real, Space>& at) const {
    const auto q = path.calc(at);
    const Real load = self().calc_free_load(at, q.value, q.rate);
    path.add_load(at, q, load + calc_elastic(q.value));
    return load * q.rate;
  }
  // ∇U
  void add_gradient(const ForceSite<Real, Space>& at) const {
    const auto q = path.calc(at);
    path.add_load(at, q, -calc_elastic(q.value));
  }
  Real calc_energy(const ForceSite<Real, Space>& at) const {
    return self().calc_path_energy(path.calc(at).value);
  }
  void show(const ForceSite<Real, Space>& at, auto&& out) const {
    const auto q = path.calc(at);
    const Real load = self().calc_free_load(at, q.value, q.rate) + calc_elastic(q.value);
    path.show(at, q, load, out);
    if constexpr (requires { self().show_own(at, q.value, q.rate, out); }) {
      self().show_own(at, q.value, q.rate, out);
    }
    out("power", "W", load * q.rate);
    if constexpr (Element::traits.has_potential) {
      out("energy", "J", self().calc_path_energy(q.value));
    }
  }

 private:
  const Element& self() const { return static_cast<const Element&>(*this); }
  Real calc_elastic(const Real& q) const {
    if constexpr (Element::traits.has_potential) {
      return self().calc_elastic_load(q);
    } else {
      return Real(0);
    }
  }
};

}  // namespace trammel
