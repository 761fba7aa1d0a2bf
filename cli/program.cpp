// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The program `trammel`: reads the command line, runs one command, turns failures into messages
// and exit statuses.
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <new>

#include "commands.hpp"
#include "messages.hpp"
#include "trammel/trammel.hpp"

namespace {

using trammel::cli::Command;
using trammel::cli::print_error;

constexpr const char* footer = R"(Example:
  trammel run crank.yaml -o crank.csv

'trammel run --help' lists the options of a run.
Exit status: 0 finished, 1 bad input, 2 did not finish, 3 wrong command line.)";

// Runs the command that was named.
int run_command(const std::vector<Command>& commands) {
  try {
    for (const Command& command : commands) {
      if (command.app->parsed()) return command.run();
    }
  } catch (const trammel::FileError& error) {
    print_error(error.what());
    return trammel::cli::bad_input;
  } catch (const std::bad_alloc&) {
    print_error("out of memory: the model or its output is too large for this machine");
    return trammel::cli::bad_input;
  }
  return trammel::cli::usage_error;
}

// Parses and runs; a UsageError may come from either.
int parse_and_run(CLI::App& program, const std::vector<Command>& commands, int argc,
                  const char* const* argv) {
  try {
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) {
      std::cerr << program.help();
      return trammel::cli::usage_error;
    }
    return run_command(commands);
  } catch (const CLI::Success& request) {
    return program.exit(request);  // --help, --version
  } catch (const CLI::ParseError& error) {
    print_error(error.what());
  } catch (const trammel::cli::UsageError& error) {
    print_error(error.what());
  }
  const std::vector<CLI::App*> named = program.get_subcommands();
  std::cerr << "Run 'trammel " << (named.empty() ? "" : named.front()->get_name() + " ")
            << "--help' to see what is possible.\n";
  return trammel::cli::usage_error;
}

}  // namespace

namespace trammel::cli {

int run_program(int argc, const char* const* argv) {
  CLI::App program("Trammel: multibody simulation that never leaves the constraint manifold",
                   "trammel");
  program.set_version_flag("--version", std::string("trammel ") + version(),
                           "Print the version and exit");
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.require_subcommand(0, 1);
  program.footer(footer);
  const std::vector<Command> commands = {add_run_command(program),      add_check_command(program),
                                         add_assemble_command(program), add_paper_command(program),
                                         add_export_command(program),   add_report_command(program),
                                         add_render_command(program)};
  return parse_and_run(program, commands, argc, argv);
}

}  // namespace trammel::cli
