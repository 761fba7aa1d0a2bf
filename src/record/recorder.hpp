// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The recorder observes a run: it fills Results with one row per output time, the log of steps, and the
// largest violations.
#pragma once

#include <limits>

#include "integrate/event_search.hpp"
#include "integrate/step.hpp"
#include "problem/event_monitor.hpp"
#include "problem/mechanical_problem.hpp"
#include "record/coordinate_tracker.hpp"
#include "record/force_channels.hpp"
#include "record/output_channels.hpp"
#include "record/output_times.hpp"
#include "record/reaction_share.hpp"
#include "trammel/progress.hpp"
#include "trammel/results.hpp"
#include "trammel/sink.hpp"

namespace trammel {

// What the projection at the end of a step did.
struct StepProjection {
  int iterations = 0;
  double residual_in = 0.0;  // largest |g|, before and after
  double residual_out = 0.0;
  int worst_row = -1;  // before
};

template <class Space>
class Recorder {
 public:
  Recorder(MechanicalProblem<Space>& problem, const SimulationOptions& options,
           const ProgressCallback& progress, Results& results, ResultsSink* sink = nullptr);

  // Names that depend on the forces and outputs of the model: after MechanicalProblem::start, before `start`.
  // Returns what is wrong with channels that the model or the user names.
  std::vector<ChannelProblem> list_names();

  // The first row. coordinates: their values shortly before, where the run goes on from another.
  void start(const double* z, double t = 0.0, const std::vector<double>* coordinates = nullptr);

  // Counters and largest violations so far, into the results.
  void write_counts();
  const std::vector<double>& coordinates() const { return tracker_.value(); }

  // ---- what the integrator calls
  bool on_step(const StepReport& step);
  bool record_step(const StepReport& step, const StepProjection& projection);
  double next_output() const { return next_output_; }
  void on_output(double t, double h, double* z);
  void skip_output(double t);  // the point could not be projected
  bool change_inputs(double t, double* z) { return problem_.sample(t, z); }
  bool is_stopped() const { return is_stopped_; }  // at the last output point

  // ---- events; without a monitor there are none
  void set_events(EventMonitor<Space>* events) { events_ = events; }
  std::vector<EventFunction> event_functions() const;
  double event_resolution() const;
  void calc_events(double t, const double* z, double* g) { events_->calc(t, z, g); }
  EventOutcome on_events(double t, double h, double* z, const std::vector<int>& fired);
  bool settle_branches(double t, double* z) { return events_->settle(t, z); }
  void on_event_attempt() { ++results_.counts.event_attempts; }
  int last_event() const { return last_event_; }  // that ended the run

  // ---- steps that go through points of M (kinematic_panel.hpp)
  // z, a point within the current step, was just finished by the problem. All are forgotten at once.
  void note_point(double t, const double* z) { tracker_.note(t, z, problem_.point().ws); }
  void forget_points() { tracker_.forget_notes(); }

  double time_reached() const { return time_reached_; }

  // Final state and energies, counters. z: the last accepted point. False where it cannot be evaluated
  // (the problem says why): then it is the final state, without a row of its own and without energies.
  bool finish(double t, const double* z);

 private:
  void reserve();
  void observe_point(double t, const double* z);
  void write_row(double t, const double* z);
  void write_bodies(const double* z);
  void write_reactions();
  void write_coordinates(double t, const double* z);
  void write_accelerations(const double* z);
  void write_loads();
  void write_energies(const double* z);
  void schedule_next_output(double t);
  void warn_of_missed_solves();
  void update_sink(double t);
  void ask(double t);
  void on_event(int k, double t, double h, const double* z);

  MechanicalProblem<Space>& problem_;
  SimulationOptions options_;
  const ProgressCallback& progress_;
  Results& results_;
  ResultsSink* sink_;  // may be null
  CoordinateTracker<Space> tracker_;
  EventMonitor<Space>* events_ = nullptr;
  int last_event_ = -1;
  ReactionShare<Space> share_;
  ForceChannels<Space> forces_;
  OutputChannels outputs_;
  OutputTimes times_;
  struct {
    int position = -1, velocity = -1, pivot = -1, projection = -1;
  } worst_;  // rows, of the maxima in results_
  struct {
    std::int64_t count = 0;
    double first = 0.0;         // s
    std::size_t warning = 0;    // of results_.warnings
  } skipped_;                   // output points
  int outputs_between_asking_;  // the progress callback: so many that calls cost nothing
  std::int64_t output_index_ = 0;
  double time_reached_ = 0.0;
  int outputs_since_asking_ = 0;
  bool is_stopped_ = false;
  double next_output_ = std::numeric_limits<double>::infinity();
};

}  // namespace trammel
