// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The methods of integration: a stepper with what it needs besides the problem of the run. with_method chooses
// one for a run; simulate runs it to the end, Simulator step by step.
#pragma once

#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "analyses/prepared_run.hpp"
#include "integrate/steppers/competing.hpp"
#include "integrate/steppers/explicit_rk.hpp"
#include "integrate/steppers/radau.hpp"
#include "problem/implicit_problem.hpp"

namespace trammel {

template <class Space>
class ExplicitMethod {
  // an ability that does not match its concept would be left out silently
  using P = MechanicalProblem<Space>;
  static_assert(AcceptsSteps<P> && CalcsBothErrors<P> && HoldsAlongDifference<P> && Relaxes<P> &&
                StartsAnew<P> && StopsAtOutput<Recorder<Space>>);

 public:
  ExplicitMethod(PreparedRun<Space>& run, const SimulationOptions& options)
      : stepper_(options.method == Method::dopri5 ? dopri5() : dop853(), run.problem()) {}
  auto& stepper() { return stepper_; }
  void write_counts(PreparedRun<Space>& /*run*/) const {}

 private:
  ExplicitRungeKutta<P> stepper_;
};

// The problem of implicit steps with a stepper for them.
template <class Space>
class ImplicitMethod {
 public:
  using P = ImplicitProblem<Space>;
  static_assert(AcceptsSteps<P> && StartsAnew<P> && KeepsHistory<Radau<P>> && BoundsSteps<P>);

  ImplicitMethod(PreparedRun<Space>& run, const SimulationOptions& /*options*/,
                 const RadauOrders& orders = {})
      : problem_(run.problem()) {
    try {
      stepper_.emplace(problem_, orders);
    } catch (const NotDifferentiable& reason) {
      run.refuse(
          fmt::format("implicit steps need the derivatives of all forces: {}", reason.what()));
    }
  }
  P& problem() { return problem_; }
  Radau<P>& stepper() { return *stepper_; }
  void write_counts(PreparedRun<Space>& run) const {
    const RadauCounts& steps = stepper_->counts();
    const MatrixCounts& matrices = problem_.counts();
    const auto& [order_5, order_9, order_13] = steps.steps_of_order;
    run.set_implicit_counts({steps.iterations, steps.failures, matrices.linearisations,
                             matrices.real_factors, matrices.complex_factors, order_5, order_9,
                             order_13});
  }

 private:
  P problem_;
  std::optional<Radau<P>> stepper_;
};

// Radau begins a trial with order 9: with order 5 it loses where it should win.
template <class Space>
class CompetingMethods {
 public:
  CompetingMethods(PreparedRun<Space>& run, const SimulationOptions& options)
      : implicit_(run, options, {.first = 5}),
        explicit_(dop853(), run.problem()),
        stepper_(explicit_, implicit_.stepper(), implicit_.problem()) {}
  auto& stepper() { return stepper_; }
  void write_counts(PreparedRun<Space>& run) const { implicit_.write_counts(run); }

 private:
  ImplicitMethod<Space> implicit_;
  ExplicitRungeKutta<MechanicalProblem<Space>> explicit_;
  CompetingSteppers<ExplicitRungeKutta<MechanicalProblem<Space>>,
                    Radau<typename ImplicitMethod<Space>::P>, typename ImplicitMethod<Space>::P>
      stepper_;
};

// Forces that depend on positions or velocities, which may be stiff.
template <class Space>
bool has_stiff_candidates(const SystemIn<Space>& system) {
  const auto& forces = system.parameters.forces;
  const auto counts = count_forces(forces);
  const auto constant = static_cast<int>(forces.template list<ConstantLoad>().size());
  return std::accumulate(counts.begin(), counts.end(), 0) > constant;
}

// use(std::in_place_type<Method>) with the method for this run.
template <class Space, class Use>
auto with_method(PreparedRun<Space>& run, const SimulationOptions& options, Use&& use) {
  if (options.method == Method::radau) return use(std::in_place_type<ImplicitMethod<Space>>);
  if (options.method == Method::automatic && options.fixed_step == 0.0 &&
      run.can_step_implicitly() && has_stiff_candidates(run.system())) {
    return use(std::in_place_type<CompetingMethods<Space>>);
  }
  return use(std::in_place_type<ExplicitMethod<Space>>);
}

}  // namespace trammel
