// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/prepared_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "analyses/check.hpp"
#include "analyses/check_elements.hpp"
#include "analyses/method_choice.hpp"
#include "analyses/run_jets.hpp"
#include "analyses/run_kinematic.hpp"
#include "analyses/unheld.hpp"
#include "format/place_problems.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/left_table.hpp"
#include "system/breaks.hpp"
#include "system/picture.hpp"
#include "system/row_names.hpp"
#include "trammel/option_table.hpp"

namespace trammel {

namespace {

// "pin.C.x is open by 0.001 m"
std::string explain_open_joint(const SystemData& system, int row, double residual) {
  return fmt::format("{} is open by {:.3g}{}", make_row_name(system, row), residual,
                     system.row_reach[row] > 0.0 ? " m" : " rad");
}

// "pin.C.x opens at 0.001 m/s"
std::string explain_parting_joint(const SystemData& system, int row, double rate) {
  return fmt::format("{} opens at {:.3g}{}", make_row_name(system, row), rate,
                     system.row_reach[row] > 0.0 ? " m/s" : " rad/s");
}

}  // namespace

std::string explain(const SystemData& system, const PointFailure& failure) {
  using Kind = PointFailure::Kind;
  switch (failure.kind) {
    case Kind::not_finite:
      return fmt::format("the acceleration of body '{}' is not finite",
                         system.body_names[failure.index]);
    case Kind::left_table:
      return fmt::format("the range of the table{} of force '{}' was left",
                         failure.table->empty() ? "" : " '" + *failure.table + "'",
                         system.forces[failure.index].name);
    case Kind::dependent_row:
      return fmt::format("constraint {} became dependent on others (singular position)",
                         make_row_name(system, failure.index));
    case Kind::not_projected:
      return failure.index < 0
                 ? std::string("the projection did not converge")
                 : fmt::format("the projection did not converge, worst at {} (|g| = {:.3g})",
                               make_row_name(system, failure.index), failure.residual);
    case Kind::open_joint: return explain_open_joint(system, failure.index, failure.residual);
    case Kind::parting_joint: return explain_parting_joint(system, failure.index, failure.residual);
    case Kind::rough_passage:
      return fmt::format(
          "a singular position could not be passed: constraint {} depends on others "
          "there, and the motion after it is not determined well enough",
          make_row_name(system, failure.index));
    case Kind::off_curve:
      return fmt::format("the point of joint '{}' leaves the end of its curve",
                         system.joint_names[failure.index]);
    case Kind::no_inertia:
      return fmt::format(
          "body '{}' has too little mass: in this position the joints do not determine "
          "its motion",
          system.body_names[failure.index]);
    case Kind::not_followed:
      return fmt::format(
          "{} cannot be followed any further: singular position, a dead centre or the "
          "end of the range that the joints allow",
          make_row_name(system, failure.index));
    case Kind::none: break;
  }
  return "the error tolerance cannot be met";
}

namespace {

[[noreturn]] void refuse(const SystemData& system, const std::vector<std::string>& reasons) {
  std::vector<Mistake> mistakes;
  for (const std::string& reason : reasons) {
    Mistake mistake;
    mistake.path = system.model_name;
    mistake.reason = reason;
    mistakes.push_back(std::move(mistake));
  }
  throw ModelError(std::move(mistakes));
}

// Why no step could be made, not even a tiny one, or none of the fixed size.
std::string explain_last_step(const SystemData& system, const SimulationOptions& options,
                              const PointFailure& failure) {
  const bool known = failure.kind != PointFailure::Kind::none;
  if (options.fixed_step == 0.0) {
    return explain(system, failure) + (known ? "" : ": the step size fell to rounding level");
  }
  return fmt::format("{}the fixed step of {:g} s {} too large: try {:g} s, or error control",
                     known ? explain(system, failure) + "; " : "", options.fixed_step,
                     known ? "may be" : "is", options.fixed_step / 10.0);
}

Status make_status(const SystemData& system, Stop stop, double t, const SimulationOptions& options,
                   const PointFailure& failure, const std::string& event = {}) {
  switch (stop) {
    case Stop::by_event:
      return {Outcome::finished, t, fmt::format("stopped by event '{}' at t = {:.9g} s", event, t)};
    case Stop::too_many_events:
      return {Outcome::too_many_events, t,
              fmt::format("stopped at t = {:.9g} s: event '{}' happened again and again, faster "
                          "than the time advances",
                          t, event)};
    case Stop::finished:
      return {Outcome::finished, t, fmt::format("reached the end at t = {} s", t)};
    case Stop::by_observer:
      return {Outcome::interrupted, t, fmt::format("interrupted at t = {:.6g} s", t)};
    case Stop::too_many_steps:
      return {Outcome::too_many_steps, t,
              fmt::format("stopped at t = {:.6g} s after {} attempted steps (max_steps)", t,
                          options.max_steps)};
    case Stop::no_progress:
      return {
          Outcome::step_too_small, t,
          fmt::format(
              "stopped at t = {:.9g} s: {} steps advanced the time by less than {:.1g} s; {}", t,
              attempts_without_progress, least_progress * options.t_end, explain(system, failure))};
    case Stop::step_too_small: break;
  }
  if (failure.kind == PointFailure::Kind::open_joint ||
      failure.kind == PointFailure::Kind::parting_joint) {
    return {Outcome::open_joint, t,
            fmt::format("failed at t = {:.9g} s: {}", t, explain(system, failure))};
  }
  if (failure.kind == PointFailure::Kind::not_followed) {
    return {Outcome::step_too_small, t,
            fmt::format("stopped at t = {:.9g} s: {}", t, explain(system, failure))};
  }
  return {
      Outcome::step_too_small, t,
      fmt::format("failed at t = {:.9g} s: {}", t, explain_last_step(system, options, failure))};
}

void warn_of_singular(Results& results) {
  const Conditioning& conditioning = results.conditioning;
  if (conditioning.passages == 0) return;
  const SingularPassage& first = conditioning.singular.front();
  results.warnings.push_back(
      conditioning.passages == 1
          ? fmt::format("passed a singular position at t = {:.6g} s ({})", first.t, first.row)
          : fmt::format("passed {} singular positions, the first at t = {:.6g} s ({})",
                        conditioning.passages, first.t, first.row));
}

template <class Space>
void refuse_jets_where_impossible(const SystemIn<Space>& system, const SimulationOptions& options,
                                  const RankReport& rank) {
  if (!uses_jets(options.projection)) return;
  if (!system.states.empty()) {
    refuse(system, {"states have no jet form: use projection mass"});
  }
  if (!system.event_names.empty()) {
    refuse(system, {"events have no jet form: use projection mass"});
  }
  if (!system.topology.coordinate_rows.empty()) {
    refuse(system, {"couplers, drivers and screws have no jet form: use projection mass"});
  }
  if (!system.topology.followed.empty()) {
    refuse(system,
           {"forces that depend on joint coordinates have no jet form: use projection mass"});
  }
  if (has_massless_bodies(system)) {
    refuse(system,
           {"bodies without mass or moment of inertia have no jet form: use projection mass"});
  }
  if (!rank.dependent.empty() || !rank.lost_at_start.empty()) {
    refuse(system, {"the paper's projections do not accept redundant constraints or a start in a "
                    "singular position: use projection mass"});
  }
  if constexpr (std::is_same_v<Space, Spatial>) {
    const std::string joint = paper::JetConstraints::why_not(system);
    if (!joint.empty()) refuse(system, {"it has no jet form: " + joint});
    const std::string reason = options.hold_energy ? paper::why_not_held(system) : std::string();
    if (reason.empty()) return;
    refuse(system, {"its energy cannot be enforced in jet coordinates: " + reason +
                    " (use projection mass, or invariants none)"});
  } else {
    refuse(system, {"a planar model has no jet form with Euler parameters: use projection mass"});
  }
}

// Steps end at samples: not those of a fixed size, and not millions of them.
template <class Space>
void refuse_samples_where_impossible(const SystemIn<Space>& system,
                                     const SimulationOptions& options) {
  constexpr double most_samples = 1e6;
  double samples = 0.0;
  for (const StateParameters<double>& state : system.parameters.states) {
    if (state.is_sampled()) samples += options.t_end / state.period;
  }
  if (samples == 0.0) return;
  if (options.fixed_step > 0.0) {
    refuse(system, {"steps end at the samples of states: leave out fixed_step"});
  }
  if (samples > most_samples) {
    refuse(system, {fmt::format("{:.3g} samples of states, at most {:.0f} are supported: use a "
                                "longer period or a shorter run",
                                samples, most_samples)});
  }
}

}  // namespace

SimulationOptions make_effective(const SystemData& system, SimulationOptions options) {
  if (options.projection == Projection::none) {
    options.project_stages = options.hold_energy = false;
    options.hold_linear_momentum = options.hold_angular_momentum = false;
  }
  const auto& components = system.topology.components;
  if (!uses_jets(options.projection) &&
      std::none_of(components.begin(), components.end(), [&](const Component& component) {
        return can_hold_energy(component, options.hold_dissipative);
      })) {
    options.hold_energy = false;
  }
  return options;
}

template <class Space>
void PreparedRun<Space>::refuse(const std::string& reason) const {
  trammel::refuse(system_, {reason});
}

template <class Space>
PreparedRun<Space>::PreparedRun(const SystemIn<Space>& system, const SimulationOptions& given,
                                const ProgressCallback& progress, ResultsSink* sink,
                                const RunStart* start)
    : system_(system), options_(given), progress_(progress), sink_(sink), clock_(given.threads) {
  options_.record = widen_record(system, given.record);
  const SimulationOptions& options = options_;
  CheckedState checked = check_and_assemble(system);
  if (!checked.report.ok()) trammel::refuse(system, checked.report.reasons);
  refuse_jets_where_impossible(system, options, checked.assembled.rank);
  const CheckReport& report = checked.report;
  const bool could_be_kinematic =
      report.dof == 0 && report.lost_at_start.empty() && allows_kinematics(options);
  is_kinematic_ = could_be_kinematic && system.states.empty() && system.event_names.empty();
  if (report.is_structure() && !is_kinematic_) {
    trammel::refuse(
        system,
        {"locked: the joints leave no degree of freedom, so there is no motion to integrate "
         "(kinematics auto gives the reactions of a structure)"});
  }

  results_.version = version();
  results_.model_name = system.model_name;
  results_.model_text = system.model_text;
  // a file that is written during the run needs picture and names now; otherwise they are made once the
  // stepper has released its memory
  if (sink != nullptr && sink->needs_description()) describe();
  results_.scene.points = system.picture.points;
  if (!options.record.channels.empty() || !system.outputs.empty()) {
    results_.scene = make_scene(system);
  }
  results_.options = make_effective(system, options);
  if (!is_kinematic_) results_.options.kinematics = Kinematics::off;
  results_.check = std::move(checked.report);
  results_.warnings = results_.check.warnings;
  warn_of_unheld(system, options, results_.warnings);
  for (std::string& warning : list_coarse_frictions(system, options.atol)) {
    results_.warnings.push_back(std::move(warning));
  }

  if (could_be_kinematic && !is_kinematic_) {
    results_.warnings.push_back(fmt::format(
        "the drivers leave no degree of freedom, but the {} of the model are integrated, and the "
        "motion with them",
        system.states.empty() ? "events" : "states"));
  }
  refuse_samples_where_impossible(system, options);

  if (is_kinematic_) results_.options.hold_energy = false;

  // in jet coordinates this problem only evaluates energies and violations: a JetProblem moves
  SimulationOptions watched = options;
  if (is_kinematic_) {
    watched.hold_energy = watched.hold_linear_momentum = watched.hold_angular_momentum = false;
    watched.user_invariants.clear();
    watched.kernel = KernelChoice::loops;
  }
  if (uses_jets(options.projection)) {
    watched.projection = Projection::none;
    watched.schur = SchurSolver::direct;
    watched.kernel = KernelChoice::loops;
  }
  if (!uses_jets(options.projection)) {
    lightened_ = make_lightened(system, checked.assembled.z.data(), 0.0);
  }
  if (!is_kinematic_ && options.method == Method::radau) {
    const Hindrance hindrance = find_hindrance(system, results_.options);
    if (!hindrance.refusal.empty()) refuse(hindrance.refusal);
  }
  if (!is_kinematic_ && options.method == Method::automatic) {
    explicit_reason_ = explain_explicit(system, results_.options);
    competes_ = explicit_reason_.empty();
  }
  ProblemSettings settings;
  settings.rank = &checked.assembled.rank;
  settings.is_kinematic = is_kinematic_;
  if (start != nullptr) settings.t_start = start->t;
  // the paper's projections close joints to a tolerance of their own
  if (uses_jets(options.projection)) {
    settings.least_opening =
        10.0 * (options.newton_tolerance > 0.0 ? options.newton_tolerance : 1e-2 * options.atol);
  }
  problem_ = std::make_unique<MechanicalProblem<Space>>(lightened_ ? *lightened_ : system, watched,
                                                        settings);
  checked.assembled.rank = RankReport();  // the problem has its own
  recorder_ = std::make_unique<Recorder<Space>>(*problem_, options_, progress_, results_, sink);
  if (!uses_jets(options.projection) && !is_kinematic_) {
    // steps of a fixed size end at events of the model, but not at corners of its laws
    events_ = std::make_unique<EventMonitor<Space>>(problem_->point(), options.fixed_step == 0.0);
    recorder_->set_events(events_.get());
  }
  z_ = std::move(checked.assembled.z);
  rate_.resize(z_.size());
  started_ = begin(start != nullptr ? *start : RunStart{});
  if (started_) {
    const std::vector<ChannelProblem> problems = recorder_->list_names();
    if (!problems.empty()) {
      throw ModelError(place_problems(problems, system.model_text));
    }
    recorder_->start(z_.data(), start != nullptr ? start->t : 0.0,
                     start != nullptr ? &start->coordinates : nullptr);
  }
  clock_.end_set_up();
}

template <class Space>
void PreparedRun<Space>::describe() {
  results_.scene = make_scene(system_);
  results_.row_names = make_row_names(system_);
}

template <class Space>
LoopSettings PreparedRun<Space>::make_loop_settings() const {
  LoopSettings settings = make_settings(options_);
  settings.breaks = find_breaks(system_.parameters, options_.t_end);
  return settings;
}

template <class Space>
Results PreparedRun<Space>::finish(Stop stop, const PointFailure& failure) {
  clock_.end_loop(problem_->point().counts.projection_seconds);
  return close(stop, failure);
}

template <class Space>
Results PreparedRun<Space>::finish(Stop stop, const LoopTime& loop) {
  clock_.set_loop(loop);
  return close(stop, problem_->point().failure);
}

template <class Space>
Results PreparedRun<Space>::finish() {
  results_.status =
      make_status(system_, Stop::step_too_small, 0.0, options_, problem_->point().failure);
  describe();
  results_.cpu_seconds = clock_.finish();
  return std::move(results_);
}

// Generated code does not say why a point cannot be evaluated.
template <class Space>
PointFailure PreparedRun<Space>::find_failure(Stop stop, const PointFailure& known) {
  if (stop != Stop::step_too_small || known.kind != PointFailure::Kind::none) return known;
  const double t = recorder_->time_reached();
  RunPoint<Space>& point = problem_->point();
  if (!problem_->calc_derivative(t, z_.data(), rate_.data())) return point.failure;
  const LeftTable left = find_left_table_after(system_, t, options_.t_end, z_, rate_, point.ws);
  if (left.force < 0) return known;
  PointFailure failure{PointFailure::Kind::left_table, left.force};
  failure.table = left.name;
  return failure;
}

template <class Space>
Results PreparedRun<Space>::close(Stop stop, const PointFailure& given) {
  const double t = recorder_->time_reached();
  const PointFailure failure = find_failure(stop, given);
  const int event = recorder_->last_event();
  results_.status =
      make_status(system_, stop, t, options_, failure,
                  event < 0 ? std::string() : system_.event_names[static_cast<std::size_t>(event)]);
  const OpenedRow& opened = problem_->point().opened;
  if (stop == Stop::finished && opened.failure.index >= 0) {
    results_.status = {
        Outcome::open_joint, t,
        fmt::format("reached the end at t = {} s, but without projection {} at t = {:.6g} s", t,
                    explain(system_, opened.failure), opened.t)};
  }
  if (!recorder_->finish(t, z_.data())) {
    const std::string reason = explain(system_, problem_->point().failure);
    if (results_.status.outcome == Outcome::finished) {
      results_.status = {
          Outcome::step_too_small, t,
          fmt::format("failed at t = {:.9g} s: the last point cannot be evaluated: {}", t, reason)};
    } else {
      results_.warnings.push_back(
          "the last point cannot be evaluated, so its energies are missing: " + reason);
    }
  }
  warn_of_singular(results_);
  warn_of_waits(problem_->point().energy.waits(), problem_->point().energy.attempts(),
                results_.warnings);
  if (sink_ == nullptr || !sink_->needs_description()) describe();
  results_.method_choice = describe_method_choice();
  if (!is_kinematic_ && results_.counts.operations == 0.0) {
    results_.counts.operations = static_cast<double>(results_.counts.accelerations) *
                                 estimate_evaluation(problem_->point().system);
  }
  results_.cpu_seconds = clock_.finish();
  return std::move(results_);
}

template <class Space>
void PreparedRun<Space>::finish_competition(const ImplicitCounts& counts, double operations,
                                            const std::string& refusal) {
  set_implicit_counts(counts, operations);
  if (!refusal.empty()) {
    explicit_reason_ = "a force has no derivatives: " + refusal;
  } else if (counts.iterations == 0) {
    explicit_reason_ = "too short a run for a trial of radau";
  }
}

template <class Space>
std::string PreparedRun<Space>::describe_method_choice() const {
  if (is_kinematic_ || options_.method != Method::automatic) return {};
  if (!explicit_reason_.empty()) return "dop853: " + explicit_reason_;
  const Counts& counts = results_.counts;
  const ImplicitCounts& implicit = counts.implicit;
  const std::int64_t n_implicit =
      implicit.steps_of_order_5 + implicit.steps_of_order_9 + implicit.steps_of_order_13;
  return fmt::format("dop853 and radau: {:.1f} % of the steps implicit",
                     100.0 * static_cast<double>(n_implicit) /
                         static_cast<double>(std::max<std::int64_t>(counts.accepted, 1)));
}

template <class Space>
Results PreparedRun<Space>::run_kinematic() {
  begin_loop();
  const KinematicEnd end = trammel::run_kinematic(options_, *problem_, *recorder_, z_);
  if (!end.crossings.empty()) {
    const std::size_t n = end.crossings.size();
    results_.warnings.push_back(
        n == 1
            ? fmt::format(
                  "passed a singular position where two motions meet, shortly before t = {:.6g} "
                  "s: the run continued straight on",
                  end.crossings.front())
            : fmt::format("passed {} singular positions where two motions meet, the first shortly "
                          "before t = {:.6g} s: each time, the run continued straight on",
                          n, end.crossings.front()));
  }
  return finish(end.stop, end.failure);
}

template class PreparedRun<Spatial>;
template class PreparedRun<Planar>;

}  // namespace trammel
