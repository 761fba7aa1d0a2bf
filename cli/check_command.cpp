// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel check`: degrees of freedom, redundancy and initial fit of a model, without running it.
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "messages.hpp"
#include "read_input.hpp"
#include "trammel/checked_model.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(Prints the degrees of freedom, which constraints depend on which, how far the
initial positions are from closing the joints, and how well conditioned the
constraints are there.

Example:
  trammel check crank.yaml

Exit status:
  0  the model can run
  1  it cannot, or cannot be read; the reasons are listed
  3  wrong command line)";

struct CheckOptions {
  std::string model_path;
  ParameterOverrides overrides;
  ImportOptions import;
  ReadOptions read;
  bool json = false;
  bool quiet = false;
};

int run(const CheckOptions& options) {
  const CheckReport report = check(compile(read_input(
      options.model_path, options.overrides, options.read, options.import, options.quiet)));
  if (options.json) {
    print_data(to_json(report) + '\n');
  } else if (!options.quiet) {
    print_data(to_string(report));
  }
  if (report.ok()) return finished;
  print_error(options.model_path + " is refused");
  if (options.quiet) {  // otherwise they are in the report
    for (const std::string& reason : report.reasons) print_error(reason);
  }
  return bad_input;
}

}  // namespace

Command add_check_command(CLI::App& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* const app =
      program.add_subcommand("check", "Check a model: degrees of freedom, redundancy, initial fit");
  app->add_option("MODEL", options->model_path, "Model file (YAML or JSON), or URDF, MJCF, .asmt")
      ->type_name("")
      ->required();
  add_overrides(*app, options->overrides);
  add_import_options(*app, options->import);
  add_read_options(*app, options->read);
  app->add_flag("--json", options->json, "Print one JSON object instead of the report");
  app->add_flag("-q,--quiet", options->quiet, "Print errors only");
  app->footer(footer);
  return {app, [options] {
            return reporting_mistakes(options->model_path, [&] { return run(*options); });
          }};
}

}  // namespace trammel::cli
