// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures and animations of a run: states by interpolation, drawn as SVG, put into files.
#include "trammel/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <future>
#include <stdexcept>
#include <thread>

#include "format/atomic_file.hpp"
#include "report/picture.hpp"
#include "report/png.hpp"
#include "report/webp.hpp"
#include "trammel/interpolate.hpp"

namespace trammel {

namespace {

constexpr int still_zoom = 2;  // pixels of a PNG for one of the SVG

std::vector<std::string> make_remarks(const Interpolator& states) {
  if (states.why_open().empty()) return {};
  return {"between output times joints are closed by interpolation only, not exactly: " +
          states.why_open()};
}

std::string draw_still(const Results& results, const PictureOptions& options,
                       Interpolator& states) {
  const double t = options.t.value_or(results.time.front());
  const Moment now{t, states.at(t)};
  const Camera camera = make_camera(results, {now}, options);
  return draw_moment(results, now, fmt::format("{:.6g}", t), camera, PictureMeshes(results.scene),
                     options);
}

// Which times are shown, and when.
struct Schedule {
  double from, to;  // s of the run
  Animation animation;
  double at(int frame) const { return std::min(to, from + (to - from) * frame / animation.frames); }
  int milliseconds(int frame) const {
    return static_cast<int>(std::lround(1e3 * animation.duration * frame / animation.frames));
  }
};

Schedule make_schedule(const Results& results, const AnimationOptions& options) {
  const auto refuse = [](const std::string& reason) { throw std::invalid_argument(reason); };
  if (results.time.empty()) refuse("there is no output time");
  Schedule schedule{
      options.from.value_or(results.time.front()), options.to.value_or(results.time.back()), {}};
  const double shown = schedule.to - schedule.from;
  if (!(schedule.from >= results.time.front() && schedule.to <= results.time.back())) {
    refuse(fmt::format("{} s to {} s is outside the run, {} s to {} s", schedule.from, schedule.to,
                       results.time.front(), results.time.back()));
  }
  if (!(shown > 0.0)) refuse("nothing moves: the run or the part to show has no duration");
  Animation& animation = schedule.animation;
  constexpr double longest = 12.0;  // s, where neither speed nor duration is given
  if (options.duration) {
    animation.duration = *options.duration;
  } else {
    animation.duration = options.speed ? shown / *options.speed : std::min(shown, longest);
  }
  constexpr double most_frames = 10'000;
  const double frames = std::round(animation.duration * options.fps);
  if (!(frames <= most_frames)) {
    refuse(
        fmt::format("{} frames are more than {}: show less, faster, or with fewer frames per "
                    "second",
                    frames, most_frames));
  }
  animation.frames = std::max(1, static_cast<int>(frames));
  animation.speed = shown / animation.duration;
  return schedule;
}

}  // namespace

std::string draw_svg(const Results& results, const PictureOptions& options) {
  Interpolator states(results);
  return draw_still(results, options, states);
}

std::vector<std::string> write_picture(const Results& results, const std::string& path,
                                       const PictureOptions& options) {
  Interpolator states(results);
  const std::string svg = draw_still(results, options, states);
  write_file(path, path.ends_with(".png") ? make_png(svg, path, still_zoom) : svg);
  return make_remarks(states);
}

bool has_animations() { return has_webp(); }

Animation write_animation(const Results& results, const std::string& path,
                          const AnimationOptions& options, const ProgressCallback& progress) {
  Schedule schedule = make_schedule(results, options);
  const int n = schedule.animation.frames;
  const PictureOptions& picture = options.picture;
  const int drawing =
      picture.height > 0 ? picture.height : static_cast<int>(std::lround(0.6 * picture.width));
  const int plot = picture.energies ? static_cast<int>(std::lround(0.36 * picture.width)) : 0;
  WebpAnimation webp(picture.width, drawing + plot, options.quality, path);
  Interpolator states(results);
  std::vector<Moment> moments;
  for (int k = 0; k < n; ++k) moments.push_back({schedule.at(k), states.at(schedule.at(k))});
  PictureOptions whole = picture;  // of the size that the encoder expects
  whole.height = drawing;
  const Camera camera = make_camera(results, moments, whole);
  const PictureMeshes meshes(results.scene);
  // as many digits as tell neighbouring frames apart, the same in all
  const double step = (schedule.to - schedule.from) / n;
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 12);

  // rsvg-convert takes longest: as many of them at once as there are processors
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  std::deque<std::future<std::string>> waiting;
  int written = 0;
  const auto write_next = [&] {
    webp.add(waiting.front().get(), schedule.milliseconds(written++));
    waiting.pop_front();
  };
  for (const Moment& now : moments) {
    if (progress && !progress({now.t - schedule.from, schedule.to - schedule.from})) return {};
    std::string svg =
        draw_moment(results, now, fmt::format("{:.{}f}", now.t, digits), camera, meshes, whole);
    waiting.push_back(std::async(std::launch::async,
                                 [svg = std::move(svg), &path] { return make_png(svg, path, 1); }));
    if (waiting.size() >= most) write_next();
  }
  while (!waiting.empty()) write_next();
  write_file(path, webp.finish(schedule.milliseconds(n)));
  schedule.animation.remarks = make_remarks(states);
  return schedule.animation;
}

}  // namespace trammel
