// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions of .asmt files in our words: `time` is t, numbers may end in d (2.0d), arctan is atan, "…" is a
// comment, <n> the end of a line.
#include "import/asmt.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace trammel::import {
namespace {

std::string replace_word(const std::string& word, double start) {
  if (word == "time") return start == 0.0 ? "t" : fmt::format("(t + {})", start);
  if (word == "arctan") return "atan";
  if (word == "arcsin") return "asin";
  if (word == "arccos") return "acos";
  return word;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::string convert_expression(const std::string& text, double start) {
  std::string result;
  for (std::size_t k = 0; k < text.size();) {
    const char c = text[k];
    if (c == '"') {  // a comment
      const std::size_t end = text.find('"', k + 1);
      k = end == std::string::npos ? text.size() : end + 1;
    } else if (text.compare(k, 3, "<n>") == 0) {
      result += ' ';
      k += 3;
    } else if (text.compare(k, 10, "vrIJ(self)") == 0) {
      result += "rate";
      k += 10;
    } else if (text.compare(k, 9, "rIJ(self)") == 0) {
      result += "length";
      k += 9;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      const std::size_t begin = k;
      while (k < text.size() &&
             (std::isdigit(static_cast<unsigned char>(text[k])) != 0 || text[k] == '.')) {
        ++k;
      }
      std::string number = text.substr(begin, k - begin);
      const bool has_exponent =
          k < text.size() && (text[k] == 'e' || text[k] == 'E' || text[k] == 'd') &&
          k + 1 < text.size() &&
          (std::isdigit(static_cast<unsigned char>(text[k + 1])) != 0 ||
           ((text[k + 1] == '-' || text[k + 1] == '+') && text[k] != 'd' && k + 2 < text.size() &&
            std::isdigit(static_cast<unsigned char>(text[k + 2])) != 0));
      if (has_exponent) {
        number += 'e';
        for (++k; k < text.size() && (std::isdigit(static_cast<unsigned char>(text[k])) != 0 ||
                                      ((text[k] == '-' || text[k] == '+') && number.back() == 'e'));
             ++k) {
          number += text[k];
        }
      } else if (k < text.size() && text[k] == 'd') {
        ++k;
      }
      result += number;
    } else if (is_word(c)) {
      const std::size_t begin = k;
      while (k < text.size() && is_word(text[k])) ++k;
      result += replace_word(text.substr(begin, k - begin), start);
    } else {
      result += c;
      ++k;
    }
  }
  const std::size_t first = result.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return result.substr(first, result.find_last_not_of(' ') - first + 1);
}

}  // namespace trammel::import
