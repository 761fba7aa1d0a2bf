// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel export`: converts an HDF5 results file to the other formats, as the run would have written them.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "messages.hpp"
#include "output_files.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(The numbers are those of the file, to the bit; the CSV file is the one that
'trammel run -o run.csv' writes.

Example:
  trammel export run.h5 -o run.csv -o run.json

Exit status:
  0  written
  1  a file cannot be read or written
  3  wrong command line)";

struct ExportOptions {
  std::string results_path;
  std::vector<std::string> output_paths;
};

int run(const ExportOptions& options) {
  check_output_files(options.output_paths, options.results_path, "results file");
  const Results results = read_results(options.results_path);
  const std::vector<std::string> failures = write_output_files(results, options.output_paths);
  for (const std::string& failure : failures) print_error(failure);
  return failures.empty() ? finished : bad_input;
}

}  // namespace

Command add_export_command(CLI::App& program) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* const app =
      program.add_subcommand("export", "Convert an HDF5 results file to CSV, JSON or HTML");
  app->add_option("RESULTS", options->results_path, "Results file (.h5)")
      ->type_name("")
      ->required();
  app->add_option(
         "-o,--output", options->output_paths,
         "Output file; the extension (.csv, .json, .h5, .html) selects the format. Can be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->required();
  app->footer(footer);
  return {app, [options] { return run(*options); }};
}

}  // namespace trammel::cli
