// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Assembly: from initial data read off a drawing to a point of M, before t = 0.
//
// Positions: the nearest point, in the kinematic metric times the bodies' weights, by damped
// Gauss–Newton steps (Levenberg, Marquardt)
//
//   w = −A⁻¹ Jᵀ (J A⁻¹ Jᵀ + μ C²)⁻¹ g,   A = diag(I/L², I) · weight,  C: natural size of a row,
//
// (with the bodies' own sizes ℓ_b in place of L for rotations where some body is far smaller than L),
// with μ smaller after a step that lowers |C⁻¹g|², larger after one that does not. Redundant rows
// need no care here. A body that is held has A⁻¹ = 0. Then undamped steps with the independent rows
// alone, down to rounding: where rows contradict each other the others are closed exactly.
// Velocities: the nearest ones with J u = −g_t in the mass metric, held bodies keep theirs.
#pragma once

#include <string>
#include <vector>

#include "manifold/rank.hpp"
#include "system/system.hpp"
#include "trammel/results.hpp"

namespace trammel {

struct AssembledState {
  std::vector<double> z;  // the state vector, on M if report.converged
  RankReport rank;        // at z, where the joints could be closed at all
  Assembly report;
};

template <class Space>
AssembledState assemble(const SystemIn<Space>& system);

}  // namespace trammel
