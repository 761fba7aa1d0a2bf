// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Writes one JSON value (RFC 8259) as text, keys in the order they are given.
//
//   JsonWriter json;
//   json.open_object();
//   json.key("t");
//   json.number(10.0);
//   json.close_object();
//   json.text();  // {"t": 10.0}
//
// Numbers read back to the same bits; what JSON has no word for (NaN, infinity) becomes null;
// bytes that are not UTF-8 become U+FFFD. It does not check that the calls nest properly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

class JsonWriter {
 public:
  void open_object() { open('{'); }
  void close_object() { close('}'); }
  void open_array() { open('['); }
  void close_array() { close(']'); }

  void key(std::string_view name);
  void number(double value);  // always with a point or an exponent: 10.0
  void integer(std::int64_t value);
  void boolean(bool value);
  void string(std::string_view value);

  // A line break before the next key or element; layout only.
  void new_line() { new_line_ = true; }

  const std::string& text() const { return text_; }

 private:
  void open(char bracket);
  void close(char bracket);
  void start_value();
  void append_quoted(std::string_view value);

  std::string text_;
  std::vector<bool> has_elements_;  // one per open bracket
  bool after_key_ = false;
  bool new_line_ = false;
};

// Length in bytes of the well-formed UTF-8 character at the front of `text`; 0 = there is none.
std::size_t utf8_length(std::string_view text);

}  // namespace trammel
