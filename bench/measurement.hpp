// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One point of a work–precision curve, and the CSV file such points are written to. The programs
// only measure; medians, interpolation, tables and plots are made from the files (tables.py).
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace trammel::bench {

struct Measurement {
  std::string model;         // "crank"
  std::string program;       // "trammel", "Simbody"
  std::string method;        // "dop853, energy held"
  double setting = 0.0;      // tolerance, or step in s where the program has none
  int start = 0;             // index of the perturbed start
  double error = 0.0;        // m, largest distance of a centre of mass from the reference
  double cpu = 0.0;          // s, of the integration loop alone
  double evaluations = 0.0;  // of the accelerations
  double violation = 0.0;    // largest |g| seen (m, or unit-free)
};

class MeasurementFile {
 public:
  // Throws std::runtime_error where the file cannot be written.
  explicit MeasurementFile(const std::string& path);
  void add(const Measurement& measurement);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace trammel::bench
