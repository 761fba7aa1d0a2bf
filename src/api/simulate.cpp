// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// simulate: System → Results. Wires assembly, problem, integrator and recorder together.
#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "api/check.hpp"
#include "api/run_jets.hpp"
#include "api/unheld.hpp"
#include "dynamics/mechanical_problem.hpp"
#include "integrate/runge_kutta.hpp"
#include "math/flushed_subnormals.hpp"
#include "math/thread_pool.hpp"
#include "record/reaction_share.hpp"
#include "record/recorder.hpp"
#include "system/breaks.hpp"
#include "system/frames.hpp"
#include "system/picture.hpp"
#include "system/row_names.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

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

std::string explain(const SystemData& system, const PointFailure& failure) {
  using Kind = PointFailure::Kind;
  switch (failure.kind) {
    case Kind::not_finite:
      return fmt::format("the acceleration of body '{}' is not finite",
                         system.body_names[failure.index]);
    case Kind::dependent_row:
      return fmt::format("constraint {} became dependent on others (singular position)",
                         make_row_name(system, failure.index));
    case Kind::not_projected:
      return failure.index < 0
                 ? std::string("the projection did not converge")
                 : fmt::format("the projection did not converge, worst at {} (|g| = {:.3g})",
                               make_row_name(system, failure.index), failure.residual);
    case Kind::opened_row:
      return fmt::format("{} was taken as repeating other constraints but is not: it opens (|g| = "
                         "{:.3g})",
                         make_row_name(system, failure.index), failure.residual);
    case Kind::rough_bridge:
      return fmt::format("a singular position could not be passed: constraint {} depends on others "
                         "there, and the motion beyond is not determined well enough",
                         make_row_name(system, failure.index));
    case Kind::off_curve:
      return fmt::format("the point of joint '{}' leaves the end of its curve",
                         system.joint_names[failure.index]);
    case Kind::none:
      break;
  }
  return "the local error stays above the tolerance";
}

