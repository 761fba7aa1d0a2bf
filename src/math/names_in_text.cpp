// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The names in the text of an expression, which is not parsed for that.
#include <algorithm>
#include <charconv>

#include "math/expression_parser.hpp"

namespace trammel {

std::size_t calc_name_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto is_part = [&](std::size_t k) { return is_letter(text[k]) || is_digit(text[k]); };
  while (end < text.size()) {
    const bool joins = text[end] == '.' && end + 1 < text.size() && is_letter(text[end + 1]);
    if (!is_part(end) && !joins) break;
    ++end;
  }
  return end - at;
}

// Past a number and its unit: neither the e of 1e-3 nor the m of 5 m is a name.
static std::size_t skip_number(std::string_view text, std::size_t at) {
  double value = 0;
  const auto result = std::from_chars(text.data() + at, text.data() + text.size(), value);
  const std::size_t end = std::max(at + 1, static_cast<std::size_t>(result.ptr - text.data()));
  const std::size_t word = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
  const auto unit = scan_unit(text, word);
  return unit ? word + unit->size : end;
}

std::vector<NameInText> list_names(std::string_view text) {
  std::vector<NameInText> names;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at]) || text[at] == '.') {
      at = skip_number(text, at);
    } else if (is_letter(text[at])) {
      const std::string_view name = text.substr(at, calc_name_length(text, at));
      if (!is_reserved_name(name) &&
          std::none_of(names.begin(), names.end(),
                       [&](const NameInText& known) { return known.name == name; })) {
        names.push_back({name, at});
      }
      at += name.size();
    } else {
      ++at;
    }
  }
  return names;
}

std::string replace_names(
    std::string_view text,
    const std::function<std::optional<std::string>(std::string_view)>& replacement) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    if (is_digit(text[at]) || text[at] == '.') {
      at = skip_number(text, at);
    } else if (is_letter(text[at])) {
      const std::string_view name = text.substr(at, calc_name_length(text, at));
      at += name.size();
      if (const auto other = is_reserved_name(name) ? std::nullopt : replacement(name)) {
        result += *other;
        continue;
      }
    } else {
      ++at;
    }
    result += text.substr(start, at - start);
  }
  return result;
}

}  // namespace trammel
