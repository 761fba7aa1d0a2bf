// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The last value of a channel, read by name in C++.
//
// Usage: read_channel MODEL NAME
#include <cstdio>
#include <exception>
#include <trammel/channels.hpp>
#include <trammel/trammel.hpp>

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: read_channel MODEL NAME");
    const trammel::Model model = trammel::read_model(argv[1]);
    const trammel::Results results = trammel::simulate(compile(model), model.simulation);
    std::printf("%.17g\n", trammel::column(results, argv[2]).back());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "read_channel: %s\n", error.what());
    return 1;
  }
  return 0;
}
