// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The program `trammel` as a function.
#pragma once

namespace trammel::cli {

// Reads the command line and runs the command that it names; returns the exit status. Whatever it
// throws is an internal error.
int run_program(int argc, const char* const* argv);

}  // namespace trammel::cli
