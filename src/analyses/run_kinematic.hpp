// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A run without integration, where joints and drivers leave no degree of freedom: panel by panel
// (problem/kinematic_panel.hpp), each a step for the recorder, with output points between its ends.
// Structures are the case without drivers: nothing moves, and the reactions follow the loads.
#pragma once

#include <vector>

#include "integrate/step.hpp"
#include "problem/mechanical_problem.hpp"
#include "record/recorder.hpp"

namespace trammel {

// Whether a model with these options can be run in this way.
bool allows_kinematics(const SimulationOptions& options);

struct KinematicEnd {
  Stop stop = Stop::finished;
  PointFailure failure;
  std::vector<double>
      crossings;  // s, ends of the steps in which the motion went through a meeting of
                  // two branches; the first hundred
};

// z: the assembled state at t = 0; left at the last point reached.
template <class Space>
KinematicEnd run_kinematic(const SimulationOptions& options, MechanicalProblem<Space>& problem,
                           Recorder<Space>& recorder, std::vector<double>& z);

}  // namespace trammel
