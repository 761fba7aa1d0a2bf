// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The table of units, and the scanner of their grammar. No unit is a reserved word: one is looked for
// directly after a number only.
#include "math/units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trammel {
namespace {

struct Symbol {
  std::string_view word;
  double numerator, denominator;
  Dimension dimension;
  bool takes_prefix;
};

constexpr double pi = std::numbers::pi;
constexpr Dimension one{};
constexpr Dimension metre{{1, 0, 0, 0, 0}}, kilogram{{0, 1, 0, 0, 0}}, second{{0, 0, 1, 0, 0}},
    ampere{{0, 0, 0, 1, 0}}, angle{{0, 0, 0, 0, 1}}, rate{{0, 0, -1, 0, 1}},
    force{{1, 1, -2, 0, 0}}, moment{{2, 1, -2, 0, 0}}, pressure{{-1, 1, -2, 0, 0}},
    work{{2, 1, -2, 0, 0}}, watt{{2, 1, -3, 0, 0}}, volt{{2, 1, -3, -1, 0}}, ohm{{2, 1, -3, -2, 0}},
    henry{{2, 1, -2, -2, 0}};

constexpr std::array<Symbol, 33> symbols{{
    {"m", 1, 1, metre, true},
    {"g", 1, 1000, kilogram, true},
    {"s", 1, 1, second, true},
    {"A", 1, 1, ampere, true},
    {"rad", 1, 1, angle, true},
    {"deg", pi, 180, angle, false},
    {"°", pi, 180, angle, false},
    {"turn", 2 * pi, 1, angle, false},
    {"rev", 2 * pi, 1, angle, false},
    {"rpm", 2 * pi, 60, rate, false},
    {"min", 60, 1, second, false},
    {"h", 3600, 1, second, false},
    {"N", 1, 1, force, true},
    {"Nm", 1, 1, moment, true},
    {"Nmm", 1, 1000, moment, false},
    {"Pa", 1, 1, pressure, true},
    {"bar", 1e5, 1, pressure, true},
    {"J", 1, 1, work, true},
    {"W", 1, 1, watt, true},
    {"V", 1, 1, volt, true},
    {"ohm", 1, 1, ohm, true},
    {"Ω", 1, 1, ohm, true},
    {"H", 1, 1, henry, true},
    {"l", 1, 1000, {{3, 0, 0, 0, 0}}, true},
    {"L", 1, 1000, {{3, 0, 0, 0, 0}}, true},
    {"in", 254, 10000, metre, false},
    {"ft", 3048, 10000, metre, false},
    {"lb", 45359237, 1e8, kilogram, false},
    {"lbf", 44482216152605, 1e13, force, false},
    {"psi", 44482216152605 / 6.4516, 1e9, pressure, false},
    {"kgf", 980665, 1e5, force, false},
    {"kph", 1000, 3600, {{1, 0, -1, 0, 0}}, false},
    {"mph", 44704, 1e5, {{1, 0, -1, 0, 0}}, false},
}};

struct Prefix {
  std::string_view word;
  double numerator, denominator;
};
constexpr std::array<Prefix, 10> prefixes{{{"n", 1, 1e9},
                                           {"u", 1, 1e6},
                                           {"µ", 1, 1e6},
                                           {"μ", 1, 1e6},  // the Greek letter
                                           {"m", 1, 1e3},
                                           {"c", 1, 100},
                                           {"d", 1, 10},
                                           {"k", 1e3, 1},
                                           {"M", 1e6, 1},
                                           {"G", 1e9, 1}}};

constexpr int largest_power = 30;

bool is_unit_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80);
}

bool starts_with(std::string_view text, std::size_t at, std::string_view word) {
  return text.substr(std::min(at, text.size()), word.size()) == word;
}

