// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A bad model is reported as one exception that lists every error found, each with its place.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace trammel {

struct Mistake {
  std::string file;    // empty when the model did not come from a file
  int line = 0;        // counted from 1; 0 = unknown
  int column = 0;      // counted from 1; 0 = unknown
  std::string path;    // where in the model: "bodies.crank.mass"
  std::string reason;  // what is wrong: "must be greater than 0, got -3"
  std::string hint;    // what to do about it; may be empty
};

// One line: "crank.yaml:12:11: bodies.crank.mass: must be greater than 0, got -3 (hint)".
std::string to_string(const Mistake& mistake);

class ModelError : public std::runtime_error {
 public:
  // what() is all errors, one per line.
  explicit ModelError(std::vector<Mistake> mistakes);
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

// A file that cannot be read or written; the message names the file and the reason.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace trammel
