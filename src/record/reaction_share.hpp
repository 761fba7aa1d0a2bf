// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The multipliers of redundant constraints. The motion fixes Jᵀλ only; where rows repeat others, λ
// may be changed by any null vector n of Jᵀ. Of all λ the one is taken with the least
//
//   E(λ) = Σ over joints of c_F |F|² + c_M |M|²,   F, M: reaction at the joint's point,
//
// with equal compliances c_F = 1, c_M = 1/L² (so that equal hinges carry equal loads, in any
// units), or those that the model gives. With a null vector for each row left out, N = (−S_KK⁻¹
// S_Kd; e_d):
//
//   λ ← λ − N (Nᵀ C N)⁻¹ Nᵀ C λ.
//
// This is a convention: what the joints really carry depends on how stiff they are.
#pragma once

#include <vector>

#include "evaluate/reactions.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class ReactionShare {
 public:
  explicit ReactionShare(const SystemIn<Space>& system) : system_(system) {}

  // Needs rows, factor and λ of a point of M in ws; changes λ, and the scratch of ws.
  // left_out: rows outside the base set.
  void share(const std::vector<int>& left_out, Workspace<double, Space>& ws);

  // More null vectors than this would take too much memory: λ stays as it is.
  bool is_too_large(std::size_t n_left_out) const {
    return n_left_out * static_cast<std::size_t>(system_.topology.n_rows) > 50'000'000;
  }

 private:
  void calc_weighted_reactions(int count, const Workspace<double, Space>& ws);

  const SystemIn<Space>& system_;
  std::vector<double> vectors_;  // [left out + 1][rows] null vectors, λ last
  // [left out + 1][joints × 6 + coordinate rows] of each: √c_F F, √c_M M; couplers' and drivers' loads
  std::vector<double> weighted_;
  std::vector<Wrench<double, Space>> wrenches_;  // [left out + 1] of a joint
};

}  // namespace trammel
