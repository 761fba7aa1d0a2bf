// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The accelerations of a chain of rods by another way than the library's, in any precision: the
// articulated-body recursion (Featherstone, Rigid Body Dynamics Algorithms, ch. 7). Rod k of length
// 1 m along its e₁ hangs at its lower end on rod k − 1, the first on the ground.
//
//   force of the joint on rod k and all beyond it:  (F, N) = A_k (a, α) + b_k
//
// with a the acceleration of the joint's point, α the angular one, all in the world and about that
// point. From tip to root A_k and b_k are reduced by the freedom of the joint (spherical: N = 0;
// revolute: ⟨N, n⟩ = 0) and handed on; from root to tip the accelerations follow. Nothing of size
// n is solved, no mass is inverted, and of the library nothing is used. C++17, see
// small_algebra.hpp.
#pragma once

#include <utility>
#include <vector>

#include "small_algebra.hpp"

namespace trammel::bench {

struct ChainRod {
  double mass = 1.0;                                        // kg
  V3<double> inertia{0.00125, 0.0839583333, 0.0839583333};  // kg m², principal moments
  std::array<long double, 4> theta{1, 0, 0, 0};             // Euler parameters, not quite unit
  V3<long double> Omega{};                                  // rad/s, in the rod's frame
};

struct Chain {
  bool revolute = false;
  V3<double> gravity{};
  std::vector<ChainRod> rods;
};

// The hinge on which rod k turns, the same vector in its frame and in that of the rod before.
inline int hinge_axis(std::size_t rod) { return rod % 2 == 0 ? 2 : 1; }

template <class Real>
struct ChainAccelerations {
  std::vector<V3<Real>> linear;   // [rods] m/s², of the centres of mass
  std::vector<V3<Real>> angular;  // [rods] rad/s², in the world
  std::vector<V3<Real>> force;    // [rods] N, of the joint on the rod
};

// Poses and velocities of a rod in the world.
template <class Real>
struct RodMotion {
  M3<Real> R, inertia;
  V3<Real> omega;
  V3<Real> c, l;            // from its joint to its centre, to its end
  V3<Real> beta_c, beta_l;  // ω × (ω × c), ω × (ω × l)
  V3<Real> gyroscopic;      // ω × 𝕀 ω
};

template <class Real>
RodMotion<Real> make_rod_motion(const ChainRod& rod) {
  const auto theta = [&](int i) { return static_cast<Real>(rod.theta[i]); };
  const auto Omega = [&](int i) { return static_cast<Real>(rod.Omega[i]); };
  const Real a = theta(0), x = theta(1), y = theta(2), z = theta(3);
  const Real two = Real(2) / (a * a + x * x + y * y + z * z);
  RodMotion<Real> at;
  at.R = {V3<Real>{Real(1) - two * (y * y + z * z), two * (x * y - a * z), two * (x * z + a * y)},
          V3<Real>{two * (x * y + a * z), Real(1) - two * (x * x + z * z), two * (y * z - a * x)},
          V3<Real>{two * (x * z - a * y), two * (y * z + a * x), Real(1) - two * (x * x + y * y)}};
  const M3<Real> Rt = transposed(at.R);
  const V3<Real> moments{Real(rod.inertia[0]), Real(rod.inertia[1]), Real(rod.inertia[2])};
  at.inertia = times(at.R, times(diagonal3(moments), Rt));
  at.omega = times(at.R, V3<Real>{Omega(0), Omega(1), Omega(2)});
  at.l = Rt[0];
  at.c = times(Real(1) / Real(2), at.l);
  at.beta_l = cross3(at.omega, cross3(at.omega, at.l));
  at.beta_c = times(Real(1) / Real(2), at.beta_l);
  at.gyroscopic = cross3(at.omega, times(at.inertia, at.omega));
  return at;
}

// A and b of a rod with all that hangs on it, in blocks of three.
template <class Real>
struct Articulated {
  M3<Real> aa{}, at{}, tt{};  // F by a, F by α (its transpose: N by a), N by α
  V3<Real> a{}, t{};          // of b
};

// The rod by itself.
template <class Real>
Articulated<Real> make_own_inertia(const ChainRod& rod, const RodMotion<Real>& at,
                                   const V3<Real>& gravity) {
  const Real m(rod.mass);
  const M3<Real> c = cross_matrix(at.c);
  const V3<Real> free = at.beta_c - gravity;
  Articulated<Real> own;
  own.aa = diagonal3(V3<Real>{m, m, m});
  own.at = times(-m, c);
  own.tt = at.inertia - times(m, times(c, c));
  own.a = times(m, free);
  own.t = at.gyroscopic + times(m, cross3(at.c, free));
  return own;
}

// How a revolute joint moves: α_child = α + ζ + q¨ n.
template <class Real>
struct Hinge {
  V3<Real> n, zeta;  // ζ = ω × n q˙, ω of the rod before
};

template <class Real>
Hinge<Real> make_hinge(const RodMotion<Real>& of, std::size_t rod, const V3<Real>& omega_before) {
  Hinge<Real> hinge;
  hinge.n = transposed(of.R)[hinge_axis(rod)];
  const Real rate = dot3(hinge.n, of.omega - omega_before);
  hinge.zeta = times(rate, cross3(omega_before, hinge.n));
  return hinge;
}

// As seen through the joint by the rod before: (F, N) by (a of the joint, α of that rod). What
// rounding leaves of an antisymmetric part would grow from rod to rod (1.4 times at each, in random
// poses): it is taken out.
template <class Real>
Articulated<Real> reduce_spherical(const Articulated<Real>& of) {
  const M3<Real> at_inverse = times(of.at, inverse3(of.tt));
  Articulated<Real> seen;
  seen.aa = symmetric_part(of.aa - times(at_inverse, transposed(of.at)));
  seen.a = of.a - times(at_inverse, of.t);
  return seen;
}

template <class Real>
Articulated<Real> reduce_revolute(const Articulated<Real>& of, const Hinge<Real>& hinge) {
  const V3<Real> ha = times(of.at, hinge.n), ht = times(of.tt, hinge.n);
  const Real inverse = Real(1) / dot3(hinge.n, ht);
  const Real moment = inverse * dot3(hinge.n, of.t);
  Articulated<Real> seen;
  seen.aa = of.aa - times(inverse, outer(ha, ha));
  seen.at = of.at - times(inverse, outer(ha, ht));
  seen.tt = of.tt - times(inverse, outer(ht, ht));
  seen.a = of.a + times(seen.at, hinge.zeta) - times(moment, ha);
  seen.t = of.t + times(seen.tt, hinge.zeta) - times(moment, ht);
  return seen;
}

// From the end of the rod before, l away from its joint, to that joint: Xᵀ A X, Xᵀ (b + A (β, 0)).
template <class Real>
void add_shifted(const Articulated<Real>& seen, const RodMotion<Real>& before,
                 Articulated<Real>& onto) {
  const M3<Real> l = cross_matrix(before.l);
  const M3<Real> at = seen.at - times(seen.aa, l);
  const V3<Real> a = seen.a + times(seen.aa, before.beta_l);
  onto.aa = onto.aa + seen.aa;
  onto.at = onto.at + at;
  onto.tt = symmetric_part(onto.tt + times(l, at) + seen.tt - times(transposed(seen.at), l));
  onto.a = onto.a + a;
  onto.t = onto.t + times(l, a) + seen.t + times(transposed(seen.at), before.beta_l);
}

template <class Real>
ChainAccelerations<Real> calc_by_recursion(const Chain& chain) {
  const std::size_t n = chain.rods.size();
  const V3<Real> gravity{Real(chain.gravity[0]), Real(chain.gravity[1]), Real(chain.gravity[2])};
  const V3<Real> zero{};
  std::vector<RodMotion<Real>> rods;
  std::vector<Articulated<Real>> beyond;
  rods.reserve(n);
  beyond.reserve(n);
  for (const ChainRod& rod : chain.rods) {
    rods.push_back(make_rod_motion<Real>(rod));
    beyond.push_back(make_own_inertia(rod, rods.back(), gravity));
  }
  for (std::size_t k = n - 1; k > 0; --k) {
    const Articulated<Real> seen =
        chain.revolute ? reduce_revolute(beyond[k], make_hinge(rods[k], k, rods[k - 1].omega))
                       : reduce_spherical(beyond[k]);
    add_shifted(seen, rods[k - 1], beyond[k - 1]);
  }
  ChainAccelerations<Real> result;
  V3<Real> a{}, alpha{};  // of the joint's point, of the rod before
  for (std::size_t k = 0; k < n; ++k) {
    const Articulated<Real>& of = beyond[k];
    if (chain.revolute) {
      const Hinge<Real> hinge = make_hinge(rods[k], k, k == 0 ? zero : rods[k - 1].omega);
      const V3<Real> carried = alpha + hinge.zeta;
      const V3<Real> N = times(transposed(of.at), a) + times(of.tt, carried) + of.t;
      const Real turn = -dot3(hinge.n, N) / dot3(hinge.n, times(of.tt, hinge.n));
      alpha = carried + times(turn, hinge.n);
    } else {
      alpha = times(Real(-1), times(inverse3(of.tt), times(transposed(of.at), a) + of.t));
    }
    result.force.push_back(times(of.aa, a) + times(of.at, alpha) + of.a);
    result.angular.push_back(alpha);
    result.linear.push_back(a + cross3(alpha, rods[k].c) + rods[k].beta_c);
    a = a + cross3(alpha, rods[k].l) + rods[k].beta_l;
  }
  return result;
}

// The same from the equations as they stand, all accelerations and joint forces at once: dense, for
// short chains, to check the recursion.
template <class Real>
ChainAccelerations<Real> calc_by_dense_equations(const Chain& chain) {
  const int n = static_cast<int>(chain.rods.size()), m = chain.revolute ? 5 : 3;
  const int all = (6 + m) * n;
  std::vector<std::vector<Real>> K(all, std::vector<Real>(all, Real(0)));
  std::vector<Real> b(all, Real(0));
  std::vector<RodMotion<Real>> rods;
  for (const ChainRod& rod : chain.rods) rods.push_back(make_rod_motion<Real>(rod));
  // row: the entry of J and its transpose in the equations of the rod
  const auto put = [&](int row, int rod, const V3<Real>& linear, const V3<Real>& angular) {
    for (int i = 0; i < 3; ++i) {
      K[row][6 * rod + i] = K[6 * rod + i][row] = linear[i];
      K[row][6 * rod + 3 + i] = K[6 * rod + 3 + i][row] = angular[i];
    }
  };
  for (int k = 0; k < n; ++k) {
    const RodMotion<Real>& at = rods[k];
    for (int i = 0; i < 3; ++i) {
      K[6 * k + i][6 * k + i] = Real(chain.rods[k].mass);
      b[6 * k + i] = Real(chain.rods[k].mass) * Real(chain.gravity[i]);
      for (int j = 0; j < 3; ++j) K[6 * k + 3 + i][6 * k + 3 + j] = at.inertia[i][j];
      b[6 * k + 3 + i] = -at.gyroscopic[i];
    }
    // v̇_k − α_k × c + β_c = v̇_{k−1} + α_{k−1} × c + β_c of both; α × p = −[p] α
    for (int i = 0; i < 3; ++i) {
      const int row = 6 * n + m * k + i;
      V3<Real> e{};
      e[i] = Real(1);
      put(row, k, e, cross_matrix(at.c)[i]);
      b[row] = at.beta_c[i];
      if (k == 0) continue;
      put(row, k - 1, times(Real(-1), e), cross_matrix(rods[k - 1].c)[i]);
      b[row] += rods[k - 1].beta_c[i];
    }
    if (!chain.revolute) continue;
    const Hinge<Real> hinge = make_hinge(at, k, k == 0 ? V3<Real>{} : rods[k - 1].omega);
    const int axis = hinge_axis(k);
    for (int i = 0; i < 2; ++i) {  // ⟨t, α_k − α_{k−1} − ζ⟩ = 0 for the two directions t across n
      const int row = 6 * n + m * k + 3 + i;
      const V3<Real> t = transposed(at.R)[(axis + 1 + i) % 3];
      put(row, k, V3<Real>{}, t);
      if (k > 0) put(row, k - 1, V3<Real>{}, times(Real(-1), t));
      b[row] = dot3(t, hinge.zeta);
    }
  }
  solve_dense<Real>(all, K, b);
  ChainAccelerations<Real> result;
  for (int k = 0; k < n; ++k) {
    const Real *u = b.data() + 6 * k, *lambda = b.data() + 6 * n + m * k;
    result.linear.push_back({u[0], u[1], u[2]});
    result.angular.push_back({u[3], u[4], u[5]});
    // M u̇ + Jᵀλ = f: the force of the joint is −λ
    result.force.push_back({-lambda[0], -lambda[1], -lambda[2]});
  }
  return result;
}

}  // namespace trammel::bench
