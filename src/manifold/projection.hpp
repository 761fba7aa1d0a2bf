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

#include <algorithm>
#include <cmath>
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

// What decides between chord iterations, whoever computes them: loops, or code for several runs at once.
class ChordIteration {
 public:
  // Whether the point is on the joints: g is rounding, or the last move was small.
  bool is_closed(bool is_rounding) const { return is_rounding || was_small_; }

  enum class Verdict {
    contracts,
    slow,    // S of a nearby point does not serve: it has to be factored at this one
    too_far  // the step was far too long; moving that far could reach another branch
  };
  // size2: max(|dr|/L, |φ|)² of the next move over the bodies; room: positive where it is small for each.
  Verdict take(double size2, double room) {
    const double size = std::sqrt(size2);
    const bool is_small = room > 0.0;
    const double last = last_;
    ++count_;
    largest_ = std::max(largest_, size);
    last_ = size;
    was_small_ = is_small;
    if (!(size <= largest_move)) return Verdict::too_far;
    return size <= slowest_contraction * last || is_small ? Verdict::contracts : Verdict::slow;
  }
  bool was_small() const { return was_small_; }
  int count() const { return count_; }         // moves so far
  double largest() const { return largest_; }  // radians, or relative to the mechanism's length

 private:
  static constexpr double largest_move = 0.05;
  static constexpr double slowest_contraction = 0.3;  // of a move, relative to the one before
  double last_ = largest_move;
  double largest_ = 0.0;
  bool was_small_ = false;
  int count_ = 0;
};

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
