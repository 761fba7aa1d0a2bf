// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanism at one time as SVG, with what a reader needs to understand it:
// which way is down, how large it is, when it is.
#include "report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "report/energy_plot.hpp"
#include "report/joint_symbols.hpp"
#include "report/solids.hpp"
#include "report/svg.hpp"

namespace trammel {
namespace {

// The palette of Okabe and Ito, which colour-blind readers can tell apart.
constexpr Colour palette[] = {{0.902, 0.624, 0.0},   {0.337, 0.706, 0.914}, {0.0, 0.619, 0.451},
                              {0.835, 0.369, 0.0},   {0.8, 0.475, 0.655},   {0.0, 0.447, 0.698},
                              {0.941, 0.894, 0.259}, {0.6, 0.6, 0.6}};

Colour colour_of(std::size_t body) { return palette[body % std::size(palette)]; }

// A grid of round size on the floor.
void draw_floor(SvgWriter& svg, const Camera& camera, const Scene& scene) {
  if (scene.dimension == 2 || dot(camera.vertical(), camera.toward()) < 0.05) return;
  const std::vector<double> ticks = make_ticks(0.0, camera.size(), 8);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : camera.size();
  const Vector u = any_normal_to(camera.vertical()), v = cross(camera.vertical(), u);
  const Vector below = camera.floor() * camera.vertical();
  const int n = static_cast<int>(std::ceil(0.62 * camera.size() / step));
  const Vector middle = camera.middle();
  const double iu = std::round(dot(middle, u) / step), iv = std::round(dot(middle, v) / step);
  constexpr const char* line = R"( stroke="#e6e6e6" stroke-width="1")";
  for (int k = -n; k <= n; ++k) {
    const auto at = [&](double a, double b) {
      return camera.project(below + ((iu + a) * step) * u + ((iv + b) * step) * v);
    };
    svg.line(at(k, -n), at(k, n), line);
    svg.line(at(-n, k), at(n, k), line);
  }
}

void draw_trails(SvgWriter& svg, const Camera& camera, const Results& results, const Moment& now,
                 double seconds) {
  if (seconds <= 0.0) return;
  for (std::size_t b = 0; b < results.scene.bodies.size(); ++b) {
    std::vector<Pixel> points;
    for (std::size_t k = 0; k < results.time.size() && results.time[k] < now.t; ++k) {
      if (results.time[k] < now.t - seconds) continue;
      points.push_back(camera.project(find_placement(results, k, static_cast<int>(b)).origin));
    }
    points.push_back(camera.project(find_placement(now, static_cast<int>(b)).origin));
    svg.polyline(points, fmt::format(R"( fill="none" stroke="{}" stroke-width="1.4")"
                                     R"( stroke-opacity="0.6" stroke-dasharray="1 4")",
                                     to_hex(colour_of(b), 0.8)));
  }
}

void draw_bodies(SvgWriter& svg, const Camera& camera, const Scene& scene,
                 const PictureMeshes& meshes, const Moment& now) {
  // pieces in proportion to the model are small enough
  const double share = std::max(24.0, std::sqrt(8.0 * static_cast<double>(scene.bodies.size())));
  SolidPainter painter(camera, camera.size() / share);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Placement body = find_placement(now, static_cast<int>(b));
    for (const Shape& shape : scene.bodies[b].shapes) {
      painter.add_shape(body, meshes.is_empty() ? shape : meshes.reduced(shape), colour_of(b));
    }
  }
  painter.paint(svg);
}

void draw_labels(SvgWriter& svg, const Camera& camera, const std::vector<std::string>& names,
                 const Moment& now) {
  for (std::size_t b = 0; b < names.size(); ++b) {
    const Pixel at = camera.project(find_placement(now, static_cast<int>(b)).origin);
    constexpr const char* place = R"( font-size="14" text-anchor="middle")";
    const Pixel above = {at.x, at.y - 16};
    svg.text(above, names[b],
             fmt::format(R"({} fill="none" stroke="#fff" stroke-width="4" stroke-opacity="0.85")",
                         place));
    svg.text(above, names[b], fmt::format(R"({} fill="{}")", place, to_hex(colour_of(b), 0.55)));
  }
}

void draw_arrow(SvgWriter& svg, Pixel from, Pixel to, const char* colour, double width) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (length < 1.0) return;
  const double ux = dx / length, uy = dy / length, head = std::min(9.0, 0.5 * length);
  const Pixel neck = {to.x - head * ux, to.y - head * uy};
  svg.line(from, neck, fmt::format(R"( stroke="{}" stroke-width="{}")", colour, width));
  svg.polygon({to,
               {neck.x - 0.38 * head * uy, neck.y + 0.38 * head * ux},
               {neck.x + 0.38 * head * uy, neck.y - 0.38 * head * ux}},
              fmt::format(R"( fill="{}")", colour));
}

