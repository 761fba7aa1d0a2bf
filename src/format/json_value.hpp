// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// JSON (RFC 8259) as values, for the files of other programs. Depth and number of values are limited.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trammel {

inline constexpr int max_json_depth = 64;
inline constexpr std::size_t max_json_values = 2'000'000;

struct JsonError {
  int line, column;
  std::string reason;
};

class JsonValue {
 public:
  using List = std::vector<JsonValue>;
  struct Map {
    std::vector<std::string> keys;  // in the order of the file
    std::vector<JsonValue> values;
  };
  std::variant<std::monostate, bool, double, std::string, List, Map> value;  // monostate: null

  // The value of a key, or null where this is no map or has no such key.
  const JsonValue* find(std::string_view key) const;
  // The elements of a list; none of anything else.
  const List& list() const;
  const double* number() const { return std::get_if<double>(&value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }
};

JsonValue parse_json(std::string_view text);  // throws JsonError

}  // namespace trammel
