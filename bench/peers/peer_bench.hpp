// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What all peer programs share: the paper's mechanisms as data, how a run is measured, the command
// line. Every peer hands over where its bodies are; error and violation are computed here, in one
// way.
//
//   error      largest distance of a centre of mass from the reference, at the program's own steps,
//   or
//              at points every 0.01 s where it takes smaller ones: no peer pays for interpolation
//   violation  of the paper's conditions C, SO, O of the joints at the same instants
//   cpu        of the loop alone, in a run without observer; set-up and initialisation left out
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

#include "measurement.hpp"

namespace trammel::bench {

// precision_problems.hpp, which is not included here: this header must be readable as C++17
// (Simbody).
struct PrecisionStart;

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A condition of a joint. C: points coincide, 3 rows. SO: ⟨R_i a, R_j b⟩ = 0.
// O: ⟨R_i a, r_j + R_j p_j − r_i − R_i p_i⟩ = 0.
struct Condition {
  enum class Kind { C, SO, O } kind;
  int i, j;  // bodies, −1: the ground
  Vector3d a, b;
  Vector3d p_i, p_j;
  int rows() const { return kind == Kind::C ? 3 : 1; }
};

struct PeerBody {
  double mass;
  Vector3d inertia;  // principal moments
  Vector3d r;        // at t = 0, as all below
  Matrix3d R;
  Vector3d v;      // world
  Vector3d Omega;  // body frame
};

// Pendulum, quadrangle or crank with the masses and velocities of one perturbed start.
struct PaperMechanism {
  enum class Kind { pendulum, quadrangle, crank } kind;
  std::string name;
  std::vector<PeerBody> bodies;
  std::vector<Condition> conditions;
  double torque;  // N m, on body 0 about its own e₃
  double t_end;   // s
  const PrecisionStart* start;
};

struct Pose {
  Vector3d r;
  Matrix3d R;
};

// Called with the time and the poses of all bodies.
using Observer = std::function<void(double, const std::vector<Pose>&)>;

struct PeerRun {
  bool finished = false;
  double cpu = 0.0;          // s
  double evaluations = 0.0;  // of the accelerations
};

// One way of a peer to simulate a mechanism. run(setting, observer): observer empty = against the
// clock.
struct PeerLine {
  std::string program;           // "Simbody tree"
  std::string method;            // "Runge–Kutta–Merson"
  std::vector<double> settings;  // tolerances or steps, from coarse to fine
  std::function<PeerRun(double, const Observer&)> run;
  int most_starts = 20;  // fewer for slow lines, whose ratios are far from any target
};

// The generalised speeds u, n of them, that give the bodies their velocities at the start, by least
// squares. calc(u): (v, ω) of all bodies in the world, linear in u.
Eigen::VectorXd find_speeds(const PaperMechanism& mechanism, int n,
                            const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& calc);

// A run with steps of one size; put_start outside of the clock, observer every 0.01 s.
struct FixedStepProgram {
  std::function<void()> put_start;
  std::function<void()> step;
  std::function<std::vector<Pose>()> make_poses;
};
PeerRun run_fixed_steps(const FixedStepProgram& program, double t_end, double h,
                        double evaluations_per_step, const Observer& observer);

std::vector<double> make_tolerances();  // 1e-3 … 1e-12

using MakeLines = std::function<std::vector<PeerLine>(const PaperMechanism&)>;

// A peer's evaluation of a chain of rods on spherical joints (large_models.hpp): µs a body.
struct PeerChain {
  std::string program;
  std::function<double(int bodies)> time;
};

// usage: PROGRAM OUT.csv [STARTS] [MODEL]; chains go to OUT_chain.csv.
int run_peer(int argc, char** argv, const MakeLines& make_lines,
             const std::vector<PeerChain>& chains);

}  // namespace trammel::bench
