// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results: what a run leaves behind. Columns over time, counters, how well the manifold held,
// and why the run stopped. The name tables make it readable without the Model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trammel/options.hpp"
#include "trammel/scene.hpp"
#include "trammel/types.hpp"

namespace trammel {

struct BodyState {
  Vec3 position{};                          // m, origin of the body's frame, world
  EulerParameters orientation{1, 0, 0, 0};  // scalar first
  Vec3 velocity{};                          // m/s, of the same, world
  Vec3 angular_velocity{};                  // rad/s, body frame
};

// ---- before the run

// A joint that the assembly could not close.
struct OpenJoint {
  std::string joint;
  double distance;  // m, largest |g| of its lengths
  double angle;     // rad, of its directions
};

// Getting rounded initial data onto the manifold.
struct Assembly {
  bool converged = false;
  int iterations = 0;
  double residual_before = 0.0;           // largest |g| of the data as given (m, or unit-free)
  double residual_after = 0.0;            // largest |g| after assembly
  std::string worst_row;                  // row of residual_after
  std::vector<double> moved_distance;     // [bodies] m
  std::vector<double> moved_angle;        // [bodies] rad
  double velocity_residual_before = 0.0;  // largest |J u| of the data as given
  double velocity_residual_after = 0.0;   // and as assembled
  std::string worst_velocity_row;         // row of velocity_residual_after
  bool velocities_contradict = false;     // of held bodies, which keep theirs
  double velocity_change = 0.0;           // largest change of a body's velocity, m/s or rad/s
  std::vector<OpenJoint> open_joints;     // where it did not converge, the worst first
};

// A constraint row that repeats others: row = Σ coefficient · other (scaled rows).
struct Dependency {
  std::string row;
  struct Term {
    std::string row;
    double coefficient;
  };
  std::vector<Term> on;
  double mismatch = 0.0;  // |g| it is open by where the others are closed (m, or unit-free)
  double angle = 0.0;     // rad, by which it differs from the combination: hinges out of line
};

struct CheckReport {
  std::string model_name;
  int bodies = 0;
  int joints = 0;
  int rows = 0;           // constraint equations
  int rank = 0;           // independent ones, of the mechanism
  int rank_at_start = 0;  // lower where the start is a singular position
  int dof = 0;            // 6·bodies − rank, planar: 3·bodies − rank
  int components = 0;     // groups of bodies connected by joints or springs
  int drivers = 0;        // equations of drivers; they count in rows, rank and dof like others
  Assembly assembly;
  std::vector<std::string> body_names;
  std::vector<Dependency> dependent;       // rows that repeat others: redundant
  std::vector<std::string> lost_at_start;  // rows that do so at the start only: singular position
  std::vector<std::string> shared_rows;  // rows whose reaction is a convention: redundant ones and
                                         // those they repeat; all others are determined
  double smallest_pivot =
      1.0;  // sin² of the angle between a row and those before it, kinematic metric
  std::string smallest_pivot_row;
  std::vector<std::string> reasons;  // why the model is refused; empty = it can run
  std::vector<std::string> warnings;
  bool ok() const { return reasons.empty(); }
  bool is_structure() const { return dof == 0 && drivers == 0 && bodies > 0; }
};

// ---- the run

// running: the run goes on, or was killed; only in a file that was written while it went.
// open_joint: some joint is open, or its parts move apart, by more than the stated limits
// (docs/explanation/redundancy.md), whatever time was reached.
// too_many_events: events followed each other without end within a moment.
enum class Outcome {
  finished,  // reached t_end, or an event ended the run
  interrupted,
  step_too_small,
  too_many_steps,
  running,
  open_joint,
  too_many_events
};

struct Status {
  Outcome outcome = Outcome::finished;
  double t = 0.0;       // s, time reached
  std::string message;  // a sentence: why the run stopped, when, and what was worst
};

// Of implicit steps (`method: radau` or `auto`), else 0.
struct ImplicitCounts {
  std::int64_t iterations = 0;       // of Newton's method, for all stages of a step
  std::int64_t failures = 0;         // it did not converge
  std::int64_t linearisations = 0;   // Jacobians
  std::int64_t real_factors = 0;     // factorisations of real …
  std::int64_t complex_factors = 0;  // … and of complex matrices
  std::int64_t steps_of_order_5 = 0;
  std::int64_t steps_of_order_9 = 0;
  std::int64_t steps_of_order_13 = 0;  // accepted
};

struct Counts {
  std::int64_t accepted = 0;       // steps
  std::int64_t rejected = 0;       // steps
  std::int64_t accelerations = 0;  // evaluations of the accelerations
  std::int64_t projection = 0;     // points projected onto M
  std::int64_t iterations = 0;     // iterations in all projections
  int iterations_max = 0;          // iterations in one projection
  std::int64_t dg = 0;             // evaluations of the constraint Jacobian
  std::int64_t d2g = 0;            // evaluations of d²g(y₁,y₁), rows
  std::int64_t d3g = 0;
  std::int64_t df_inv = 0;  // evaluations of the gradient of the invariants
  // of the evaluations and accepted steps, those made by generated code, and of these those in lanes
  std::int64_t evaluations_by_code = 0;
  std::int64_t steps_by_code = 0;
  std::int64_t evaluations_in_lanes = 0;
  std::int64_t steps_in_lanes = 0;
  std::int64_t event_attempts = 0;  // steps made once more to end at an event or a corner
  std::int64_t corners = 0;         // of laws, where steps have ended
  std::int64_t d2f_inv = 0;
  std::int64_t schur_solves = 0;      // by conjugate gradients (`schur: iterative`)
  std::int64_t schur_iterations = 0;  // in all of them
  ImplicitCounts implicit;
  double operations =
      0.0;  // of evaluations and implicit steps, estimated from the sizes of the mechanism:
            // what `method: auto` compares
  double iterations_average() const {
    return projection > 0 ? static_cast<double>(iterations) / static_cast<double>(projection) : 0.0;
  }
};

struct CpuSeconds {
  double total = 0.0;       // CPU time of simulate()
  double stages = 0.0;      // of that, in the stages
  double projection = 0.0;  // of that, in projections
};

// Maxima over all accepted steps and output points, unscaled: m for C, O and D rows, unit-free for
// SO.
struct Violation {
  double position = 0.0;          // |g|
  double velocity = 0.0;          // |J u|
  double euler_parameters = 0.0;  // | |θ|² − 1 |
  std::string position_row;       // where it was largest
  std::string velocity_row;
};

struct EnergySummary {
  double kinetic = 0.0;            // J, at the end
  double potential = 0.0;          // J, at the end; zero level of gravity at the world's origin
  double external_work = 0.0;      // J, of all that has no potential, dampers included
  double balance_error = 0.0;      // J, T + U − W − its initial value, at the end
  double balance_error_max = 0.0;  // J, largest |…| over the run
  double kinetic_max = 0.0;        // J, largest kinetic energy over the run
};

// A singular position that the motion passed, with rows left out of the steps around it.
struct SingularPassage {
  double t = 0.0;   // s, when it began
  std::string row;  // the row, or the first of them
  int rows = 0;     // how many
};

struct Conditioning {
  double smallest_pivot = 1.0;            // of S over the run, relative to its value at t = 0
  double t = 0.0;                         // s, when
  std::string row;                        // where
  int passages = 0;                       // singular positions passed
  std::vector<SingularPassage> singular;  // the first thousand of them
  int exchanges =
      0;  // redundant rows exchanged for others, because the set in use became dependent
};

// One attempted step.
struct StepRecord {
  double t = 0.0;      // s, start of the step
  double h = 0.0;      // s
  double error = 0.0;  // local error in units of the tolerance; 0 when it was not estimated
  int iterations = 0;  // iterations of the projection at its end
  bool accepted = false;
  double residual_in = 0.0;   // largest |g| that this projection met: m, or unit-free
  double residual_out = 0.0;  // and left
  int worst_row = -1;         // of row_names, where it met the largest; −1: none
};

// The projection at the end of an accepted step that met the largest |g|.
struct WorstProjection {
  double t = 0.0;  // s
  double residual_in = 0.0;
  double residual_out = 0.0;
  int iterations = 0;
  std::string row;  // empty: nothing was projected
};

// Smallest and largest value of a column, and when.
struct Extremes {
  double low = 0.0;  // as `high` where there is no row
  double high = 0.0;
  double t_low = 0.0;  // s
  double t_high = 0.0;
};

// The largest force or moment among the joints.
struct PeakReaction {
  double value = 0.0;  // N or N m
  double t = 0.0;      // s
  int joint = -1;      // of joint_names; −1: none
};

// Extremes of what was recorded, over all output times: of each of the first thousand columns of
// a table, and the largest reactions.
struct RunExtremes {
  std::int64_t rows = 0;
  std::vector<Extremes> coordinate;
  std::vector<Extremes> load;
  std::vector<Extremes> element;
  PeakReaction reaction_force;
  PeakReaction reaction_moment;
};

// An event of the model that has happened.
struct EventRecord {
  double t = 0.0;  // s
  int event = -1;  // of event_names
};

struct Results {
  std::string version;
  std::string model_name;
  std::string model_text;
  Scene scene;  // what a picture needs
  SimulationOptions options;
  Status status;
  CheckReport check;  // degrees of freedom, assembly, warnings
  Counts counts;
  CpuSeconds cpu_seconds;
  Violation violation;
  WorstProjection worst_projection;
  EnergySummary energy;
  Conditioning conditioning;
  std::string method_choice;  // of `method: auto`: what made the steps, and why
  std::string code_refusal;   // why evaluations were not made by generated code; empty: they were
  std::vector<std::string> warnings;

