// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace trammel {

void JsonWriter::open(char bracket) {
  start_value();
  text_ += bracket;
  has_elements_.push_back(false);
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  has_elements_.pop_back();
}

// The separator between the text so far and the next key or value.
void JsonWriter::start_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!has_elements_.empty()) {
    if (has_elements_.back()) text_ += new_line_ ? "," : ", ";
    has_elements_.back() = true;
  }
  if (new_line_) {
    text_ += '\n';
    text_.append(2 * has_elements_.size(), ' ');
    new_line_ = false;
  }
}

void JsonWriter::key(std::string_view name) {
  start_value();
  append_quoted(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonWriter::number(double value) {
  start_value();
  if (!std::isfinite(value)) {
    text_ += "null";
    return;
  }
  const std::size_t begin = text_.size();
  fmt::format_to(std::back_inserter(text_), "{}", value);
  if (text_.find_first_of(".e", begin) == std::string::npos) text_ += ".0";
}

void JsonWriter::integer(std::int64_t value) {
  start_value();
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void JsonWriter::boolean(bool value) {
  start_value();
  text_ += value ? "true" : "false";
}

void JsonWriter::string(std::string_view value) {
  start_value();
  append_quoted(value);
}

void JsonWriter::append_quoted(std::string_view value) {
  text_ += '"';
  while (!value.empty()) {
    const std::size_t length = utf8_length(value);
    const char c = value.front();
    if (length == 0) {
      text_ += "\uFFFD";
    } else if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c == '\n') {
      text_ += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", static_cast<int>(c));
    } else {
      text_ += value.substr(0, length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

// Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;

  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace trammel
