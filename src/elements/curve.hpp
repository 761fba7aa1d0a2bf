// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// K, the curve constraint: point χ_j of body j stays on a curve c(σ) that is fixed in body i.
//
// Near a reference parameter σ₀ with the unit tangent e, and n_k the normals of e: cut the curve
// with the plane through the point that is normal to e, and measure in that plane,
//
//   q   = R_iᵀ d,  d = x_j − r_i,  x_j = r_j + p_j              the point, in the frame of body i
//   σ   : ⟨q − c(σ), e⟩ = 0                                     found by Newton's method from σ₀
//   g_k = ⟨q − c(σ), n_k⟩                                       (2 rows, in the plane 1; m)
//
// With σ̇ = ⟨q̇, e⟩/⟨c', e⟩ and m_k = n_k − ⟨c', n_k⟩/⟨c', e⟩ e, which is normal to the curve at σ,
//
//   ġ_k = ⟨q̇ − c' σ̇, n_k⟩ = ⟨q̇, m_k⟩
//   g̈_k = ⟨q̈ − c'' σ̇², m_k⟩                                    (σ̈ drops out: ⟨c', m_k⟩ = 0)
//
// so J is that of an O row with the vector a = m_k, and γ that of the O row less ⟨c'', m_k⟩ σ̇²:
// c, c' and c'' are enough, and all of it is continuous for a C² curve.
//
// e, n_k and σ₀ are constants of a step: they follow the point at accepted steps only
// (move_reference), so that a rejected step leaves no trace. g is defined as long as the tangent
// turns by less than a right angle from the reference, and NaN beyond: the step is then too long.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "elements/orthogonality.hpp"
#include "math/functions.hpp"
#include "math/spline_curve.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct CurveState {
  // ---- reference, changes at accepted steps only
  bool known = false;     // false: searched on the whole curve at the next use
  Real sigma0{};          // m
  Linear<Real, Space> e;  // unit tangent, body i
  Linear<Real, Space> n[Space::dimension - 1];  // its normals

  // ---- of the current state, computed by calc_rows
  Real sigma{};
  Linear<Real, Space> c1, c2;                   // c', c'' at σ, body i
  Linear<Real, Space> m[Space::dimension - 1];  // body i

  // ---- on traced numbers: the state on doubles that the code is to follow
  const CurveState<double, Space>* followed = nullptr;
  const SplineCurve* curve = nullptr;  // of that state
};

