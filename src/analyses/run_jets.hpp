// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A run in jet coordinates: the paper's form through the same integrator and recorder.
#pragma once

#include "integrate/loop.hpp"
#include "paper/jet_problem.hpp"
#include "problem/mechanical_problem.hpp"
#include "record/recorder.hpp"

namespace trammel {

// Settings of the loop that options give in either form.
LoopSettings make_settings(const SimulationOptions& options);

struct JetRun {
  Stop stop = Stop::finished;
  PointFailure failure;
  paper::JetCounts counts;
  void write_to(Results& results) const;  // counts and seconds
};

// Integrates z, a state in body rates; `watcher` evaluates energies and violation at its points.
JetRun run_jets(const SystemIn<Spatial>& system, const SimulationOptions& options,
                MechanicalProblem<Spatial>& watcher, Recorder<Spatial>& recorder,
                std::vector<double>& z);

}  // namespace trammel
