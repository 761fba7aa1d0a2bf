// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The chains of the study of conditioning (docs/studies/conditioning.md): lengths, masses and poses that
// make the Schur complement ill-conditioned, each in its own way. C++17, see small_algebra.hpp.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "chain_recursion.hpp"

namespace trammel::bench {

// hanging: straight down, at rest.  stretched: straight across gravity, at rest.
// random: every joint bent anyhow, with velocities.
enum class ChainPose { hanging, stretched, random };
// ratio r: light_then_heavy 1 … 1, r … r; heavy_then_light the other way round;
// alternating 1, r, 1, r …; heavy_end 1 … 1, r.
enum class ChainMasses { equal, light_then_heavy, heavy_then_light, alternating, heavy_end };

inline const char* to_word(ChainPose pose) {
  return pose == ChainPose::hanging     ? "hanging"
         : pose == ChainPose::stretched ? "stretched"
                                        : "random";
}
inline const char* to_word(ChainMasses masses) {
  switch (masses) {
    case ChainMasses::equal: return "equal";
    case ChainMasses::light_then_heavy: return "light, then heavy";
    case ChainMasses::heavy_then_light: return "heavy, then light";
    case ChainMasses::alternating: return "alternating";
    case ChainMasses::heavy_end: return "heavy end";
  }
  return "";
}

// θ ∘ (turn of `angle` about axis e_i)
inline std::array<long double, 4> turn(const std::array<long double, 4>& t, int axis,
                                       long double angle) {
  const long double c = std::cos(angle / 2), s = std::sin(angle / 2);
  std::array<long double, 4> b{c, 0, 0, 0};
  b[1 + axis] = s;
  std::array<long double, 4> q{t[0] * b[0] - t[1] * b[1] - t[2] * b[2] - t[3] * b[3],
                               t[0] * b[1] + t[1] * b[0] + t[2] * b[3] - t[3] * b[2],
                               t[0] * b[2] - t[1] * b[3] + t[2] * b[0] + t[3] * b[1],
                               t[0] * b[3] + t[1] * b[2] - t[2] * b[1] + t[3] * b[0]};
  const long double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (long double& x : q) x /= size;
  return q;
}

// Every joint turned at random; hinges about their axes, balls about all three.
inline void bend_at_random(Chain& chain) {
  std::mt19937 generator(7);
  // by hand: distributions of the standard library may differ between machines
  const auto random = [&] { return static_cast<long double>(generator()) / 2147483648.0L - 1.0L; };
  // relative velocities add up like a walk: so the last rods turn as fast in any chain
  const long double rate = 1.0L / std::sqrt(static_cast<long double>(chain.rods.size()));
  std::array<long double, 4> theta{1, 0, 0, 0};
  V3<long double> omega{};  // in the world
  for (std::size_t k = 0; k < chain.rods.size(); ++k) {
    V3<long double> relative{};  // in the frame of the rod
    for (int axis = 0; axis < 3; ++axis) {
      if (chain.revolute && axis != hinge_axis(k)) continue;
      theta = turn(theta, axis, 3.0L * random());
      relative[axis] = rate * random();
    }
    ChainRod& rod = chain.rods[k];
    rod.theta = theta;
    const M3<long double> R = make_rod_motion<long double>(rod).R;
    omega = omega + times(R, relative);
    rod.Omega = times(transposed(R), omega);
  }
}

inline Chain make_conditioned_chain(bool revolute, ChainPose pose, ChainMasses masses, int bodies,
                                    double ratio) {
  Chain chain;
  chain.revolute = revolute;
  // straight chains lie along x
  chain.gravity = pose == ChainPose::hanging ? V3<double>{9.81, 0, 0} : V3<double>{0, -9.81, 0};
  chain.rods.resize(static_cast<std::size_t>(bodies));
  for (int k = 0; k < bodies; ++k) {
    const bool second_half = 2 * k >= bodies, last = k + 1 == bodies;
    const bool heavy = (masses == ChainMasses::light_then_heavy && second_half) ||
                       (masses == ChainMasses::heavy_then_light && !second_half) ||
                       (masses == ChainMasses::alternating && k % 2 == 1) ||
                       (masses == ChainMasses::heavy_end && last);
    if (!heavy) continue;
    ChainRod& rod = chain.rods[static_cast<std::size_t>(k)];
    rod.mass *= ratio;
    for (double& moment : rod.inertia) moment *= ratio;
  }
  if (pose == ChainPose::random) bend_at_random(chain);
  return chain;
}

// The state as a program in double precision gets it.
inline Chain round_to_double(Chain chain) {
  for (ChainRod& rod : chain.rods) {
    for (long double& x : rod.theta) x = static_cast<double>(x);
    for (long double& x : rod.Omega) x = static_cast<double>(x);
  }
  return chain;
}

// Errors in parts of the largest value in the chain, so that a body at rest counts too. At least g:
// a hanging chain does not move.
struct ChainErrors {
  double acceleration = 0.0;  // linear and angular (rods of 1 m: m/s² and rad/s² are of a size)
  double force = 0.0;         // of the joints
};

template <class Real>
double find_largest(const std::vector<V3<Real>>& of, double least) {
  double largest = least;
  for (const V3<Real>& v : of) {
    for (const Real& x : v) largest = std::max(largest, std::abs(static_cast<double>(x)));
  }
  return largest;
}

template <class A, class B>
double find_largest_difference(const std::vector<V3<A>>& a, const std::vector<V3<B>>& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (int i = 0; i < 3; ++i) {
      const double d = std::abs(static_cast<double>(static_cast<B>(a[k][i]) - b[k][i]));
      if (!(d <= largest)) largest = d;  // lets NaN through
    }
  }
  return largest;
}

template <class A, class B>
ChainErrors calc_errors(const ChainAccelerations<A>& a, const ChainAccelerations<B>& exact) {
  const double size = std::max(find_largest(exact.linear, 9.81), find_largest(exact.angular, 9.81));
  return {std::max(find_largest_difference(a.linear, exact.linear),
                   find_largest_difference(a.angular, exact.angular)) /
              size,
          find_largest_difference(a.force, exact.force) / find_largest(exact.force, 0.0)};
}

}  // namespace trammel::bench
