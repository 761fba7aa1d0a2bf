// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// check: degrees of freedom, redundancy and initial fit of a System, and whether it can run.
#include "analyses/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "analyses/check_elements.hpp"
#include "format/place_problems.hpp"
#include "manifold/light_bodies.hpp"
#include "manifold/rank.hpp"
#include "manifold/shaky.hpp"
#include "record/channel_names.hpp"
#include "system/frames.hpp"
#include "system/row_names.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

void add_dependencies(const SystemData& system, const RankReport& rank, CheckReport& report) {
  for (const DependentRow& row : rank.dependent) {
    Dependency dependency{make_row_name(system, row.row), {}, row.mismatch, row.angle};
    for (const auto& [other, coefficient] : row.on) {
      dependency.on.push_back({make_row_name(system, other), coefficient});
    }
    report.dependent.push_back(std::move(dependency));
  }
  for (const int row : rank.lost_at_start) {
    report.lost_at_start.push_back(make_row_name(system, row));
  }
  for (int r = 0; r < system.topology.n_rows; ++r) {
    if (rank.shared[r]) report.shared_rows.push_back(make_row_name(system, r));
  }
  report.rank = rank.rank;
  report.rank_at_start = rank.rank_at_start;
  report.smallest_pivot = rank.smallest_pivot;
  if (rank.smallest_pivot_row >= 0) {
    report.smallest_pivot_row = make_row_name(system, rank.smallest_pivot_row);
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
  // velocities that were not given are those of the drivers
  const bool driven = report.drivers > 0 && !gives_velocities;
  if (!driven && assembly.velocity_residual_before > 1e-3 * (1.0 + assembly.velocity_change)) {
    report.warnings.push_back(fmt::format(
        "the initial velocities do not fit the joints: they were changed by up to {:.3g} "
        "m/s or rad/s (give those of all bodies)",
        assembly.velocity_change));
  }
}

// "pin (0.3 m), hinge (0.1 m, 0.02 rad) and 3 more"
std::string list_open_joints(const std::vector<OpenJoint>& joints) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < joints.size() && k < most; ++k) {
    const OpenJoint& open = joints[k];
    std::string size = open.distance > 0.0 ? fmt::format("{:.3g} m", open.distance) : std::string();
    if (open.angle > 0.0) size += fmt::format("{}{:.3g} rad", size.empty() ? "" : ", ", open.angle);
    if (!std::isfinite(open.distance + open.angle)) size = "not defined there";
    text += fmt::format("{}{} ({})", k == 0 ? "" : ", ", open.joint, size);
  }
  if (joints.size() > most) text += fmt::format(" and {} more", joints.size() - most);
  return text;
}

// Redundant rows that contradict those they repeat, at the start or by hinges out of line: within
// the tolerance a warning, else a reason.
template <class Space>
void judge_mismatches(const SystemIn<Space>& system, const RankReport& rank, CheckReport& report) {
  for (std::size_t k = 0; k < rank.dependent.size(); ++k) {
    const DependentRow& dependent = rank.dependent[k];
    const double relative = dependent.mismatch / system.row_size[dependent.row];
    const bool open = relative > 1e-9;
    if (!open && dependent.angle < 1e-6) continue;  // rounding
    const std::string text =
        open
            ? fmt::format("{} but is open by {:.2g}{}", to_sentence(report.dependent[k]),
                          dependent.mismatch, system.row_reach[dependent.row] > 0.0 ? " m" : " rad")
            : fmt::format("{} but is out of line by {:.2g} rad", to_sentence(report.dependent[k]),
                          dependent.angle);
    if (std::max(relative, dependent.angle) > system.redundancy_tolerance) {
      report.reasons.push_back(
          "contradictory constraints: " + text +
          fmt::format(" (redundancy_tolerance {:.2g})", system.redundancy_tolerance));
    } else {
      report.warnings.push_back("redundant constraints do not quite agree: " + text +
                                "; it is left open; reactions in these joints are indicative only");
    }
  }
}

