// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The steppers of a run that takes implicit steps: radau alone, or dop853 and radau that compete for it.
#pragma once

#include <optional>
#include <string>

#include "analyses/check_elements.hpp"
#include "analyses/prepared_run.hpp"
#include "integrate/steppers/competing.hpp"
#include "integrate/steppers/explicit_rk.hpp"
#include "integrate/steppers/radau.hpp"
#include "math/derivatives.hpp"
#include "problem/implicit_problem.hpp"

namespace trammel {

// The problem of implicit steps with a stepper for them, made when it is asked for.
template <class Space>
class ImplicitMethod {
  using P = ImplicitProblem<Space>;
  static_assert(AcceptsSteps<P> && StartsAnew<P> && KeepsHistory<Radau<P>> && BoundsSteps<P>);

 public:
  ImplicitMethod(PreparedRun<Space>& run, const RadauOrders& orders)
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

// dop853 and radau, whichever takes less work. Radau begins a trial with order 9: with order 5 it loses
// where it should win.
template <class Space>
class Competition {
  using Explicit = ExplicitRungeKutta<MechanicalProblem<Space>>;
  using Steppers = CompetingSteppers<Explicit, ImplicitMethod<Space>, ImplicitProblem<Space>>;

 public:
  // Explicit steps may pass friction that they cannot see, and find nothing wrong: implicit ones come first then.
  Competition(PreparedRun<Space>& run, double atol)
      : implicit_(run, {.first = 5}),
        explicit_(dop853(), run.problem()),
        steppers_(explicit_, implicit_, implicit_.problem(),
                  !list_coarse_frictions(run.system(), atol).empty()) {}
  Competition(const Competition&) = delete;
  Competition& operator=(const Competition&) = delete;

  Steppers& steppers() { return steppers_; }
  const ImplicitMethod<Space>& implicit() const { return implicit_; }

 private:
  ImplicitMethod<Space> implicit_;
  Explicit explicit_;
  Steppers steppers_;
};

}  // namespace trammel
