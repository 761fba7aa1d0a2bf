// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ctrl-C and SIGTERM: the first asks the run to stop and keep what it has, the second kills.
#pragma once

namespace trammel::cli {

// From here on a signal is noted instead of ending the program at once.
void catch_interrupts();

// Has one arrived?
bool interrupted();

}  // namespace trammel::cli
