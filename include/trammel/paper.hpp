// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's numerical experiments: its three models in all its variants, and its tables next to ours
// (docs/explanation/paper.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trammel/results.hpp"

namespace trammel {

// One run of the study.
struct PaperRun {
  std::string model;    // pendulum, quadrangle, crank
  std::string variant;  // quasi_orthogonal, orthogonal: the paper's method; trammel: our default
  bool energy = false;  // conservation of energy imposed
  std::string work;     // quadrature of W_ext: trapezoidal, runge_kutta
  double torque = 0.0;  // N m, on the pendulum
  std::string axis;     // of that torque: e3, (1,1,1)
  Results results;      // output at the steps
  double position_error = 0.0;  // m, at t = 10, against a run at tolerance 1e-13
  double energy_error = 0.0;  // J, largest |T + U − W_ext − initial value|, W_ext by Runge–Kutta
};

struct PaperStudy {
  std::vector<PaperRun> runs;
};

// Runs everything, about half a minute. The callback gets the number of runs done and of all runs;
// returning false stops the study, which keeps what it has.
PaperStudy run_paper_study(const std::function<bool(int, int)>& progress = {});

// All tables as Markdown, which also reads well as text.
std::string paper_tables(const PaperStudy& study);

// .md: the tables; .csv: long form, figures and time series; .json: the same; .html: a page.
void write_paper_study(const PaperStudy& study, const std::string& path);

}  // namespace trammel
