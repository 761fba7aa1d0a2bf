// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ctrl-C, SIGTERM and SIGHUP (the terminal is closed): the first asks the run to stop and keep what it
// has, the second kills.
#pragma once

namespace trammel::cli {

// From here on a signal is noted instead of ending the program at once.
void catch_interrupts();

// From here on a file that exceeds its limit (ulimit -f) is a write that fails with EFBIG.
void report_large_files();

// Has one arrived?
bool interrupted();

}  // namespace trammel::cli