class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at, bool parentheses)
      : text_(text), start_(at), at_(at), parentheses_(parentheses) {}

  std::optional<UnitInText> scan() {
    const std::string_view first = word();
    if (!take(first, +1)) return std::nullopt;
    result_.size = at_ - start_;
    const bool is_angle = result_.unit.dimension == angle &&
                          (first == "deg" || first == "rad" || first == "turn" || first == "rev");
    result_.is_plain_angle = is_angle;
    bool divided = false;
    while (take_next(divided, is_angle ? first : std::string_view())) {
      result_.is_plain_angle = false;
      result_.size = at_ - start_;
    }
    return result_;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && is_unit_byte(text_[end]) && !is_power_sign(end) &&
           !starts_with(text_, end, "·")) {
      ++end;
    }
    // neither a call nor part of a name
    const char next = end < text_.size() ? text_[end] : '\0';
    const bool is_name = next == '(' || next == '.' || next == '_' || (next >= '0' && next <= '9');
    return is_name ? std::string_view() : text_.substr(at_, end - at_);
  }

  bool is_power_sign(std::size_t at) const {
    return starts_with(text_, at, "²") || starts_with(text_, at, "³");
  }

  // " N", "·N" or "/mm"; after a division only further ones.
  bool take_next(bool& divided, std::string_view angle_word) {
    const std::size_t before = at_;
    skip_spaces();
    const bool slash = at_ < text_.size() && text_[at_] == '/';
    if (slash) {
      ++at_;
      skip_spaces();
    } else if (starts_with(text_, at_, "·")) {
      at_ += std::string_view("·").size();
      skip_spaces();
    } else if (at_ == before) {
      return false;
    }
    const std::string_view next = word();
    const bool taken = slash && parentheses_ && at_ < text_.size() && text_[at_] == '('
                           ? take_group()
                           : (slash || !divided) && is_taken_after(angle_word, next, slash) &&
                                 take(next, slash ? -1 : +1);
    if (!taken) at_ = before;
    divided |= slash;
    return taken;
  }

  // 30 deg is also a factor of expressions, in which "/n" divides by a name: deg takes times only.
  bool is_taken_after(std::string_view angle_word, std::string_view next, bool slash) {
    if (angle_word.empty()) return true;
    const auto unit = find_unit(next);
    if (!slash || !unit) return false;
    if (angle_word != "rad" && unit->dimension != second) return false;
    result_.divisor = next;
    return true;
  }

  // "(N m)"
  bool take_group() {
    const std::size_t close = text_.find(')', at_);
    if (close == std::string_view::npos) return false;
    const auto unit = parse_unit(text_.substr(at_ + 1, close - at_ - 1));
    at_ = close + 1;
    return unit && multiply(*unit, -1);
  }

  bool take(std::string_view word, int sign) {
    const auto unit = find_unit(word);
    if (!unit) return false;
    at_ += word.size();
    const bool is_first_angle = at_ - start_ == word.size() && unit->dimension == angle;
    const int power = is_first_angle && !parentheses_ ? 1 : take_power();
    return multiply(*unit, sign * power);
  }

  // ^2, ^-1, ², ³
  int take_power() {
    if (starts_with(text_, at_, "²") || starts_with(text_, at_, "³")) {
      const int power = starts_with(text_, at_, "²") ? 2 : 3;
      at_ += 2;
      return power;
    }
    std::size_t end = at_;
    if (end >= text_.size() || text_[end] != '^') return 1;
    ++end;
    const bool negative = end < text_.size() && text_[end] == '-';
    if (negative || (end < text_.size() && text_[end] == '+')) ++end;
    int power = 0;
    const std::size_t digits = end;
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9' && power <= largest_power) {
      power = 10 * power + (text_[end++] - '0');
    }
    const bool is_whole = end > digits && power <= largest_power &&
                          (end == text_.size() || (text_[end] != '.' && text_[end] != 'e'));
    if (!is_whole) return 1;
    at_ = end;
    return negative ? -power : power;
  }

  bool multiply(const Unit& unit, int power) {
    double numerator = std::pow(unit.numerator, std::abs(power));
    double denominator = std::pow(unit.denominator, std::abs(power));
    if (power < 0) std::swap(numerator, denominator);
    const auto part = trammel::power(unit.dimension, power);
    const auto whole = part ? product(result_.unit.dimension, *part, +1) : std::nullopt;
    if (!whole) return false;
    result_.unit.numerator *= numerator;
    result_.unit.denominator *= denominator;
    result_.unit.dimension = *whole;
    return true;
  }

  std::string_view text_;
  std::size_t start_;
  std::size_t at_;
  bool parentheses_;
  UnitInText result_;
};

}  // namespace

