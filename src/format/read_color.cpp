// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Colours by name: materials as they look in daylight, and paints of medium brightness, which keep
// their shading.
#include <algorithm>
#include <charconv>
#include <string>

#include "format/read_geometry.hpp"
#include "math/nearest_word.hpp"

namespace trammel {
namespace {

struct NamedColor {
  std::string_view name;
  unsigned rgb;
};
constexpr NamedColor named_colors[] = {
    // materials
    {"steel", 0x8D99A6},
    {"iron", 0x5E6469},
    {"aluminium", 0xBFC5CA},
    {"aluminum", 0xBFC5CA},
    {"titanium", 0x8A857C},
    {"brass", 0xC9A94F},
    {"bronze", 0xA9773F},
    {"copper", 0xC27A4E},
    {"gold", 0xD9B13B},
    {"rubber", 0x33363A},
    {"wood", 0xB68A5B},
    {"concrete", 0xA5A39C},
    // paints
    {"black", 0x26282B},
    {"gray", 0x8C8C8C},
    {"grey", 0x8C8C8C},
    {"white", 0xF2F2F0},
    {"red", 0xC8402F},
    {"orange", 0xE08A2C},
    {"yellow", 0xE3C230},
    {"green", 0x4C9A55},
    {"cyan", 0x35A7B5},
    {"blue", 0x3B74B8},
    {"purple", 0x855CA6},
    {"pink", 0xD884A5},
    {"brown", 0x86573A}};

Rgb to_rgb(unsigned rgb) {
  const auto part = [&](int shift) { return static_cast<float>(rgb >> shift & 0xFF) / 255.0F; };
  return {part(16), part(8), part(0)};
}

// #rgb or #rrggbb
bool find_hex(std::string_view text, Rgb& color) {
  if (text.size() != 4 && text.size() != 7) return false;
  unsigned rgb = 0;
  const auto result = std::from_chars(text.data() + 1, text.data() + text.size(), rgb, 16);
  if (text[0] != '#' || result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    return false;
  }
  if (text.size() == 4) {
    const unsigned r = rgb >> 8, g = rgb >> 4 & 0xF, b = rgb & 0xF;
    rgb = 0x11 * (r << 16 | g << 8 | b);
  }
  color = to_rgb(rgb);
  return true;
}

}  // namespace

Rgb read_color(Reader& reader, NodeId id) {
  Rgb color{};
  const YamlNode& node = reader.tree()[id];
  if (node.kind == YamlNode::Kind::list) {
    const auto numbers = reader.numbers<3>(id, "numbers, red, green and blue");
    std::copy(numbers.begin(), numbers.end(), color.begin());
    return color;
  }
  if (node.kind != YamlNode::Kind::scalar) {
    const bool null = node.kind == YamlNode::Kind::null;
    reader.report(id, "must be a colour, got " + reader.describe(id),
                  null ? "write a hexadecimal colour in quotes: color: \"#cc8833\"" : "");
    return color;
  }
  const std::string text = reader.text(id);
  if (find_hex(text, color)) return color;
  NearestWord nearest(text);
  for (const NamedColor& named : named_colors) {
    if (named.name == text) return to_rgb(named.rgb);
    nearest.offer(named.name);
  }
  const std::string hint = nearest.hint();
  reader.report(id, "unknown colour " + reader.describe(id),
                hint.empty() ? "a name like steel or red, \"#cc8833\" or [0.8, 0.5, 0.2]" : hint);
  return color;
}

}  // namespace trammel
