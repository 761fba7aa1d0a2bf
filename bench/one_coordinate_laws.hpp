// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A, ½A', U' and U of quadrangle and crank as functions of φ, by hand. Primes are derivatives by φ;
// lengths are those of models/paper, masses and inertias those of the model at hand.
//
// Real is double in the limit program and long double in the reference.
#pragma once

#include <array>
#include <cmath>
#include <trammel/trammel.hpp>

namespace trammel::bench {

template <class Real>
struct LawValues {
  Real A;        // kg m²
  Real half_dA;  // ½ A'
  Real dU;       // U', N m
  Real U;        // J
};

template <class Real>
using Points =
    std::array<std::array<Real, 3>, 3>;  // [bodies] centres of mass, or their derivatives

template <class Real>
struct BodyMasses {
  std::array<Real, 3> mass;
  std::array<std::array<Real, 3>, 3> inertia;  // [bodies] principal moments

  explicit BodyMasses(const Model& model) {
    for (std::size_t b = 0; b < 3; ++b) {
      mass[b] = *model.bodies[b].mass;
      for (std::size_t k = 0; k < 3; ++k) inertia[b][k] = (*model.bodies[b].inertia)[k][k];
    }
  }
};

inline constexpr double standard_gravity = 9.81;  // m/s², along −y, of the paper's models

// Bar 1 from the origin to B, bar 2 from B to P, bar 3 from the base (2.5, 0) to P.
template <class Real>
class QuadrangleLaw {
 public:
  explicit QuadrangleLaw(const Model& model)
      : m1_(BodyMasses<Real>(model).mass[0]),
        m2_(BodyMasses<Real>(model).mass[1]),
        m3_(BodyMasses<Real>(model).mass[2]),
        I1_(BodyMasses<Real>(model).inertia[0][2]),
        I2_(BodyMasses<Real>(model).inertia[1][2]),
        I3_(BodyMasses<Real>(model).inertia[2][2]) {}

  static Real find_angle(const BodyState& first) {
    return std::atan2(Real(first.position[1]), Real(first.position[0]));
  }

  LawValues<Real> calc(Real phi) const {
    const Bars at = calc_bars(phi);
    // second derivative of the loop B + 4 e₂ = base + 4 e₃, the same solve as for the first
    const Real rx = -at.Bx - 4 * at.w2 * at.w2 * at.c2 + 4 * at.w3 * at.w3 * at.c3;
    const Real ry = -at.By - 4 * at.w2 * at.w2 * at.s2 + 4 * at.w3 * at.w3 * at.s3;
    const Real dw3 = (rx * at.c2 + ry * at.s2) * at.inverse;
    const Real dw2 = (rx * at.c3 + ry * at.s3) * at.inverse;
    // centre of bar 2: B + 2 e₂
    const Real vx = -at.By - 2 * at.s2 * at.w2, vy = at.Bx + 2 * at.c2 * at.w2;
    const Real ax = -at.Bx - 2 * at.s2 * dw2 - 2 * at.c2 * at.w2 * at.w2;
    const Real ay = -at.By + 2 * at.c2 * dw2 - 2 * at.s2 * at.w2 * at.w2;
    const Real about_base = I3_ + 4 * m3_;
    const Real g = Real(standard_gravity);
    return {
        m1_ + I1_ + m2_ * (vx * vx + vy * vy) + I2_ * at.w2 * at.w2 + about_base * at.w3 * at.w3,
        m2_ * (vx * ax + vy * ay) + I2_ * at.w2 * dw2 + about_base * at.w3 * dw3,
        g * (m1_ * at.Bx / 2 + m2_ * vy + m3_ * 2 * at.c3 * at.w3),
        g * (m1_ * at.By / 2 + m2_ * (at.By + 2 * at.s2) + m3_ * 2 * at.s3)};
  }

  void calc_points(Real phi, Points<Real>& r, Points<Real>& dr) const {
    const Bars at = calc_bars(phi);
    r = {{{at.Bx / 2, at.By / 2, 0},
          {at.Bx + 2 * at.c2, at.By + 2 * at.s2, 0},
          {base + 2 * at.c3, 2 * at.s3, 0}}};
    dr = {{{-at.By / 2, at.Bx / 2, 0},
           {-at.By - 2 * at.s2 * at.w2, at.Bx + 2 * at.c2 * at.w2, 0},
           {-2 * at.s3 * at.w3, 2 * at.c3 * at.w3, 0}}};
  }

 private:
  static constexpr Real base = Real(2.5);

  struct Bars {
    Real Bx, By;          // end of bar 1
    Real c2, s2, c3, s3;  // directions of bars 2 and 3
    Real w2, w3;          // their angles' derivatives by φ
    Real inverse;         // 1/(4 (c₃s₂ − s₃c₂)), of the loop's 2 × 2 system
  };

