// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which constraint rows repeat others, by a criterion that does not depend on units or masses.
//
// In the kinematic metric (columns dr/L and φ) S becomes A Aᵀ with the rows of A free of units. The
// pivot of a row in its LDLᵀ, divided by the row's diagonal, is sin² of the angle between the row
// and the span of those eliminated before it. A row below the threshold (10⁻⁶: 10⁻³ radians) is
// dependent. In a stretched chain of n links the pivot of the last joint is 1/n by nature, so the
// threshold falls with n from a hundred bodies on. To be asked on the manifold only: elsewhere the
// rank is not that of the mechanism.
#pragma once

#include <utility>
#include <vector>

#include "system/system.hpp"

namespace trammel {

constexpr double rank_threshold(int n_bodies) { return n_bodies <= 100 ? 1e-6 : 1e-4 / n_bodies; }

struct DependentRow {
  int row;
  // row = Σ coefficient · other, rows scaled to unit length; largest first, those above 10⁻³
  std::vector<std::pair<int, double>> on;
};

struct RankReport {
  std::vector<DependentRow> dependent;
  double smallest_pivot = 1.0;  // of the independent rows
  int smallest_pivot_row = -1;
};

template <class Space>
RankReport find_dependent_rows(const SystemIn<Space>& system, const double* z);

}  // namespace trammel
