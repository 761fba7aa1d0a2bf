// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ctrl-C and SIGTERM. The handler does only what POSIX allows in one.
#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace trammel::cli {
namespace {

volatile std::sig_atomic_t signal_arrived = 0;

extern "C" void note_signal(int) {
  signal_arrived = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) {
    // A signal the caller has switched off (nohup, background jobs) stays off.
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

bool interrupted() { return signal_arrived != 0; }

}  // namespace trammel::cli
