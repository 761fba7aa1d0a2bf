// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The methods of integration: a stepper with what it needs besides the problem of the run. with_method chooses
// one for a run; simulate runs it to the end, Simulator step by step.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "analyses/check_elements.hpp"
#include "analyses/prepared_run.hpp"
#include "integrate/steppers/competing.hpp"
#include "integrate/steppers/explicit_rk.hpp"
#include "integrate/steppers/radau.hpp"
#include "math/derivatives.hpp"
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

// The problem of implicit steps with a stepper for them, made when it is asked for.
template <class Space>
class ImplicitSteps {
  using P = ImplicitProblem<Space>;
  static_assert(AcceptsSteps<P> && StartsAnew<P> && KeepsHistory<Radau<P>> && BoundsSteps<P>);

 public:
  ImplicitSteps(PreparedRun<Space>& run, const RadauOrders& orders)
      : problem_(run.problem()), orders_(orders) {}

  const P& problem() const { return problem_; }

  // Null: a force has no derivatives, refusal() says which.
  Radau<P>* find() {
    try {
      stepper_.emplace(problem_, orders_);
      return &*stepper_;
    } catch (const NotDifferentiable& reason) {
      refusal_ = reason.what();
      return nullptr;
    }
  }
  const std::string& refusal() const { return refusal_; }

  ImplicitCounts counts() const {
    if (!stepper_) return {};
    const RadauCounts& steps = stepper_->counts();
    const MatrixCounts& matrices = problem_.counts();
    const auto& [order_5, order_9, order_13] = steps.steps_of_order;
    return {steps.iterations,
            steps.failures,
            matrices.linearisations,
            matrices.real_factors,
            matrices.complex_factors,
            order_5,
            order_9,
            order_13};
  }

 private:
  P problem_;
  RadauOrders orders_;
  std::optional<Radau<P>> stepper_;
  std::string refusal_;
};

template <class Space>
class ImplicitMethod {
 public:
  ImplicitMethod(PreparedRun<Space>& run, const SimulationOptions& /*options*/)
      : steps_(run, {}), stepper_(steps_.find()) {
    if (stepper_ == nullptr) {
      run.refuse("implicit steps need the derivatives of all forces: " + steps_.refusal());
    }
  }
  ImplicitMethod(const ImplicitMethod&) = delete;
  ImplicitMethod& operator=(const ImplicitMethod&) = delete;

  auto& stepper() { return *stepper_; }
  void write_counts(PreparedRun<Space>& run) const {
    run.set_implicit_counts(steps_.counts(), steps_.problem().work());
  }

 private:
  ImplicitSteps<Space> steps_;
  Radau<ImplicitProblem<Space>>* stepper_;
};

// dop853 and radau, whichever takes less work. Radau begins a trial with order 9: with order 5 it loses
// where it should win. Explicit steps may pass friction that they cannot see, and find nothing wrong:
// implicit ones come first then.
template <class Space>
class CompetingMethods {
  using Explicit = ExplicitRungeKutta<MechanicalProblem<Space>>;
  using Steppers = CompetingSteppers<Explicit, ImplicitSteps<Space>, ImplicitProblem<Space>>;

 public:
  CompetingMethods(PreparedRun<Space>& run, const SimulationOptions& options)
      : implicit_(run, {.first = 5}),
        explicit_(dop853(), run.problem()),
        stepper_(explicit_, implicit_, implicit_.problem(),
                 !list_coarse_frictions(run.system(), options.atol).empty()) {}
  CompetingMethods(const CompetingMethods&) = delete;
  CompetingMethods& operator=(const CompetingMethods&) = delete;

  Steppers& stepper() { return stepper_; }
  void write_counts(PreparedRun<Space>& run) const {
    run.finish_competition(implicit_.counts(), implicit_.problem().work(), implicit_.refusal());
  }

 private:
  ImplicitSteps<Space> implicit_;
  Explicit explicit_;
  Steppers stepper_;
};

// use(std::in_place_type<Method>) with the method for this run.
template <class Space, class Use>
auto with_method(PreparedRun<Space>& run, const SimulationOptions& options, Use&& use) {
  if (options.method == Method::radau) return use(std::in_place_type<ImplicitMethod<Space>>);
  if (run.competes()) return use(std::in_place_type<CompetingMethods<Space>>);
  return use(std::in_place_type<ExplicitMethod<Space>>);
}

}  // namespace trammel
