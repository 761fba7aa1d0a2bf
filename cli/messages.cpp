// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// stdout is for data, stderr for everything else.
#include "messages.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

namespace trammel::cli {

void print_error(const std::string& message) { fmt::print(stderr, "trammel: {}\n", message); }

void print_mistakes(const ModelError& error, const std::string& model_path) {
  // what is found after reading does not know the name of the file
  std::vector<Mistake> mistakes = error.mistakes();
  for (Mistake& mistake : mistakes) {
    if (mistake.file.empty()) mistake.file = model_path;
  }
  const std::size_t n = mistakes.size();
  print_error(fmt::format("{} error{} in {}", n, n == 1 ? "" : "s", model_path));
  // one line each, the first hundred
  fmt::print(stderr, "{}\n", ModelError(std::move(mistakes)).what());
}

void print_data(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw FileError("standard output cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace trammel::cli
