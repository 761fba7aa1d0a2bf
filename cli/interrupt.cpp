// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ctrl-C, SIGTERM and SIGHUP. The handler does only what POSIX allows in one.
#include "interrupt.hpp"

#include <csignal>

namespace trammel::cli {
namespace {

constexpr int stopping_signals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t signal_arrived = 0;

extern "C" void note_signal(int) {
  signal_arrived = 1;
  for (const int signal : stopping_signals) std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : stopping_signals) {
    // A signal the caller has switched off (nohup, background jobs) stays off.
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

// The default would end the program without a word.
void report_large_files() { std::signal(SIGXFSZ, SIG_IGN); }

bool interrupted() { return signal_arrived != 0; }

}  // namespace trammel::cli
