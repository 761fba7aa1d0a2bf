// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What all peer programs share: the mechanisms as data, how a run is measured, the command line.
// Every peer hands over where its bodies are; error and violation are computed here, in one way.
//
//   error      largest distance of a centre of mass from the reference, at the program's own steps,
//   or
//              at points every 0.01 s where it takes smaller ones: no peer pays for interpolation
//   violation  of the paper's conditions C, SO, O of the joints at the same instants
//   cpu        of the loop alone, in a run without observer; set-up and initialisation left out
//
// Each setting is measured in a process of its own: one that takes too long is stopped, one that
// crashes is left behind, and the bench goes on.
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

// A joint of a tree: body k hangs by joint k on its parent, and all start as drawn (coordinate 0).
struct TreeJoint {
  bool slides;                 // along the axis, else turns about it
  int parent;                  // −1: the ground
  Vector3d p_parent, p_child;  // m, where it is
  Vector3d axis_parent, axis_child;
};

// Tension k(|d| − free length) + c d|d|/dt between two points.
struct PeerSpring {
  int i, j;
  Vector3d p_i, p_j;
  double stiffness, damping, free_length;
};

// One perturbed start of a mechanism. The paper's are known by name; others are trees, with the
// parent of a body always before it.
struct PeerMechanism {
  enum class Kind { pendulum, quadrangle, crank, tree } kind;
  std::string name;
  std::vector<PeerBody> bodies;
  std::vector<Condition> conditions;
  std::vector<TreeJoint> tree;  // [bodies], of Kind::tree
  std::vector<PeerSpring> springs;
  Vector3d gravity;
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
  int most_starts = 20;    // fewer for slow lines, whose ratios are far from any target
  bool reactions = false;  // a run that asks for all reactions every 0.01 s
};

// The generalised speeds u, n of them, that give the bodies their velocities at the start, by least
// squares. calc(u): (v, ω) of all bodies in the world, linear in u.
Eigen::VectorXd find_speeds(const PeerMechanism& mechanism, int n,
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

using MakeLines = std::function<std::vector<PeerLine>(const PeerMechanism&)>;

// What else is asked of a peer; each where it is there.
struct PeerCosts {
  std::string program;
  // one evaluation of a chain of rods on spherical joints (large_models.hpp): s
  std::function<double(int bodies)> time_chain;
  // builds the model of such a chain, or of a mechanism, to the point where it could be evaluated
  std::function<void(int bodies)> build_chain;
  std::function<void(const PeerMechanism&)> build;
  // one evaluation of a mechanism: s
  std::function<double(const PeerMechanism&)> time_evaluation;
};

// usage: PROGRAM OUT.csv [STARTS] [MODEL]; costs go to OUT_chain.csv. make_lines may return none
// for a mechanism that the peer is not asked for.
int run_peer(int argc, char** argv, const MakeLines& make_lines, const PeerCosts& costs);

}  // namespace trammel::bench
