// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The program `trammel`: reads the command line, runs one command, turns failures into messages
// and exit statuses.
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <new>
#include <string>
#include <vector>

#include "commands.hpp"
#include "messages.hpp"
#include "suggestion.hpp"
#include "trammel/trammel.hpp"

namespace {

using namespace trammel::cli;

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

struct Entry {
  const char* name;
  Command (*add)(CLI::App& program);
};

constexpr Entry entries[] = {
    {"run", add_run_command},       {"view", add_view_command},
    {"check", add_check_command},   {"assemble", add_assemble_command},
    {"import", add_import_command}, {"paper", add_paper_command},
    {"export", add_export_command}, {"report", add_report_command},
    {"render", add_render_command},
};

// The command named on the command line, or null; a UsageError with a suggestion if there is no such
// command. (CLI11 would print the general help for `bench --help`.)
const Entry* find_command(int argc, const char* const* argv) {
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word.empty() || word[0] == '-') continue;
    std::vector<std::string> known;
    for (const Entry& entry : entries) {
      if (word == entry.name) return &entry;
      known.emplace_back(entry.name);
    }
    throw UsageError("unknown command '" + word + "'" + suggest(word, known));
  }
  return nullptr;
}

// "unknown option '--t_end' (did you mean '--t-end'?)", or what CLI11 says.
std::string explain(const CLI::ParseError& error, const CLI::App* app, int argc,
                    const char* const* argv) {
  for (int k = 1; app != nullptr && k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--") break;
    if (word.size() < 3 || word.compare(0, 2, "--") != 0) continue;
    const std::string name = word.substr(0, word.find('='));
    if (app->get_option_no_throw(name) != nullptr) continue;
    std::vector<std::string> known;
    for (const CLI::Option* option : app->get_options(nullptr)) {
      for (const std::string& text : option->get_lnames()) known.push_back("--" + text);
    }
    return "unknown option '" + name + "'" + suggest(name, known);
  }
  return error.what();
}

// Parses and runs; a UsageError may come from either. Only the command that is named is made: the options
// of the others take half a million instructions.
int parse_and_run(CLI::App& program, int argc, const char* const* argv) {
  std::string named;
  std::vector<Command> commands;
  try {
    const Entry* const entry = find_command(argc, argv);
    if (entry != nullptr) {
      named = entry->name;
      commands.push_back(entry->add(program));
    } else {
      for (const Entry& each : entries) commands.push_back(each.add(program));
    }
    program.parse(argc, argv);
    if (program.get_subcommands().empty()) {
      std::cerr << program.help();
      return trammel::cli::usage_error;
    }
    return run_command(commands);
  } catch (const CLI::Success& request) {
    return program.exit(request);  // --help, --version
  } catch (const CLI::ParseError& error) {
    print_error(explain(error, commands.size() == 1 ? commands.front().app : nullptr, argc, argv));
  } catch (const UsageError& error) {
    print_error(error.what());
  }
  std::cerr << "Try 'trammel " << named << (named.empty() ? "" : " ") << "--help'.\n";
  return trammel::cli::usage_error;
}

}  // namespace

namespace trammel::cli {

int run_program(int argc, const char* const* argv) {
  CLI::App program(
      "Trammel: simulation of mechanisms that keeps every joint closed to rounding error",
      "trammel");
  program.set_version_flag("--version", std::string("trammel ") + version(),
                           "Print the version and exit");
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.require_subcommand(0, 1);
  program.footer(footer);
  return parse_and_run(program, argc, argv);
}

}  // namespace trammel::cli