  static Bars calc_bars(Real phi) {
    const Real s = std::sin(phi), c = std::cos(phi);
    const Real Bx = 2 * c, By = 2 * s;
    // P: intersection of circles of radius 4 about B and about the base
    const Real dx = base - Bx, dy = -By, d2 = dx * dx + dy * dy;
    const Real height = std::sqrt((16 - d2 / 4) / d2);
    const Real c2 = (dx / 2 - height * dy) / 4, s2 = (dy / 2 + height * dx) / 4;
    const Real c3 = (Bx - base) / 4 + c2, s3 = By / 4 + s2;
    const Real inverse = Real(0.25) / (c3 * s2 - s3 * c2);
    return {
        Bx,     By, c2, s2, c3, s3, (-By * c3 + Bx * s3) * inverse, (-By * c2 + Bx * s2) * inverse,
        inverse};
  }

  Real m1_, m2_, m3_, I1_, I2_, I3_;
};

// The crank turns about x, its end at T = (0, ½ s, −½ c); the slider is at S = (x, 0, −½); the rod
// of length 1.8 between them has the axes u = (S − T)/1.8, e = (−u₁, u₀, 0)/n, u × e.
template <class Real>
class CrankLaw {
 public:
  explicit CrankLaw(const Model& model) : of_(model) {}

  static Real find_angle(const BodyState& first) {
    return std::atan2(Real(first.position[1]), -Real(first.position[2]));
  }

  LawValues<Real> calc(Real phi) const {
    const Real s = std::sin(phi), c = std::cos(phi);
    const Slider at = calc_slider(s, c);
    const Real L = 1 / rod, half = Real(0.5) * L;
    const Real u0 = at.x * L, u1 = -half * s, u2 = half * c - half;
    const Real d0 = at.dx * L, d1 = -half * c, d2 = -half * s;  // u'
    const Real e0 = at.ddx * L, e1 = half * s, e2 = -half * c;  // u''
    // Ω of the rod by φ: (e'·(u×e), −u'·(u×e), u'·e), with n² = u₀² + u₁²
    const Real n2 = u0 * u0 + u1 * u1, inverse = 1 / std::sqrt(n2), n = n2 * inverse;
    const Real X = u0 * d1 - u1 * d0, dX = u0 * e1 - u1 * e0;
    const Real Y = u0 * d0 + u1 * d1, dY = u0 * e0 + d0 * d0 + u1 * e1 + d1 * d1;
    const Real dn = Y * inverse, inverse2 = inverse * inverse;
    const Real O1 = u2 * X * inverse2, dO1 = (d2 * X + u2 * dX) * inverse2 - 2 * O1 * dn * inverse;
    const Real O2 = u2 * Y * inverse - d2 * n;
    const Real dO2 = (d2 * Y + u2 * dY) * inverse - u2 * Y * inverse2 * dn - e2 * n - d2 * dn;
    const Real O3 = X * inverse, dO3 = (dX - O3 * dn) * inverse;
    const auto& m = of_.mass;
    const auto& I = of_.inertia;
    const Real g4 = Real(standard_gravity) / 4 * (m[0] + m[1]);
    const Real sliding = m[1] / 4 + m[2];
    return {I[0][2] + m[0] / 16 + m[1] / 16 + I[1][0] * O1 * O1 + I[1][1] * O2 * O2 +
                I[1][2] * O3 * O3 + sliding * at.dx * at.dx,
            I[1][0] * O1 * dO1 + I[1][1] * O2 * dO2 + I[1][2] * O3 * dO3 + sliding * at.dx * at.ddx,
            g4 * c, g4 * s};
  }

  void calc_points(Real phi, Points<Real>& r, Points<Real>& dr) const {
    const Real s = std::sin(phi), c = std::cos(phi);
    const Slider at = calc_slider(s, c);
    r = {{{0, s / 4, -c / 4}, {at.x / 2, s / 4, -(c + 1) / 4}, {at.x, 0, Real(-0.5)}}};
    dr = {{{0, c / 4, s / 4}, {at.dx / 2, c / 4, s / 4}, {at.dx, 0, 0}}};
  }

 private:
  static constexpr Real rod = Real(18) / 10;

  struct Slider {
    Real x, dx, ddx;
  };
  // x² = 1.8² − ½ (1 − c)
  static Slider calc_slider(Real s, Real c) {
    const Real x = std::sqrt(rod * rod - (1 - c) / 2);
    const Real dx = -s / (4 * x);
    return {x, dx, -(c / 4 + dx * dx) / x};
  }

  BodyMasses<Real> of_;
};

}  // namespace trammel::bench
