// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel view`: simulates a model and opens the page of the run in the browser.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output_files.hpp"
#include "progress_bar.hpp"
#include "read_input.hpp"
#include "trammel/checked_model.hpp"
#include "trammel/page.hpp"

extern char** environ;  // POSIX declares it nowhere

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* footer =
    R"(Without -o the page is written to a new temporary folder, under the name of the
model. It is opened with $BROWSER if that is set, else with the default browser; without
a display only its path is printed.

Example:
  trammel view crank.yaml --set torque=-40

Exit status:
  0  finished
  1  bad input: the model, or a file that cannot be read or written
  2  did not finish: numerical failure, or stopped by Ctrl-C; the page shows what was computed
  3  wrong command line)";

struct ViewOptions {
  std::string model_path;
  std::string output_path;
  ParameterOverrides overrides;
  ImportOptions import;
  ReadOptions read;
  bool no_open = false;
};

// A folder of this user alone: in a shared one another user may own the name.
std::string choose_path(const std::string& model_path) {
  std::string folder = (fs::temp_directory_path() / "trammel-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    throw FileError(
        fmt::format("{}: cannot create: {}", folder, std::generic_category().message(errno)));
  }
  const std::string stem = fs::path(model_path).stem().string();
  return (fs::path(folder) / ((stem.empty() ? "model" : stem) + ".html")).string();
}

const char* find_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

// The program that opens pages: $BROWSER, else the one of the desktop; none without a display.
std::string find_opener() {
  if (const char* const browser = find_variable("BROWSER")) {
    const std::string list = browser;
    return list.substr(0, list.find(':'));  // a list as PATH is one; its first is preferred
  }
#ifdef __APPLE__
  return "open";
#else
  const bool has_display = find_variable("DISPLAY") || find_variable("WAYLAND_DISPLAY");
  return has_display ? "xdg-open" : "";
#endif
}

// Starts the program with the page; true if it could be started and did not fail.
bool open_page(std::string program, const std::string& path) {
  std::string page = fs::absolute(path).string();
  char* arguments[] = {program.data(), page.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) {
    return false;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run(const ViewOptions& options) {
  if (!options.output_path.empty() && fs::path(options.output_path).extension() != ".html") {
    throw UsageError("-o " + options.output_path + ": the extension must be .html");
  }
  if (!has_page()) {
    throw UsageError(
        "this build of Trammel has no pages: node and npm were missing when it was built");
  }
  if (!options.output_path.empty()) {
    check_output_files({options.output_path}, options.model_path, "model file");
  }
  const CheckedModel model =
      read_input(options.model_path, options.overrides, options.read, options.import, false);
  ProgressBar bar(true);
  catch_interrupts();
  const Results results =
      simulate(compile(model), model.model().simulation, [&bar](const Progress& p) {
        bar.show(p.t, p.t_end);
        return !interrupted();
      });
  bar.erase();
  const std::string path =
      options.output_path.empty() ? choose_path(options.model_path) : options.output_path;
  write_page(results, path);
  print_data(brief_report(results));
  print_data(fmt::format("Page: {}\n", path));
  const std::string opener = options.no_open ? "" : find_opener();
  if (!opener.empty() && !open_page(opener, path)) {
    print_error(
        fmt::format("'{}' could not open the page; open it in a browser: {}", opener, path));
  }
  if (results.status.outcome == Outcome::finished) return finished;
  print_error("did not finish: " + results.status.message);
  return did_not_finish;
}

}  // namespace

Command add_view_command(CLI::App& program) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* const app =
      program.add_subcommand("view", "Simulate a model and open its page in the browser");
  app->add_option("MODEL", options->model_path, "Model file (YAML or JSON), or URDF, MJCF, .asmt")
      ->type_name("")
      ->required();
  add_overrides(*app, options->overrides);
  add_import_options(*app, options->import);
  add_read_options(*app, options->read);
  app->add_option("-o,--output", options->output_path, "Page to write (.html; default: temporary)")
      ->type_name("FILE");
  app->add_flag("--no-open", options->no_open, "Print the path of the page, do not open it");
  app->footer(footer);
  return {app, [options] {
            return reporting_mistakes(options->model_path, [&] { return run(*options); });
          }};
}

}  // namespace trammel::cli
