// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The integration loop: time, size of the steps, breaks, output points and the end of the run. What a
// step is made of is the stepper's matter (steppers/), what is kept of it the observer's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "integrate/concepts.hpp"
#include "integrate/run_limits.hpp"
#include "integrate/step_control.hpp"
#include "math/large_vector.hpp"

namespace trammel {

struct LoopSettings {
  bool pi_control = true;
  double initial_step = 0.0;   // 0: estimated
  double max_step = 0.0;       // 0: none
  double fixed_step = 0.0;     // 0: error control
  std::int64_t max_steps = 0;  // attempted; 0: no limit
  double max_growth = 0.0;     // of a step to the next; 0: that of the stepper
  std::vector<double>
      breaks;  // times, in order, where the derivative is not smooth: steps end there
};

template <Stepper S, Observer O>
class Loop {
 public:
  Loop(const LoopSettings& settings, S& stepper, O& observer)
      : settings_(settings),
        stepper_(stepper),
        observer_(observer),
        control_(settings.pi_control, settings.max_growth),
        limits_(settings.max_steps, settings.fixed_step > 0.0),
        n_(stepper.dimension()),
        z_output_(n_) {}

  // Integrates z from t = 0 to t_end; rate: ż at the start. z is left at the last accepted step, or at the
  // output point where the observer stopped the run.
  Stop run(double t_end, double* z, const double* rate) {
    start(t_end, z, rate);
    while (choose_step()) make_step();
    return stop_;
  }

  // ---- the same step by step, for a caller that interleaves several runs (steppers/lanes.hpp)

  void start(double t_end, double* z, const double* rate, double t_start = 0.0) {
    z_ = z;
    t_ = t_start;
    t_end_ = t_end;
    if constexpr (finds_events) prepare_events();
    stepper_.start(z, rate);
    h_ = choose_first_size(settings_.initial_step);
    if constexpr (finds_events) begin_events();
  }

  // Chooses the next step; false: the run is over, stop() says why.
  bool choose_step() {
    if (!is_running_ || !(t_ < t_end_)) return false;
    if (const auto stop = limits_.count_attempt(t_, t_end_, h_)) return end_run(*stop);
    // a step that comes within 1 % of its size of a break, or of t_end, ends there
    wanted_ = h_;
    const double goal = find_goal();
    reaches_goal_ = t_ + 1.01 * h_ >= goal || search_.has_target();
    if (reaches_goal_) h_ = goal - t_;
    step_ = {t_, h_, reaches_goal_ ? goal : t_ + h_, reaches_goal_ || is_fixed(), is_fixed()};
    return true;
  }

  // Attempts the step that was chosen, takes it if its error allows, and chooses the size of the next.
  void make_step() {
    const Attempt made = stepper_.attempt(step_, z_);
    const bool accepted = made.evaluated && (made.error <= 1.0 || is_fixed());
    if constexpr (finds_events) {
      if (accepted && !search_.is_empty() && !ends_at_events(made)) return;
      if (!accepted) search_.drop_target();
    }
    const bool goes_on =
        observer_.on_step({t_, made.t_end, made.h, made.error, accepted, made.z_end});
    // output points lie within the step: they are written before z moves on
    if (!accepted) {
      stepper_.reject(made);
    } else if (write_outputs(made)) {
      take(made);
    } else {
      end_run(Stop::by_observer);
      return;
    }
    if (!goes_on) {
      end_run(Stop::by_observer);
      return;
    }
    choose_size(made, accepted);
    if (accepted) restart_where_state_jumps();
    const bool has_new_inputs = accepted && renew_where_inputs_change();
    if constexpr (finds_events) {
      if (accepted && is_running_) go_on_from_events(made.h, has_new_inputs);
    }
  }

  const Step& step() const { return step_; }
  Stop stop() const { return stop_; }
  double time() const { return t_; }

  // A step ends at t, besides the breaks; ∞: at those only.
  void set_goal(double t) { goal_ = t; }

  // Numbers in z that are constant within steps were changed from outside.
  void renew() {
    if constexpr (Renews<S>) {
      if (!is_running_) return;
      if (!stepper_.renew(t_, z_)) {
        end_run(Stop::step_too_small);
        return;
      }
      if constexpr (finds_events) go_on_from_events(h_, true);
    }
  }

 private:
  bool end_run(Stop why) {
    stop_ = why;
    return is_running_ = false;
  }

  bool is_fixed() const { return settings_.fixed_step > 0.0; }

