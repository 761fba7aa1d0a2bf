// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Invariants given by the user as functions f(y, u), held by the velocities:
//
//   u ← u + Σ ν_k ξ_k,   ξ_k = Q P M⁻¹ (∂f_k/∂u)ᵀ,   Σ_l ⟨∂f_k/∂u, ξ_l⟩ ν_l = f_k(0) − f_k
//
// P projects into ker J; Q, orthogonal in the mass metric, takes out what would change momenta and
// energy that are held (the latter to first order). ∂f/∂u by central differences, in six directions per
// body (three in the plane): this is slow, and meant for studies and small models.
// Newton's iteration, at most three times; the change is bounded by the tolerance of the local error.
#pragma once

#include <vector>

#include "manifold/momentum_balance.hpp"
#include "math/least_squares.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"
#include "trammel/options.hpp"

namespace trammel {

template <class Space>
class UserInvariants {
 public:
  UserInvariants(const SystemIn<Space>& system, const std::vector<UserInvariant>& invariants);
  ~UserInvariants();

  bool empty() const { return invariants_.empty(); }

  // Takes the values at z as those to keep.
  void start(const double* z);

  // Restores the values. Needs positions, rows, factor and velocities of z in ws and leaves those of
  // the new z there. Returns the number of gradients evaluated.
  int hold(const CorrectionTolerance& tolerance, bool energy_held, MomentumBalance<Space>& momenta,
           double* z, Workspace<double, Space>& ws);

 private:
  double value(std::size_t k, const double* z);
  void calc_direction(std::size_t k, bool energy_held, MomentumBalance<Space>& momenta,
                      const double* z, Workspace<double, Space>& ws);
  double move(const CorrectionTolerance& tolerance, const std::vector<double>& nu, double* z,
              Workspace<double, Space>& ws) const;

  const SystemIn<Space>& system_;
  std::vector<UserInvariant> invariants_;
  std::vector<double> start_;                                 // [invariants]
  LeastSquares step_;                                         // ν of one iteration
  std::vector<BodyState> states_;                             // [bodies] for the user's function
  std::vector<double> trial_;                                 // [layout.size()]
  std::vector<std::vector<Twist<double, Space>>> gradient_;   // [invariants][bodies + 1] ∂f/∂u
  std::vector<std::vector<Twist<double, Space>>> direction_;  // [invariants][bodies + 1] ξ
};

}  // namespace trammel