// Without mass or moment of inertia, and free to move: its acceleration would be anything.
template <class Space>
void judge_light_bodies(const SystemIn<Space>& system, const std::vector<double>& z,
                        CheckReport& report) {
  for (const int b : resolve_light_bodies(system, z.data(), 0.0).undetermined) {
    const bool massless = system.parameters.bodies[b].mass == 0.0;
    report.reasons.push_back(
        fmt::format("body '{}' has no {}, and the joints do not determine its motion; give it {}, "
                    "or a joint that "
                    "holds it",
                    system.body_names[b], massless ? "mass" : "moment of inertia about some axis",
                    massless ? "mass and inertia" : "one"));
  }
}

// For each body the first of those it is joined to, by however many joints.
std::vector<int> find_groups(const Topology& topology) {
  std::vector<int> group(topology.n_bodies);
  std::iota(group.begin(), group.end(), 0);
  const auto find = [&](int b) {
    while (group[b] != b) b = group[b] = group[group[b]];
    return b;
  };
  for (const JointTopology& joint : topology.joints) {
    if (joint.body_i == topology.ground() || joint.body_j == topology.ground()) continue;
    const int i = find(joint.body_i), j = find(joint.body_j);
    group[std::max(i, j)] = std::min(i, j);
  }
  for (int b = 0; b < topology.n_bodies; ++b) group[b] = find(b);
  return group;
}

// Coordinates of a small part on a large one have the rounding of the large one.
void judge_sizes(const SystemData& system, CheckReport& report) {
  constexpr double wanted = 1e-11;  // to which part of its size the joints of a part are to close
  // a body reaches from its centre to both sides: coordinates are up to twice its size
  constexpr double rounding = 2.0 * std::numeric_limits<double>::epsilon();
  const std::vector<double>& size = system.size;
  const auto [least, most] = std::minmax_element(size.begin(), size.end());
  if (size.empty() || rounding * *most <= wanted * *least) return;
  const std::vector<int> group = find_groups(system.topology);
  std::vector<int> largest = group;
  for (std::size_t b = 0; b < size.size(); ++b) {
    int& of = largest[group[b]];
    if (size[b] > size[of]) of = static_cast<int>(b);
  }
  for (std::size_t b = 0; b < size.size(); ++b) {
    const int other = largest[group[b]];
    if (rounding * size[other] <= wanted * size[b]) continue;
    report.reasons.push_back(
        fmt::format("body '{}' ({:.2g} m) is too small next to '{}' ({:.2g} m): rounding of "
                    "coordinates opens its "
                    "joints by {:.1g} of its size; simulate it on its own",
                    system.body_names[b], size[b], system.body_names[other], size[other],
                    rounding * size[other] / size[b]));
    return;  // one is enough to see what it is about
  }
}

template <class Space>
bool is_at_rest(const SystemIn<Space>& system, const std::vector<double>& z) {
  const double* const u = ConstState<Space>(system.topology.layout, z.data()).u(0);
  return std::all_of(u, u + Space::n_u * system.topology.n_bodies,
                     [](double x) { return x == 0.0; });
}

template <class Space>
void judge_start(const SystemIn<Space>& system, const std::vector<double>& z, CheckReport& report) {
  if (report.lost_at_start.empty()) return;
  constexpr std::size_t most = 6;
  const auto& lost = report.lost_at_start;
  std::string rows;
  for (std::size_t k = 0; k < lost.size() && k < most; ++k) {
    rows += (k == 0 ? "" : ", ") + lost[k];
  }
  if (lost.size() > most) rows += fmt::format(" and {} more", lost.size() - most);
  if (is_at_rest(system, z)) {
    report.reasons.push_back("starts at rest in a singular position (" + rows +
                             " repeats other constraints there): which way it moves is not "
                             "determined; start from another position, or with a velocity");
  } else {
    report.warnings.push_back("starts in a singular position: " + rows +
                              " repeats other constraints there");
  }
}

