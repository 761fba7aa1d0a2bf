// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The words of a mesh file that is a text, with their lines and columns.
#pragma once

#include <string>
#include <string_view>

#include "format/mesh_file.hpp"

namespace trammel {

class MeshWords {
 public:
  explicit MeshWords(std::string_view text) : text_(text) {}

  // The next word of the text, or of the line only; false at the end.
  bool next() { return advance(true); }
  bool next_in_line() { return advance(false); }
  void skip_line();
  void skip_backslash_line_ends(bool skip) { joins_ = skip; }  // "\" joins lines

  std::string_view word() const { return word_; }
  bool is(std::string_view other) const { return equal(word_, other); }
  static bool equal(std::string_view a, std::string_view b);  // without case

  double number();       // the next word, which must be one; NaN and infinities are numbers here
  double this_number();  // the word itself

  MeshFileError place() const { return {line_, column_, "", ""}; }
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  bool advance(bool over_lines);

  std::string_view text_, word_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1, column_ = 1;
  bool joins_ = false;
};

}  // namespace trammel
