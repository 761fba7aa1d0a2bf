// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Levenberg–Marquardt from the drawn positions, Newton to rounding, then the velocities.
#include "manifold/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/light_bodies.hpp"
#include "manifold/projection.hpp"
#include "system/row_names.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

// Rows with a pivot below this part of their diagonal are left out of an undamped step.
constexpr double assembly_drop_tolerance = 1e-10;
// Converged: |g| of every independent row below this part of its natural size.
constexpr double assembly_tolerance = 1e-11;
// … or, for lengths, below this part of the largest coordinate: a long chain of short links.
constexpr double coordinate_tolerance = 1e-12;
// The damped steps have done their work when every row is closed to this part of its size.
constexpr double nearly_closed = 1e-8;
constexpr int max_iterations = 200;
// No body turns further, or moves further relative to the mechanism's length, in one step: the way
// to the nearest closed position stays on the side it started from.
constexpr double longest_step = 0.3;
constexpr double first_damping = 1e-3;
constexpr double least_damping = 1e-12;
constexpr double most_damping = 1e6;

// Some body is far smaller than the mechanism it belongs to.
bool has_unlike_sizes(const SystemData& system) {
  return std::any_of(system.own_part.begin(), system.own_part.end(),
                     [](double part) { return part < 1.0; });
}

template <class Space>
class Assembler {
 public:
  explicit Assembler(const SystemIn<Space>& system)
      : system_(system),
        topology_(system.topology),
        metric_(make_kinematic_metric(system, has_unlike_sizes(system))),
        ws_(system.topology) {
    weigh(metric_);
  }

  AssembledState assemble() {
    AssembledState result;
    result.z = system_.initial;
    Assembly& report = result.report;
    report.residual_before = evaluate(result.z).value;
    // near M with all rows; there the rank is that of the mechanism
    close_roughly(result);
    close_from_turned(result);
    // to rounding with the independent rows
    result.rank = find_rank(system_, result.z.data());
    ws_.mask = result.rank.mask;
    close_to_rounding(result);
    find_mismatches(result.rank);
    evaluate(result.z);
    const LargestRow after = find_worst_row();
    // redundant rows included
    report.residual_after = after.value;
    if (after.row >= 0) report.worst_row = make_row_name(system_, after.row);
    report.converged = is_closed(result.z);
    // joints that are open to see; none of them: those that are open beyond rounding
    if (!report.converged) list_open_joints(1e-9, report);
    if (!report.converged && report.open_joints.empty())
      list_open_joints(assembly_tolerance, report);
    calc_moves(result);
    if (report.converged) assemble_velocities(result);
    return result;
  }

 private:
  // A⁻¹ times the mobility of each body
  void weigh(Parameters<double, Space>& metric) const {
    for (int b = 0; b < topology_.n_bodies; ++b) {
      BodyParameters<double, Space>& body = metric.bodies[b];
      body.inverse_mass *= system_.placement[b].mobility;
      body.inverse_inertia = system_.placement[b].rotation_mobility * body.inverse_inertia;
    }
  }

  LargestRow evaluate(const std::vector<double>& z) {
    ws_.forget_references();  // a step of the assembly may be long
    calc_positions(topology_, z.data(), ws_);
    calc_rows(topology_, system_.parameters, ws_);
    return find_largest_row(ws_.g);
  }

  // The natural size of a row, with the rounding of far coordinates.
  double calc_tolerance(int row, double reach) const {
    return assembly_tolerance * system_.row_scale[row] +
           coordinate_tolerance * system_.row_reach[row] * reach;
  }

