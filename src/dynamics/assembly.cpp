// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/assembly.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/distribution.hpp"
#include "dynamics/projection.hpp"
#include "system/joint_rows.hpp"

namespace trammel {

namespace {

// Rows with a pivot below this part of their diagonal are left out of a Gauss–Newton step.
constexpr double assembly_drop_tolerance = 1e-10;
// Converged: |g| of every row below this part of its natural size.
constexpr double assembly_tolerance = 1e-11;
// … or, for lengths, below this part of the largest coordinate: a long chain of short links.
constexpr double coordinate_tolerance = 1e-12;
constexpr int max_iterations = 100;

template <class Space>
class Assembler {
 public:
  explicit Assembler(const SystemIn<Space>& system)
      : system_(system), topology_(system.topology), ws_(system.topology) {}

  AssembledState assemble() {
    AssembledState result{system_.initial, {}};
    result.report.residual_before = evaluate(result.z).value;
    assemble_positions(result);
    const LargestRow after = evaluate(result.z);
    result.report.residual_after = after.value;
    if (after.row >= 0) result.report.worst_row = system_.row_names[after.row];
    result.report.converged = is_closed(result.z);
    calc_moves(result);
    if (result.report.converged) assemble_velocities(result);
    return result;
  }

 private:
  LargestRow evaluate(const std::vector<double>& z) {
    calc_positions(topology_, z.data(), ws_);
    calc_rows(topology_, system_.parameters, ws_);
    return find_largest_row(ws_.g);
  }

  bool is_closed(const std::vector<double>& z) const {
    double reach = 0.0;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double* r = z.data() + topology_.layout.y(b);
      for (int k = 0; k < Space::dimension; ++k) reach = std::max(reach, std::abs(r[k]));
    }
    for (int r = 0; r < topology_.n_rows; ++r) {
      const double far = coordinate_tolerance * system_.row_reach[r] * reach;
      if (!(std::abs(ws_.g[r]) <= assembly_tolerance * system_.row_scale[r] + far)) return false;
    }
    return true;
  }

  // max |g| / natural size of the row
  double calc_scaled_residual() const {
    double largest = 0.0;
    for (int r = 0; r < topology_.n_rows; ++r) {
      largest = std::max(largest, std::abs(ws_.g[r]) / system_.row_scale[r]);
    }
    return largest;
  }

  // One Gauss–Newton step, shortened until |g| falls. Returns the scaled residual reached, or the
  // one before when nothing helps.
  double improve(std::vector<double>& z, double residual) {
    calc_factor(topology_, system_.parameters, ws_, assembly_drop_tolerance);
    std::copy(ws_.g.begin(), ws_.g.end(), ws_.mu.begin());
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    calc_mass_step(topology_, system_.parameters, ws_, ws_.mu.data());
    const std::vector<Twist<double, Space>> step = ws_.twist;
    // no body turns by more than a radian in one step
    double longest = 0.0;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      longest = std::max(longest, std::sqrt(dot(step[b].angular, step[b].angular)));
      if (!std::isfinite(longest + dot(step[b].linear, step[b].linear))) return residual;
    }
    double fraction = longest > 1.0 ? 1.0 / longest : 1.0;
    for (int halvings = 0; halvings < 12; ++halvings, fraction *= 0.5) {
      std::vector<double> trial = z;
      for (int b = 0; b < topology_.n_bodies; ++b) {
        Space::retract(trial.data() + topology_.layout.y(b), -fraction * step[b].linear,
                       -fraction * step[b].angular);
      }
      evaluate(trial);
      const double reached = calc_scaled_residual();
      if (reached < residual) {
        z = std::move(trial);
        return reached;
      }
    }
    evaluate(z);
    return residual;
  }

  void assemble_positions(AssembledState& result) {
    double residual = calc_scaled_residual();
    Assembly& report = result.report;
    while (residual > 0.0 && report.iterations < max_iterations) {
      const double reached = improve(result.z, residual);
      if (reached >= residual) break;  // rounding level, or stuck
      ++report.iterations;
      residual = reached;
    }
  }

  void calc_moves(AssembledState& result) const {
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double* before = system_.initial.data() + topology_.layout.y(b);
      const double* after = result.z.data() + topology_.layout.y(b);
      const auto dr = Linear<double, Space>::load(after) - Linear<double, Space>::load(before);
      result.report.moved_distance.push_back(std::sqrt(dot(dr, dr)));
      result.report.moved_angle.push_back(Space::calc_angle(before, after));
    }
  }

  void assemble_velocities(AssembledState& result) {
    calc_factor(topology_, system_.parameters, ws_, assembly_drop_tolerance);
    const std::vector<double> before = result.z;
    result.report.velocity_residual_before =
        calc_velocity_residual(system_, result.z.data(), ws_).value;
    project_velocity(system_, result.z.data(), ws_);
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double* after_u = result.z.data() + topology_.layout.u(b);
      const double* before_u = before.data() + topology_.layout.u(b);
      const auto dv = Linear<double, Space>::load(after_u) - Linear<double, Space>::load(before_u);
      const auto dOmega = Angular<double, Space>::load(after_u + Space::dimension) -
                          Angular<double, Space>::load(before_u + Space::dimension);
      result.report.velocity_change = std::max(
          {result.report.velocity_change, std::sqrt(dot(dv, dv)), std::sqrt(dot(dOmega, dOmega))});
    }
  }

  const SystemIn<Space>& system_;
  const Topology& topology_;
  Workspace<double, Space> ws_;
};

}  // namespace

template <class Space>
AssembledState assemble(const SystemIn<Space>& system) {
  return Assembler<Space>(system).assemble();
}

template AssembledState assemble(const SystemIn<Spatial>&);
template AssembledState assemble(const SystemIn<Planar>&);

}  // namespace trammel
