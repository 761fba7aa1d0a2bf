// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What an importer has to say: errors with their place in the file, and what it left out, by name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/error.hpp"
#include "trammel/import.hpp"

namespace trammel::import {

struct SourcePlace {
  std::string file;
  int line = 0, column = 0;  // from 1; 0: unknown
};

class ImportLog {
 public:
  // Throws when there are too many.
  void report(const SourcePlace& at, const std::string& path, const std::string& reason,
              const std::string& hint = {}) {
    mistakes_.push_back({at.file, at.line, at.column, path, reason, hint});
    if (mistakes_.size() >= most_mistakes) throw_mistakes();
  }
  bool has_mistakes() const { return !mistakes_.empty(); }
  void throw_mistakes() {
    if (!mistakes_.empty()) throw ModelError(std::exchange(mistakes_, {}));
  }

  void leave_out(const std::string& what, const std::string& name, const std::string& detail = {}) {
    for (ImportNote& note : left_out_) {
      if (note.what != what || note.detail != detail) continue;
      note.names.push_back(name);
      return;
    }
    left_out_.push_back({what, {name}, detail});
  }
  void change(const std::string& what, const std::string& name, const std::string& detail = {}) {
    for (ImportNote& note : changed_) {
      if (note.what != what || note.detail != detail) continue;
      note.names.push_back(name);
      return;
    }
    changed_.push_back({what, {name}, detail});
  }
  std::vector<std::string> files;  // that were read

  std::vector<ImportNote> take_left_out() { return std::move(left_out_); }
  std::vector<ImportNote> take_changed() { return std::move(changed_); }

 private:
  static constexpr std::size_t most_mistakes = 100;
  std::vector<Mistake> mistakes_;
  std::vector<ImportNote> left_out_, changed_;
};

}  // namespace trammel::import