  // Nothing was integrated: joints and drivers determine the motion, or hold a structure.
  bool is_kinematic() const {
    return options.kinematics == Kinematics::automatic && check.dof == 0;
  }

  // ---- names
  std::vector<std::string> body_names;        // in the order of the model file
  std::vector<std::string> joint_names;       // in the order of the model file
  std::vector<std::string> row_names;         // "shaft.C.x": joint, basic constraint, component
  std::vector<std::string> coordinate_names;  // "shaft.angle": joint, coordinate; joints in order
  std::vector<std::string> coordinate_units;  // "rad" or "m"
  std::vector<std::string> load_names;        // "gear.shaft.torque": of couplers and drivers
  std::vector<std::string> load_units;        // "N m", "N", "W", "rad" …
  std::vector<std::string> element_names;     // "motor.torque", "motor.power": of force elements
  std::vector<std::string> element_units;     // "N m", "N", "m", "W" …
  std::vector<std::string> output_names;      // "tip.position.x": of named points, the model's
                                              // outputs, and what `record` asks for by name
  std::vector<std::string> output_units;      // empty where the model gives none

  std::vector<std::string> event_names;  // in the order of the model file

  std::vector<BodyState> final;  // [bodies]

  std::vector<std::int64_t> event_counts;  // [events] how often each has happened
  std::vector<EventRecord>
      events;  // in the order in which they happened, the first million of them