  // Where the step from t has to end at the latest. Steps of a fixed size know no breaks, and go on to their
  // end after an event within them.
  double find_goal() {
    const double last = std::min(goal_, t_end_);
    if (search_.has_target()) return search_.target();
    if (is_fixed()) {
      if (fixed_end_ > t_) {
        h_ = wanted_ = fixed_end_ - t_;
        return std::min(fixed_end_, last);
      }
      return last;
    }
    const std::vector<double>& breaks = settings_.breaks;
    while (next_break_ < breaks.size() && breaks[next_break_] <= t_) ++next_break_;
    return next_break_ < breaks.size() ? std::min(breaks[next_break_], last) : last;
  }

  double choose_first_size(double given) {
    double h = settings_.fixed_step;
    if (h == 0.0) h = given > 0.0 ? given : stepper_.estimate_step(t_, t_end_, z_);
    if (settings_.max_step > 0.0) h = std::min(h, settings_.max_step);
    return std::min(h, t_end_ - t_);
  }

  void choose_size(const Attempt& made, bool accepted) {
    if (is_fixed()) {
      if (!made.evaluated) end_run(Stop::step_too_small);
      h_ = settings_.fixed_step;
      return;
    }
    // the size from the error of this step; a quarter where it could not be evaluated
    h_ = accepted         ? control_.after_accepted(stepper_.law(), h_, made.error)
         : made.evaluated ? control_.after_rejected(stepper_.law(), h_, made.error)
                          : control_.after_failure(h_);
    // after a break the steps go on with the size that they had before it
    if (accepted && reaches_goal_) h_ = std::max(h_, wanted_);
    if (settings_.max_step > 0.0) h_ = std::min(h_, settings_.max_step);
  }

  void take(const Attempt& made) {
    stepper_.accept(made, z_);
    t_ = made.t_end;
    if constexpr (KeepsHistory<S>) {
      if (reaches_goal_ && search_.fired().empty()) stepper_.forget_history();
    }
  }

  void restart_where_state_jumps() {
    if constexpr (ChangesState<O>) {
      // an event: slopes and errors of earlier steps are of another motion
      if (!observer_.change_state(t_, z_)) return;
      if (!stepper_.restart(t_, z_)) {
        end_run(Stop::step_too_small);
      } else if (t_ < t_end_) {
        control_.forget();
        h_ = choose_first_size(0.0);
      }
    }
  }

  bool renew_where_inputs_change() {
    if constexpr (ChangesInputs<O> && Renews<S>) {
      if (!observer_.change_inputs(t_, z_)) return false;
      if constexpr (KeepsHistory<S>) stepper_.forget_history();
      if (!stepper_.renew(t_, z_)) end_run(Stop::step_too_small);
      return true;
    }
    return false;
  }

  // ---- events (event_search.hpp)

  static constexpr double least_first_size = 1e-9;  // of a step after an event, relative to t_end
  static constexpr bool finds_events = FindsEvents<O> && KnowsRates<S> && Renews<S>;

  void prepare_events() {
    std::vector<EventFunction> functions = observer_.event_functions();
    if (functions.empty()) return;
    observer_.settle_branches(t_, z_);
    z_event_.resize(2 * static_cast<std::size_t>(n_));
    for (auto* list : {&g_, &slope_, &other_}) list->resize(functions.size());
    search_.start(std::move(functions), observer_.event_resolution(), t_end_);
  }
  void begin_events() {
    if (search_.is_empty()) return;
    calc_event_slopes(t_, h_, z_, stepper_.rate());
    observer_.calc_events(t_, z_, g_.data());
    search_.set_start(g_.data(), slope_.data());
  }

  // ġ at t, where ż = rate, by central differences over a small part of a step of size h
  void calc_event_slopes(double t, double h, const double* z, const double* rate) {
    const double d = 1e-2 * h;
    double *const after = z_event_.data(), *const before = after + n_;
    for (int i = 0; i < n_; ++i) {
      after[i] = z[i] + d * rate[i];
      before[i] = z[i] - d * rate[i];
    }
    observer_.calc_events(t - d, before, other_.data());
    observer_.calc_events(t + d, after, slope_.data());
    for (std::size_t k = 0; k < slope_.size(); ++k) {
      slope_[k] = (slope_[k] - other_[k]) / (2.0 * d);
    }
  }

