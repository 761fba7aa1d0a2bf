// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A user's first program, built against the installed package: the whole path in ten lines.
#include <trammel/trammel.hpp>

#include <iostream>

int main(int, char** arguments) {
  const trammel::Model model = trammel::read_model(arguments[1]);
  const trammel::Results results = trammel::simulate(trammel::compile(model), model.simulation);
  std::cout << trammel::brief_report(results);
}
