// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel paper`: reproduces the paper's tables next to our results, for its three models in all variants.
#include <memory>

#include "commands.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "progress_bar.hpp"
#include "trammel/page.hpp"
#include "trammel/paper.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(Runs the pendulum, the quadrangle and the crank of Tuomela, Arponen and Normi with
the quasi-orthogonal and the orthogonal projection, with and without energy, and
prints the paper's figures, ours with the paper's method, and ours by default.
Takes about half a minute.

Example:
  trammel paper -o paper.html -o paper.json

Exit status: 0 finished, 1 a file cannot be written, 2 interrupted, 3 wrong command line)";

struct PaperOptions {
  std::vector<std::string> output_paths;
  bool quiet = false;
};

void check_endings(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const auto dot = path.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : path.substr(dot);
    if (ending != ".md" && ending != ".csv" && ending != ".json" && ending != ".html") {
      throw UsageError(path + ": the extension must be .md, .csv, .json or .html");
    }
    if (ending == ".html" && !has_page()) {
      throw UsageError(path +
                       ": this build of Trammel has no pages, because node and npm were "
                       "missing when it was made");
    }
  }
}

int run(const PaperOptions& options) {
  check_endings(options.output_paths);
  PaperStudy study;
  bool stopped = false;
  {
    catch_interrupts();
    ProgressBar bar(!options.quiet, ProgressBar::Unit::runs);
    study = run_paper_study([&](int done, int all) {
      bar.show(done, all);
      stopped = interrupted();
      return !stopped;
    });
  }
  if (!options.quiet) print_data(paper_tables(study));
  for (const std::string& path : options.output_paths) write_paper_study(study, path);
  return stopped ? did_not_finish : finished;
}

}  // namespace

Command add_paper_command(CLI::App& program) {
  auto options = std::make_shared<PaperOptions>();
  CLI::App* const app =
      program.add_subcommand("paper", "Reproduce the paper's tables next to our results");
  app->add_option(
         "-o,--output", options->output_paths,
         "Output file; the extension (.md, .csv, .json, .html) selects the format. Can be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app->add_flag("-q,--quiet", options->quiet, "Print nothing and show no progress bar");
  app->footer(footer);
  return {app, [options] { return run(*options); }};
}

}  // namespace trammel::cli
