// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel run`: the whole path, from the model file to the files and the report.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output_files.hpp"
#include "progress_bar.hpp"
#include "read_input.hpp"
#include "run_options.hpp"
#include "trammel/checked_model.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(Options given here override the model file.

Example:
  trammel run crank.yaml --t-end 20 --set torque=-40 -o crank.h5 -o crank.csv

Exit status:
  0  finished
  1  bad input: the model, or a file that cannot be read or written
  2  did not finish: numerical failure, or stopped by Ctrl-C; what was computed is written
  3  wrong command line)";

// The model's options with those of the command line.
SimulationOptions make_options(const RunOptions& options, const Model& model) {
  SimulationOptions simulation = model.simulation;
  apply(options, simulation);
  std::vector<Mistake> mistakes = check_simulation(simulation);
  if (mistakes.empty()) return simulation;
  // what the model file itself says was checked when it was read: this is of the command line
  if (check_simulation(model.simulation).empty()) {
    std::string reasons;
    for (const Mistake& mistake : mistakes) {
      std::string option = mistake.path.substr(mistake.path.rfind('.') + 1);
      std::replace(option.begin(), option.end(), '_', '-');
      reasons += (reasons.empty() ? "--" : "; --") + option + ": " + mistake.reason;
    }
    throw UsageError(reasons);
  }
  for (Mistake& mistake : mistakes) mistake.file = model.file;
  throw ModelError(std::move(mistakes));
}

// Channels that do not exist were named on the command line: then it is not an error of the model.
void refuse_channels(const ModelError& error, const RunOptions& options) {
  if (!options.simulation.at("record")) return;
  for (const Mistake& mistake : error.mistakes()) {
    if (mistake.path != "simulation.record") continue;
    throw UsageError("--record: " + mistake.reason +
                     (mistake.hint.empty() ? "" : " (" + mistake.hint + ")"));
  }
}

// With a million bodies, the model and the tables of its compilation take a gigabyte and a half that the run
// can use. The C library keeps small freed blocks unless malloc_trim is called.
void release(CheckedModel&& model) {
  { const Model gone = std::move(model).take(); }
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

Results simulate_watched(CheckedModel model, const SimulationOptions& options, bool quiet,
                         ResultsSink* sink) {
  const System system = compile(model);
  release(std::move(model));
  ProgressBar bar(!quiet);
  catch_interrupts();
  return simulate(
      system, options,
      [&bar](const Progress& progress) {
        bar.show(progress.t, progress.t_end);
        return !interrupted();
      },
      sink);
}

void print_results(const Results& results, const RunOptions& options, bool all_written) {
  if (options.json) {
    print_data(to_json(results) + '\n');
  } else if (!options.quiet) {
    print_data(options.full ? full_report(results) : brief_report(results));
    if (all_written && !options.output_paths.empty()) {
      print_data(fmt::format("Written: {}\n", fmt::join(options.output_paths, ", ")));
    }
  }
}

int run(const RunOptions& options) {
  if (options.json && options.full) throw UsageError("--json and --full: one or the other");
  check_output_files(options.output_paths, options.model_path, "model file");
  CheckedModel model = read_input(options.model_path, options.overrides, options.read,
                                  options.import, options.quiet);
  const SimulationOptions simulation = make_options(options, model.model());
  const StreamedFiles streamed(options.output_paths, options.flush_interval.value_or(0.0));
  const Results results = [&] {
    try {
      return simulate_watched(std::move(model), simulation, options.quiet, streamed.sink());
    } catch (const ModelError& error) {
      refuse_channels(error, options);
      throw;
    }
  }();

  // Files first: what was computed is safe even if stdout was closed.
  const std::vector<std::string> failures =
      write_output_files(results, options.output_paths, streamed);
  for (const std::string& failure : failures) print_error(failure);
  print_results(results, options, failures.empty());

  if (results.status.outcome != Outcome::finished) {
    print_error("did not finish: " + results.status.message);
    return did_not_finish;
  }
  return failures.empty() ? finished : bad_input;
}

}  // namespace

Command add_run_command(CLI::App& program) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* const app = program.add_subcommand("run", "Simulate a model");
  add_run_options(*app, *options);
  app->footer(footer);
  return {app, [options] {
            return reporting_mistakes(options->model_path, [&] { return run(*options); });
          }};
}

}  // namespace trammel::cli
