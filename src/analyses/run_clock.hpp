// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The CPU time of a run and of its parts:
//
//   total = set-up + loop + end,   loop = stages + projections
//
// The CPU clock is read where a run begins, where its loop begins and ends, and where the run ends. Inside
// the loop it would cost a good part of a step; there projections are timed with the wall clock, and the
// loop's CPU time is divided in the proportion of the two wall times. The parts add up to the whole
// whatever else the processor does.
#pragma once

#include <algorithm>
#include "math/cpu_clock.hpp"
#include "trammel/results.hpp"

namespace trammel {

// `cpu` split as the wall time `wall`, of which `projecting` went into projections.
struct LoopTime {
  double cpu = 0.0;
  double projection = 0.0;  // of that

  void add(double more_cpu, double wall, double projecting) {
    cpu += more_cpu;
    if (wall > 0.0) projection += more_cpu * std::clamp(projecting / wall, 0.0, 1.0);
  }
};

class RunClock {
 public:
  explicit RunClock(int n_threads) : clock_(n_threads), part_begin_(clock_.now()) {}

  void end_set_up() { others_ += take_part(); }

  // ---- the loop: timed here, or elsewhere where several runs share it
  // projecting: wall time of all projections of the run so far
  void begin_loop(double projecting) {
    others_ += take_part();
    wall_begin_ = wall_seconds();
    projecting_begin_ = projecting;
  }
  void end_loop(double projecting) {
    loop_.add(take_part(), wall_seconds() - wall_begin_, projecting - projecting_begin_);
  }
  void set_loop(const LoopTime& loop) {
    loop_ = loop;
    take_part();
  }

  // Ends the run.
  CpuSeconds finish() {
    others_ += take_part();
    return {others_ + loop_.cpu, loop_.cpu - loop_.projection, loop_.projection};
  }

 private:
  double take_part() {
    const double now = clock_.now(), part = now - part_begin_;
    part_begin_ = now;
    return part;
  }

  CpuClock clock_;
  double part_begin_;
  double others_ = 0.0;  // s of CPU: set-up and end
  LoopTime loop_;
  double wall_begin_ = 0.0, projecting_begin_ = 0.0;
};

}  // namespace trammel
