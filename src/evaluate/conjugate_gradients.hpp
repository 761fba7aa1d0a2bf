// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// S x = b by conjugate gradients, instead of a factorisation (`schur: iterative`).
//
//   S d = J M⁻¹ Jᵀ d        by two passes over the joints: S itself is never formed
//   preconditioner          the blocks of S on the diagonal, one per joint, factored
//
// Stops when √⟨r, B⁻¹r⟩ has fallen to 10⁻¹⁴ of its first value, B the preconditioner. Always with
// the J of the point where it is used: what is a chord iteration with a factor is Newton's
// iteration here. Dependent rows that agree do no harm; a row whose pivot in its own block is
// dropped keeps x = 0.
#pragma once

#include <cstdint>
#include <vector>

#include "system/workspace.hpp"

namespace trammel {

template <class Real, class Space>
struct ConjugateGradients {
  explicit ConjugateGradients(const Topology& topology);

  // ---- scratch of solve_iteratively
  std::vector<Real> x, residual, direction, preconditioned, image;  // [rows]
  std::vector<Twist<Real, Space>> twist;                            // [bodies + 1]

  // ---- what it did
  std::int64_t solves = 0;
  std::int64_t iterations = 0;
  std::int64_t missed = 0;  // solves that did not reach the goal
};

// b → S⁻¹ b. Needs rows and calc_factor, which leaves the preconditioner in ws; clears the forces
// in ws.
template <class Real, class Space>
void solve_iteratively(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws, Real* b);

}  // namespace trammel
