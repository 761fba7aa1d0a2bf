// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Coordinates of a pair of bodies: what couplers and drivers constrain, and what is recorded of a
// joint. Each is a smooth function of the two poses, with q̇ = J u and q̈ = J u̇ + γ.
//
//   angle     q = atan2(y, x),     x = ⟨s, t⟩, y = ⟨s', t'⟩                               (rad)
//             q̇ = (x ẏ − y ẋ)/ρ²,  ρ² = x² + y²
//             γ = (x ÿ − y ẍ)/ρ² − 2 q̇ (x ẋ + y ẏ)/ρ²
//   travel    q = ⟨s, d⟩ − c,      d = x_j − r_i, c constant                                (m)
//   distance  q = |d|,             d = x_j − x_i                                            (m)
//   bearing   q = atan2(y, x),     x = ⟨s, d⟩, y = ⟨s', d⟩, d = x_j − x_i                  (rad)
//   tilt      q = asin x,          x = ⟨s, t⟩                                              (rad)
//             q̇ = ẋ/w,  γ = (γ_x + x ẋ²/w²)/w,  w = √(1 − x²)
//
// s, s' fixed in body i, t, t' in body j. x and y are functions of SO, the travel one of O
// (symmetric_orthogonality.hpp, orthogonality.hpp), as x and y of a bearing, the distance one of D. A bearing
// is the direction in which body i sees a point; a tilt the second of three angles. For a hinge of axis n:
// s, s' = n×s normal to the axis in body i, t = t' the direction in body j that the angle follows.
// Where the hinge holds, ρ = 1; a little off the manifold the angle is still smooth.
//
// atan2 gives the angle within a turn. Turns are counted with a reference angle near q:
//
//   q = φ + 2πn,  n = round((reference − φ)/2π)
//
// which does not depend on the reference as long as that is less than half a turn away.
#pragma once

#include <cmath>

#include <tuple>

#include "elements/distance.hpp"
#include "elements/orthogonality.hpp"
#include "elements/symmetric_orthogonality.hpp"
#include "math/choices.hpp"
#include "math/functions.hpp"

namespace trammel {

enum class CoordinateKind { angle, travel, distance, bearing, tilt };

// In rad; all but a tilt go on after a revolution.
constexpr bool is_unwrapped(CoordinateKind kind) {
  return kind == CoordinateKind::angle || kind == CoordinateKind::bearing;
}
constexpr bool is_angle(CoordinateKind kind) {
  return is_unwrapped(kind) || kind == CoordinateKind::tilt;
}

struct CoordinateTopology {
  CoordinateKind kind;
  int body_i;
  int body_j;
  friend bool operator==(const CoordinateTopology&, const CoordinateTopology&) = default;
};

// In the frames of body i and body j.
template <class Real, class Space = Spatial>
struct CoordinateParameters {
  Linear<Real, Space> vector_i[2], vector_j[2];  // angle: s, s' and t, t'; travel: vector_i[0] = s
  Linear<Real, Space> point_i, point_j;  // m, of a distance and a bearing; a travel uses point_j
  Real offset;                           // m, c of a travel
  Real start;                            // rad or m, in the initial configuration

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.vector_i, self.vector_j, self.point_i, self.point_j, self.offset,
                    self.start);
  }
};

// q and its gradient by the velocities of the pair (pose.hpp).
template <class Real, class Space>
struct CoordinateGradient {
  Real value;  // rad within (−π, π], or m
  Row<Real, Space> row;

  // J u
  Real calc_rate(const Pose<Real, Space>& i, const Pose<Real, Space>& j) const {
    return dot(row.linear, j.v - i.v) + dot(row.alpha_j, j.omega) - dot(row.alpha_i, i.omega);
  }
};

// Whole turns between an angle within a turn and the reference.
template <class Real>
Real count_turns(const Real& angle, const Real& reference) {
  return nearest((reference - angle) * Real(1.0 / full_turn));
}

