// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel render`: draws the mechanism of a results file.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "messages.hpp"
#include "output_files.hpp"
#include "trammel/picture.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {
namespace {

constexpr double degree = 0.017453292519943295;

constexpr const char* footer =
    R"(Draws the output time nearest to T. PNG is made from the SVG by the program
rsvg-convert (Debian: librsvg2-bin).

Example:
  trammel render run.h5 -o frame.svg --t 1.5 --energies

Exit status:
  0  written
  1  a file cannot be read or written, or has nothing to draw
  3  wrong command line)";

struct RenderOptions {
  std::string results_path;
  std::string output_path;
  std::optional<double> t, azimuth, elevation, trail;  // s, degrees, degrees, s
  std::optional<std::int64_t> width;
  PictureOptions picture;
};

int run(RenderOptions& options) {
  const std::string ending = std::filesystem::path(options.output_path).extension().string();
  if (ending != ".svg" && ending != ".png") {
    throw UsageError(fmt::format("-o {}: the ending must be .svg or .png", options.output_path));
  }
  constexpr std::int64_t least = 200, most = 10000;
  if (options.width && (*options.width < least || *options.width > most)) {
    throw UsageError(
        fmt::format("--width: must be from {} to {}, got {}", least, most, *options.width));
  }
  const Results results = read_results(options.results_path);
  PictureOptions& picture = options.picture;
  picture.t = options.t;
  if (options.width) picture.width = static_cast<int>(*options.width);
  if (options.azimuth) picture.azimuth = degree * *options.azimuth;
  if (options.elevation) picture.elevation = degree * *options.elevation;
  picture.trail = options.trail.value_or(0.0);
  try {
    write_picture(results, options.output_path, picture);
  } catch (const std::invalid_argument& reason) {
    throw FileError(fmt::format("{}: cannot be drawn: {}", options.results_path, reason.what()));
  }
  return finished;
}

}  // namespace

Command add_render_command(CLI::App& program) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* const app = program.add_subcommand("render", "Draw the mechanism from a results file");
  app->add_option("RESULTS", options->results_path, "Results file (.h5)")
      ->type_name("")
      ->required();
  app->add_option("-o,--output", options->output_path, "Picture to write, .svg or .png")
      ->type_name("FILE")
      ->required();
  add_number(*app, "--t", options->t, "Time, s (default: the start)");
  add_count(*app, "--width", options->width, "Width in pixels (default: 800)");
  add_number(*app, "--azimuth", options->azimuth,
             "Camera's angle about the vertical, degrees (default: by the motion)");
  add_number(*app, "--elevation", options->elevation,
             "Camera's angle above the horizon, degrees (default: 20)");
  add_positive(*app, "--trail", options->trail, "Draw trails of the last N seconds");
  app->add_flag("--labels", options->picture.labels, "Write the bodies' names");
  app->add_flag("--energies", options->picture.energies, "Plot the energies below");
  app->footer(footer);
  return {app, [options] { return run(*options); }};
}

}  // namespace trammel::cli
