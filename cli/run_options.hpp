// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What `trammel run` was asked: the options that were given, over those of the model file.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel::cli {

struct RunOptions {
  std::string model_path;
  ParameterOverrides overrides;
  ReadOptions read;
  std::vector<std::string> output_paths;
  bool json = false;
  bool full = false;
  bool quiet = false;

  // Empty: as the model file says.
  std::optional<double> t_end, rtol, atol, output_interval;
  std::optional<double> initial_step, max_step, fixed_step;
  std::optional<std::int64_t> max_steps;
  std::optional<std::int64_t> threads;
  std::optional<double> max_growth;
  std::optional<WorkQuadrature> work_quadrature;
  std::optional<SchurSolver> schur;
  std::optional<KernelChoice> kernel;
  std::optional<ReactionFrame> reaction_frame;
  std::optional<double> newton_tolerance;
  std::optional<double> energy_scale;
  std::optional<double> newton_forcing;
  bool raw_error = false;
  std::optional<Method> method;
  std::optional<Projection> projection;
  std::optional<std::vector<std::string>> invariants;
  std::optional<EnergyCorrection> energy_correction;
  std::optional<StepControl> step_control;
  std::optional<Kinematics> kinematics;
  bool project_stages = false;
  bool output_at_steps = false;
  std::optional<Recorded> record;
  std::optional<double> flush_interval;
};

void add_run_options(CLI::App& app, RunOptions& options);

// The command line wins over the model file.
void apply(const RunOptions& options, SimulationOptions& simulation);

}  // namespace trammel::cli