namespace coordinate_kind {

// In the plane q = β_j − β_i up to a constant: α = 1 and γ = 0, whatever the vectors.
template <class Real, class Space>
CoordinateGradient<Real, Space> calc_angle(const CoordinateParameters<Real, Space>& data,
                                           const Pose<Real, Space>& i, const Pose<Real, Space>& j) {
  if constexpr (Space::dimension == 2) {
    const Real x = dot(i.R * data.vector_i[0], j.R * data.vector_j[0]);
    const Real y = dot(i.R * data.vector_i[1], j.R * data.vector_j[1]);
    return {calc_arctangent(y, x), {Linear<Real, Space>::zero(), {Real(1)}, {Real(1)}}};
  }
  Real g[2];
  Angular<Real, Space> alpha[2];
  for (int k = 0; k < 2; ++k) {
    const Linear<Real, Space> s = i.R * data.vector_i[k], t = j.R * data.vector_j[k];
    g[k] = dot(s, t);
    alpha[k] = cross(t, s);
  }
  // q = atan2(y, x): J_q = (x J_y − y J_x)/(x² + y²)
  const Real inverse = Real(1) / (g[0] * g[0] + g[1] * g[1]);
  const Real along_y = inverse * g[0], along_x = -inverse * g[1];
  const Angular<Real, Space> both = along_y * alpha[1] + along_x * alpha[0];
  return {calc_arctangent(g[1], g[0]), {Linear<Real, Space>::zero(), both, both}};
}

template <class Real, class Space>
Real calc_angle_gamma(const CoordinateParameters<Real, Space>& data, const Pose<Real, Space>& i,
                      const Pose<Real, Space>& j) {
  if constexpr (Space::dimension == 2) return Real(0);
  Real value[2], rate[2], bend[2];
  for (int k = 0; k < 2; ++k) {
    const Linear<Real, Space> s = i.R * data.vector_i[k];
    const Linear<Real, Space> t = j.R * data.vector_j[k];
    value[k] = dot(s, t);
    rate[k] = dot(cross(i.omega, s), t) + dot(s, cross(j.omega, t));
    bend[k] = symmetric_orthogonality::calc_gamma(i, j, s, t);
  }
  // q̇ = (x ẏ − y ẋ)/(x² + y²), γ = (x γ_y − y γ_x − 2 q̇ (x ẋ + y ẏ))/(x² + y²)
  const Real inverse = Real(1) / (value[0] * value[0] + value[1] * value[1]);
  const Real q1 = inverse * (value[0] * rate[1] - value[1] * rate[0]);
  return inverse * ((value[0] * bend[1] - value[1] * bend[0]) -
                    Real(2) * q1 * (value[0] * rate[0] + value[1] * rate[1]));
}

template <class Real, class Space>
CoordinateGradient<Real, Space> calc_travel(const CoordinateParameters<Real, Space>& data,
                                            const Pose<Real, Space>& i,
                                            const Pose<Real, Space>& j) {
  const Linear<Real, Space> s = i.R * data.vector_i[0];
  const Linear<Real, Space> p_j = j.R * data.point_j;
  // q = ⟨s, x_j − r_i⟩ − offset, as the constraint O
  const Linear<Real, Space> d = (j.r + p_j) - i.r;
  return {dot(s, d) - data.offset, orthogonality::calc_row<Real, Space>(p_j, s, d)};
}

template <class Real, class Space>
Linear<Real, Space> calc_span(const CoordinateParameters<Real, Space>& data,
                              const Pose<Real, Space>& i, const Pose<Real, Space>& j) {
  return (j.r + j.R * data.point_j) - (i.r + i.R * data.point_i);
}

// D with the momentary length: the gradient of |d|.
template <class Real, class Space>
CoordinateGradient<Real, Space> calc_distance(const CoordinateParameters<Real, Space>& data,
                                              const Pose<Real, Space>& i,
                                              const Pose<Real, Space>& j) {
  using std::sqrt;
  const Linear<Real, Space> d = calc_span(data, i, j);
  const Real length = sqrt(dot(d, d));
  return {length,
          distance::calc_row<Real, Space>(i.R * data.point_i, j.R * data.point_j, length, d)};
}

// |d|¨ = γ of D less (|d|˙)²/|d|: the momentary length moves too.
template <class Real, class Space>
Real calc_distance_gamma(const CoordinateParameters<Real, Space>& data, const Pose<Real, Space>& i,
                         const Pose<Real, Space>& j) {
  using std::sqrt;
  const Linear<Real, Space> d = calc_span(data, i, j);
  const Linear<Real, Space> p_i = i.R * data.point_i, p_j = j.R * data.point_j;
  const Real length = sqrt(dot(d, d));
  const Real rate = dot(d, (j.v + cross(j.omega, p_j)) - (i.v + cross(i.omega, p_i))) / length;
  return distance::calc_gamma(i, j, p_i, p_j, length, d) - rate * rate / length;
}

// x and y of a bearing as constraints O: value, gradient and, with velocities, rate and γ.
template <class Real, class Space>
struct Component {
  Component(const CoordinateParameters<Real, Space>& data, int k, const Pose<Real, Space>& i,
            const Pose<Real, Space>& j)
      : s(i.R * data.vector_i[k]), p_j(j.R * data.point_j), d((j.r + p_j) - i.r) {
    value = dot(s, d) - dot(data.vector_i[k], data.point_i);
    row = orthogonality::calc_row<Real, Space>(p_j, s, d);
  }
  Linear<Real, Space> s, p_j, d;
  Real value;
  Row<Real, Space> row;
};

template <class Real, class Space>
CoordinateGradient<Real, Space> calc_bearing(const CoordinateParameters<Real, Space>& data,
                                             const Pose<Real, Space>& i,
                                             const Pose<Real, Space>& j) {
  const Component<Real, Space> x(data, 0, i, j), y(data, 1, i, j);
  const Real inverse = Real(1) / (x.value * x.value + y.value * y.value);
  const Real along_y = inverse * x.value, along_x = -inverse * y.value;
  return {calc_arctangent(y.value, x.value),
          {along_y * y.row.linear + along_x * x.row.linear,
           along_y * y.row.alpha_i + along_x * x.row.alpha_i,
           along_y * y.row.alpha_j + along_x * x.row.alpha_j}};
}

template <class Real, class Space>
Real calc_bearing_gamma(const CoordinateParameters<Real, Space>& data, const Pose<Real, Space>& i,
                        const Pose<Real, Space>& j) {
  const Component<Real, Space> x(data, 0, i, j), y(data, 1, i, j);
  const auto calc_rate = [&](const Component<Real, Space>& of) {
    return CoordinateGradient<Real, Space>{of.value, of.row}.calc_rate(i, j);
  };
  const auto bend = [&](const Component<Real, Space>& of) {
    return orthogonality::calc_gamma(i, j, of.p_j, of.s, of.d);
  };
  const Real inverse = Real(1) / (x.value * x.value + y.value * y.value);
  const Real x1 = calc_rate(x), y1 = calc_rate(y);
  const Real q1 = inverse * (x.value * y1 - y.value * x1);
  return inverse *
         ((x.value * bend(y) - y.value * bend(x)) - Real(2) * q1 * (x.value * x1 + y.value * y1));
}

// x = ⟨s, t⟩ and w = √(1 − x²)
template <class Real, class Space>
CoordinateGradient<Real, Space> calc_tilt(const CoordinateParameters<Real, Space>& data,
                                          const Pose<Real, Space>& i, const Pose<Real, Space>& j) {
  using std::sqrt;
  const Linear<Real, Space> s = i.R * data.vector_i[0], t = j.R * data.vector_j[0];
  const Real x = dot(s, t);
  const Real w = sqrt(Real(1) - x * x);
  const Angular<Real, Space> alpha = (Real(1) / w) * cross(t, s);
  return {calc_arctangent(x, w), {Linear<Real, Space>::zero(), alpha, alpha}};
}

template <class Real, class Space>
Real calc_tilt_gamma(const CoordinateParameters<Real, Space>& data, const Pose<Real, Space>& i,
                     const Pose<Real, Space>& j) {
  using std::sqrt;
  const Linear<Real, Space> s = i.R * data.vector_i[0], t = j.R * data.vector_j[0];
  const Real x = dot(s, t);
  const Real inverse = Real(1) / (Real(1) - x * x);
  const Real rate = dot(cross(i.omega, s), t) + dot(s, cross(j.omega, t));
  return sqrt(inverse) *
         (symmetric_orthogonality::calc_gamma(i, j, s, t) + inverse * x * (rate * rate));
}

}  // namespace coordinate_kind

