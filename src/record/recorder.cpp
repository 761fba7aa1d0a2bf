// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/recorder.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/reactions.hpp"
#include "record/channel_names.hpp"
#include "record/quantities.hpp"
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
      forces_(problem.point().system),
      outputs_(problem.point().system.outputs),
      times_(options),
      outputs_between_asking_(problem.point().system.topology.n_bodies > 1000 ? 1 : 32) {
  trammel::list_names(problem.point().system, results);
  results.event_names = problem.point().system.event_names;
  results.event_counts.assign(results.event_names.size(), 0);
}

template <class Space>
std::vector<ChannelProblem> Recorder<Space>::list_names() {
  if (options_.record.forces) {
    list_element_names(forces_, problem_.point().ws, results_);
  }
  return outputs_.list(results_);
}

template <class Space>
void Recorder<Space>::reserve() {
  const auto n = static_cast<std::size_t>(options_.t_end / times_.interval()) + 2;
  // a huge table grows as it goes: a run may stop early
  std::size_t width = 0;
  for (const Quantity& quantity : quantities()) {
    if (is_recorded(quantity, options_.record)) width += row_size(results_, quantity);
  }
  if (n * width > 50'000'000) return;
  for (const Quantity& quantity : quantities()) {
    if (!is_recorded(quantity, options_.record)) continue;
    (results_.*quantity.column).reserve(n * row_size(results_, quantity));
  }
}

template <class Space>
void Recorder<Space>::start(const double* z, double t, const std::vector<double>* coordinates) {
  observe_point(t, z);
  tracker_.start(z, problem_.point().ws, t, coordinates);
  time_reached_ = t;
  if (!options_.output_at_steps) reserve();
  if (options_.record.reactions || options_.record.accelerations) {
    refine_distribution(problem_.point().system.topology, problem_.point().system.parameters,
                        problem_.point().ws);
  }
  write_row(t, z);
  output_index_ = 1;
  if (!options_.output_at_steps) next_output_ = times_.at(output_index_);
  if (sink_ != nullptr) sink_->start(results_);
}

template <class Space>
bool Recorder<Space>::on_step(const StepReport& step) {
  if (!step.accepted) return record_step(step, {});
  const PointQuality& quality = problem_.point().quality;
  return record_step(
      step, {quality.iterations, quality.before.value, quality.position.value, quality.before.row});
}

