// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// check: what can be said of a System before it moves.
#include "api/check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/rank.hpp"

namespace trammel {

namespace {

void add_dependencies(const SystemData& system, const RankReport& rank, CheckReport& report) {
  for (const DependentRow& row : rank.dependent) {
    Dependency dependency{system.row_names[row.row], {}};
    for (const auto& [other, coefficient] : row.on) {
      dependency.on.push_back({system.row_names[other], coefficient});
    }
    report.dependent.push_back(std::move(dependency));
  }
  report.smallest_pivot = rank.smallest_pivot;
  if (rank.smallest_pivot_row >= 0) {
    report.smallest_pivot_row = system.row_names[rank.smallest_pivot_row];
  }
}

// "hinge_2.C.z repeats hinge_1.C.z"
std::string to_sentence(const Dependency& dependency) {
  if (dependency.on.empty()) return dependency.row + " repeats others";
  std::string text = dependency.row + " repeats";
  constexpr std::size_t most = 6;
  for (std::size_t k = 0; k < dependency.on.size() && k < most; ++k) {
    text += fmt::format("{}{}", k == 0 ? " " : ", ", dependency.on[k].row);
  }
  if (dependency.on.size() > most) {
    text += fmt::format(" and {} more", dependency.on.size() - most);
  }
  return text;
}

// Data that had to be changed by more than rounding are probably not what was meant.
void warn_of_moves(bool gives_velocities, CheckReport& report) {
  const Assembly& assembly = report.assembly;
  const auto farthest =
      std::max_element(assembly.moved_distance.begin(), assembly.moved_distance.end());
  const auto widest = std::max_element(assembly.moved_angle.begin(), assembly.moved_angle.end());
  if (assembly.residual_before > 0.02) {
    report.warnings.push_back(fmt::format(
        "the initial positions do not fit the joints: bodies were moved by up to {:.3g} m and "
        "turned by up to {:.3g} rad",
        *farthest, *widest));
  }
  // velocities that nobody gave are those of the drivers
  const bool driven = report.drivers > 0 && !gives_velocities;
  if (!driven && assembly.velocity_residual_before > 1e-3 * (1.0 + assembly.velocity_change)) {
    report.warnings.push_back(
        fmt::format("the initial velocities do not fit the joints: they were changed by up to {:.3g} "
                    "m/s or rad/s (give those of all bodies)",
                    assembly.velocity_change));
  }
}

void judge(bool planar, bool gives_velocities, CheckReport& report) {
  if (!report.assembly.converged) {
    report.reasons.push_back(fmt::format(
        "cannot be assembled: the joints do not close, the best residual is {:.3g} at {}",
        report.assembly.residual_after, report.assembly.worst_row));
    return;
  }
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < report.dependent.size() && k < most; ++k) {
    report.reasons.push_back("dependent constraint: " + to_sentence(report.dependent[k]));
  }
  if (report.dependent.size() > most) {
    report.reasons.push_back(
        fmt::format("and {} more dependent constraints", report.dependent.size() - most));
  }
  if (!report.dependent.empty()) {
    report.reasons.push_back(
        fmt::format("redundant constraints, and starts in a singular position, are not solved in "
                    "this version: free them, for example by replacing a revolute joint by a {} "
                    "one, or start elsewhere",
                    planar ? "point_on_line" : "spherical or a cylindrical"));
  } else if (report.smallest_pivot < 100.0 * rank_threshold(report.bodies)) {
    report.warnings.push_back(fmt::format("{} nearly depends on other constraints (pivot {:.1e})",
                                          report.smallest_pivot_row, report.smallest_pivot));
  }
  warn_of_moves(gives_velocities, report);
  if (report.dof == 0 && report.drivers == 0) {
    report.warnings.push_back("the mechanism has no degree of freedom: it cannot move");
  }
}

}  // namespace

template <class Space>
CheckedState check_and_assemble(const SystemIn<Space>& system) {
  const Topology& topology = system.topology;
  CheckedState result;
  result.assembled = assemble(system);
  CheckReport& report = result.report;
  report.model_name = system.model_name;
  report.bodies = topology.n_bodies;
  report.joints = topology.n_joints;
  report.rows = topology.n_rows;
  report.components = topology.n_components();
  report.drivers = static_cast<int>(topology.drivers.size());
  report.body_names = system.body_names;
  report.assembly = result.assembled.report;
  const RankReport rank = find_dependent_rows(system, result.assembled.z.data());
  add_dependencies(system, rank, report);
  report.rank = topology.n_rows - static_cast<int>(report.dependent.size());
  report.dof = Space::n_u * topology.n_bodies - report.rank;
  const auto u = system.initial.begin() + topology.layout.u(0);
  const bool gives_velocities = std::any_of(u, u + topology.layout.n_u * topology.n_bodies,
                                            [](double x) { return x != 0.0; });
  judge(system.planar, gives_velocities, report);
  return result;
}

template CheckedState check_and_assemble(const SystemIn<Spatial>&);
template CheckedState check_and_assemble(const SystemIn<Planar>&);

CheckReport check(const System& handle) {
  return visit_space(handle.data(),
                     [](const auto& system) { return check_and_assemble(system).report; });
}

}  // namespace trammel