// Needs the positions of the pair.
template <class Real, class Space>
CoordinateGradient<Real, Space> calc_coordinate(CoordinateKind kind,
                                                const CoordinateParameters<Real, Space>& data,
                                                const Pose<Real, Space>& i,
                                                const Pose<Real, Space>& j) {
  if (kind == CoordinateKind::angle) return coordinate_kind::calc_angle(data, i, j);
  if (kind == CoordinateKind::travel) return coordinate_kind::calc_travel(data, i, j);
  if (kind == CoordinateKind::bearing) return coordinate_kind::calc_bearing(data, i, j);
  if (kind == CoordinateKind::tilt) return coordinate_kind::calc_tilt(data, i, j);
  return coordinate_kind::calc_distance(data, i, j);
}

// γ of q̈ = J u̇ + γ; needs positions and velocities of the pair.
template <class Real, class Space>
Real calc_coordinate_gamma(CoordinateKind kind, const CoordinateParameters<Real, Space>& data,
                           const Pose<Real, Space>& i, const Pose<Real, Space>& j) {
  if (kind == CoordinateKind::angle) return coordinate_kind::calc_angle_gamma(data, i, j);
  if (kind == CoordinateKind::distance) return coordinate_kind::calc_distance_gamma(data, i, j);
  if (kind == CoordinateKind::bearing) return coordinate_kind::calc_bearing_gamma(data, i, j);
  if (kind == CoordinateKind::tilt) return coordinate_kind::calc_tilt_gamma(data, i, j);
  return orthogonality::calc_gamma(i, j, j.R * data.point_j, i.R * data.vector_i[0],
                                   (j.r + j.R * data.point_j) - i.r);
}

}  // namespace trammel
