// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The options of `trammel run`: those of the option table, which override the model file, and its own.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/import.hpp"
#include "trammel/option_table.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {

struct RunOptions {
  std::string model_path;
  ParameterOverrides overrides;
  ImportOptions import;
  ReadOptions read;
  std::vector<std::string> output_paths;
  std::optional<double> flush_interval;
  bool json = false;
  bool full = false;
  bool quiet = false;

  // By word; empty: as the model file says.
  std::map<std::string_view, std::optional<OptionValue>> simulation;
};

void add_run_options(CLI::App& app, RunOptions& options);

// Puts what was given into the options of the model.
void apply(const RunOptions& options, SimulationOptions& simulation);

}  // namespace trammel::cli