bool Dimension::is_angle() const { return is_same(*this, one); }
bool Dimension::is_length() const { return is_same(*this, metre); }

bool is_same(const Dimension& a, const Dimension& b) {
  return std::equal(a.exponents.begin(), a.exponents.begin() + radian, b.exponents.begin());
}

std::optional<Dimension> power(const Dimension& a, double exponent) {
  Dimension result;
  for (std::size_t k = 0; k < a.exponents.size(); ++k) {
    const double x = a.exponents[k] * exponent;
    if (x != std::floor(x) || !(std::abs(x) <= largest_power)) return std::nullopt;
    result.exponents[k] = static_cast<std::int8_t>(x);
  }
  return result;
}

std::optional<Dimension> product(const Dimension& a, const Dimension& b, int sign) {
  Dimension result;
  for (std::size_t k = 0; k < a.exponents.size(); ++k) {
    const int x = a.exponents[k] + sign * b.exponents[k];
    if (std::abs(x) > largest_power) return std::nullopt;
    result.exponents[k] = static_cast<std::int8_t>(x);
  }
  return result;
}

std::string to_text(const Dimension& dimension) {
  constexpr std::string_view named[] = {"N",     "N m",   "N m/rad", "N m s/rad", "N/m",
                                        "N s/m", "Pa",    "W",       "V",         "ohm",
                                        "H",     "N m s", "N m/A",   "m/N",       "rad/(N m)"};
  for (const std::string_view text : named) {
    if (parse_unit(text)->dimension == dimension) return std::string(text);
  }
  constexpr std::string_view bases[] = {"m", "kg", "s", "A", "rad"};
  std::string above, below;
  for (const std::size_t k : {1u, 0u, 2u, 3u, 4u}) {  // as one says it: kg m^2
    const int exponent = dimension.exponents[k];
    if (exponent == 0) continue;
    std::string& text = exponent > 0 ? above : below;
    if (exponent < 0 || !text.empty()) text += exponent < 0 ? '/' : ' ';
    text += bases[k];
    if (std::abs(exponent) != 1) text += "^" + std::to_string(std::abs(exponent));
  }
  return (above.empty() ? "1" : above) + below;
}

std::optional<Unit> find_unit(std::string_view word) {
  for (const Symbol& symbol : symbols) {
    if (symbol.word == word) return Unit{symbol.numerator, symbol.denominator, symbol.dimension};
  }
  for (const Prefix& prefix : prefixes) {
    if (!starts_with(word, 0, prefix.word)) continue;
    const std::string_view rest = word.substr(prefix.word.size());
    for (const Symbol& symbol : symbols) {
      if (!symbol.takes_prefix || symbol.word != rest) continue;
      // k/1000 is 1, not 1000/1000: a kg is exact
      Unit unit{prefix.numerator * symbol.numerator, prefix.denominator * symbol.denominator,
                symbol.dimension};
      if (unit.numerator == unit.denominator) unit.numerator = unit.denominator = 1.0;
      return unit;
    }
  }
  return std::nullopt;
}

std::optional<UnitInText> scan_unit(std::string_view text, std::size_t at) {
  return Scanner(text, at, false).scan();
}

std::optional<Unit> parse_unit(std::string_view text) {
  if (starts_with(text, 0, "1/")) {  // 1/s
    auto unit = parse_unit(text.substr(2));
    if (!unit) return std::nullopt;
    std::swap(unit->numerator, unit->denominator);
    unit->dimension = *power(unit->dimension, -1);
    return unit;
  }
  const auto found = Scanner(text, 0, true).scan();
  if (!found || found->size != text.size()) return std::nullopt;
  return found->unit;
}

std::string_view hint_for_unit(std::string_view word) {
  if (word == "Hz" || word == "kHz") return "write s^-1, or rev/s for a rotation";
  if (word == "t") return "write 1000 kg for a tonne, and * before a name";
  if (word == "sec") return "write s";
  if (word == "m2" || word == "m3" || word == "mm2" || word == "mm3")
    return "write powers with ^: m^2";
  return {};
}

}  // namespace trammel
