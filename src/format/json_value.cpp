// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/json_value.hpp"

#include <algorithm>
#include <charconv>

namespace trammel {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  JsonValue parse() {
    JsonValue value = parse_value(0);
    skip_space();
    if (at_ < text_.size()) fail("expected the end of the text");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* reason) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t end = before.rfind('\n');
    const std::size_t start = end == std::string_view::npos ? 0 : end + 1;
    throw JsonError{static_cast<int>(line), static_cast<int>(at_ - start) + 1, reason};
  }

  void skip_space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  JsonValue parse_value(int depth) {
    if (depth > max_json_depth) fail("lists and maps are nested too deeply");
    if (++count_ > max_json_values) fail("too many values");
    skip_space();
    if (at_ >= text_.size()) fail("the text ends before a value");
    if (take('{')) return {parse_map(depth)};
    if (take('[')) return {parse_list(depth)};
    if (text_[at_] == '"') return {parse_string()};
    if (take_word("true")) return {true};
    if (take_word("false")) return {false};
    if (take_word("null")) return {};
    return {parse_number()};
  }

  JsonValue::Map parse_map(int depth) {
    JsonValue::Map map;
    if (take('}')) return map;
    do {
      skip_space();
      if (at_ >= text_.size() || text_[at_] != '"') fail("expected a key in quotes");
      map.keys.push_back(parse_string());
      if (!take(':')) fail("expected ':'");
      map.values.push_back(parse_value(depth + 1));
    } while (take(','));
    if (!take('}')) fail("expected ',' or '}'");
    return map;
  }

  JsonValue::List parse_list(int depth) {
    JsonValue::List list;
    if (take(']')) return list;
    do {
      list.push_back(parse_value(depth + 1));
    } while (take(','));
    if (!take(']')) fail("expected ',' or ']'");
    return list;
  }

  // A number of JSON, which is less than from_chars accepts ("inf", "nan").
  double parse_number() {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    double value = 0.0;
    const auto result = std::from_chars(text_.data() + at_, text_.data() + end, value);
    if (result.ec != std::errc() || result.ptr != text_.data() + end) fail("expected a value");
    at_ = end;
    return value;
  }

  std::string parse_string() {
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character in a text");
      if (text_[at_] != '\\') {
        result += text_[at_];
        continue;
      }
      if (++at_ >= text_.size()) break;
      constexpr std::string_view escapes = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      if (const std::size_t k = escapes.find(text_[at_]); k != std::string_view::npos) {
        result += meanings[k];
      } else if (text_[at_] == 'u') {
        add_code_point(result);
      } else {
        fail("unknown escape in a text");
      }
    }
    if (at_ >= text_.size()) fail("a text without end");
    ++at_;
    return result;
  }

  unsigned parse_four_digits() {
    unsigned value = 0;
    const char* begin = text_.data() + at_ + 1;
    if (text_.size() - at_ < 5) fail("unknown escape in a text");
    const auto result = std::from_chars(begin, begin + 4, value, 16);
    if (result.ec != std::errc() || result.ptr != begin + 4) fail("unknown escape in a text");
    at_ += 4;
    return value;
  }

  void add_code_point(std::string& to) {
    unsigned code = parse_four_digits();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_ + 1, 2) == "\\u") {
      at_ += 2;
      const unsigned low = parse_four_digits();
      code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                                           : 0xFFFD;
    }
    if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;  // half of a pair
    const auto add = [&](unsigned byte) { to += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
      add(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        add(0xE0 | code >> 12);
      } else {
        add(0xF0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3F));
      }
      add(0x80 | (code >> 6 & 0x3F));
    }
    add(0x80 | (code & 0x3F));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  if (const Map* map = std::get_if<Map>(&value)) {
    for (std::size_t k = 0; k < map->keys.size(); ++k) {
      if (map->keys[k] == key) return &map->values[k];
    }
  }
  return nullptr;
}

const JsonValue::List& JsonValue::list() const {
  static const List none;
  const List* list = std::get_if<List>(&value);
  return list ? *list : none;
}

JsonValue parse_json(std::string_view text) { return Parser(text).parse(); }

}  // namespace trammel
