// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A step on its way through the loop: what the loop asks for, what the stepper made of it, what the
// observer is told; and why a run ended.
#pragma once

namespace trammel {

// Loop to stepper: a step to attempt.
struct Step {
  double t;  // start
  double h;
  double t_end;   // t + h, or exactly the time where it has to end
  bool is_exact;  // it has to end at t_end: the end of the run, a break, or a fixed step
  bool is_fixed;  // it is accepted whatever its error is
};

// Stepper to loop: what came of it.
struct Attempt {
  bool evaluated;  // false: it could not be evaluated or brought back to the manifold
  double error;    // in units of the tolerance; 0: not estimated
  double
      t_end;  // where it ended, and its size: those of the Step, but for a stepper that chooses the
  double h;   // end itself where the Step is not exact
  double* z_end;  // state at t_end, in memory of the stepper; meaningful if evaluated and error ≤ 1
};

// Loop to observer: an attempted step.
struct StepReport {
  double t;      // start
  double t_end;  // end
  double h;
  double error;  // in units of the tolerance; 0: not estimated
  bool accepted;
  const double* z_end;  // state at the end, when accepted
};

// What events at the end of a step have done.
struct EventOutcome {
  bool has_changed = false;  // the state, or the derivative
  bool ends_run = false;
  bool too_many = false;  // they follow each other without end
};

enum class Stop {
  finished,
  by_observer,
  step_too_small,
  too_many_steps,
  no_progress,
  by_event,
  too_many_events
};

}  // namespace trammel
