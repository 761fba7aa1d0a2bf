// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel report`: an HTML page from one run, or comparing several.
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "messages.hpp"
#include "output_files.hpp"
#include "trammel/page.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(One HTML file that opens by double-click: the mechanism in 3D, plots, summary.
Several results are overlaid in the plots, under the names of their files.

Examples:
  trammel report run.h5 -o run.html
  trammel report with.h5 without.h5 -o compare.html

Exit status:
  0  written
  1  a file cannot be read or written
  3  wrong command line)";

struct ReportOptions {
  std::vector<std::string> results_paths;
  std::string output_path;
};

int run(const ReportOptions& options) {
  if (std::filesystem::path(options.output_path).extension() != ".html") {
    throw UsageError("-o " + options.output_path + ": the extension must be .html");
  }
  std::vector<Results> runs;
  std::vector<std::string> labels;
  for (const std::string& path : options.results_paths) {
    check_output_files({options.output_path}, path, "results file");
    labels.push_back(std::filesystem::path(path).stem().string());
  }
  for (const std::string& path : options.results_paths) runs.push_back(read_results(path));
  write_page(runs, options.output_path, labels);
  return finished;
}

}  // namespace

Command add_report_command(CLI::App& program) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* const app =
      program.add_subcommand("report", "Create an HTML page from one run or comparing several");
  app->add_option("RESULTS", options->results_paths, "Results files (.h5)")
      ->type_name("")
      ->required();
  app->add_option("-o,--output", options->output_path, "Page to write (.html)")
      ->type_name("FILE")
      ->required();
  app->footer(footer);
  return {app, [options] { return run(*options); }};
}

}  // namespace trammel::cli
