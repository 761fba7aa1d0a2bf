// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Units after numbers: "25 mm", "0.3 N m s/rad", "7850 kg/m^3". A unit is an exact fraction of two
// numbers times SI units, so that 25 mm is the double nearest to 0.025.
//
//   unit = word [power] {(" " | "·") word [power]} {"/" word [power]}
//   word = [prefix] symbol            power = "^" [sign] digits | "²" | "³"
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trammel {

// Exponents of metre, kilogram, second, ampere and radian. A radian counts as 1 in comparisons.
struct Dimension {
  std::array<std::int8_t, 5> exponents{};

  bool is_angle() const;   // of nothing else: a power of rad, which may be 0
  bool is_length() const;  // metre, apart from radians
  bool has_length() const { return exponents[0] != 0; }
  friend bool operator==(const Dimension&, const Dimension&) = default;
};
inline constexpr std::size_t radian = 4;  // index

bool is_same(const Dimension& a, const Dimension& b);  // apart from radians
std::optional<Dimension> power(const Dimension& a,
                               double exponent);  // none: not whole, or too large
std::optional<Dimension> product(const Dimension& a, const Dimension& b, int sign);
std::string to_text(const Dimension& dimension);  // "N m", "m/s", "kg m^3/s"; "1" for none

// In SI: value·numerator/denominator.
struct Unit {
  double numerator = 1.0;
  double denominator = 1.0;
  Dimension dimension;
  double apply(double value) const { return value * numerator / denominator; }
};
std::optional<Unit> find_unit(std::string_view word);  // "mm"

// A unit that begins at `at`, where the first letter is.
struct UnitInText {
  Unit unit;
  std::size_t size = 0;         // bytes
  bool is_plain_angle = false;  // deg, rad, turn or rev alone: they may follow any value
  std::string_view divisor;     // the word after deg/ and the like, which might be meant as a name
};
std::optional<UnitInText> scan_unit(std::string_view text, std::size_t at);

// A text that is a unit and nothing else; here a denominator may have parentheses: "rad/(N m)".
std::optional<Unit> parse_unit(std::string_view text);

// What to write in place of a unit that is not known on purpose; empty for other words.
std::string_view hint_for_unit(std::string_view word);

}  // namespace trammel
