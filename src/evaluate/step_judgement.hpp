// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers by which a step is judged, row by row and body by body, for numbers of any kind: its error,
// whether what is left of g is rounding, how large a move onto the joints is, and by how much velocities
// grow to restore the energy. Who decides with them: problem/mechanical_problem.hpp.
#pragma once

#include <cmath>
#include <limits>

#include "math/choices.hpp"
#include "space/space.hpp"
#include "system/parameters.hpp"

namespace trammel {

template <class Real>
[[gnu::always_inline]] inline Real squared(const Real& x) {
  return x * x;
}
template <class Vector>
[[gnu::always_inline]] inline auto calc_length(const Vector& v) {
  using std::sqrt;
  return sqrt(dot(v, v));
}

// ---- the projection of positions

// |g| below this many units of rounding is noise: near a singular position the correction would
// never become small. Coordinates far larger than the mechanism's length (a long chain of short
// links) carry their own rounding.
inline constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();

// of a row; reach: the largest coordinate of a centre of mass in its component
template <class Real>
[[gnu::always_inline]] inline Real calc_noise_limit(const Real& scale, const Real& row_reach,
                                                    const Real& reach) {
  return Real(rounding) * (Real(4) * scale + row_reach * reach);
}

// What of a move counts for one body: the square of its size, max(|dr|/L, |φ|)², and how small that
// is to be. An angle that counts turns is known to fewer digits after hundreds of radians.
template <class Real>
struct BodyMove {
  Real size2, limit2;
};
template <class Space, class Real>
[[gnu::always_inline]] inline BodyMove<Real> judge_body(const Real& length, const Real& linear2,
                                                        const Real& angular2, const Real& tolerance,
                                                        const Real& reach, const Real* y) {
  using std::abs;
  const Real inverse = Real(1) / length;
  // rounding of far coordinates, and of an angle after many turns
  const Real far = Real(4.0 * rounding) * reach * inverse;
  const Real turns = Real(rounding) * abs(Space::calc_attitude(y));
  return {greater(inverse * inverse * linear2, angular2),
          squared(greater(greater(tolerance, far), turns))};
}

// ---- the energy

// uᵀ M u of a body
template <class Real, class Space>
[[gnu::always_inline]] inline Real mass_norm2(const BodyParameters<Real, Space>& body,
                                              const Twist<Real, Space>& w) {
  return body.mass * dot(w.linear, w.linear) + dot(w.angular, scaled(body.inertia, w.angular));
}

// By which part velocities grow that lack `ratio` of their energy: √(1 + x) − 1, within the limit.
template <class Real>
[[gnu::always_inline]] inline Real calc_growth(const Real& ratio, const Real& limit) {
  using std::sqrt;
  // √(1 + x) − 1 = x/(1 + √(1 + x)) without cancellation
  const Real wanted = ratio / (Real(1) + sqrt(Real(1) + ratio));
  return lesser(greater(wanted, -limit), limit);
}
// What the tolerance of the local error allows a body: |growth|·|u| ≤ atol + rtol |u|.
template <class Real, class L, class A>
[[gnu::always_inline]] inline Real calc_growth_limit(const Real& rtol, const Real& atol, const L& v,
                                                     const A& Omega) {
  using std::sqrt;
  return rtol + atol / sqrt(greater(dot(v, v), dot(Omega, Omega)));
}

// A shift by f along a twist: no body moves by more than the tolerance of the local error, or a hundredth
// of its mechanism.
inline double calc_shift_limit(double rtol, double atol) { return lesser(0.01, rtol + atol); }
template <class Real, class L, class A>
[[gnu::always_inline]] inline Real calc_shift_size(const L& linear, const A& angular,
                                                   const Real& length) {
  return greater(calc_length(linear) / length, calc_length(angular));
}
// By what f has to shrink for a body of that size.
template <class Real>
[[gnu::always_inline]] inline Real limit_shift(const Real& f, const Real& limit, const Real& size) {
  using std::abs;
  return lesser(limit / (size * abs(f)), Real(1));
}

// ---- the error of a step

// The error norm is a mean over the components (r, φ, v, Ω) of a body in space. In the plane those
// that are missing have no error: a planar model takes the steps of its spatial twin.
inline constexpr double norm_components = 12.0;

// Twelve times the mean square of |e_r|/(atol + rtol L), 2|H e_θ|/(atol + rtol), |e_v|/(atol + rtol|v|) and
// |e_Ω|/(atol + rtol|Ω|); v, Omega: the larger of both ends.
template <class Space, class Real>
[[gnu::always_inline]] inline Real calc_body_error2(const Real& rtol, const Real& atol,
                                                    const Real& length, const Real& v,
                                                    const Real& Omega, const Real* y1,
                                                    const Real* e_y, const Real* e_u) {
  const Linear<Real, Space> e_r = Linear<Real, Space>::load(e_y),
                            e_v = Linear<Real, Space>::load(e_u);
  const Angular<Real, Space> e_Omega = Angular<Real, Space>::load(e_u + Space::dimension);
  const auto weight = [&](const Real& size) __attribute__((always_inline)) {
    return squared(Real(1) / (atol + rtol * size));
  };
  return weight(length) * dot(e_r, e_r) + weight(Real(1)) * Space::calc_turn2(y1, e_y) +
         weight(v) * dot(e_v, e_v) + weight(Omega) * dot(e_Omega, e_Omega);
}
// The larger of two lengths, and the mean.
template <class Vector>
[[gnu::always_inline]] inline auto calc_larger_length(const Vector& a, const Vector& b) {
  using std::sqrt;
  return sqrt(greater(dot(a, a), dot(b, b)));
}
template <class Real>
[[gnu::always_inline]] inline Real take_mean(const Real& sum) {
  return Real(1.0 / norm_components) * sum;
}
template <class Real>
[[gnu::always_inline]] inline Real calc_work_error2(const Real& rtol, const Real& atol,
                                                    const Real& work0, const Real& work1,
                                                    const Real& kinetic, const Real& e) {
  using std::abs;
  return squared(e / (atol + rtol * greater(greater(abs(work1), abs(work0)), kinetic)));
}
// Of a state of the model: |e|/(atol + rtol |x|)
template <class Real>
[[gnu::always_inline]] inline Real calc_state_error2(const Real& rtol, const Real& atol,
                                                     const Real& x0, const Real& x1,
                                                     const Real& e) {
  using std::abs;
  return squared(e / (atol + rtol * greater(abs(x1), abs(x0))));
}

}  // namespace trammel
