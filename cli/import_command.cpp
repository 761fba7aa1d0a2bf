// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel import`: a model of another program as a model file.
#include <fmt/format.h>

#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "messages.hpp"
#include "read_input.hpp"

namespace trammel::cli {
namespace {

constexpr const char* footer =
    R"(URDF (with loops in the usual dialects), MuJoCo's MJCF, and the .asmt files of
FreeCAD's assembly solver. What the model cannot have, and what was expressed in
another way, is listed by name. 'run', 'check', 'view' and 'assemble' read these
files, too.

Example:
  trammel import robot.urdf -o robot_model.yaml

Exit status:
  0  imported
  1  the file cannot be read; the reasons are listed
  3  wrong command line)";

struct ImportCommandOptions {
  std::string path;
  std::string output_path;
  ImportOptions import;
  bool quiet = false;
};

int run(const ImportCommandOptions& options) {
  const ImportedModel imported = import_model(options.path, options.import);
  const Model& model = imported.model;
  if (options.output_path.empty()) {
    print_data(model.text);
  } else {
    write_model(imported, options.output_path);
  }
  if (options.quiet) return finished;
  const auto count = [](std::size_t n, const char* what_one, const char* what_many) {
    return fmt::format("{} {}", n, n == 1 ? what_one : what_many);
  };
  std::string report = fmt::format("{}: {}, {}, {}\n", options.path, imported.format,
                                   count(imported.model.bodies.size(), "body", "bodies"),
                                   count(imported.model.joints.size(), "joint", "joints"));
  if (!imported.left_out.empty()) report += "Left out:\n" + to_string(imported.left_out);
  if (!imported.changed.empty()) {
    report += "Expressed in another way:\n" + to_string(imported.changed);
  }
  if (!options.output_path.empty()) {
    print_data(report + "Written: " + options.output_path + '\n');
  } else {
    fmt::print(stderr, "{}", report);
  }
  return finished;
}

}  // namespace

Command add_import_command(CLI::App& program) {
  auto options = std::make_shared<ImportCommandOptions>();
  CLI::App* const app =
      program.add_subcommand("import", "Convert a URDF, MJCF or .asmt file to a model file");
  app->add_option("FILE", options->path, "File of another program")->type_name("")->required();
  app->add_option("-o,--output", options->output_path, "Model file to write (default: print it)")
      ->type_name("FILE");
  add_import_options(*app, options->import);
  app->add_flag("-q,--quiet", options->quiet, "Do not list what was left out or changed");
  app->footer(footer);
  return {app,
          [options] { return reporting_mistakes(options->path, [&] { return run(*options); }); }};
}

}  // namespace trammel::cli
