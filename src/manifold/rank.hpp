// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which constraint rows repeat others, by a criterion that does not depend on units or masses, and
// which rows a run keeps.
//
// In the kinematic metric (columns dr/L and φ) S becomes A Aᵀ with the rows of A free of units. The
// pivot of a row in its LDLᵀ, divided by the row's diagonal, is sin² of the angle between the row
// and the span of those eliminated before it. A row below the threshold (10⁻⁶: 10⁻³ radians) is
// dependent. In a stretched chain of n links the pivot of the last joint is 1/n by nature, so the
// threshold falls with n from a hundred bodies on. Valid on the manifold only: elsewhere the rank is
// not that of the mechanism.
//
// One length L for a mechanism makes the joints of a small part look dependent: with arms s its rows
// differ by s/L. So where rows seem dependent, or nearly so, they are looked at once more with each
// body's own size ℓ_b, metric diag(L² I, (L/ℓ_b)² I), and a threshold of 10⁻⁴. The larger rank
// counts, with its rows.
//
// A start may lie in a singular position, where the rank is lower than everywhere around it. So,
// where rows seem dependent, neighbours on the manifold are examined too: the largest rank seen is
// that of the mechanism (its generic rank), and the rows to keep are chosen where it was seen.
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
  double mismatch = 0.0;  // |g| of the row at the start, where all others are closed
  double angle = 0.0;     // between the row and the span of the others: hinges out of line by that
};

struct RankReport {
  int rank = 0;                         // of the mechanism
  int rank_at_start = 0;                // lower in a singular position
  int rank_without_drivers = 0;         // of joints and couplers alone
  std::vector<DependentRow> dependent;  // rows that are not kept
  std::vector<int> lost_at_start;       // kept rows that depend on others at the start only
  std::vector<char> shared;             // [rows] 1: the row's reaction is not determined by itself
  double smallest_pivot = 1.0;          // of the kept rows, at the start
  int smallest_pivot_row = -1;
  LargeVector<double> mask;       // [rows] 1: kept, +∞: left out (Workspace::mask)
  std::vector<double> reference;  // z where the rows were chosen
};

// z: a point of M at time t.
template <class Space>
RankReport find_rank(const SystemIn<Space>& system, const double* z, double t = 0.0);

// Parameters with the kinematic metric in place of the inverse masses: M⁻¹ → diag(L² I, I), or
// diag(L² I, (L/ℓ_b)² I) with the bodies' own sizes.
template <class Space>
Parameters<double, Space> make_kinematic_metric(const SystemIn<Space>& system,
                                                bool own_sizes = false);

}  // namespace trammel