namespace curve {

// The reference moves to σ; from a reference before it the normals turn as little as they can, so
// that the rows stay nearly the same.
template <class Space>
void set_reference(const SplineCurve& curve, double sigma, CurveState<double, Space>& at) {
  at.sigma0 = curve.wrap(sigma);
  const Linear<double, Space> c1 = Space::import_linear(curve.evaluate(at.sigma0).c1);
  const Linear<double, Space> e = (1.0 / std::sqrt(dot(c1, c1))) * c1;
  if (at.known) {
    Space::carry_normals(at.e, e, at.n);
  } else {
    Space::make_normals(e, at.n);
  }
  at.e = e;
  at.known = true;
}

// c(σ) where the plane through q cuts the curve; NaN where that is not near the reference.
template <class Space>
Linear<double, Space> find_section(const SplineCurve& curve, const Linear<double, Space>& q,
                                   CurveState<double, Space>& at) {
  constexpr double smallest_cosine = 0.1;
  constexpr int most_iterations = 30;
  at.sigma = at.sigma0;
  bool last = false;
  for (int iterations = 0; iterations < most_iterations; ++iterations) {
    const SplineCurve::Point point = curve.evaluate(at.sigma);
    const Linear<double, Space> c = Space::import_linear(point.c);
    at.c1 = Space::import_linear(point.c1);
    at.c2 = Space::import_linear(point.c2);
    // Newton for ⟨q − c(σ), e⟩ = 0, with the slope −⟨c', e⟩
    const double along = dot(at.c1, at.e);
    if (!(along >= smallest_cosine * std::sqrt(dot(at.c1, at.c1)))) break;
    if (last) return c;
    const double step = dot(q - c, at.e) / along;
    at.sigma += step;
    // quadratic convergence: the next one is at rounding level
    last = std::abs(step) <= 1e-8 * curve.length();
  }
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return Space::import_linear({none, none, none});
}

// The same on traced numbers: σ by a call, with the reference that is in use when the code runs.
template <class Space>
double find_sigma(const void* data, double x, double y, double z) {
  const CurveState<double, Space>& followed = *static_cast<const CurveState<double, Space>*>(data);
  CurveState<double, Space> at = followed;
  const Linear<double, Space> c =
      find_section<Space>(*followed.curve, Space::import_linear({x, y, z}), at);
  return dot(c, c) >= 0.0 ? at.sigma : std::numeric_limits<double>::quiet_NaN();
}
template <class Space>
Linear<Traced, Space> find_section(const SplineCurve& curve, const Linear<Traced, Space>& q,
                                   CurveState<Traced, Space>& at) {
  Traced point[3];
  q.store(point);
  at.sigma =
      Trace::current().call({find_sigma<Space>, at.followed}, {point[0], point[1], point[2]});
  const auto evaluate = [&](auto calc) {
    Traced value[3];
    for (int k = 0; k < 3; ++k) value[k] = calc(curve.component(k), at.sigma);
    return Linear<Traced, Space>::load(value);
  };
  at.c1 = evaluate([](const Spline& of, const Traced& x) { return calc_slope(of, x); });
  at.c2 = evaluate([](const Spline& of, const Traced& x) { return calc_second(of, x); });
  return evaluate([](const Spline& of, const Traced& x) { return calc_value(of, x); });
}

// What the rows of a curve need besides its state: world vectors of the joint.
template <class Real, class Space>
struct World {
  Linear<Real, Space> p_j;                      // R_j χ_j
  Linear<Real, Space> d;                        // x_j − r_i
  Linear<Real, Space> m[Space::dimension - 1];  // R_i m_k
};

// g, and the vectors of the rows, which are those of O with s = R_i m_k.
template <class Real, class Space>
World<Real, Space> calc_rows(const SplineCurve& curve, const Pose<Real, Space>& i,
                             const Pose<Real, Space>& j, const Linear<Real, Space>& chi_j,
                             CurveState<Real, Space>& at, Real* g) {
  World<Real, Space> world;
  world.p_j = j.R * chi_j;
  world.d = (j.r + world.p_j) - i.r;
  const Linear<Real, Space> q = transposed_times(i.R, world.d);
  if constexpr (std::is_same_v<Real, double>) {
    at.curve = &curve;
    if (!at.known) set_reference(curve, curve.find_nearest(Space::export_linear(q)), at);
  }
  const Linear<Real, Space> c = find_section(curve, q, at);
  const Real along = dot(at.c1, at.e);
  for (int k = 0; k < Space::dimension - 1; ++k) {
    // m = n − e ⟨c', n⟩/⟨c', e⟩ is normal to c': the rows do not change with σ to first order
    at.m[k] = at.n[k] - (dot(at.c1, at.n[k]) / along) * at.e;
    world.m[k] = i.R * at.m[k];
    g[k] = dot(q - c, at.m[k]);
  }
  return world;
}

template <class Real, class Space>
void calc_gamma(const Pose<Real, Space>& i, const Pose<Real, Space>& j,
                const World<Real, Space>& world, const CurveState<Real, Space>& at, Real* gamma) {
  const Linear<Real, Space> d1 = (j.v + cross(j.omega, world.p_j)) - i.v;
  // σ˙ = ⟨q˙, e⟩/⟨c', e⟩; the curve bends away by ⟨c", m⟩ σ˙²
  const Linear<Real, Space> q1 = transposed_times(i.R, d1 - cross(i.omega, world.d));
  const Real sigma1 = dot(q1, at.e) / dot(at.c1, at.e);
  for (int k = 0; k < Space::dimension - 1; ++k) {
    gamma[k] = orthogonality::calc_gamma(i, j, world.p_j, world.m[k], world.d) -
               dot(at.c2, at.m[k]) * (sigma1 * sigma1);
  }
}

}  // namespace curve
}  // namespace trammel
