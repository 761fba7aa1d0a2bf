// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The program `trammel`.
#include <exception>

#include "interrupt.hpp"
#include "messages.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  trammel::cli::report_large_files();
  try {
    return trammel::cli::run_program(argc, argv);
  } catch (const std::exception& error) {
    trammel::cli::print_error(std::string("internal error: ") + error.what());
    return trammel::cli::did_not_finish;
  }
}