  bool is_closed(const std::vector<double>& z) const {
    const ConstState<Space> state(topology_.layout, z.data());
    double reach = 0.0;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double* r = state.y(b);
      for (int k = 0; k < Space::dimension; ++k) reach = std::max(reach, std::abs(r[k]));
    }
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (ws_.mask[r] != 1.0) continue;
      if (!(std::abs(ws_.g[r]) <= calc_tolerance(r, reach))) return false;
    }
    return true;
  }

  // J u + g_t of the independent rows, in ws_.mu, relative to their size and the speed of bodies
  bool are_velocities_closed(const std::vector<double>& z) const {
    const ConstState<Space> state(topology_.layout, z.data());
    double speed = 1.0;  // rad/s, or lengths of the mechanism per second
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const auto v = state.velocity(b);
      const auto Omega = state.angular_velocity(b);
      speed =
          std::max({speed, std::sqrt(dot(v, v)) / system_.length[b], std::sqrt(dot(Omega, Omega))});
    }
    const double limit = 1e-9 * speed;
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (ws_.mask[r] == 1.0 && !(std::abs(ws_.mu[r]) <= limit * system_.row_scale[r]))
        return false;
    }
    return true;
  }

  // max and Σ of (g / natural size)²
  struct Residual {
    double largest = 0.0;
    double sum = 0.0;
  };
  Residual calc_residual(bool kept_only) const {
    Residual residual;
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (kept_only && ws_.mask[r] != 1.0) continue;
      const double g = ws_.g[r] / system_.row_scale[r];
      residual.largest = std::max(residual.largest, std::abs(g));
      residual.sum += g * g;
    }
    return residual;
  }

  // w ← A⁻¹ Jᵀ S⁻¹ g with the factor in ws; its size: radians, or relative to the length
  double calc_step(LargeVector<Twist<double, Space>>& w) {
    // S μ = g, w = A⁻¹ Jᵀ μ
    std::copy(ws_.g.begin(), ws_.g.end(), ws_.mu.begin());
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    calc_mass_step(topology_, metric_, ws_, ws_.mu.data());
    w = ws_.twist;
    double size = 0.0;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double inverse = 1.0 / system_.length[b];
      size = std::max({size, inverse * std::sqrt(dot(w[b].linear, w[b].linear)),
                       std::sqrt(dot(w[b].angular, w[b].angular))});
      if (!std::isfinite(dot(w[b].linear, w[b].linear) + dot(w[b].angular, w[b].angular))) {
        return std::numeric_limits<double>::infinity();
      }
    }
    return size;
  }

  void move(std::vector<double>& z, const LargeVector<Twist<double, Space>>& w, double fraction) {
    const State<Space> state(topology_.layout, z.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      state.move(b, -fraction * w[b].linear, -fraction * w[b].angular);
    }
  }

  // Levenberg–Marquardt on all rows.
  void close_roughly(AssembledState& result) {
    double mu = first_damping;
    Residual residual = calc_residual(false);
    LargeVector<Twist<double, Space>> w;
    std::vector<double> trial;
    int stalled = 0;
    while (residual.largest > nearly_closed && result.report.iterations < max_iterations) {
      evaluate(result.z);
      // S + μ diag(size²): short steps where rows depend on each other
      calc_damped_factor(topology_, metric_, ws_, mu, system_.row_scale.data());
      const double size = calc_step(w);
      trial = result.z;
      move(trial, w, size > longest_step ? longest_step / size : 1.0);
      evaluate(trial);
      const Residual reached = calc_residual(false);
      ++result.report.iterations;
      // accepted: less damping; else more
      if (reached.sum < residual.sum) {
        stalled = reached.sum > 0.999 * residual.sum ? stalled + 1 : 0;
        result.z.swap(trial);
        residual = reached;
        mu = std::max(0.1 * mu, least_damping);
        if (stalled >= 5) break;  // as near as these joints can come
      } else {
        mu *= 10.0;
        if (mu > most_damping) break;
      }
    }
    evaluate(result.z);
  }

  // Where gaps do not shrink to first order (parallel axes that are to enclose an angle, a stretched linkage)
  // the bodies are turned a little, and it is tried again; that counts if all rows close.
  void close_from_turned(AssembledState& result) {
    if (calc_residual(false).largest <= nearly_closed) return;
    AssembledState other;
    other.z = system_.initial;
    const State<Space> state(topology_.layout, other.z.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double mobility = std::min(1.0, system_.placement[b].rotation_mobility);
      const double angle = (b % 2 == 0 ? 0.05 : -0.05) * mobility;
      const double along[3] = {Space::dimension == 2 ? angle : 0.4 * angle, angle, 0.7 * angle};
      state.move(b, Linear<double, Space>::zero(), Angular<double, Space>::load(along));
    }
    evaluate(other.z);
    close_roughly(other);
    if (calc_residual(false).largest <= nearly_closed) {
      result.z = other.z;
      result.report.iterations += other.report.iterations;
    }
    evaluate(result.z);
  }

  // Newton on the independent rows, as long as it helps.
  void close_to_rounding(AssembledState& result) {
    evaluate(result.z);
    Residual residual = calc_residual(true);
    LargeVector<Twist<double, Space>> w;
    std::vector<double> trial;
    for (int iteration = 0; iteration < 20 && residual.largest > 0.0; ++iteration) {
      calc_factor(topology_, metric_, ws_, assembly_drop_tolerance);
      const double size = calc_step(w);
      // a Newton step this long does not lead closer
      if (!(size < longest_step)) return;
      trial = result.z;
      move(trial, w, 1.0);
      evaluate(trial);
      const Residual reached = calc_residual(true);
      if (!(reached.largest < residual.largest)) break;
      ++result.report.iterations;
      result.z.swap(trial);
      residual = reached;
    }
    evaluate(result.z);
  }

  void find_mismatches(RankReport& rank) const {
    for (DependentRow& row : rank.dependent) row.mismatch = std::abs(ws_.g[row.row]);
  }

  // |g|; infinite where it is not defined, as beyond the end of a curve.
  double calc_gap(int row) const {
    const double g = std::abs(ws_.g[row]);
    return std::isfinite(g) ? g : std::numeric_limits<double>::infinity();
  }

  LargestRow find_worst_row() const {
    LargestRow worst{0.0, -1};
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (calc_gap(r) > worst.value) worst = {calc_gap(r), r};
    }
    return worst;
  }

  // Joints that stay open by more than this part of their size, the worst first.
  void list_open_joints(double tolerance, Assembly& report) const {
    for (int k = 0; k < topology_.n_joints; ++k) {
      const JointTopology& joint = topology_.joints[k];
      OpenJoint open{system_.joint_names[k], 0.0, 0.0};
      for (int r = joint.row; r < joint.row + joint.n_rows; ++r) {
        double& part = system_.row_reach[r] > 0.0 ? open.distance : open.angle;
        part = std::max(part, calc_gap(r));
      }
      if (open.distance > tolerance * system_.row_scale[joint.row] || open.angle > tolerance) {
        report.open_joints.push_back(open);
      }
    }
    for (const CoordinateRow& at : topology_.coordinate_rows) {
      const double g = calc_gap(at.row);
      if (g <= tolerance * system_.row_scale[at.row]) continue;
      const bool is_length = system_.row_reach[at.row] > 0.0;
      report.open_joints.push_back(
          {make_row_name(system_, at.row), is_length ? g : 0.0, is_length ? 0.0 : g});
    }
    std::stable_sort(report.open_joints.begin(), report.open_joints.end(),
                     [](const OpenJoint& a, const OpenJoint& b) {
                       return a.distance + a.angle > b.distance + b.angle;
                     });
  }

  void calc_moves(AssembledState& result) const {
    const ConstState<Space> before(topology_.layout, system_.initial.data());
    const ConstState<Space> after(topology_.layout, result.z.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const auto dr = after.position(b) - before.position(b);
      result.report.moved_distance.push_back(std::sqrt(dot(dr, dr)));
      result.report.moved_angle.push_back(Space::calc_angle(before.y(b), after.y(b)));
    }
  }

  void assemble_velocities(AssembledState& result) {
    // held bodies keep their velocities: copied only where there are any
    const auto& placement = system_.placement;
    const bool plain = std::all_of(placement.begin(), placement.end(), [](const Placement& p) {
      return p.mobility == 1.0 && p.rotation_mobility == 1.0;
    });
    std::unique_ptr<SystemIn<Space>> copy = make_lightened(system_, result.z.data(), 0.0);
    if (!plain && !copy) copy = std::make_unique<SystemIn<Space>>(system_);
    if (!plain) weigh(copy->parameters);
    const SystemIn<Space>& weighted = copy ? *copy : system_;
    // u ← u − M⁻¹ Jᵀ S⁻¹ (J u + g_t), M⁻¹ times the mobility where bodies hold theirs
    calc_factor(topology_, weighted.parameters, ws_, assembly_drop_tolerance);
    const std::vector<double> given = result.z;
    result.report.velocity_residual_before =
        calc_velocity_residual(system_, result.z.data(), ws_).value;
    LargestRow left = project_velocity(weighted, result.z.data(), ws_);
    if (!are_velocities_closed(result.z)) {
      // with masses so unlike that rows drop out: the nearest velocities in the kinematic metric
      if (!copy) copy = std::make_unique<SystemIn<Space>>(system_);
      copy->parameters = metric_;
      calc_factor(topology_, metric_, ws_, assembly_drop_tolerance);
      left = project_velocity(*copy, result.z.data(), ws_);
    }
    result.report.velocity_residual_after = left.value;
    result.report.velocities_contradict = !are_velocities_closed(result.z);
    if (left.row >= 0) result.report.worst_velocity_row = make_row_name(system_, left.row);
    const ConstState<Space> before(topology_.layout, given.data());
    const ConstState<Space> after(topology_.layout, result.z.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const auto dv = after.velocity(b) - before.velocity(b);
      const auto dOmega = after.angular_velocity(b) - before.angular_velocity(b);
      result.report.velocity_change = std::max(
          {result.report.velocity_change, std::sqrt(dot(dv, dv)), std::sqrt(dot(dOmega, dOmega))});
    }
  }

  const SystemIn<Space>& system_;
  const Topology& topology_;
  Parameters<double, Space> metric_;
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
