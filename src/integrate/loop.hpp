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
    stepper_.start(z, rate);
    h_ = choose_first_size(settings_.initial_step);
  }

  // Chooses the next step; false: the run is over, stop() says why.
  bool choose_step() {
    if (!is_running_ || !(t_ < t_end_)) return false;
    if (const auto stop = limits_.count_attempt(t_, t_end_, h_)) return end_run(*stop);
    // a step that comes within 1 % of its size of a break, or of t_end, ends there
    wanted_ = h_;
    const double goal = find_goal();
    reaches_goal_ = t_ + 1.01 * h_ >= goal;
    if (reaches_goal_) h_ = goal - t_;
    step_ = {t_, h_, reaches_goal_ ? goal : t_ + h_, reaches_goal_ || is_fixed(), is_fixed()};
    return true;
  }

  // Attempts the step that was chosen, takes it if its error allows, and chooses the size of the next.
  void make_step() {
    const Attempt made = stepper_.attempt(step_, z_);
    const bool accepted = made.evaluated && (made.error <= 1.0 || is_fixed());
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
    if (accepted) renew_where_inputs_change();
  }

  const Step& step() const { return step_; }
  Stop stop() const { return stop_; }
  double time() const { return t_; }

  // A step ends at t, besides the breaks; ∞: at those only.
  void set_goal(double t) { goal_ = t; }

  // Numbers in z that are constant within steps were changed from outside.
  void renew() {
    if constexpr (Renews<S>) {
      if (is_running_ && !stepper_.renew(t_, z_)) end_run(Stop::step_too_small);
    }
  }

 private:
  bool end_run(Stop why) {
    stop_ = why;
    return is_running_ = false;
  }

  bool is_fixed() const { return settings_.fixed_step > 0.0; }

  // Where the step from t has to end at the latest. Steps of a fixed size know no breaks.
  double find_goal() {
    const double last = std::min(goal_, t_end_);
    if (is_fixed()) return last;
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
      if (reaches_goal_) stepper_.forget_history();
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

  void renew_where_inputs_change() {
    if constexpr (ChangesInputs<O> && Renews<S>) {
      if (observer_.change_inputs(t_, z_) && !stepper_.renew(t_, z_)) {
        end_run(Stop::step_too_small);
      }
    }
  }

  // Output points up to the end of the step; false: the observer stopped the run at one, which is in z_.
  bool write_outputs(const Attempt& made) {
    double at = observer_.next_output();
    // points within the step from dense output, a point at its end as it is
    if (at < made.t_end) stepper_.prepare_dense(t_, made, z_);
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
};

}  // namespace trammel
