// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `trammel render`: draws the mechanism of a results file, at one time or moving.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output_files.hpp"
#include "progress_bar.hpp"
#include "trammel/picture.hpp"
#include "trammel/trammel.hpp"

namespace trammel::cli {
namespace {

constexpr double degree = 0.017453292519943295;

constexpr const char* footer =
    R"(Between output times positions are interpolated (by cubics through positions and
velocities, by quintics where accelerations were recorded), and then moved onto the
joints, as the run itself does with its output times. PNG and WebP are made from SVG
by the program rsvg-convert (Debian: librsvg2-bin), PNG with two pixels for each.
An animation lasts as long as the run, at most 12 s, and begins again at its end.

Examples:
  trammel render run.h5 -o frame.svg --t 1.5 --energies
  trammel render run.h5 -o crank.webp --from 2 --to 6 --speed 0.5

Exit status:
  0  written
  1  a file cannot be read or written, or has nothing to draw
  2  stopped by Ctrl-C; no file is written
  3  wrong command line)";

struct RenderOptions {
  std::string results_path;
  std::string output_path;
  std::string size;                                    // "640" or "640x400"
  std::optional<double> t, azimuth, elevation, trail;  // s, degrees, degrees, s
  std::optional<double> fps, speed, duration, from, to;
  bool quiet = false;
  AnimationOptions animation;  // and of a still picture
};

int read_pixels(const std::string& size, std::string_view digits) {
  constexpr int least = 100, most = 10000;
  int value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || rest != end) {
    throw UsageError(fmt::format("--size: must be WIDTH or WIDTHxHEIGHT, got '{}'", size));
  }
  if (value < least || value > most) {
    throw UsageError(
        fmt::format("--size: must be from {} to {} pixels, got {}", least, most, value));
  }
  return value;
}

void read_size(const std::string& size, PictureOptions& picture) {
  if (size.empty()) return;
  const std::size_t cross = size.find('x');
  picture.width = read_pixels(size, std::string_view(size).substr(0, cross));
  if (cross != std::string::npos) {
    picture.height = read_pixels(size, std::string_view(size).substr(cross + 1));
  }
}

bool is_moving(const RenderOptions& options) {
  const std::string ending = std::filesystem::path(options.output_path).extension().string();
  if (ending == ".webp") {
    if (options.t)
      throw UsageError("--t: a .webp file moves; use .png or .svg for a still picture");
    if (options.speed && options.duration) {
      throw UsageError("--speed and --duration: one or the other");
    }
    return true;
  }
  if (ending != ".svg" && ending != ".png") {
    throw UsageError(
        fmt::format("-o {}: the extension must be .svg, .png or .webp", options.output_path));
  }
  const std::pair<const char*, const std::optional<double>&> only_moving[] = {
      {"--fps", options.fps},
      {"--speed", options.speed},
      {"--duration", options.duration},
      {"--from", options.from},
      {"--to", options.to}};
  for (const auto& [name, value] : only_moving) {
    if (value) throw UsageError(fmt::format("{}: only for .webp files, which move", name));
  }
  return false;
}

int write_moving(const Results& results, RenderOptions& options) {
  AnimationOptions& animation = options.animation;
  if (options.fps) animation.fps = *options.fps;
  animation.speed = options.speed;
  animation.duration = options.duration;
  animation.from = options.from;
  animation.to = options.to;
  ProgressBar bar(!options.quiet);
  catch_interrupts();
  const Animation made =
      write_animation(results, options.output_path, animation, [&bar](const Progress& p) {
        bar.show(p.t, p.t_end);
        return !interrupted();
      });
  bar.erase();
  if (made.frames == 0) {
    print_error("interrupted; no file was written");
    return did_not_finish;
  }
  if (!options.quiet) {
    print_data(fmt::format("{} frames, {:.4g} s at {:.4g} times real time\n", made.frames,
                           made.duration, made.speed));
  }
  for (const std::string& remark : made.remarks) print_error("warning: " + remark);
  return finished;
}

int run(RenderOptions& options) {
  const bool moving = is_moving(options);
  PictureOptions& picture = options.animation.picture;
  if (!moving) picture.width = PictureOptions().width;
  read_size(options.size, picture);
  if (options.azimuth) picture.azimuth = degree * *options.azimuth;
  if (options.elevation) picture.elevation = degree * *options.elevation;
  picture.trail = options.trail.value_or(0.0);
  picture.t = options.t;
  const Results results = read_results(options.results_path);
  try {
    if (moving) return write_moving(results, options);
    const std::vector<std::string> remarks = write_picture(results, options.output_path, picture);
    for (const std::string& remark : remarks) print_error("warning: " + remark);
  } catch (const std::invalid_argument& reason) {
    throw FileError(fmt::format("{}: cannot be drawn: {}", options.results_path, reason.what()));
  }
  return finished;
}

}  // namespace

Command add_render_command(CLI::App& program) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* const app = program.add_subcommand(
      "render", "Draw the mechanism of a results file, at one time or moving");
  app->add_option("RESULTS", options->results_path, "Results file (.h5)")
      ->type_name("")
      ->required();
  app->add_option("-o,--output", options->output_path,
                  "Picture to write: .svg or .png, or .webp, which moves")
      ->type_name("FILE")
      ->required();
  app->add_option("--size", options->size,
                  "Width, or width and height, in pixels (default: 800x480; .webp: 640x384)")
      ->type_name("WIDTH[xHEIGHT]");
  add_number(*app, "--azimuth", options->azimuth,
             "Camera's angle about the vertical, degrees (default: by the motion)");
  add_number(*app, "--elevation", options->elevation,
             "Camera's angle above the horizon, degrees (default: 20)");
  add_positive(*app, "--trail", options->trail, "Draw trails of the last N seconds");
  PictureOptions& picture = options->animation.picture;
  app->add_flag("--labels", picture.labels, "Write the bodies' names");
  app->add_flag("--energies", picture.energies, "Plot the energies below");
  app->add_flag("-q,--quiet", options->quiet, "No summary and no progress bar");
  app->option_defaults()->group("Still picture");
  add_number(*app, "--t", options->t, "Time, s (default: the start)");
  app->option_defaults()->group("Moving picture");
  add_number(*app, "--from", options->from, "First time shown, s (default: the start)");
  add_number(*app, "--to", options->to, "Last time, s (default: the end)");
  add_positive(*app, "--speed", options->speed, "Seconds of the run per second shown");
  add_positive(*app, "--duration", options->duration, "Length of the animation, s");
  add_positive(*app, "--fps", options->fps, "Frames per second (default: 25)");
  app->footer(footer);
  return {app, [options] { return run(*options); }};
}

}  // namespace trammel::cli
