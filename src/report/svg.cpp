// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "format/json_writer.hpp"

namespace trammel {
namespace {

// Two digits, no "-0".
double rounded(double x) {
  const double r = std::round(100.0 * x) / 100.0;
  return r == 0.0 ? 0.0 : r;
}

}  // namespace

std::string to_hex(const Colour& colour, double light) {
  const auto byte = [&](double x) {
    const double lit = light <= 1.0 ? x * light : x + (1.0 - x) * (light - 1.0);
    return static_cast<int>(std::lround(255.0 * std::clamp(lit, 0.0, 1.0)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green),
                     byte(colour.blue));
}

std::string escape_xml(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 0x20)) {
      escaped += "\uFFFD";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return escaped;
}

SvgWriter::SvgWriter(double width, double height) {
  text_ = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")"
      R"( font-family="Helvetica, Arial, sans-serif" stroke-linecap="round" stroke-linejoin="round">)"
      "\n",
      width, height);
}

void SvgWriter::add_points(const char* element, const std::vector<Pixel>& points,
                           std::string_view attributes) {
  auto out = std::back_inserter(text_);
  fmt::format_to(out, R"(<{} points=")", element);
  for (const Pixel& p : points) fmt::format_to(out, "{},{} ", rounded(p.x), rounded(p.y));
  if (!points.empty()) text_.pop_back();
  fmt::format_to(out, "\"{}/>\n", attributes);
}

void SvgWriter::polygon(const std::vector<Pixel>& points, std::string_view attributes) {
  add_points("polygon", points, attributes);
}

void SvgWriter::polyline(const std::vector<Pixel>& points, std::string_view attributes) {
  add_points("polyline", points, attributes);
}

void SvgWriter::line(Pixel a, Pixel b, std::string_view attributes) {
  fmt::format_to(std::back_inserter(text_), "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n",
                 rounded(a.x), rounded(a.y), rounded(b.x), rounded(b.y), attributes);
}

void SvgWriter::circle(Pixel centre, double radius, std::string_view attributes) {
  fmt::format_to(std::back_inserter(text_), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
                 rounded(centre.x), rounded(centre.y), rounded(radius), attributes);
}

void SvgWriter::rectangle(Pixel corner, double width, double height, std::string_view attributes) {
  fmt::format_to(std::back_inserter(text_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", rounded(corner.x),
                 rounded(corner.y), rounded(width), rounded(height), attributes);
}

void SvgWriter::text(Pixel at, std::string_view content, std::string_view attributes) {
  fmt::format_to(std::back_inserter(text_), "<text x=\"{}\" y=\"{}\"{}>{}</text>\n", rounded(at.x),
                 rounded(at.y), attributes, escape_xml(content));
}

std::string SvgWriter::finish() { return std::move(text_) + "</svg>\n"; }

}  // namespace trammel
