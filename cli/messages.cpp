// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// stdout is for data, stderr for everything else.
#include "messages.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace trammel::cli {

void print_error(const std::string& message) { fmt::print(stderr, "trammel: {}\n", message); }

void print_mistakes(const ModelError& error, const std::string& model_path) {
  const std::size_t n = error.mistakes().size();
  print_error(fmt::format("{} mistake{} in {}", n, n == 1 ? "" : "s", model_path));
  fmt::print(stderr, "{}\n", error.what());  // one line each, the first hundred
}

void print_data(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw FileError("standard output cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace trammel::cli