  // Looks for events in an attempt that could be accepted; false: it is made once more, to end at one.
  bool ends_at_events(const Attempt& made) {
    calc_event_slopes(made.t_end, made.h, made.z_end, stepper_.end_rate());
    observer_.calc_events(made.t_end, made.z_end, g_.data());
    if (!search_.has_target() && search_.is_quiet(made.h, g_.data(), slope_.data())) {
      search_.accept_quietly(g_.data());
      return true;
    }
    stepper_.prepare_dense(t_, made, z_);
    has_dense_ = true;
    const auto calc = [&](double t, double* g) {
      stepper_.dense().calc((t - t_) / made.h, z_event_.data());
      observer_.calc_events(t, z_event_.data(), g);
    };
    using Verdict = EventSearch::Verdict;
    const Verdict verdict = search_.judge(t_, made.t_end, g_.data(), calc);
    // what follows may look at the end of the step
    observer_.calc_events(made.t_end, made.z_end, g_.data());
    if (verdict == Verdict::take) return true;
    has_dense_ = false;
    stepper_.reject(made);
    observer_.on_event_attempt();
    if (is_fixed() && !(fixed_end_ > t_)) fixed_end_ = step_.t_end;
    h_ = wanted_;
    if (verdict == Verdict::at_start) go_on_from_events(made.h, false);
    return false;
  }

  // At t, the end of a step of size h: events happen, and are prepared for the next step.
  void go_on_from_events(double h, bool has_new_inputs) {
    if (search_.is_empty()) return;
    const bool has_fired = !search_.fired().empty();
    search_.forget_changed();
    const bool was_changed = (has_fired || has_new_inputs) && happen(h);
    const bool is_settled = observer_.settle_branches(t_, z_);
    if (!is_running_ || !(t_ < t_end_)) return;
    if (was_changed) {
      control_.forget();
      if constexpr (KeepsHistory<S>) stepper_.forget_history();
    }
    if ((was_changed || is_settled) && !stepper_.renew(t_, z_)) {
      end_run(Stop::step_too_small);
      return;
    }
    if (was_changed && !is_fixed()) {
      // the estimate may be far too small where the state is nearly zero
      h_ = std::min(h_, std::max(choose_first_size(0.0), least_first_size * t_end_));
    }
    if (has_fired || has_new_inputs || is_settled) {
      calc_event_slopes(t_, std::min(h, h_), z_, stepper_.rate());
      observer_.calc_events(t_, z_, g_.data());
    }
    search_.set_start(g_.data(), slope_.data());
    for (const int k : search_.changed()) search_.renew(static_cast<std::size_t>(k));
  }

  // The events found, and those that they cause; true: they have changed the state or the derivative.
  bool happen(double h) {
    bool has_changed = false;
    if (search_.fired().empty()) {
      observer_.calc_events(t_, z_, g_.data());
      search_.find_jumped(g_.data());
    }
    while (!search_.fired().empty()) {
      search_.note_changed();
      const EventOutcome outcome = observer_.on_events(t_, h, z_, search_.fired());
      has_changed |= outcome.has_changed;
      if (outcome.ends_run || outcome.too_many) {
        end_run(outcome.too_many ? Stop::too_many_events : Stop::by_event);
        return has_changed;
      }
      search_.clear_fired();
      if (!outcome.has_changed) return has_changed;
      observer_.calc_events(t_, z_, g_.data());
      search_.find_jumped(g_.data());
    }
    return has_changed;
  }

  // Output points up to the end of the step; false: the observer stopped the run at one, which is in z_.
  bool write_outputs(const Attempt& made) {
    double at = observer_.next_output();
    // points within the step from dense output, a point at its end as it is
    if (at < made.t_end && !has_dense_) stepper_.prepare_dense(t_, made, z_);
    has_dense_ = false;
    for (; at <= made.t_end; at = observer_.next_output()) {
      double* const z = z_output_.data();
      if (at == made.t_end) {
        std::copy(made.z_end, made.z_end + n_, z);
      } else {
        stepper_.dense().calc((at - t_) / made.h, z);
      }
      observer_.on_output(at, made.h, z);
      if constexpr (StopsAtOutput<O>) {
        if (!observer_.is_stopped()) continue;
        std::copy(z, z + n_, z_);
        t_ = at;
        return false;
      }
    }
    return true;
  }

  LoopSettings settings_;
  S& stepper_;
  O& observer_;
  StepController control_;
  RunLimits limits_;
  int n_;
  double* z_ = nullptr;  // state at t_
  double t_ = 0.0, t_end_ = 0.0;
  double goal_ = std::numeric_limits<double>::infinity();
  double h_ = 0.0;             // size of the next step
  double wanted_ = 0.0;        // before it was shortened to end at a goal
  bool reaches_goal_ = false;  // the current step ends at t_end or at a break
  Step step_{};
  bool is_running_ = true;
  Stop stop_ = Stop::finished;
  std::size_t next_break_ = 0;
  LargeArray<double> z_output_;  // an output point; not touched where there are none

  EventSearch search_;
  bool has_dense_ = false;  // of the step that is being taken
  double fixed_end_ = 0.0;  // of the fixed step that events have divided
  std::vector<double> z_event_, g_, slope_, other_;
};

}  // namespace trammel
