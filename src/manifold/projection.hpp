// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `mass` projection onto M_θ ∩ M_hc: orthogonal in the mass metric, with the factor of S that
// the acceleration needs anyway.
//
//   positions    y ← y ⊕ (−M⁻¹ Jᵀ μ),  S μ = g      simplified Newton: S may be that of a nearby
//                                                   point (chord iteration), J is always current
//   velocities   u ← u − M⁻¹ Jᵀ S⁻¹ (J u + g_t)     one back-solve; g_t of drivers only
//
// ⊕ moves in the tangent of a body and normalises θ, so unit Euler parameters and joints are
// met at once. Each projection reports what it did.
#pragma once

#include <span>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

// In a run a pivot below this part of its row's diagonal means that the row depends on others.
inline constexpr double run_drop_tolerance = 1e-13;

struct PositionProjection {
  enum class Outcome { converged, diverged, dependent } outcome;
  int iterations;      // Newton iterations that moved the point
  double residual;     // where it failed: largest |g| on return (m, or unit-free)
  int row;             // its row; for `dependent` the dropped row
  double residual_in;  // largest |g| before it moved anything
  int row_in;          // its row
  double moved = 0.0;  // the largest of its moves: radians, or relative to the mechanism's length
};

// The largest entry of a vector of rows by size, and where.
struct LargestRow {
  double value;
  int row;
};
LargestRow find_largest_row(std::span<const double> rows);

// ---- what decides between the iterations, for who computes them by other means

struct Move {
  double size;  // max of |dr|/L and |φ| over the bodies
  bool small;   // below the tolerance, or the rounding of the coordinates, for each of them
};
// A defect of this size at the end of a step (radians, or parts of the mechanism's length) says
// that the step was far too long; moving that far could reach another branch.
inline constexpr double largest_move = 0.05;
// A move by more than this part of the last one is not contracting.
inline constexpr double slowest_contraction = 0.3;

// Moves z onto g = 0. Uses the factor in ws as it is, and renews it when the iteration does not
// contract. On return positions and rows in ws are those of z; the factor may be older. has_rows: they
// are there already.
template <class Space>
PositionProjection project_position(const SystemIn<Space>& system, double* z,
                                    Workspace<double, Space>& ws, double tolerance,
                                    bool has_rows = false);

// Moves u of z to J u = −g_t and returns the largest |J u + g_t| left. Needs positions, rows and factor of z;
// leaves the velocities of z in ws.
template <class Space>
LargestRow project_velocity(const SystemIn<Space>& system, double* z, Workspace<double, Space>& ws);

// The largest |J u + g_t| of z; needs rows of z, leaves its velocities in ws.
template <class Space>
LargestRow calc_velocity_residual(const SystemIn<Space>& system, const double* z,
                                  Workspace<double, Space>& ws);

}  // namespace trammel
