// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "manifold/projection.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/coordinate_rows.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/step_judgement.hpp"

namespace trammel {

namespace {

constexpr int max_iterations = 20;

// y ← y ⊕ (−w)
template <class Space>
Move move_back(const SystemIn<Space>& system, const LargeVector<Twist<double, Space>>& w,
               double tolerance, const std::vector<double>& reach, double* z) {
  double size2 = 0.0;
  bool small = true;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    double* y = z + system.topology.layout.y(b);
    const BodyMove<double> of_body = judge_body<Space>(
        system.length[b], dot(w[b].linear, w[b].linear), dot(w[b].angular, w[b].angular),
        tolerance * system.own_part[b], reach[system.topology.component_of[b]], y);
    if (!std::isfinite(of_body.size2)) return {of_body.size2, false};
    small = small && of_body.size2 < of_body.limit2;
    size2 = std::max(size2, of_body.size2);
    Space::retract(y, -w[b].linear, -w[b].angular);
  }
  return {std::sqrt(size2), small};
}

// Of the rows that take part: one that depends on others stays open where they contradict each
// other. all_rows: of those left out as well.
template <class Space>
bool is_noise(const SystemData& system, const Workspace<double, Space>& ws, bool all_rows) {
  for (std::size_t r = 0; r < ws.g.size(); ++r) {
    const double limit =
        (all_rows ? 1.0 : ws.mask[r]) * calc_noise_limit(system.row_scale[r], system.row_reach[r],
                                                         ws.reach[system.row_component[r]]);
    if (!(std::abs(ws.g[r]) <= limit)) return false;
  }
  return true;
}

// The largest coordinate of a centre of mass, by component.
template <class Space>
void calc_reach(const SystemIn<Space>& system, const double* z, std::vector<double>& reach) {
  std::fill(reach.begin(), reach.end(), 0.0);
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    const double* r = z + system.topology.layout.y(b);
    double& largest = reach[system.topology.component_of[b]];
    for (int k = 0; k < Space::dimension; ++k) largest = std::max(largest, std::abs(r[k]));
  }
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
  calc_reach(system, z, ws.reach);
  Move last{largest_move, false};
  int iterations = 0;
  double moved = 0.0;
  LargestRow met{0.0, -1};
  const auto report = [&](Outcome outcome) {
    LargestRow left{0.0, -1};
    if (outcome != Outcome::converged) left = find_largest_row(ws.g);
    return PositionProjection{outcome, iterations, left.value, left.row, met.value, met.row, moved};
  };
  while (true) {
    if (iterations > 0 || !has_rows) {
      calc_positions(topology, z, ws);
      calc_rows(topology, system.parameters, ws);
    }
    if (iterations == 0) met = find_largest_row(ws.g);
    // A row left out is open by g_d = Σ c_dk g_k, and opens at the rate Σ ċ_dk g_k: the kept rows are
    // closed as far as they can be, unless all are closed from the beginning.
    if (is_noise(system, ws, iterations == 0) || last.small) return report(Outcome::converged);
    if (iterations == max_iterations) return report(Outcome::diverged);
    std::copy(ws.g.begin(), ws.g.end(), ws.mu.begin());
    solve_schur(topology, system.parameters, ws, ws.mu.data());
    calc_mass_step(topology, system.parameters, ws, ws.mu.data());
    const Move move = move_back(system, ws.twist, tolerance, ws.reach, z);
    ++iterations;
    moved = std::max(moved, move.size);
    if (!(move.size <= largest_move)) return report(Outcome::diverged);
    // not contracting: S at this point instead of a nearby one
    if (move.size > slowest_contraction * last.size && !move.small) {
      calc_positions(topology, z, ws);
      calc_rows(topology, system.parameters, ws);
      const int dropped = calc_factor(topology, system.parameters, ws, run_drop_tolerance);
      if (dropped >= 0) {
        return {Outcome::dependent, iterations, 0.0, dropped, met.value, met.row, moved};
      }
    }
    last = move;
  }
}

template <class Space>
LargestRow calc_velocity_residual(const SystemIn<Space>& system, const double* z,
                                  Workspace<double, Space>& ws) {
  const Topology& topology = system.topology;
  calc_velocities(topology, z, ws);
  calc_velocity_rates(topology, ws, ws.mu.data());
  add_driven_rates(topology, ws, ws.mu.data());
  return find_largest_row(ws.mu);
}

template <class Space>
LargestRow project_velocity(const SystemIn<Space>& system, double* z,
                            Workspace<double, Space>& ws) {
  const Topology& topology = system.topology;
  LargestRow residual = calc_velocity_residual(system, z, ws);
  // once is exact up to rounding; once more where rounding was amplified (nearly dependent rows)
  for (int pass = 0; pass < 2 && residual.value > (pass == 0 ? 0.0 : 1e-13); ++pass) {
    solve_schur(topology, system.parameters, ws, ws.mu.data());
    calc_mass_step(topology, system.parameters, ws, ws.mu.data());
    for (int b = 0; b < topology.n_bodies; ++b) {
      double* u = z + topology.layout.u(b);
      double* angular = u + Space::dimension;
      (Linear<double, Space>::load(u) - ws.twist[b].linear).store(u);
      (Angular<double, Space>::load(angular) - ws.twist[b].angular).store(angular);
    }
    residual = calc_velocity_residual(system, z, ws);
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