template <class Space>
bool gives_velocities(const SystemIn<Space>& system) {
  return !is_at_rest(system, system.initial);
}

template <class Space>
void judge(const SystemIn<Space>& system, const AssembledState& assembled, CheckReport& report) {
  for (const std::string& name : system.ignored_joints) {
    report.warnings.push_back("the joint '" + name +
                              "' connects two frames of one body: it constrains nothing and is "
                              "left out");
  }
  if (!report.assembly.converged) {
    report.reasons.push_back(
        fmt::format("cannot be assembled: the joints do not close, the best residual is {:.3g} at "
                    "{}; open: {}",
                    report.assembly.residual_after, report.assembly.worst_row,
                    list_open_joints(report.assembly.open_joints)));
    return;
  }
  judge_mismatches(system, assembled.rank, report);
  for (std::string& reason : find_contradicted_limits(system, assembled.z)) {
    report.reasons.push_back(std::move(reason));
  }
  judge_sizes(system, report);
  // rows that contradict each other a little would lead back, too
  const auto agrees = [](const Dependency& row) { return row.mismatch < 1e-9 && row.angle < 1e-6; };
  if (report.dof > 0 && !report.dependent.empty() && report.lost_at_start.empty() &&
      std::all_of(report.dependent.begin(), report.dependent.end(), agrees) &&
      is_shaky(system, assembled)) {
    report.reasons.push_back(
        "a shaky structure: its joints close in a singular position only, where it gives way "
        "without moving, so that no finite reaction can carry a load (redundant there: " +
        report.dependent.front().row + ")");
  }
  judge_start(system, assembled.z, report);
  if (report.lost_at_start.empty() &&
      report.smallest_pivot < 100.0 * rank_threshold(report.bodies)) {
    report.warnings.push_back(fmt::format("{} nearly depends on other constraints (pivot {:.1e})",
                                          report.smallest_pivot_row, report.smallest_pivot));
  }
  if (report.assembly.velocities_contradict) {
    report.reasons.push_back(
        fmt::format("the initial velocities cannot be made to fit the joints: {:.3g} is left at {}",
                    report.assembly.velocity_residual_after, report.assembly.worst_velocity_row));
  }
  warn_of_moves(gives_velocities(system), report);
  if (report.drivers > 0 && Space::n_u * report.bodies == assembled.rank.rank_without_drivers) {
    report.reasons.push_back(
        "locked: the joints leave no degree of freedom, so the drivers cannot move it; free one of "
        "them");
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
  report.warnings = system.warnings;
  report.assembly = result.assembled.report;
  report.warnings.insert(report.warnings.end(), system.picture.notes.begin(),
                         system.picture.notes.end());
  add_dependencies(system, result.assembled.rank, report);
  report.dof = Space::n_u * topology.n_bodies - report.rank;
  judge(system, result.assembled, report);
  if (report.assembly.converged) judge_light_bodies(system, result.assembled.z, report);
  return result;
}

template CheckedState check_and_assemble(const SystemIn<Spatial>&);
template CheckedState check_and_assemble(const SystemIn<Planar>&);

CheckReport check(const System& handle) {
  return visit_space(handle.data(), [](const auto& system) {
    CheckReport report = check_and_assemble(system).report;
    for (std::string& warning : list_coarse_frictions(system, system.model_atol)) {
      report.warnings.push_back(std::move(warning));
    }
    const std::vector<ChannelProblem> problems = find_wrong_outputs(system);
    for (const Mistake& mistake : place_problems(problems, system.model_text)) {
      report.reasons.push_back(to_string(mistake));
    }
    return report;
  });
}

AssembledStart assemble(const System& handle) {
  return visit_space(handle.data(), [](const auto& system) {
    const CheckedState checked = check_and_assemble(system);
    AssembledStart start{checked.report, {}};
    for (int b = 0; b < system.topology.n_bodies; ++b) {
      start.bodies.push_back(export_body(system, checked.assembled.z.data(), b));
    }
    return start;
  });
}

}  // namespace trammel
