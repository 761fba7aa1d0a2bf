// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a body in space and how it lies in the state vector.
//
//   z = (y, u, W):  y = (r, θ) per body, u = (v, Ω) per body, W per connected component
//
// r: centre of mass, world frame, measured from System::origin (m); θ: Euler parameters;
// v: velocity of the centre of mass, world frame; Ω: angular velocity, frame of principal axes;
// W: work of all forces without a potential (J). Everything that knows "7" and "6" is here.
#pragma once

#include "math/euler_parameters.hpp"
#include "math/vector3.hpp"

namespace trammel {

struct Space {
  static constexpr int n_y = 7;  // coordinates of a body
  static constexpr int n_u = 6;  // velocities of a body

  // ẏ = (v, ½ Hᵀ Ω)
  template <class Real>
  static void calc_rate(const Real* y, const Real* u, Real* rate) {
    rate[0] = u[0];
    rate[1] = u[1];
    rate[2] = u[2];
    calc_ht_times(y + 3, Real(0.5) * Vector3<Real>::load(u + 3), rate + 3);
  }

  // y ← y ⊕ w: moves by w = (dr, φ) ∈ R⁶, back onto S³ by normalising
  template <class Real>
  static void retract(Real* y, const Vector3<Real>& dr, const Vector3<Real>& phi) {
    y[0] += dr.x;
    y[1] += dr.y;
    y[2] += dr.z;
    retract_rotation(y + 3, phi);
  }
};

// Offsets in the state vector of a system with n bodies.
struct StateLayout {
  int n_bodies = 0;
  int n_components = 0;
  int y(int body) const { return Space::n_y * body; }
  int u(int body) const { return Space::n_y * n_bodies + Space::n_u * body; }
  int work(int component) const {
    return (Space::n_y + Space::n_u) * n_bodies + component;
  }
  int size() const { return work(n_components); }
};

}  // namespace trammel
