// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// A small move along the seeming degree of freedom, and an assembly from there.
#include "manifold/shaky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

constexpr double move_size = 0.02;       // radians, or relative to the mechanism's length
constexpr double part_that_stays = 0.1;  // of a move that is no motion: the closing takes it back
constexpr int most_bodies = 1000;        // larger mechanisms are not examined: it costs an assembly

template <class Space>
double calc_size(const SystemData& system, int b, const Twist<double, Space>& w) {
  return std::max(std::sqrt(dot(w.linear, w.linear)) / system.length[b],
                  std::sqrt(dot(w.angular, w.angular)));
}

// A random direction in ker J, of the largest size `move_size`; false: there is none.
template <class Space>
bool calc_free_move(const SystemIn<Space>& system, const AssembledState& assembled,
                    std::vector<Twist<double, Space>>& w) {
  const Topology& topology = system.topology;
  const Parameters<double, Space> metric = make_kinematic_metric(system);
  Workspace<double, Space> ws(topology);
  ws.mask = assembled.rank.mask;
  calc_positions(topology, assembled.z.data(), ws);
  calc_rows(topology, metric, ws);
  calc_factor(topology, metric, ws, 0.0);
  // a random direction, the same in every run
  std::mt19937_64 generator{7};
  std::normal_distribution<double> normal;
  for (int b = 0; b < topology.n_bodies; ++b) {
    std::array<double, Space::n_u> random;
    for (double& x : random) x = normal(generator);
    w[b].linear = system.length[b] * Linear<double, Space>::load(random.data());
    w[b].angular = Angular<double, Space>::load(random.data() + Space::dimension);
  }
  // w ← w − A⁻¹ Jᵀ S⁻¹ J w, into ker J in the kinematic metric A
  calc_j_times(topology, ws, w.data(), ws.mu.data());
  solve(topology.program, ws.factor(), ws.mu.data());
  calc_mass_step(topology, metric, ws, ws.mu.data());
  double size = 0.0;
  for (int b = 0; b < topology.n_bodies; ++b) {
    w[b].linear -= ws.twist[b].linear;
    w[b].angular -= ws.twist[b].angular;
    size = std::max(size, calc_size(system, b, w[b]));
  }
  // nothing of it lies in ker J
  if (!(size > 1e-6)) return false;
  for (auto& move : w) {
    move = {move_size / size * move.linear, move_size / size * move.angular};
  }
  return true;
}

}  // namespace

template <class Space>
bool is_shaky(const SystemIn<Space>& system, const AssembledState& assembled) {
  const Topology& topology = system.topology;
  std::vector<Twist<double, Space>> w(topology.n_bodies + 1, Twist<double, Space>::zero());
  if (topology.n_bodies > most_bodies || !calc_free_move(system, assembled, w)) return false;
  // the mechanism, drawn a little away from where it was assembled
  SystemIn<Space> moved = system;
  moved.initial = assembled.z;
  std::fill(moved.placement.begin(), moved.placement.end(), Placement{});
  const State<Space> start(topology.layout, moved.initial.data());
  for (int b = 0; b < topology.n_bodies; ++b) start.move(b, w[b].linear, w[b].angular);
  const AssembledState closed = assemble(moved);
  if (!closed.report.converged) return false;
  const ConstState<Space> before(topology.layout, assembled.z.data());
  const ConstState<Space> after(topology.layout, closed.z.data());
  // how much of the move is left after the joints have been closed
  double left = 0.0;
  for (int b = 0; b < topology.n_bodies; ++b) {
    const auto dr = after.position(b) - before.position(b);
    left = std::max({left, std::sqrt(dot(dr, dr)) / system.length[b],
                     Space::calc_angle(before.y(b), after.y(b))});
  }
  return left < part_that_stays * move_size;
}

template bool is_shaky(const SystemIn<Spatial>&, const AssembledState&);
template bool is_shaky(const SystemIn<Planar>&, const AssembledState&);

}  // namespace trammel
