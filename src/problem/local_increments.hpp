// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Increments of a body's coordinates in axes in which its stiffness is nearly constant, and the kinematics of
// an implicit step in them. In the plane they are the coordinates themselves, (δr, δβ). In space
//
//   δθ = ½Hᵀφ + ν θ   ⇔   φ = 2Hδθ/|θ|²  (body frame),  ν = ⟨θ, δθ⟩/|θ|²
//
// and the rate θ̇ = ½HᵀΩ, linear in θ and in Ω, gives for increments at a fixed θ, with quaternion products,
//
//   p = (ν, ½φ):   p − a p∘Ω = p_b + a (0, x_Ω),   a = s/2,   (p∘Ω)∘Ω = −|Ω|² p
//   ⇒  p = (q + a q∘Ω)/(1 + a²|Ω|²),  q = p_b + a (0, x_Ω)
//
// which is what (I − s ∂ẏ/∂z) x = b says of the angles. s: the step over an eigenvalue, real or complex.
#pragma once

#include "math/complex.hpp"
#include "space/space.hpp"

namespace trammel {

template <class Space>
struct LocalIncrements;

template <>
struct LocalIncrements<Planar> {
  static void take(const double*, double*) {}
  static void give(const double*, double*) {}

  template <class Number>
  static void calc_rate_matrix(const double*, const Number& s, Number* E) {
    E[0] = s;
  }
  template <class Number>
  static void carry(const double*, const Number&, Number*) {}
  template <class Number>
  static void add_rate(const double*, const Number& s, const Number* x, Number* q) {
    q[0] += s * x[0];
  }
};

template <>
struct LocalIncrements<Spatial> {
  // (δr, δθ) → (δr, φ, ν) at the coordinates y, and back
  static void take(const double* y, double* e) {
    const double* theta = y + 3;
    const double scale = 1.0 / squared_length4(theta);
    const Vector3<double> half = calc_h_times(theta, e + 3);
    const double radial = theta[0] * e[3] + theta[1] * e[4] + theta[2] * e[5] + theta[3] * e[6];
    (2.0 * scale * half).store(e + 3);
    e[6] = scale * radial;
  }
  static void give(const double* y, double* e) {
    const double* theta = y + 3;
    const double radial = e[6];
    double turned[4];
    calc_ht_times(theta, 0.5 * Vector3<double>::load(e + 3), turned);
    for (int k = 0; k < 4; ++k) e[3 + k] = turned[k] + radial * theta[k];
  }

  // E of φ = … + E x_Ω: E = s (I − a Ω×)/(1 + a²|Ω|²), 3 × 3 by rows
  template <class Number>
  static void calc_rate_matrix(const double* Omega, const Number& s, Number* E) {
    const Number a = 0.5 * s;
    const Number scale = s * calc_scale(Omega, a);
    const Number x = scale * a * Omega[0], y = scale * a * Omega[1], z = scale * a * Omega[2];
    const Number zero(0.0);
    E[0] = scale, E[1] = z, E[2] = zero - y;
    E[3] = zero - z, E[4] = scale, E[5] = x;
    E[6] = y, E[7] = zero - x, E[8] = scale;
  }

  // q = (φ, ν): b → its part of the solution
  template <class Number>
  static void carry(const double* Omega, const Number& s, Number* q) {
    const Number a = 0.5 * s, scale = calc_scale(Omega, a);
    const double x = Omega[0], y = Omega[1], z = Omega[2];
    const Number p = q[0], r = q[1], t = q[2], n = q[3];
    // φ×Ω + 2νΩ, −½⟨φ, Ω⟩
    q[0] = scale * (p + a * (r * z - t * y + n * (2.0 * x)));
    q[1] = scale * (r + a * (t * x - p * z + n * (2.0 * y)));
    q[2] = scale * (t + a * (p * y - r * x + n * (2.0 * z)));
    q[3] = scale * (n - a * (0.5 * (p * x + r * y + t * z)));
  }
  // q += the part of x_Ω
  template <class Number>
  static void add_rate(const double* Omega, const Number& s, const Number* x, Number* q) {
    Number part[4] = {s * x[0], s * x[1], s * x[2], Number(0.0)};
    carry(Omega, s, part);
    for (int k = 0; k < 4; ++k) q[k] += part[k];
  }

 private:
  // 1/(1 + a²|Ω|²)
  template <class Number>
  static Number calc_scale(const double* Omega, const Number& a) {
    const double square = Omega[0] * Omega[0] + Omega[1] * Omega[1] + Omega[2] * Omega[2];
    return calc_inverse(Number(1.0) + a * a * square);
  }
};

}  // namespace trammel
