// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/mesh_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace trammel {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

bool MeshWords::equal(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

bool MeshWords::advance(bool over_lines) {
  word_ = {};
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    const std::size_t end = text_.find_first_not_of(" \t\r", at_ + 1);
    const bool joins = joins_ && c == '\\' && end != std::string_view::npos && text_[end] == '\n';
    if (joins) at_ = end;
    if (text_[at_] == '\n') {
      if (!over_lines && !joins) break;
      ++line_;
      line_start_ = at_ + 1;
    } else if (!is_space(c)) {
      break;
    }
  }
  column_ = static_cast<int>(at_ - line_start_) + 1;
  if (at_ >= text_.size() || text_[at_] == '\n') return false;
  const std::size_t start = at_;
  while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '\n') ++at_;
  word_ = text_.substr(start, at_ - start);
  return true;
}

void MeshWords::skip_line() {
  while (next_in_line()) {
  }
}

double MeshWords::number() {
  if (!next()) fail("the file ends before a number");
  return this_number();
}

double MeshWords::this_number() {
  std::string_view digits = word_;
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  double value = 0.0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) {
    fail("expected a number");
  }
  return value;
}

// No text of the file appears in a message: it may be any file.
void MeshWords::fail(const std::string& reason) const {
  throw MeshFileError{line_, column_, reason, ""};
}

}  // namespace trammel
