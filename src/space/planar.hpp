// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The space of planar models (paper, "Planar case"): a body has y = (r, β) ∈ R²×R, u = (v, β̇) ∈ R³.
//
//   R = ( cos β, −sin β; sin β, cos β ),   ω = Ω = β̇,   𝕀 a number
//
// There is no gyroscopic torque and nothing to normalise: β may be any real number. To the user a
// planar body is a body in space that stays in the plane z = 0:
//
//   θ = (cos β/2, 0, 0, sin β/2),   Ω = (0, 0, β̇)
//
// θ is continuous in time because β is, up to multiples of 4π: a large β would lose digits, and
// whole turns are taken out of it between steps. Everything that knows "3 and 3" is here.
#pragma once

#include <cmath>

#include "math/sine_cosine.hpp"
#include "math/vector2.hpp"
#include "math/vector3.hpp"

namespace trammel {

struct Planar {
  static constexpr int dimension = 2;
  static constexpr int n_y = 3;
  static constexpr int n_u = 3;
  static constexpr int n_angular = 1;
  static constexpr int max_joint_rows = 3;

  template <class Real>
  using Linear = Vector2<Real>;
  template <class Real>
  using Angular = Vector1<Real>;
  template <class Real>
  using Rotation = Matrix2<Real>;
  template <class Real>
  using Inertia = Vector1<Real>;

  // ---- motion

  template <class Real>
  [[gnu::always_inline]] static Matrix2<Real> calc_rotation(const Real* y) {
    const SineCosine<Real> at = calc_sine_cosine(y[2]);
    return {{{at.cosine, -at.sine}, {at.sine, at.cosine}}};
  }

  // ẏ = u
  template <class Real>
  [[gnu::always_inline]] static void calc_rate(const Real*, const Real* u, Real* rate) {
    rate[0] = u[0];
    rate[1] = u[1];
    rate[2] = u[2];
  }

  // ÿ = a = u̇
  static void calc_second_rate(const double* y, const double*, const double* a, double* second) {
    calc_rate(y, a, second);
  }

  template <class Real>
  [[gnu::always_inline]] static void retract(Real* y, const Vector2<Real>& dr,
                                             const Vector1<Real>& phi) {
    y[0] += dr.x;
    y[1] += dr.y;
    y[2] += phi.z;
  }

  template <class Real>
  [[gnu::always_inline]] static void normalise(Real*) {}
  template <class Real>
  [[gnu::always_inline]] static Real calc_defect(const Real*) {
    return Real(0);
  }

  template <class Real>
  [[gnu::always_inline]] static Vector1<Real> calc_effective_torque(const Vector1<Real>& torque,
                                                                    const Vector1<Real>&,
                                                                    const Vector1<Real>&) {
    return torque;
  }

  // 𝕀⁻¹ is a number, and the same in the world.
  template <class Real>
  using WorldInertia = Vector1<Real>;
  template <class Real>
  [[gnu::always_inline]] static Vector1<Real> turn_inertia(const Matrix2<Real>&,
                                                           const Vector1<Real>& inertia) {
    return inertia;
  }

  // α = p × e_k: −p.y, p.x
  template <class Real>
  [[gnu::always_inline]] static Vector1<Real> calc_arm(const Vector2<Real>& p, int k) {
    return {k == 0 ? -p.y : p.x};
  }
  template <class Real>
  [[gnu::always_inline]] static Vector1<Real> times_arm(const Vector1<Real>& W,
                                                        const Vector2<Real>& p, int k) {
    return {k == 0 ? -(W.z * p.y) : W.z * p.x};
  }
  template <class Real>
  [[gnu::always_inline]] static Real dot_arm(const Vector2<Real>& p, const Vector1<Real>& v,
                                             int k) {
    return k == 0 ? -(p.y * v.z) : p.x * v.z;
  }

  static void make_normals(const Vector2<double>& e, Vector2<double>* n) { n[0] = {-e.y, e.x}; }
  static void carry_normals(const Vector2<double>&, const Vector2<double>& e1, Vector2<double>* n) {
    make_normals(e1, n);
  }

  // ---- sizes of rotations

  template <class Real>
  [[gnu::always_inline]] static Real calc_turn2(const Real*, const Real* e) {
    return e[2] * e[2];
  }
  template <class Real>
  [[gnu::always_inline]] static Vector1<Real> calc_turn(const Real*, const Real* e) {
    return {e[2]};
  }
  static double calc_angle(const double* y0, const double* y1) { return std::abs(y1[2] - y0[2]); }

  // β counts turns by itself.
  static constexpr bool counts_turns = true;
  template <class Real>
  static Real calc_attitude(const Real* y) {
    return y[2];
  }
  // Takes pairs of turns, which leave θ alone, out of a β of many; how much that was.
  static double take_turns(double* y) {
    constexpr double two_turns = 12.566370614359172954, many = 100.0;
    if (!(std::abs(y[2]) > many)) return 0.0;
    const double turns = two_turns * std::nearbyint(y[2] * (1.0 / two_turns));
    y[2] -= turns;
    return turns;
  }

  // ---- inertia of a group of bodies about a point

  static Vector1<double> no_inertia() { return {0.0}; }
  static void add_inertia(Vector1<double>& sum, const Matrix2<double>&,
                          const Vector1<double>& inertia, double mass, const Vector2<double>& d) {
    sum.z += inertia.z + mass * dot(d, d);
  }
  static Vector1<double> solve_inertia(const Vector1<double>& sum, const Vector1<double>& spin) {
    return {spin.z / sum.z};
  }
  static double calc_inertia_about(const Vector1<double>& sum, const Vector1<double>& n) {
    return n.z * sum.z * n.z;
  }

  // ---- from and to the three dimensions that users see

  static Vector2<double> import_linear(const Vector3<double>& v) { return {v.x, v.y}; }
  static Vector1<double> import_angular(const Vector3<double>& v) { return {v.z}; }
  static Vector3<double> export_linear(const Vector2<double>& v) { return {v.x, v.y, 0.0}; }
  static Vector3<double> export_angular(const Vector1<double>& v) { return {0.0, 0.0, v.z}; }
  static void import_orientation(const double* theta, double* y) {
    y[2] = 2.0 * std::atan2(theta[3], theta[0]);
  }
  static void export_orientation(const double* y, double* theta) {
    const SineCosine<double> half = calc_sine_cosine(0.5 * y[2]);
    theta[0] = half.cosine;
    theta[1] = theta[2] = 0.0;
    theta[3] = half.sine;
  }
};

}  // namespace trammel
