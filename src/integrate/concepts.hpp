// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of the integrator expect of each other, as concepts:
//
//   Loop ──Step──▶ Stepper ──calc_derivative, finish_step──▶ Problem
//     │  ◀─Attempt─
//     └──StepReport, output points──▶ Observer
//
// The loop (loop.hpp) owns time, step control, breaks, output and the end of the run; a stepper makes one
// attempt; a problem is an equation ż = f(t, z) that knows how to come back to its manifold. Functions of
// a problem that return false could not be evaluated (not finite, not projected): the loop then tries a
// shorter step. Inside a step nothing is allocated or thrown.
#pragma once

#include <concepts>
#include <vector>

#include "integrate/event_search.hpp"
#include "integrate/step.hpp"
#include "integrate/step_control.hpp"
#include "math/complex.hpp"

namespace trammel {

// ---- problems

// dimension()                  length of z
// calc_derivative(t, z, rate)  ż at a stage; may move z onto the manifold first
// finish_step(t, h, z, rate)   a step of size h ends at t: moves z onto the manifold and evaluates ż there
// calc_error_norm(z0, z1, e)   the error e of a step from z0 to z1 in units of the tolerance
// calc_state_norm(z)           the size of z in the same units
template <class P>
concept Problem = requires(P& p, const P& c, double t, double h, double* z, double* rate,
                           const double* e) {
  { c.dimension() } -> std::convertible_to<int>;
  { p.calc_derivative(t, z, rate) } -> std::same_as<bool>;
  { p.finish_step(t, h, z, rate) } -> std::same_as<bool>;
  { c.calc_error_norm(e, e, e) } -> std::convertible_to<double>;
  { c.calc_state_norm(e) } -> std::convertible_to<double>;
};

// The problem takes note of accepted steps: accept_step(t, z), after the step's output. z may become
// another name of the same state, with the same rate (whole revolutions are taken out of an angle).
template <class P>
concept AcceptsSteps = requires(P& p, double t, double* z) {
  p.accept_step(t, z);
};

// The first stage is evaluated anew at each attempt: begin_step(t, z, rate). finish_step then leaves rate
// alone.
template <class P>
concept BeginsSteps = requires(P& p, double t, double* z, double* rate) {
  { p.begin_step(t, z, rate) } -> std::same_as<bool>;
};

// The norms of both errors of a pair with two estimates at once: calc_error_norms(z0, z1, high, low).
template <class P>
concept CalcsBothErrors = requires(P& p, double* z, double* e) {
  { p.calc_error_norms(z, z, e, e).high } -> std::convertible_to<double>;
  { p.calc_error_norms(z, z, e, e).low } -> std::convertible_to<double>;
};

// The error can be the difference of two finished results: finish_embedded(t, h, z) moves the embedded one
// onto the manifold.
template <class P>
concept ComparesFinished = requires(P& p, double t, double h, double* z) {
  { p.finish_embedded(t, h, z) } -> std::same_as<bool>;
};

// The problem conserves something along the embedded difference: where wants_difference(), it is given
// e = z₁ − ẑ₁ by set_difference(e) before finish_step; null once the stepper is gone.
template <class P>
concept HoldsAlongDifference = requires(P& p, const P& c, const double* e) {
  { c.wants_difference() } -> std::same_as<bool>;
  p.set_difference(e);
};

// The problem conserves something by relaxation: where wants_relaxation(), a step that need not be exact
// becomes z₀ + σ(z₁ − z₀) and its size σh, σ = find_relaxation(z0, z1, rate0, h, scratch).
template <class P>
concept Relaxes = requires(P& p, const P& c, double h, const double* z, double* scratch) {
  { c.wants_relaxation() } -> std::same_as<bool>;
  { p.find_relaxation(z, z, z, h, scratch) } -> std::convertible_to<double>;
};

// The problem has the linear algebra of implicit methods. The first n_unknowns() numbers of z are unknowns of
// Newton's method; the rate of the others depends on those, and nothing depends on them.
//   prepare_factors(n)          memory for factors of I − s ∂ż/∂z, one with a real and n with complex s;
//                               before the first step: may allocate and throw
//   linearise(t, z)             ∂ż/∂z, or what is stiff of it; false: it cannot be evaluated
//   is_linearised()             false: it has to be done again, whatever its age
//   factor(k, s)                with shift k; 0 is the real one and comes first; false: singular
//   solve(b), solve(k, re, im)  b → (I − s ∂ż/∂z)⁻¹ b with the real, with complex shift k > 0
//   turn_to(z, x)               an increment x at the state z, to the coordinates in which solve expects it
//   turn_from(z, x)             and back
template <class P>
concept Linearises = requires(P& p, const P& c, double t, const double* z, double* x) {
  { c.n_unknowns() } -> std::convertible_to<int>;
  p.prepare_factors(1);
  { p.linearise(t, z) } -> std::same_as<bool>;
  { p.is_linearised() } -> std::same_as<bool>;
  { p.factor(1, Complex()) } -> std::same_as<bool>;
  p.solve(x);
  p.solve(1, x, x);
  c.turn_to(z, x);
  c.turn_from(z, x);
};

// Steps from z may be no longer than calc_longest_step(z), whatever their error.
template <class P>
concept BoundsSteps = requires(const P& c, const double* z) {
  { c.calc_longest_step(z) } -> std::convertible_to<double>;
};

// After a jump of the state the problem takes it as a new start: start(z, rate, t) evaluates ż there.
template <class P>
concept StartsAnew = requires(P& p, double t, double* z, double* rate) {
  { p.start(z, rate, t) } -> std::same_as<bool>;
};

// ---- observers

// on_step(report)       after each attempt; false: the run ends here
// next_output()         the next output time, ∞ if there is none; called again after on_step and on_output
// on_output(t, h, z)    z at that time, within or at the end of a step of size h; z may be moved
template <class O>
concept Observer = requires(O& o, const O& c, const StepReport& report, double t, double h,
                            double* z) {
  { o.on_step(report) } -> std::convertible_to<bool>;
  { c.next_output() } -> std::convertible_to<double>;
  o.on_output(t, h, z);
};

// is_stopped() is called after each output point; true: the run ends there.
template <class O>
concept StopsAtOutput = requires(const O& c) {
  { c.is_stopped() } -> std::convertible_to<bool>;
};

// change_state(t, z) after each accepted step and its output; true: z, or the derivative, jumps here, and
// the loop restarts the stepper from z.
template <class O>
concept ChangesState = requires(O& o, double t, double* z) {
  { o.change_state(t, z) } -> std::same_as<bool>;
};

// change_inputs(t, z) after each accepted step and its output; true: numbers that are constant within steps
// have changed in z, and with them ż; everything else is continuous.
template <class O>
concept ChangesInputs = requires(O& o, double t, double* z) {
  { o.change_inputs(t, z) } -> std::same_as<bool>;
};

// Functions of the state whose changes of sign end steps (event_search.hpp):
//   event_functions(), event_resolution()   which, and how long a change has to last to be found
//   calc_events(t, z, g)                    all of them
//   on_events(t, h, z, fired)               those of these indices happen at the end of a step of size h; z may
//                                           change
//   settle_branches(t, z)                   before each step; true: z has changed, but not ż
//   on_event_attempt()                      an attempt is made once more, to end at an event
template <class O>
concept FindsEvents = requires(O& o, double t, double h, double* z, const std::vector<int>& fired) {
  { o.event_functions() } -> std::same_as<std::vector<EventFunction>>;
  { o.event_resolution() } -> std::convertible_to<double>;
  o.calc_events(t, z, z);
  { o.on_events(t, h, z, fired) } -> std::same_as<EventOutcome>;
  { o.settle_branches(t, z) } -> std::same_as<bool>;
  o.on_event_attempt();
};

// ---- steppers

// The solution within the last accepted step: calc(theta, z) with θ ∈ [0, 1].
template <class D>
concept DenseOutput = requires(const D& c, double theta, double* z) {
  c.calc(theta, z);
};

// dimension(), law()       length of z; how errors depend on the step, read after each attempt: a
//                          stepper may change its order
// start(z, rate)           a run begins at z with ż = rate
// restart(t, z)            z is another state than that where the last step ended: forgets everything and
//                          evaluates ż; false: it cannot be evaluated
// estimate_step(t, t_end, z)   a first step from z
// attempt(step, z)         tries the step from z, which stays as it is
// prepare_dense(t, attempt, z)   the attempt from z at t is going to be accepted and points within it are
//                          wanted: called at most once per step, may evaluate
// dense()                  these points, until the next attempt
// accept(attempt, z)       the step is taken: moves z to its end
// reject(attempt)          it is not: the next attempt starts from the same z
template <class S>
concept Stepper = requires(S& s, const S& c, const Step& step, const Attempt& attempt, double t,
                           double* z, const double* start) {
  { c.dimension() } -> std::convertible_to<int>;
  { c.law() } -> std::convertible_to<StepLaw>;
  s.start(start, start);
  { s.restart(t, z) } -> std::same_as<bool>;
  { s.estimate_step(t, t, start) } -> std::convertible_to<double>;
  { s.attempt(step, z) } -> std::same_as<Attempt>;
  s.prepare_dense(t, attempt, start);
  { c.dense() } -> DenseOutput;
  s.accept(attempt, z);
  s.reject(attempt);
};

// renew(t, z): evaluates ż anew at z, where the last step ended; false: it cannot be evaluated.
template <class S>
concept Renews = requires(S& s, double t, double* z) {
  { s.renew(t, z) } -> std::same_as<bool>;
};

// ż where the last accepted step ended, and where the last attempt ended that could be accepted.
template <class S>
concept KnowsRates = requires(const S& c) {
  { c.rate() } -> std::convertible_to<const double*>;
  { c.end_rate() } -> std::convertible_to<const double*>;
};

// The stepper makes use of earlier steps, for a predictor or a Jacobian: forget_history() after a break,
// where the solution is not smooth.
template <class S>
concept KeepsHistory = requires(S& s) {
  s.forget_history();
};

}  // namespace trammel
