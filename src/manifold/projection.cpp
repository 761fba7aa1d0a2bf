// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Both projections as iterations: what a single move or a single back-solve does is in step_end.hpp.
#include "manifold/projection.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/step_end.hpp"

namespace trammel {

namespace {

constexpr int max_iterations = 20;

// Of the rows that take part: one that depends on others stays open where they contradict each
// other. all_rows: of those left out as well.
template <class Space>
bool is_noise(const SystemData& system, const Workspace<double, Space>& ws, bool all_rows) {
  for (int r = 0; r < system.topology.n_rows; ++r) {
    if (!all_rows && ws.mask[r] == row_left_out) continue;
    if (!(calc_rounding_room(system, get_scales(system), r, ws.reach.data(), ws) >= 0.0)) {
      return false;
    }
  }
  return true;
}

}  // namespace

LargestRow find_largest_row(std::span<const double> rows) {
  const double* const row = rows.data();
  double largest = 0.0;
  int at = -1;
  for (int r = 0, n = static_cast<int>(rows.size()); r < n; ++r) {
    if (const double size = std::abs(row[r]); size > largest) {
      largest = size;
      at = r;
    }
  }
  return {largest, at};
}

template <class Space>
PositionProjection project_position(const SystemIn<Space>& system, double* z,
                                    Workspace<double, Space>& ws, double tolerance, bool has_rows) {
  using Outcome = PositionProjection::Outcome;
  const Topology& topology = system.topology;
  calc_reach<Space>(topology, z, ws.reach.data());
  ChordIteration chord;
  LargestRow met{0.0, -1};
  const auto report = [&](Outcome outcome) {
    LargestRow left{0.0, -1};
    if (outcome != Outcome::converged) left = find_largest_row(ws.g);
    return PositionProjection{outcome,   chord.count(), left.value,     left.row,
                              met.value, met.row,       chord.largest()};
  };
  while (true) {
    // g and J at the point reached
    if (chord.count() > 0 || !has_rows) {
      calc_positions(topology, z, ws);
      calc_rows(topology, system.parameters, ws);
    }
    // what the point was like before it was moved
    if (chord.count() == 0) met = find_largest_row(ws.g);
    // A row left out is open by g_d = Σ c_dk g_k, and opens at the rate Σ ċ_dk g_k: the kept rows are
    // closed as far as they can be, unless all are closed from the beginning.
    if (chord.is_closed(is_noise(system, ws, chord.count() == 0))) {
      return report(Outcome::converged);
    }
    if (chord.count() == max_iterations) return report(Outcome::diverged);
    // S μ = g, y ← y ⊕ (−M⁻¹ Jᵀ μ)
    const PositionMove<double> move = move_onto_rows(
        topology, system.parameters, get_scales(system), tolerance, ws.reach.data(), z, ws);
    const ChordIteration::Verdict verdict = chord.take(move.size2, move.room);
    // moving on could end on another branch
    if (verdict == ChordIteration::Verdict::too_far) return report(Outcome::diverged);
    if (verdict == ChordIteration::Verdict::contracts) continue;
    // S at this point instead of a nearby one
    calc_positions(topology, z, ws);
    calc_rows(topology, system.parameters, ws);
    const int dropped = calc_factor(topology, system.parameters, ws, run_drop_tolerance);
    if (dropped >= 0) {
      return {Outcome::dependent, chord.count(), 0.0, dropped, met.value, met.row, chord.largest()};
    }
  }
}

template <class Space>
LargestRow calc_velocity_residual(const SystemIn<Space>& system, const double* z,
                                  Workspace<double, Space>& ws) {
  const Topology& topology = system.topology;
  // J u + g_t, in ws.mu
  calc_velocities(topology, z, ws);
  calc_velocity_gap(topology, ws);
  return find_largest_row(ws.mu);
}

template <class Space>
LargestRow project_velocity(const SystemIn<Space>& system, double* z,
                            Workspace<double, Space>& ws) {
  const Topology& topology = system.topology;
  LargestRow residual = calc_velocity_residual(system, z, ws);
  // once is exact up to rounding; once more where rounding was amplified (nearly dependent rows)
  for (int pass = 0; pass < 2 && residual.value > (pass == 0 ? 0.0 : 1e-13); ++pass) {
    // u ← u − M⁻¹ Jᵀ S⁻¹ (J u + g_t)
    close_velocity_gap(topology, system.parameters, z, ws);
    calc_velocity_gap(topology, ws);
    residual = find_largest_row(ws.mu);
  }
  return residual;
}

template PositionProjection project_position(const SystemIn<Spatial>&, double*,
                                             Workspace<double, Spatial>&, double, bool);
template LargestRow project_velocity(const SystemIn<Spatial>&, double*,
                                     Workspace<double, Spatial>&);
template LargestRow calc_velocity_residual(const SystemIn<Spatial>&, const double*,
                                           Workspace<double, Spatial>&);
template PositionProjection project_position(const SystemIn<Planar>&, double*,
                                             Workspace<double, Planar>&, double, bool);
template LargestRow project_velocity(const SystemIn<Planar>&, double*, Workspace<double, Planar>&);
template LargestRow calc_velocity_residual(const SystemIn<Planar>&, const double*,
                                           Workspace<double, Planar>&);

}  // namespace trammel
