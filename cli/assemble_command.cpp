// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel assemble`: moves the bodies until all joints close, and saves the model with that start.
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "messages.hpp"
#include "read_input.hpp"
#include "trammel/checked_model.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(Bodies with 'hold: true' stay where they are, those with a larger
'assembly_weight' move less. The written file is the model file, comments
included, with a section 'initial' that holds the positions and velocities found.

Example:
  trammel assemble rough.yaml -o assembled.yaml

Exit status:
  0  assembled
  1  the joints do not close, or the model cannot be read; the reasons are listed
  3  wrong command line)";

struct AssembleOptions {
  std::string model_path;
  std::string output_path;
  ParameterOverrides overrides;
  ImportOptions import;
  bool quiet = false;
};

int run(const AssembleOptions& options) {
  const CheckedModel model =
      read_input(options.model_path, options.overrides, {}, options.import, options.quiet);
  const AssembledStart start = assemble(compile(model));
  if (!options.quiet) print_data(to_string(start.report));
  if (!start.report.assembly.converged) {
    print_error(options.model_path + " cannot be assembled");
    if (options.quiet) {
      for (const std::string& reason : start.report.reasons) print_error(reason);
    }
    return bad_input;
  }
  if (!options.output_path.empty()) {
    write_model(model.model(), start.bodies, options.output_path);
    if (!options.quiet) print_data("Written: " + options.output_path + '\n');
  }
  return finished;
}

}  // namespace

Command add_assemble_command(CLI::App& program) {
  auto options = std::make_shared<AssembleOptions>();
  CLI::App* const app = program.add_subcommand(
      "assemble", "Move the bodies until all joints close, and save the model");
  app->add_option("MODEL", options->model_path, "Model file (YAML or JSON), or URDF, MJCF, .asmt")
      ->type_name("")
      ->required();
  add_overrides(*app, options->overrides);
  add_import_options(*app, options->import);
  app->add_option("-o,--output", options->output_path, "Write the model with the start found")
      ->type_name("FILE");
  app->add_flag("-q,--quiet", options->quiet, "Print errors only");
  app->footer(footer);
  return {app, [options] {
            return reporting_mistakes(options->model_path, [&] { return run(*options); });
          }};
}

}  // namespace trammel::cli
