// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/rank.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/distribution.hpp"
#include "system/joint_rows.hpp"

namespace trammel {

namespace {

// M⁻¹ → diag(L² I, I)
template <class Space>
Parameters<double, Space> make_kinematic_metric(const SystemIn<Space>& system) {
  Parameters<double, Space> parameters = system.parameters;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    parameters.bodies[b].inverse_mass = system.length[b] * system.length[b];
    parameters.bodies[b].inverse_inertia = Angular<double, Space>::filled(1.0);
  }
  return parameters;
}

// The combination of kept rows that gives the dropped row k: S_KK c = S_Kk.
template <class Space>
DependentRow explain_row(const SystemIn<Space>& system, const Parameters<double, Space>& metric,
                         Workspace<double, Space>& ws, int k) {
  const Topology& topology = system.topology;
  std::vector<double> unit(topology.n_rows, 0.0), c(topology.n_rows, 0.0);
  unit[k] = 1.0;
  calc_mass_step(topology, metric, ws, unit.data());
  calc_j_times(topology, ws, ws.twist.data(), c.data());
  solve(topology.program, ws.factor(), c.data());
  DependentRow dependent{k, {}};
  for (int r = 0; r < topology.n_rows; ++r) {
    const double scaled = c[r] * std::sqrt(ws.diagonal[r] / ws.diagonal[k]);
    if (std::abs(scaled) > 1e-3) dependent.on.emplace_back(r, scaled);
  }
  std::stable_sort(dependent.on.begin(), dependent.on.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second) > std::abs(b.second) + 1e-9;
  });
  return dependent;
}

}  // namespace

template <class Space>
RankReport find_dependent_rows(const SystemIn<Space>& system, const double* z) {
  const Topology& topology = system.topology;
  const Parameters<double, Space> metric = make_kinematic_metric(system);
  Workspace<double, Space> ws(topology);
  calc_positions(topology, z, ws);
  calc_rows(topology, metric, ws);
  calc_factor(topology, metric, ws, rank_threshold(topology.n_bodies));
  RankReport report;
  std::vector<int> dropped;
  for (int r = 0; r < topology.n_rows; ++r) {
    if (ws.inverse[r] == 0.0) {
      dropped.push_back(r);
    } else if (const double pivot = ws.pivot[r] / ws.diagonal[r]; pivot < report.smallest_pivot) {
      report.smallest_pivot = pivot;
      report.smallest_pivot_row = r;
    }
  }
  // a combination costs a solve: enough are explained to see the pattern
  constexpr std::size_t most_explained = 200;
  for (int r : dropped) {
    const bool explained = report.dependent.size() < most_explained;
    report.dependent.push_back(explained ? explain_row(system, metric, ws, r)
                                         : DependentRow{r, {}});
  }
  return report;
}

template RankReport find_dependent_rows(const SystemIn<Spatial>&, const double*);
template RankReport find_dependent_rows(const SystemIn<Planar>&, const double*);

}  // namespace trammel
