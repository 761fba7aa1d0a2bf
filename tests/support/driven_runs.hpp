// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What tests of driven motions read from results: values of named columns, and states of bodies.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/reference.hpp"

namespace trammel::test {

// The value of a named column at a recorded row.
inline double find_value(const std::vector<std::string>& names, const std::vector<double>& values,
                         const std::string& name, std::size_t row) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return values[row * names.size() + k];
  }
  FAIL("no column ", name);
  return 0.0;
}
inline double load(const Results& run, const std::string& name, std::size_t row) {
  return find_value(run.load_names, run.load, name, row);
}
inline double coordinate(const Results& run, const std::string& name, std::size_t row) {
  return find_value(run.coordinate_names, run.coordinate, name, row);
}

// The same motion by integration.
inline SimulationOptions integrated(SimulationOptions options, double tolerance) {
  options = with_tolerance(options, tolerance);
  options.kinematics = Kinematics::off;
  return options;
}

// Body b at a recorded row.
inline BodyState state_of(const Results& run, std::size_t row, std::size_t b) {
  const std::size_t n = run.body_names.size(), at = row * n + b;
  BodyState state;
  std::copy_n(run.position.begin() + static_cast<std::ptrdiff_t>(3 * at), 3,
              state.position.begin());
  std::copy_n(run.orientation.begin() + static_cast<std::ptrdiff_t>(4 * at), 4,
              state.orientation.begin());
  std::copy_n(run.velocity.begin() + static_cast<std::ptrdiff_t>(3 * at), 3,
              state.velocity.begin());
  std::copy_n(run.angular_velocity.begin() + static_cast<std::ptrdiff_t>(3 * at), 3,
              state.angular_velocity.begin());
  return state;
}

}  // namespace trammel::test