// Axes of the world, gravity, a scale and the time.
void draw_notes(SvgWriter& svg, const Camera& camera, const Scene& scene, const std::string& time,
                const Area& frame) {
  constexpr double arm = 34.0;
  const Pixel corner = {frame.left + 48, frame.top + frame.height - 42};
  const Pixel zero = camera.project({0, 0, 0});
  const auto shift = [&](const Vector& unit, double length) {
    const Pixel tip = camera.project(unit);
    return Pixel{corner.x + length * (tip.x - zero.x) / camera.scale(),
                 corner.y + length * (tip.y - zero.y) / camera.scale()};
  };
  const struct {
    Vector axis;
    const char* name;
    const char* colour;
  } axes[] = {
      {{1, 0, 0}, "x", "#cc3311"}, {{0, 1, 0}, "y", "#117733"}, {{0, 0, 1}, "z", "#0077bb"}};
  for (const auto& [axis, name, colour] : axes) {
    const Pixel tip = shift(axis, arm);
    if (std::hypot(tip.x - corner.x, tip.y - corner.y) < 4.0) continue;
    draw_arrow(svg, corner, tip, colour, 1.6);
    const Pixel label = shift(axis, arm + 11);
    svg.text({label.x, label.y + 4}, name,
             fmt::format(R"( font-size="13" font-style="italic" text-anchor="middle" fill="{}")",
                         colour));
  }
  const Vector gravity = to_vector(scene.gravity);
  if (length_of(gravity) > 0.0) {
    const Vector down = direction_of(gravity);
    const Pixel tip = shift(down, 40.0);
    const Pixel from = {frame.left + 30, frame.top + 16};
    const Pixel to = {from.x + tip.x - corner.x, from.y + tip.y - corner.y};
    draw_arrow(svg, from, to, "#555", 2.0);
    svg.text({0.5 * (from.x + to.x) + 9, 0.5 * (from.y + to.y) + 4}, "g",
             R"( font-size="14" font-style="italic" fill="#444")");
  }
  // the longest round length that fits
  const double most = 0.3 * camera.size(), power = std::pow(10.0, std::floor(std::log10(most)));
  const double length = power * (5.0 * power <= most ? 5.0 : 2.0 * power <= most ? 2.0 : 1.0);
  const Pixel right = {frame.left + frame.width - 18, frame.top + frame.height - 18};
  const Pixel left = {right.x - length * camera.scale(), right.y};
  constexpr const char* ink = R"( stroke="#444" stroke-width="1.6")";
  svg.line(left, right, ink);
  svg.line({left.x, left.y - 4}, {left.x, left.y + 4}, ink);
  svg.line({right.x, right.y - 4}, {right.x, right.y + 4}, ink);
  svg.text({0.5 * (left.x + right.x), right.y - 7}, fmt::format("{:g} m", length),
           R"( font-size="13" fill="#444" text-anchor="middle")");
  svg.text({frame.left + frame.width - 18, frame.top + 24}, "t = " + time + " s",
           R"( font-size="14" fill="#222" text-anchor="end")");
}

}  // namespace

Area calc_frame(const PictureOptions& options) {
  const double width = options.width;
  return {0.0, 0.0, width, options.height > 0 ? options.height : 0.6 * width};
}

Camera make_camera(const Results& results, const std::vector<Moment>& moments,
                   const PictureOptions& options) {
  const Area frame = calc_frame(options);
  return {results, moments, options, {0.0, 36.0, frame.width, frame.height - 36.0 - 48.0}};
}

std::string draw_moment(const Results& results, const Moment& now, const std::string& time,
                        const Camera& camera, const PictureMeshes& meshes,
                        const PictureOptions& options) {
  if (options.energies && !results.options.record.energies) {
    throw std::invalid_argument("energies were not recorded (see `record`)");
  }
  const Area frame = calc_frame(options);
  const double plot = options.energies ? 0.36 * frame.width : 0.0;
  const double joint = 0.016 * std::min(camera.size(), frame.width / camera.scale());
  const Scene& scene = results.scene;

  SvgWriter svg(frame.width, frame.height + plot);
  svg.rectangle({0, 0}, frame.width, frame.height + plot, R"( fill="#fff")");
  svg.raw(fmt::format("<title>{}</title>\n", escape_xml(results.model_name)));
  svg.raw(fmt::format(R"(<clipPath id="frame"><rect width="{}" height="{}"/></clipPath>)"
                      "\n<g clip-path=\"url(#frame)\">\n",
                      frame.width, frame.height));
  draw_floor(svg, camera, scene);
  draw_rails(svg, camera, results, now);
  draw_trails(svg, camera, results, now, options.trail);
  draw_bodies(svg, camera, scene, meshes, now);
  draw_springs(svg, camera, scene, now, joint);
  draw_joints(svg, camera, scene, now, joint);
  constexpr std::size_t most_labels = 20;  // more would hide what they name
  if (options.labels && results.body_names.size() <= most_labels) {
    draw_labels(svg, camera, results.body_names, now);
  }
  svg.raw("</g>\n");
  draw_notes(svg, camera, scene, time, frame);
  if (options.energies) {
    draw_energies(svg, results, now.t, {0.0, frame.height, frame.width, plot});
  }
  return svg.finish();
}

}  // namespace trammel
