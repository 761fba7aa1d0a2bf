// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/recorder.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "record/quantities.hpp"
#include "record/reactions.hpp"
#include "system/frames.hpp"
#include "system/row_names.hpp"
#include "system/state.hpp"

namespace trammel {

template <class Space>
Recorder<Space>::Recorder(MechanicalProblem<Space>& problem, const SimulationOptions& options,
                          const ProgressCallback& progress, Results& results, ResultsSink* sink)
    : problem_(problem),
      options_(options),
      progress_(progress),
      results_(results),
      sink_(sink),
      tracker_(problem.point().system),
      share_(problem.point().system),
      interval_(options.output_interval > 0.0 ? options.output_interval : options.t_end / 1000.0),
      outputs_between_asking_(problem.point().system.topology.n_bodies > 1000 ? 1 : 32) {
  const SystemIn<Space>& system = problem.point().system;
  results.body_names = system.body_names;
  results.joint_names = system.joint_names;
  results.coordinate_names = system.coordinate_names;
  for (const CoordinateTopology& of : system.topology.coordinates) {
    results.coordinate_units.emplace_back(of.kind == CoordinateKind::angle ? "rad" : "m");
  }
  for (const LoadChannel& load : system.loads) {
    results.load_names.push_back(load.name);
    results.load_units.push_back(load.unit);
  }
  if (!options.output_at_steps) reserve();
}

// Grid times are multiples of the interval; the last one is t_end itself.
template <class Space>
double Recorder<Space>::output_time(std::int64_t index) const {
  const double t = static_cast<double>(index) * interval_;
  return t > options_.t_end * (1.0 - 1e-12) ? options_.t_end : t;
}

template <class Space>
void Recorder<Space>::reserve() {
  const auto n = static_cast<std::size_t>(options_.t_end / interval_) + 2;
  const std::size_t bodies = results_.body_names.size(), joints = results_.joint_names.size();
  const std::size_t coordinates = results_.coordinate_names.size();
  const std::size_t loads = results_.load_names.size();
  // a huge table grows as it goes: a run may stop early
  if (n * (13 * bodies + 6 * joints + 2 * coordinates + loads) > 50'000'000) return;
  for (const Quantity& quantity : quantities()) {
    if (!is_recorded(quantity, options_.record)) continue;
    (results_.*quantity.column).reserve(n * row_size(results_, quantity));
  }
}

template <class Space>
void Recorder<Space>::start(const double* z) {
  observe_point(0.0, z);
  tracker_.start(z, problem_.point().ws);
  if (options_.record.reactions) {
    refine_distribution(problem_.point().system.topology, problem_.point().system.parameters,
                        problem_.point().ws);
  }
  write_row(0.0, z);
  output_index_ = 1;
  if (!options_.output_at_steps) next_output_ = output_time(output_index_);
  if (sink_ != nullptr) sink_->start(results_);
}

template <class Space>
bool Recorder<Space>::on_step(const StepReport& step) {
  if (!step.accepted) return record_step(step, {});
  const PointQuality& quality = problem_.point().quality;
  return record_step(
      step, {quality.newton, quality.before.value, quality.position.value, quality.before.row});
}

template <class Space>
bool Recorder<Space>::record_step(const StepReport& step, const StepProjection& projection) {
  // the log of a run of days must not fill the memory
  constexpr std::size_t most_steps = 1'000'000;
  if (options_.record.steps && results_.steps.size() < most_steps) {
    results_.steps.push_back({step.t, step.h, step.error, projection.newton, step.accepted,
                              projection.residual_in, projection.residual_out,
                              projection.worst_row});
  }
  if (!step.accepted) {
    ++results_.counts.rejected;
    return true;
  }
  ++results_.counts.accepted;
  observe_point(step.t_end, step.z_end);
  const double t = step.t_end;
  if (tracker_.on_step(step.h, step.z_end)) {
    tracker_.keep(t, step.z_end, problem_.point().workspace_at(step.z_end));
  }
  if (projection.residual_in > results_.worst_projection.residual_in) {
    results_.worst_projection = {
        t, projection.residual_in, projection.residual_out, projection.newton, {}};
    worst_.projection = projection.worst_row;
  }
  time_reached_ = t;
  if (options_.output_at_steps) next_output_ = t;
  outputs_since_asking_ = 0;
  if (sink_ != nullptr && sink_->is_due()) update_sink(t);
  return !progress_ || progress_({t, options_.t_end});
}

template <class Space>
void Recorder<Space>::on_output(double t, double h, double* z) {
  if (!problem_.finish_output(t, h, z)) return skip_output(t);
  observe_point(t, z);
  write_row(t, z);
  schedule_next_output(t);
}

template <class Space>
void Recorder<Space>::ask(double t) {
  outputs_since_asking_ = 0;
  if (sink_ != nullptr && sink_->is_due()) update_sink(t);
  is_stopped_ = progress_ && !progress_({t, options_.t_end});
  if (is_stopped_) time_reached_ = t;
}

template <class Space>
void Recorder<Space>::skip_output(double t) {
  // one warning for all of them, kept up to date: a run may have millions of output points
  if (skipped_.count++ == 0) {
    skipped_.first = t;
    skipped_.warning = results_.warnings.size();
    results_.warnings.emplace_back();
  }
  const std::string first = std::to_string(skipped_.first);
  results_.warnings[skipped_.warning] =
      skipped_.count == 1
          ? "the output point at t = " + first + " s could not be projected and is left out"
          : std::to_string(skipped_.count) +
                " output points could not be projected and are left out, the first at t = " +
                first + " s";
  schedule_next_output(t);
}

template <class Space>
void Recorder<Space>::schedule_next_output(double t) {
  if (options_.output_at_steps || t >= options_.t_end) {
    next_output_ = std::numeric_limits<double>::infinity();
  } else {
    next_output_ = output_time(++output_index_);
  }
  // a single step may have millions of output points: its end is not the only place to stop
  if (++outputs_since_asking_ == outputs_between_asking_) ask(t);
}

// The point z was just finished by the problem.
template <class Space>
void Recorder<Space>::observe_point(double t, const double* z) {
  const PointQuality& quality = problem_.point().quality;
  const EnergyBalance<Space>& energy = problem_.point().energy;
  Violation& violation = results_.violation;
  if (quality.position.value > violation.position) {
    violation.position = quality.position.value;
    worst_.position = quality.position.row;
  }
  if (quality.velocity.value > violation.velocity) {
    violation.velocity = quality.velocity.value;
    worst_.velocity = quality.velocity.row;
  }
  Conditioning& conditioning = results_.conditioning;
  if (quality.smallest_pivot < conditioning.smallest_pivot) {
    conditioning.smallest_pivot = quality.smallest_pivot;
    conditioning.t = t;
    worst_.pivot = quality.smallest_pivot_row;
  }
  violation.euler_parameters = std::max(violation.euler_parameters, quality.euler_parameters);
  results_.energy.balance_error_max =
      std::max(results_.energy.balance_error_max, std::abs(energy.error(z)));
  results_.energy.kinetic_max = std::max(results_.energy.kinetic_max, energy.kinetic());
}

template <class Space>
void Recorder<Space>::write_row(double t, const double* z) {
  const SystemIn<Space>& system = problem_.point().system;
  const StateLayout& layout = system.topology.layout;
  results_.time.push_back(t);
  for (int b = 0; b < layout.n_bodies; ++b) {
    const BodyState state = export_body(system, z, b);
    const auto append = [](std::vector<double>& column, const auto& values) {
      column.insert(column.end(), values.begin(), values.end());
    };
    if (options_.record.positions) {
      append(results_.position, state.position);
      append(results_.orientation, state.orientation);
    }
    if (options_.record.velocities) {
      append(results_.velocity, state.velocity);
      append(results_.angular_velocity, state.angular_velocity);
    }
  }
  if (options_.record.reactions) write_reactions();
  write_coordinates(t, z);
  if (options_.record.energies) write_energies(z);
  if (options_.record.violations) {
    results_.violation_position.push_back(problem_.point().quality.position.value);
    results_.violation_velocity.push_back(problem_.point().quality.velocity.value);
    results_.smallest_pivot.push_back(std::min(1.0, problem_.point().quality.smallest_pivot));
  }
}

template <class Space>
void Recorder<Space>::write_energies(const double* z) {
  const SystemIn<Space>& system = problem_.point().system;
  const EnergyBalance<Space>& energy = problem_.point().energy;
  results_.kinetic.push_back(energy.kinetic());
  results_.potential.push_back(energy.potential() + system.potential_of_origin);
  results_.external_work.push_back(ConstState<Space>(system.topology.layout, z).total_work());
  results_.balance_error.push_back(energy.error(z));
}

template <class Space>
void Recorder<Space>::write_reactions() {
  const SystemIn<Space>& system = problem_.point().system;
  Workspace<double, Space>& ws = problem_.point().ws;
  if (!problem_.point().in_bridge) share_.share(problem_.point().rows.left_out(), ws);
  for (int k = 0; k < system.topology.n_joints; ++k) {
    Wrench<Space> wrench = calc_reaction(system, ws, ws.lambda.data(), k);
    const int body = system.topology.joints[k].body_j;
    const bool turned =
        options_.reaction_frame == ReactionFrame::body && body != system.topology.ground();
    if (turned) {
      wrench = {transposed_times(ws.pose[body].R, wrench.force),
                transposed_times(ws.pose[body].R, wrench.moment)};
    }
    Vector3<double> force = Space::export_linear(wrench.force);
    Vector3<double> moment = Space::export_angular(wrench.moment);
    if (turned) {
      force = export_body_axes(system, force, body);
      moment = export_body_axes(system, moment, body);
    }
    for (double x : {force.x, force.y, force.z}) results_.reaction_force.push_back(x);
    for (double x : {moment.x, moment.y, moment.z}) results_.reaction_moment.push_back(x);
  }
}

template <class Space>
void Recorder<Space>::write_coordinates(double t, const double* z) {
  const Workspace<double, Space>& ws = problem_.point().ws;
  tracker_.calc(t, z, ws);
  const auto append = [](std::vector<double>& column, const std::vector<double>& values) {
    column.insert(column.end(), values.begin(), values.end());
  };
  if (options_.record.positions) append(results_.coordinate, tracker_.value());
  if (options_.record.velocities) append(results_.coordinate_rate, tracker_.rate());
  if (!options_.record.reactions) return;
  for (const LoadChannel& load : problem_.point().system.loads) {
    const double weight = load.driver < 0 ? load.weight : ws.drive[load.driver].first;
    results_.load.push_back(-ws.lambda[load.row] * weight);
  }
}

template <class Space>
void Recorder<Space>::finish(double t, double* z) {
  // the last accepted step is a point of M already; this brings its energies and quality back
  problem_.finish_output(t, 0.0, z);
  if (results_.time.empty() || results_.time.back() < t) write_row(t, z);
  const SystemIn<Space>& system = problem_.point().system;
  const StateLayout& layout = system.topology.layout;
  for (int b = 0; b < layout.n_bodies; ++b) results_.final.push_back(export_body(system, z, b));
  results_.energy.kinetic = problem_.point().energy.kinetic();
  results_.energy.potential = problem_.point().energy.potential() + system.potential_of_origin;
  results_.energy.balance_error = problem_.point().energy.error(z);
  results_.energy.external_work = ConstState<Space>(layout, z).total_work();
  write_counts();
  warn_of_missed_solves();
}

// Between steps: a sink may allocate, write and take rows away.
template <class Space>
void Recorder<Space>::update_sink(double t) {
  write_counts();
  results_.status = {Outcome::running, t, "the run had not ended"};
  sink_->update(results_);
}

template <class Space>
void Recorder<Space>::write_counts() {
  const SystemIn<Space>& system = problem_.point().system;
  const auto name = [&](int row) { return row < 0 ? std::string() : make_row_name(system, row); };
  results_.violation.position_row = name(worst_.position);
  results_.violation.velocity_row = name(worst_.velocity);
  results_.worst_projection.row = name(worst_.projection);
  Conditioning& conditioning = results_.conditioning;
  conditioning.row = name(worst_.pivot);
  conditioning.passages = problem_.point().rows.n_bridges();
  conditioning.exchanges = problem_.point().rows.n_exchanges();
  conditioning.singular.clear();
  for (const Bridge& bridge : problem_.point().rows.bridges()) {
    conditioning.singular.push_back({bridge.t, make_row_name(system, bridge.row), bridge.n_rows});
  }
  const DynamicsCounts& counts = problem_.point().counts;
  results_.counts.distribution = counts.distribution;
  results_.counts.projection = counts.projection;
  results_.counts.newton = counts.newton;
  results_.counts.newton_max = counts.newton_max;
  results_.counts.dg = counts.dg;
  results_.counts.d2g = counts.d2g;
  results_.counts.df_inv = counts.df_inv;
  results_.counts.evaluations_by_code = counts.evaluations_by_code;
  results_.counts.steps_by_code = counts.steps_by_code;
  results_.counts.evaluations_in_lanes = counts.evaluations_in_lanes;
  results_.counts.steps_in_lanes = counts.steps_in_lanes;
  results_.code_refusal = problem_.point().code_refusal;
  if (const auto* iterative = problem_.point().iterative.get()) {
    results_.counts.schur_solves = iterative->solves;
    results_.counts.schur_iterations = iterative->iterations;
  }
}

template <class Space>
void Recorder<Space>::warn_of_missed_solves() {
  const auto* iterative = problem_.point().iterative.get();
  if (iterative == nullptr || iterative->missed == 0) return;
  results_.warnings.push_back("the iterative solve missed its goal " +
                              std::to_string(iterative->missed) + " of " +
                              std::to_string(iterative->solves) + " times");
}

template class Recorder<Spatial>;
template class Recorder<Planar>;

}  // namespace trammel