template <class Space>
bool Recorder<Space>::record_step(const StepReport& step, const StepProjection& projection) {
  // the log of a run of days must not fill the memory
  constexpr std::size_t most_steps = 1'000'000;
  if (options_.record.steps && results_.steps.size() < most_steps) {
    results_.steps.push_back({step.t, step.h, step.error, projection.iterations, step.accepted,
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
        t, projection.residual_in, projection.residual_out, projection.iterations, {}};
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
    next_output_ = times_.at(++output_index_);
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

namespace {

// Room for so many more numbers at the end of a column: one call per column, not one per body.
inline double* extend(std::vector<double>& column, std::size_t numbers) {
  const std::size_t size = column.size();
  column.resize(size + numbers);
  return column.data() + size;
}

void append(std::vector<double>& column, const std::vector<double>& values) {
  std::copy(values.begin(), values.end(), extend(column, values.size()));
}

}  // namespace

template <class Space>
void Recorder<Space>::write_row(double t, const double* z) {
  results_.time.push_back(t);
  if (options_.record.positions || options_.record.velocities) write_bodies(z);
  if (options_.record.accelerations) write_accelerations(z);  // before sharing takes ws.twist
  if (options_.record.reactions) write_reactions();
  write_coordinates(t, z);
  if (options_.record.reactions) write_loads();
  if (options_.record.forces) forces_.write(problem_.point().ws, results_.element);
  if (options_.record.energies) write_energies(z);
  if (options_.record.violations) {
    results_.violation_position.push_back(problem_.point().quality.position.value);
    results_.violation_velocity.push_back(problem_.point().quality.velocity.value);
    results_.smallest_pivot.push_back(std::min(1.0, problem_.point().quality.smallest_pivot));
  }
  outputs_.write(results_);
}

template <class Space>
void Recorder<Space>::write_bodies(const double* z) {
  const SystemIn<Space>& system = problem_.point().system;
  const auto n = static_cast<std::size_t>(system.topology.n_bodies);
  const bool positions = options_.record.positions, velocities = options_.record.velocities;
  double* r = positions ? extend(results_.position, 3 * n) : nullptr;
  double* theta = positions ? extend(results_.orientation, 4 * n) : nullptr;
  double* v = velocities ? extend(results_.velocity, 3 * n) : nullptr;
  double* Omega = velocities ? extend(results_.angular_velocity, 3 * n) : nullptr;
  for (std::size_t b = 0; b < n; ++b) {
    const BodyState state = export_body(system, z, static_cast<int>(b));
    if (positions) {
      r = std::copy_n(state.position.data(), 3, r);
      theta = std::copy_n(state.orientation.data(), 4, theta);
    }
    if (velocities) {
      v = std::copy_n(state.velocity.data(), 3, v);
      Omega = std::copy_n(state.angular_velocity.data(), 3, Omega);
    }
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
  const RunPoint<Space>& point = problem_.point();
  Workspace<double, Space>& ws = problem_.point().ws;
  if (!point.in_passage) share_.share(point.rows.left_out(), ws);
  const auto numbers = 3 * static_cast<std::size_t>(system.topology.n_joints);
  double* const forces = extend(results_.reaction_force, numbers);
  double* const moments = extend(results_.reaction_moment, numbers);
  for (int k = 0; k < system.topology.n_joints; ++k) {
    Wrench<double, Space> wrench;
    if (point.has_reactions) {
      const double* const known = point.reactions.data() + Space::n_u * k;
      wrench = {Linear<double, Space>::load(known),
                Angular<double, Space>::load(known + Space::dimension)};
    } else {
      wrench = calc_reaction(system.topology, system.parameters, ws, ws.lambda.data(), k);
    }
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
    force.store(forces + 3 * k);
    moment.store(moments + 3 * k);
  }
}

template <class Space>
void Recorder<Space>::write_coordinates(double t, const double* z) {
  const Workspace<double, Space>& ws = problem_.point().ws;
  tracker_.calc(t, z, ws);
  if (options_.record.positions) append(results_.coordinate, tracker_.value());
  if (options_.record.velocities) append(results_.coordinate_rate, tracker_.rate());
}

// u̇ as the problem left it in ws.twist, and q̈ = J u̇ + γ.
template <class Space>
void Recorder<Space>::write_accelerations(const double* z) {
  const SystemIn<Space>& system = problem_.point().system;
  const Workspace<double, Space>& ws = problem_.point().ws;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    const UserAcceleration a = export_acceleration(system, ws.twist[b], z, b);
    for (double x : a.linear) results_.acceleration.push_back(x);
    for (double x : a.angular) results_.angular_acceleration.push_back(x);
  }
  for (std::size_t c = 0; c < system.topology.coordinates.size(); ++c) {
    const CoordinateTopology& of = system.topology.coordinates[c];
    const Pose<double, Space>&i = ws.pose[of.body_i], &j = ws.pose[of.body_j];
    const CoordinateParameters<double, Space>& data = system.parameters.coordinates[c];
    // J acts on angular velocities in the world: R Ω̇ is that part of ω̇, as ω × ω = 0
    const auto& row = calc_coordinate(of.kind, data, i, j).row;
    const auto& a_i = ws.twist[of.body_i];
    const auto& a_j = ws.twist[of.body_j];
    const double change = dot(row.linear, a_j.linear - a_i.linear) +
                          dot(row.alpha_j, j.R * a_j.angular) - dot(row.alpha_i, i.R * a_i.angular);
    results_.coordinate_acceleration.push_back(change + calc_coordinate_gamma(of.kind, data, i, j));
  }
}

// Needs the coordinates of the point.
template <class Space>
void Recorder<Space>::write_loads() {
  const Workspace<double, Space>& ws = problem_.point().ws;
  for (const LoadChannel& channel : problem_.point().system.loads) {
    using Kind = LoadChannel::Kind;
    double load = -ws.lambda[channel.row] * channel.weight;
    if (channel.function >= 0) {
      const auto& functions = problem_.point().system.parameters.term_functions;
      load *= functions[channel.function]->evaluate(tracker_.value()[channel.index]).first;
    }
    switch (channel.kind) {
      case Kind::load: results_.load.push_back(load); break;
      case Kind::driver_power:
        results_.load.push_back(-ws.lambda[channel.row] * ws.drive[channel.index].first);
        break;
      case Kind::power: results_.load.push_back(load * tracker_.rate()[channel.index]); break;
      case Kind::value: results_.load.push_back(tracker_.value()[channel.index]); break;
      case Kind::rate: results_.load.push_back(tracker_.rate()[channel.index]); break;
    }
  }
}

template <class Space>
bool Recorder<Space>::finish(double t, const double* z) {
  const SystemIn<Space>& system = problem_.point().system;
  const StateLayout& layout = system.topology.layout;
  // a point of M already; this brings its energies and quality back
  std::vector<double> last(z, z + layout.size());
  const bool is_evaluated = problem_.finish_output(t, 0.0, last.data());
  const double* const final = is_evaluated ? last.data() : z;
  if (is_evaluated && (results_.time.empty() || results_.time.back() < t)) write_row(t, final);
  for (int b = 0; b < layout.n_bodies; ++b) {
    results_.final.push_back(export_body(system, final, b));
  }
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const EnergyBalance<Space>& energy = problem_.point().energy;
  results_.energy.kinetic = is_evaluated ? energy.kinetic() : unknown;
  results_.energy.potential =
      is_evaluated ? energy.potential() + system.potential_of_origin : unknown;
  results_.energy.balance_error = is_evaluated ? energy.error(final) : unknown;
  results_.energy.external_work = ConstState<Space>(layout, final).total_work();
  write_counts();
  warn_of_missed_solves();
  return is_evaluated;
}

template <class Space>
std::vector<EventFunction> Recorder<Space>::event_functions() const {
  std::vector<EventFunction> functions;
  if (events_ == nullptr) return functions;
  for (const EventParameters& event : problem_.point().system.events) {
    functions.push_back({event.direction, true});
  }
  // a corner is where a law leaves its branch
  functions.resize(functions.size() + static_cast<std::size_t>(events_->n_corners()), {-1, false});
  return functions;
}

template <class Space>
double Recorder<Space>::event_resolution() const {
  return options_.event_resolution > 0.0 ? options_.event_resolution : options_.t_end / 1000.0;
}

// In the log, and in a row of its own where that is asked for.
template <class Space>
void Recorder<Space>::on_event(int k, double t, double h, const double* z) {
  constexpr std::size_t most_records = 1'000'000;
  ++results_.event_counts[static_cast<std::size_t>(k)];
  if (results_.events.size() < most_records) results_.events.push_back({t, k});
  const EventParameters& event = problem_.point().system.events[static_cast<std::size_t>(k)];
  if (!event.record || (!results_.time.empty() && results_.time.back() >= t)) return;
  std::vector<double> at(z, z + problem_.dimension());
  if (!problem_.finish_output(t, h, at.data())) return skip_output(t);
  observe_point(t, at.data());
  write_row(t, at.data());
}

template <class Space>
EventOutcome Recorder<Space>::on_events(double t, double h, double* z,
                                        const std::vector<int>& fired) {
  EventOutcome outcome;
  for (const int k : fired) {
    if (k >= events_->n_events()) {
      ++results_.counts.corners;
      events_->cross(k, t, h, z);
      outcome.has_changed = true;
      continue;
    }
    on_event(k, t, h, z);
    outcome.has_changed |= events_->set(k, t, z);
    const EventParameters& event = problem_.point().system.events[static_cast<std::size_t>(k)];
    const bool too_often = events_->is_too_often(k, t);
    if (event.stop || too_often) last_event_ = k;
    outcome.too_many |= too_often;
    outcome.ends_run |= event.stop;
  }
  return outcome;
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
  conditioning.passages = problem_.point().rows.n_passages();
  conditioning.exchanges = problem_.point().rows.n_exchanges();
  conditioning.singular.clear();
  for (const Passage& passage : problem_.point().rows.passages()) {
    conditioning.singular.push_back(
        {passage.t, make_row_name(system, passage.row), passage.n_rows});
  }
  const DynamicsCounts& counts = problem_.point().counts;
  results_.counts.accelerations = counts.accelerations;
  results_.counts.projection = counts.projection;
  results_.counts.iterations = counts.iterations;
  results_.counts.iterations_max = counts.iterations_max;
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
  results_.warnings.push_back("the iterative solver did not converge in " +
                              std::to_string(iterative->missed) + " of " +
                              std::to_string(iterative->solves) + " solves");
}

template class Recorder<Spatial>;
template class Recorder<Planar>;

}  // namespace trammel
