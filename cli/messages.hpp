// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Error messages of the program and its exit statuses.
#pragma once

#include <stdexcept>
#include <string>

#include "trammel/error.hpp"

namespace trammel::cli {

// A contract with scripts (docs/reference/results.md).
enum ExitStatus {
  finished = 0,
  bad_input = 1,       // the model or a file
  did_not_finish = 2,  // numerical failure, or stopped by a signal; partial results are written
  usage_error = 3,     // the command line itself
};

// A command line that cannot be meant; main() prints it and exits with usage_error.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "trammel: …" on stderr.
void print_error(const std::string& message);

// "trammel: 3 errors in crank.yaml", then one line for each, at most a hundred.
void print_mistakes(const ModelError& error, const std::string& model_path);

// What `run` returns, or bad_input with the errors of the model printed.
template <class Run>
int reporting_mistakes(const std::string& model_path, const Run& run) {
  try {
    return run();
  } catch (const ModelError& error) {
    print_mistakes(error, model_path);
    return bad_input;
  }
}

// Data for whoever reads stdout; throws FileError when it cannot be delivered (disk full).
void print_data(const std::string& text);

}  // namespace trammel::cli