  // ---- columns, one entry per output time; [n × …] arrays have the last index running fastest;
  // those that options.record leaves out are empty
  std::int64_t first_row = 0;            // rows before these that a ResultsSink has taken away
  RunExtremes taken;                     // their extremes
  std::vector<double> time;              // [n] s
  std::vector<double> position;          // [n × bodies × 3] m
  std::vector<double> orientation;       // [n × bodies × 4]
  std::vector<double> velocity;          // [n × bodies × 3] m/s
  std::vector<double> angular_velocity;  // [n × bodies × 3] rad/s, body frame
  std::vector<double> acceleration;  // [n × bodies × 3] m/s², origin of the body, world frame
  std::vector<double> angular_acceleration;  // [n × bodies × 3] rad/s², body frame
  std::vector<double> reaction_force;  // [n × joints × 3] N, on body j at the joint, world frame
  std::vector<double>
      reaction_moment;             // [n × joints × 3] N m, likewise, about point j of the joint
  std::vector<double> coordinate;  // [n × coordinates] rad or m, angles unwrapped
  std::vector<double> coordinate_rate;          // [n × coordinates] rad/s or m/s
  std::vector<double> coordinate_acceleration;  // [n × coordinates] rad/s² or m/s²
  std::vector<double> load;                     // [n × loads] N m, N, W …
  std::vector<double> element;                  // [n × elements]
  std::vector<double> output;                   // [n × outputs]
  std::vector<double> kinetic;                  // [n] J
  std::vector<double> potential;                // [n] J
  std::vector<double> external_work;            // [n] J
  std::vector<double> balance_error;            // [n] J
  std::vector<double> violation_position;       // [n] largest |g|
  std::vector<double> violation_velocity;       // [n] largest |J u|
  std::vector<double> smallest_pivot;           // [n] of S, relative to t = 0; 0 = singular

  std::vector<StepRecord> steps;  // attempted steps, the first million of them
};

}  // namespace trammel
