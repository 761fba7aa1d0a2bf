// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The space of spatial models: a body has y = (r, θ) ∈ R³×S³ and u = (v, Ω) ∈ R⁶.
//
// r: centre of mass, world frame, measured from SystemData::origin (m); θ: Euler parameters;
// v: velocity of the centre of mass, world frame; Ω: angular velocity, frame of principal axes.
// Everything that knows "7" and "6" is here. Its twin for the plane: planar.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/euler_parameters.hpp"
#include "math/vector3.hpp"

namespace trammel {

struct Spatial {
  static constexpr int dimension = 3;       // of positions; angular parts follow them in u
  static constexpr int n_y = 7;             // coordinates of a body
  static constexpr int n_u = 6;             // velocities of a body
  static constexpr int n_angular = 3;       // of them angular
  static constexpr int max_joint_rows = 6;  // constraints of one joint

  template <class Real>
  using Linear = Vector3<Real>;
  template <class Real>
  using Angular = Vector3<Real>;
  template <class Real>
  using Rotation = Matrix3<Real>;
  template <class Real>
  using Inertia = Matrix3<Real>;  // of a group of bodies, world axes

  // ---- motion

  // R(θ), body to world
  template <class Real>
  [[gnu::always_inline]] static Matrix3<Real> calc_rotation(const Real* y) {
    return trammel::calc_rotation(y + 3);
  }

  // ẏ = (v, ½ Hᵀ Ω)
  template <class Real>
  [[gnu::always_inline]] static void calc_rate(const Real* y, const Real* u, Real* rate) {
    rate[0] = u[0];
    rate[1] = u[1];
    rate[2] = u[2];
    calc_ht_times(y + 3, Real(0.5) * Vector3<Real>::load(u + 3), rate + 3);
  }

  // ÿ = (v̇, ½ Hᵀ Ω̇ − ¼ |Ω|² θ) for unit θ; a = (v̇, Ω̇)
  static void calc_second_rate(const double* y, const double* u, const double* a, double* second) {
    calc_rate(y, a, second);
    const Vector3<double> Omega = Vector3<double>::load(u + 3);
    const double bend = 0.25 * dot(Omega, Omega);
    for (int k = 3; k < n_y; ++k) second[k] -= bend * y[k];
  }

  // y ← y ⊕ w: moves by w = (dr, φ) ∈ R⁶, back onto S³ by normalising
  template <class Real>
  [[gnu::always_inline]] static void retract(Real* y, const Vector3<Real>& dr,
                                             const Vector3<Real>& phi) {
    y[0] += dr.x;
    y[1] += dr.y;
    y[2] += dr.z;
    retract_rotation(y + 3, phi);
  }

  // θ ← θ/|θ|, and how far it was from that: | |θ|² − 1 |
  template <class Real>
  [[gnu::always_inline]] static void normalise(Real* y) {
    normalise4(y + 3);
  }
  template <class Real>
  [[gnu::always_inline]] static Real calc_defect(const Real* y) {
    using std::abs;
    return abs(squared_length4(y + 3) - Real(1));
  }

  // τ − Ω×𝕀Ω: the torque that accelerates, with the gyroscopic one
  template <class Real>
  [[gnu::always_inline]] static Vector3<Real> calc_effective_torque(const Vector3<Real>& torque_B,
                                                                    const Vector3<Real>& inertia,
                                                                    const Vector3<Real>& Omega) {
    const Vector3<Real> turned = {Omega.y * Omega.z, Omega.z * Omega.x, Omega.x * Omega.y};
    return torque_B -
           scaled({inertia.z - inertia.y, inertia.x - inertia.z, inertia.y - inertia.x}, turned);
  }

  // 𝕀⁻¹ in the world: R 𝕀⁻¹ Rᵀ
  template <class Real>
  using WorldInertia = Symmetric3<Real>;
  template <class Real>
  [[gnu::always_inline]] static Symmetric3<Real> turn_inertia(const Matrix3<Real>& R,
                                                              const Vector3<Real>& inertia) {
    return turn_diagonal(R, inertia);
  }

  // α = p × e_k, by which a turn moves the point with the arm p along axis k; W α and ⟨α, v⟩.
  template <class Real>
  [[gnu::always_inline]] static Vector3<Real> calc_arm(const Vector3<Real>& p, int k) {
    if (k == 0) return {Real(0), p.z, -p.y};
    if (k == 1) return {-p.z, Real(0), p.x};
    return {p.y, -p.x, Real(0)};
  }
  template <class Real>
  [[gnu::always_inline]] static Vector3<Real> times_arm(const Symmetric3<Real>& W,
                                                        const Vector3<Real>& p, int k) {
    if (k == 0) {
      return {W.xy * p.z - W.xz * p.y, W.yy * p.z - W.yz * p.y, W.yz * p.z - W.zz * p.y};
    }
    if (k == 1) {
      return {W.xz * p.x - W.xx * p.z, W.yz * p.x - W.xy * p.z, W.zz * p.x - W.xz * p.z};
    }
    return {W.xx * p.y - W.xy * p.x, W.xy * p.y - W.yy * p.x, W.xz * p.y - W.yz * p.x};
  }
  template <class Real>
  [[gnu::always_inline]] static Real dot_arm(const Vector3<Real>& p, const Vector3<Real>& v,
                                             int k) {
    if (k == 0) return p.z * v.y - p.y * v.z;
    if (k == 1) return p.x * v.z - p.z * v.x;
    return p.y * v.x - p.x * v.y;
  }

