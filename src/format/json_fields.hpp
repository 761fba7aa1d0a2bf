// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Key and value in one call: what the JSON summaries are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/json_writer.hpp"

namespace trammel {

inline void add_number(JsonWriter& json, const char* key, double value) {
  json.key(key);
  json.number(value);
}

inline void add_integer(JsonWriter& json, const char* key, std::int64_t value) {
  json.key(key);
  json.integer(value);
}

inline void add_boolean(JsonWriter& json, const char* key, bool value) {
  json.key(key);
  json.boolean(value);
}

inline void add_string(JsonWriter& json, const char* key, const std::string& value) {
  json.key(key);
  json.string(value);
}

inline void add_strings(JsonWriter& json, const char* key, const std::vector<std::string>& values) {
  json.key(key);
  json.open_array();
  for (const std::string& value : values) json.string(value);
  json.close_array();
}

// An array or vector of double.
template <typename Numbers>
void add_numbers(JsonWriter& json, const char* key, const Numbers& values) {
  json.key(key);
  json.open_array();
  for (const double value : values) json.number(value);
  json.close_array();
}

// An object on a separate line.
inline void open_section(JsonWriter& json, const char* key) {
  json.new_line();
  json.key(key);
  json.open_object();
}

}  // namespace trammel
