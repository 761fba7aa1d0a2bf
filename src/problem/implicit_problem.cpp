// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "evaluate/joint_rows.hpp"
#include "evaluate/step_judgement.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

template <class Space>
double count_all_forces(const SystemIn<Space>& system) {
  const auto counts = count_forces(system.parameters.forces);
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace

// Generated code of mechanisms of one to ten bodies has 100 operations per body, 60 per row and 100 per force,
// within a third, besides the factorisation of S; the others are counted.
template <class Space>
double estimate_evaluation(const SystemIn<Space>& system) {
  const Topology& topology = system.topology;
  return 100.0 * topology.n_bodies + 60.0 * topology.n_rows + 100.0 * count_all_forces(system) +
         4.0 * static_cast<double>(topology.program.n_values);
}

template <class Space>
ImplicitProblem<Space>::ImplicitProblem(MechanicalProblem<Space>& problem) : problem_(problem) {
  const SystemIn<Space>& system = problem_.point().system;
  prices_.evaluation = estimate_evaluation(system);
  prices_.linearisation = prices_.evaluation + 400.0 * count_all_forces(system);
}

template <class Space>
void ImplicitProblem<Space>::prepare_factors(int n_pairs) {
  matrix_ = std::make_unique<SaddlePointMatrix<Space>>(problem_.point().system, n_pairs);
  const BlockLuPattern& pattern = matrix_->pattern();
  const auto n_values = static_cast<double>(pattern.n_values());
  prices_.real_factor = pattern.count_factor_operations() + n_values;
  // with the sums over the stages before and after it
  prices_.real_solve = 2.0 * n_values + 40.0 * n_unknowns();
}

template <class Space>
double ImplicitProblem<Space>::work() const {
  const auto times = [](std::int64_t count, double price) {
    return static_cast<double>(count) * price;
  };
  constexpr double complex = 4.0;  // operations for one on real numbers
  return times(problem_.point().counts.accelerations, prices_.evaluation) +
         times(counts_.linearisations, prices_.linearisation) +
         times(counts_.real_factors, prices_.real_factor) +
         times(counts_.complex_factors, complex * prices_.real_factor) +
         times(counts_.real_solves, prices_.real_solve) +
         times(counts_.complex_solves, complex * prices_.real_solve);
}

template <class Space>
bool ImplicitProblem<Space>::linearise(double t, const double* z) {
  ++counts_.linearisations;
  RunPoint<Space>& point = problem_.point();
  const SystemIn<Space>& system = point.system;
  point.use_step_rows();
  point.poses_are_current = false;
  point.ws.time = t;
  calc_positions(system.topology, z, point.ws);
  calc_velocities(system.topology, z, point.ws);
  calc_rows(system.topology, system.parameters, point.ws);
  return matrix_->linearise(z, point.ws);
}

template <class Space>
double ImplicitProblem<Space>::calc_longest_step(const double* z) const {
  constexpr double longest = std::numeric_limits<double>::infinity(), most_turned = 2.0;
  if (Space::counts_turns || problem_.point().system.topology.coordinates.empty()) return longest;
  const ConstState<Space> state(layout(), z);
  double fastest = 0.0;
  for (int b = 0; b < state.n_bodies(); ++b) {
    fastest = std::max(fastest, calc_length(state.angular_velocity(b)));
  }
  return fastest > 0.0 ? most_turned / fastest : longest;
}

template double estimate_evaluation(const SystemIn<Spatial>&);
template double estimate_evaluation(const SystemIn<Planar>&);
template class ImplicitProblem<Spatial>;
template class ImplicitProblem<Planar>;

}  // namespace trammel
