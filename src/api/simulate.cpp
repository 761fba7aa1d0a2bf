// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// simulate: System → Results. Wires assembly, problem, integrator and recorder together.
#include <ctime>

#include <fmt/format.h>

#include "api/check.hpp"
#include "api/unheld.hpp"
#include "dynamics/mechanical_problem.hpp"
#include "integrate/runge_kutta.hpp"
#include "record/recorder.hpp"
#include "system/frames.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[noreturn]] void refuse(const SystemData& system, const CheckReport& report) {
  std::vector<Mistake> mistakes;
  for (const std::string& reason : report.reasons) {
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
                         system.row_names[failure.index]);
    case Kind::not_projected:
      return failure.index < 0
                 ? std::string("the projection did not converge")
                 : fmt::format("the projection did not converge, worst at {} (|g| = {:.3g})",
                               system.row_names[failure.index], failure.residual);
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

}  // namespace

Results simulate(const System& system_handle, const SimulationOptions& options,
                 const ProgressCallback& progress) {
  const double cpu_begin = cpu_now();
  const SystemData& system = system_handle.data();
  CheckedState checked = check_and_assemble(system);
  if (!checked.report.ok()) refuse(system, checked.report);

  Results results;
  results.version = version();
  results.model_name = system.model_name;
  results.model_text = system.model_text;
  results.options = options;
  results.check = checked.report;
  results.warnings = checked.report.warnings;
  warn_of_unheld(system, options, results.warnings);

  MechanicalProblem problem(system, options);
  Recorder recorder(problem, options, progress, results);
  std::vector<double>& z = checked.assembled.z;
  std::vector<double> rate(z.size());
  if (!problem.start(z.data(), rate.data())) {
    results.status = make_status(system, Stop::step_too_small, 0.0, options, problem.failure());
    return results;
  }
  recorder.start(z.data());

  const IntegratorSettings settings{options.step_control == StepControl::pi, options.initial_step,
                                    options.max_step, options.fixed_step, options.max_steps};
  const Tableau& tableau = options.method == Method::dopri5 ? dopri5() : dop853();
  RungeKutta integrator(tableau, settings, problem, recorder);
  const double loop_begin = cpu_now();
  const Stop stop = integrator.integrate(options.t_end, z.data(), rate.data());
  const double loop_seconds = cpu_now() - loop_begin;

  const double t = recorder.time_reached();
  results.status = make_status(system, stop, t, options, problem.failure());
  recorder.finish(t, z.data());
  results.cpu_seconds.distribution =
      std::max(0.0, loop_seconds - results.cpu_seconds.projection);
  results.cpu_seconds.total = cpu_now() - cpu_begin;
  return results;
}

Accelerations calc_accelerations(const System& system_handle, const std::vector<BodyState>& state) {
  const SystemData& system = system_handle.data();
  if (state.size() != system.body_names.size()) {
    throw std::invalid_argument("calc_accelerations: one state per body is needed");
  }
  const StateLayout& layout = system.topology.layout;
  std::vector<double> z(layout.size(), 0.0), rate(layout.size());
  import_state(system, state, z.data());
  MechanicalProblem problem(system, {});
  if (!problem.start(z.data(), rate.data())) {
    throw std::runtime_error("calc_accelerations: " + explain(system, problem.failure()));
  }
  Accelerations result;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const double* a = rate.data() + layout.u(b);
    const Vector3<double> angular =
        calc_rotation(system.principal[b].data()) * Vector3<double>::load(a + 3);
    result.linear.push_back({a[0], a[1], a[2]});
    result.angular.push_back({angular.x, angular.y, angular.z});
  }
  result.multipliers = problem.workspace().lambda;
  return result;
}

}  // namespace trammel