Status make_status(const SystemData& system, Stop stop, double t, const SimulationOptions& options,
                   const PointFailure& failure) {
  switch (stop) {
    case Stop::finished:
      return {Outcome::finished, t, fmt::format("reached the end at t = {} s", t)};
    case Stop::by_observer:
      return {Outcome::interrupted, t, fmt::format("interrupted at t = {:.6g} s", t)};
    case Stop::too_many_steps:
      return {Outcome::too_many_steps, t,
              fmt::format("stopped at t = {:.6g} s after {} attempted steps (max_steps)", t,
                          options.max_steps)};
    case Stop::step_too_small:
      break;
  }
  return {Outcome::step_too_small, t,
          fmt::format("stopped at t = {:.9g} s, the step became too small: {}", t,
                      explain(system, failure))};
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

// What a run really does: nothing is held or projected without a projection, and no energy where no
// component's can be.
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
void refuse_jets_where_impossible(const SystemIn<Space>& system, const SimulationOptions& options,
                                  const RankReport& rank) {
  if (!uses_jets(options.projection)) return;
  if (!system.topology.coordinate_rows.empty()) {
    refuse(system, {"couplers, drivers and screws have no jet form: use projection mass"});
  }
  if (!system.topology.followed.empty()) {
    refuse(system, {"forces that know joint coordinates have no jet form: use projection mass"});
  }
  if (!rank.dependent.empty() || !rank.lost_at_start.empty()) {
    refuse(system, {"the paper's projections cannot do with redundant constraints or a start in a "
                    "singular position: use projection mass"});
  }
  if constexpr (std::is_same_v<Space, Spatial>) {
    const std::string joint = paper::JetConstraints::why_not(system);
    if (!joint.empty()) refuse(system, {"it has no jet form: " + joint});
    const std::string reason = options.hold_energy ? paper::why_not_held(system) : std::string();
    if (reason.empty()) return;
    refuse(system, {"its energy cannot be held in jet coordinates: " + reason +
                    " (use projection mass, or invariants none)"});
  } else {
    refuse(system, {"a planar model has no jet form with Euler parameters: use projection mass"});
  }
}

template <class Space>
Results simulate_in(const SystemIn<Space>& system, const SimulationOptions& options,
                    const ProgressCallback& progress, ResultsSink* sink) {
  const double cpu_begin = cpu_now();
  const UsedThreads threads(options.threads);
  CheckedState checked = check_and_assemble(system);
  if (!checked.report.ok()) refuse(system, checked.report.reasons);
  refuse_jets_where_impossible(system, options, checked.assembled.rank);

  Results results;
  results.version = version();
  results.model_name = system.model_name;
  results.model_text = system.model_text;
  // a file that is written as the run goes wants the picture now; else it is made when the memory of
  // the integrator is free again
  if (sink != nullptr) results.scene = make_scene(system);
  results.options = make_effective(system, options);
  results.check = std::move(checked.report);
  results.warnings = results.check.warnings;
  warn_of_unheld(system, options, results.warnings);

  // in jet coordinates the problem only watches: another one moves
  SimulationOptions watched = options;
  if (uses_jets(options.projection)) {
    watched.projection = Projection::none;
    watched.schur = SchurSolver::direct;
    watched.kernel = KernelChoice::loops;
  }
  MechanicalProblem<Space> problem(system, watched);
  problem.set_rank(checked.assembled.rank);
  checked.assembled.rank = RankReport();  // the problem has its own
  Recorder<Space> recorder(problem, options, progress, results, sink);
  std::vector<double>& z = checked.assembled.z;
  std::vector<double> rate(z.size());
  if (!problem.start(z.data(), rate.data())) {
    results.status = make_status(system, Stop::step_too_small, 0.0, options, problem.failure());
    results.scene = make_scene(system);
    return results;
  }
  recorder.start(z.data());

  const double loop_begin = cpu_now();
  JetRun jets;
  Stop stop = Stop::finished;
  if (uses_jets(options.projection)) {
    if constexpr (std::is_same_v<Space, Spatial>) {
      jets = run_jets(system, options, problem, recorder, z);
      stop = jets.stop;
    }
  } else {
    const Tableau& tableau = options.method == Method::dopri5 ? dopri5() : dop853();
    IntegratorSettings settings = make_settings(options);
    settings.breaks = find_breaks(system.parameters, options.t_end);
    RungeKutta integrator(tableau, settings, problem, recorder);
    stop = integrator.integrate(options.t_end, z.data(), rate.data());
    problem.set_difference(nullptr);  // it belongs to the integrator
  }
  const double loop_seconds = cpu_now() - loop_begin;

  const double t = recorder.time_reached();
  const PointFailure failure = uses_jets(options.projection) ? jets.failure : problem.failure();
  results.status = make_status(system, stop, t, options, failure);
  recorder.finish(t, z.data());
  warn_of_singular(results);
  warn_of_waits(problem.energy().waits(), problem.energy().attempts(), results.warnings);
  results.cpu_seconds.distribution =
      std::max(0.0, loop_seconds - results.cpu_seconds.projection);
  if (uses_jets(options.projection)) jets.write_to(results);
  if (sink == nullptr) results.scene = make_scene(system);
  results.cpu_seconds.total = cpu_now() - cpu_begin;
  return results;
}

template <class Space>
Accelerations calc_accelerations_in(const SystemIn<Space>& system,
                                    const std::vector<BodyState>& state, double t) {
  if (state.size() != system.body_names.size()) {
    throw std::invalid_argument("calc_accelerations: one state per body is needed");
  }
  const StateLayout& layout = system.topology.layout;
  std::vector<double> z(layout.size(), 0.0), rate(layout.size());
  import_state(system, state, z.data());
  SimulationOptions options;
  options.kernel = KernelChoice::loops;  // one evaluation is not worth making code for
  MechanicalProblem<Space> problem(system, options);
  if (!problem.start(z.data(), rate.data(), t)) {
    throw std::runtime_error("calc_accelerations: " + explain(system, problem.failure()));
  }
  Accelerations result;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const double* a = rate.data() + layout.u(b);
    const auto angular = Angular<double, Space>::load(a + Space::dimension);
    const Vector3<double> linear = Space::export_linear(Linear<double, Space>::load(a));
    result.linear.push_back({linear.x, linear.y, linear.z});
    result.angular.push_back(export_angular(system, angular, b));
  }
  if (!problem.in_bridge()) {
    ReactionShare<Space>(system).share(problem.watch().left_out(), problem.workspace());
  }
  result.multipliers = problem.workspace().lambda;
  return result;
}

}  // namespace

IntegratorSettings make_settings(const SimulationOptions& options) {
  IntegratorSettings settings;
  settings.pi_control = options.step_control == StepControl::pi;
  settings.initial_step = options.initial_step;
  settings.max_step = options.max_step;
  settings.fixed_step = options.fixed_step;
  settings.max_steps = options.max_steps;
  settings.max_growth = options.max_growth;
  return settings;
}

Results simulate(const System& handle, const SimulationOptions& options,
                 const ProgressCallback& progress, ResultsSink* sink) {
  const FlushedSubnormals flushed;
  return visit_space(handle.data(), [&](const auto& system) {
    return simulate_in(system, options, progress, sink);
  });
}

Accelerations calc_accelerations(const System& handle, const std::vector<BodyState>& state,
                                 double t) {
  return visit_space(handle.data(),
                     [&](const auto& system) { return calc_accelerations_in(system, state, t); });
}

}  // namespace trammel