  // Unit vectors normal to the unit vector e and to each other, from the coordinate axis least
  // aligned with it.
  static void make_normals(const Vector3<double>& e, Vector3<double>* n) {
    const double x = std::abs(e.x), y = std::abs(e.y), z = std::abs(e.z);
    const Vector3<double> far = x <= y && x <= z ? Vector3<double>{1, 0, 0}
                                : y <= z         ? Vector3<double>{0, 1, 0}
                                                 : Vector3<double>{0, 0, 1};
    const Vector3<double> a = cross(e, far);
    n[0] = (1.0 / std::sqrt(dot(a, a))) * a;
    n[1] = cross(e, n[0]);
  }

  // The normals n of e turn with it into e1, the shortest way.
  static void carry_normals(const Vector3<double>& e, const Vector3<double>& e1,
                            Vector3<double>* n) {
    const Vector3<double> turned = n[0] - (dot(n[0], e1) / (1.0 + dot(e, e1))) * (e + e1);
    const Vector3<double> a = turned - dot(turned, e1) * e1;
    n[0] = (1.0 / std::sqrt(dot(a, a))) * a;
    n[1] = cross(e1, n[0]);
  }

  // ---- sizes of rotations

  // (2|H e_θ|)²: the square of the angle of a small error e at y
  template <class Real>
  [[gnu::always_inline]] static Real calc_turn2(const Real* y, const Real* e) {
    const Vector3<Real> turn = calc_h_times(y + 3, e + 3);
    return Real(4) * dot(turn, turn);
  }

  // 2 H e_θ: that angle as a vector, in the body's frame
  template <class Real>
  [[gnu::always_inline]] static Vector3<Real> calc_turn(const Real* y, const Real* e) {
    return Real(2) * calc_h_times(y + 3, e + 3);
  }

  // The angle between two attitudes.
  static double calc_angle(const double* y0, const double* y1) {
    const Vector3<double> half = calc_h_times(y0 + 3, y1 + 3);
    return 2.0 * std::asin(std::min(1.0, std::sqrt(dot(half, half))));
  }

  // An attitude does not say how many turns led to it.
  static constexpr bool counts_turns = false;
  template <class Real>
  static Real calc_attitude(const Real*) {
    return Real(0);
  }
  static double take_turns(double*) { return 0.0; }

  // ---- inertia of a group of bodies about a point, world axes

  static Matrix3<double> no_inertia() {
    return {{Vector3<double>::zero(), Vector3<double>::zero(), Vector3<double>::zero()}};
  }

  // sum += R 𝕀 Rᵀ + m (|d|² I − d dᵀ)
  static void add_inertia(Matrix3<double>& sum, const Matrix3<double>& R,
                          const Vector3<double>& inertia, double mass, const Vector3<double>& d) {
    const Matrix3<double> unit = Matrix3<double>::identity();
    for (int k = 0; k < 3; ++k) {
      const Vector3<double> turned = R * scaled(inertia, R.row[k]);
      sum.row[k] += turned + mass * (dot(d, d) * unit.row[k] - dot(d, unit.row[k]) * d);
    }
  }

  // I⁻¹ L by cofactors: I is symmetric and positive definite.
  static Vector3<double> solve_inertia(const Matrix3<double>& sum, const Vector3<double>& spin) {
    const Vector3<double>&a = sum.row[0], &b = sum.row[1], &c = sum.row[2];
    const Vector3<double> bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    return (1.0 / dot(a, bc)) * (spin.x * bc + spin.y * ca + spin.z * ab);
  }

  // ⟨n, I n⟩
  static double calc_inertia_about(const Matrix3<double>& sum, const Vector3<double>& n) {
    return dot(n, sum * n);
  }

  // ---- from and to the three dimensions that users see

  static Vector3<double> import_linear(const Vector3<double>& v) { return v; }
  static Vector3<double> import_angular(const Vector3<double>& v) { return v; }
  static Vector3<double> export_linear(const Vector3<double>& v) { return v; }
  static Vector3<double> export_angular(const Vector3<double>& v) { return v; }
  static void import_orientation(const double* theta, double* y) {
    std::copy(theta, theta + 4, y + 3);
    normalise4(y + 3);
  }
  static void export_orientation(const double* y, double* theta) { std::copy(y + 3, y + 7, theta); }
};

}  // namespace trammel
