// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Writes SVG 1.1 text, two digits after the point: pixels, y downwards.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

struct Pixel {
  double x, y;
};

struct Colour {
  double red, green, blue;  // 0 … 1
};

// "#e69f00"; `light` 1 leaves the colour, less darkens it, more mixes white in.
std::string to_hex(const Colour& colour, double light = 1.0);

class SvgWriter {
 public:
  SvgWriter(double width, double height);

  // Attributes follow as text: R"( fill="none" stroke="#000")".
  void polygon(const std::vector<Pixel>& points, std::string_view attributes);
  void polyline(const std::vector<Pixel>& points, std::string_view attributes);
  void line(Pixel a, Pixel b, std::string_view attributes);
  void circle(Pixel centre, double radius, std::string_view attributes);
  void rectangle(Pixel corner, double width, double height, std::string_view attributes);
  void text(Pixel at, std::string_view text, std::string_view attributes);  // escapes the text
  void raw(std::string_view element) { text_ += element; }

  std::string finish();

 private:
  void add_points(const char* element, const std::vector<Pixel>& points,
                  std::string_view attributes);
  std::string text_;
};

// <, >, & and quotes as entities; control characters and what is not UTF-8 replaced.
std::string escape_xml(std::string_view text);

}  // namespace trammel
