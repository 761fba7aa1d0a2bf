// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/energy_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace trammel {
namespace {

struct Curve {
  std::string name;
  std::vector<double> values;
  Colour colour;
  const char* style;  // dashes: for printers without colours, and eyes that do not tell them apart
};

std::vector<Curve> make_curves(const Results& results) {
  std::vector<double> total;
  for (std::size_t i = 0; i < results.time.size(); ++i) {
    total.push_back(results.kinetic[i] + results.potential[i] - results.external_work[i]);
  }
  const auto [low, high] =
      std::minmax_element(results.external_work.begin(), results.external_work.end());
  std::vector<Curve> curves = {
      {"kinetic T", results.kinetic, {0.835, 0.369, 0.0}, ""},
      {"potential U", results.potential, {0.0, 0.447, 0.698}, R"( stroke-dasharray="7 4")"}};
  const bool works = *low != 0.0 || *high != 0.0;
  if (works) {
    curves.push_back(
        {"work W", results.external_work, {0.0, 0.619, 0.451}, R"( stroke-dasharray="2 4")"});
  }
  curves.push_back({works ? "T + U \u2212 W" : "T + U", total, {0.2, 0.2, 0.2}, ""});
  return curves;
}

// What one column of pixels shows is its lowest and its highest value, in their order in time.
std::vector<Pixel> thin_out(const std::vector<Pixel>& points) {
  std::vector<Pixel> kept;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i, low = i, high = i;
    for (; end < points.size() && points[end].x < points[i].x + 1.0; ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    kept.push_back(points[std::min(low, high)]);
    if (low != high) kept.push_back(points[std::max(low, high)]);
    i = end;
  }
  if (!points.empty()) kept.push_back(points.back());
  return kept;
}

// Names at the right end of the curves, pushed apart where they would overlap.
void draw_names(SvgWriter& svg, const std::vector<Curve>& curves, const std::vector<double>& ends,
                double x, double top, double bottom) {
  std::vector<std::size_t> order(curves.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ends[a] < ends[b]; });
  constexpr double line = 16.0;
  std::vector<double> at;
  for (const std::size_t i : order) {
    at.push_back(at.empty() ? std::max(ends[i], top) : std::max(ends[i], at.back() + line));
  }
  for (std::size_t k = at.size(); k-- > 0;) {
    at[k] = std::min(at[k], k + 1 < at.size() ? at[k + 1] - line : bottom);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Curve& curve = curves[order[k]];
    svg.line(
        {x + 6, at[k] - 4}, {x + 30, at[k] - 4},
        fmt::format(R"( stroke="{}" stroke-width="1.8"{})", to_hex(curve.colour), curve.style));
    svg.text({x + 36, at[k]}, curve.name,
             fmt::format(R"( font-size="13" fill="{}")", to_hex(curve.colour, 0.85)));
  }
}

}  // namespace

std::vector<double> make_ticks(double low, double high, int most) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double raw = (high - low) / most;
  double step = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * step >= raw) {
      step *= factor;
      break;
    }
  }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step); k * step <= high * (1 + 1e-12) && ticks.size() < 100;
       ++k) {
    ticks.push_back(k == 0.0 ? 0.0 : k * step);  // no -0
  }
  return ticks;
}

void draw_energies(SvgWriter& svg, const Results& results, double t, const Area& frame) {
  const std::vector<Curve> curves = make_curves(results);
  double low = 0.0, high = 0.0, t_end = results.time.back();
  for (const Curve& curve : curves) {
    for (const double value : curve.values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (high <= low) high = low + 1.0;
  if (t_end <= 0.0) t_end = 1.0;
  const double pad = 0.06 * (high - low);
  low -= low < 0.0 ? pad : 0.0;
  high += pad;
  // thousands of joules read better as kilojoules
  const double unit = std::max(high, -low) >= 1e4 ? 1e3 : 1.0;
  const Area box = {frame.left + 58, frame.top + 8, frame.width - 58 - 130, frame.height - 52};
  const auto at = [&](double time, double value) {
    return Pixel{box.left + box.width * time / t_end,
                 box.top + box.height * (high - value) / (high - low)};
  };
  constexpr const char* grid = R"( stroke="#e3e3e3" stroke-width="1")";
  constexpr const char* small = R"( font-size="12" fill="#444" text-anchor=")";
  for (const double value : make_ticks(low, high, 5)) {
    const Pixel left = at(0.0, value);
    svg.line(left, {box.left + box.width, left.y}, grid);
    svg.text({left.x - 7, left.y + 4}, fmt::format("{:g}", value / unit),
             fmt::format("{}end\"", small));
  }
  for (const double time : make_ticks(0.0, t_end, 10)) {
    const Pixel bottom = at(time, low);
    svg.line({bottom.x, box.top}, bottom, grid);
    svg.text({bottom.x, bottom.y + 17}, fmt::format("{:g}", time),
             fmt::format("{}middle\"", small));
  }
  svg.text({box.left + 0.5 * box.width, box.top + box.height + 37}, "time [s]",
           R"( font-size="13" fill="#222" text-anchor="middle")");
  const double label_x = frame.left + 14, label_y = box.top + 0.5 * box.height;
  svg.text(
      {label_x, label_y}, unit > 1.0 ? "energy [kJ]" : "energy [J]",
      fmt::format(
          R"svg( font-size="13" fill="#222" text-anchor="middle" transform="rotate(-90 {} {})")svg",
          label_x, label_y));
  svg.rectangle({box.left, box.top}, box.width, box.height,
                R"( fill="none" stroke="#888" stroke-width="1")");
  std::vector<double> ends;
  for (const Curve& curve : curves) {
    std::vector<Pixel> points;
    for (std::size_t i = 0; i < results.time.size(); ++i) {
      points.push_back(at(results.time[i], curve.values[i]));
    }
    svg.polyline(thin_out(points), fmt::format(R"( fill="none" stroke="{}" stroke-width="1.6"{})",
                                               to_hex(curve.colour), curve.style));
    ends.push_back(points.back().y + 4);
  }
  svg.line(at(t, low), at(t, high),
           R"( stroke="#cc3311" stroke-width="1.2" stroke-dasharray="4 3")");
  draw_names(svg, curves, ends, box.left + box.width, box.top + 10, box.top + box.height);
}

}  // namespace trammel
