// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The one word for each option value and outcome: the same in the model file, on the command line,
// in the reports and in the JSON summary.
#pragma once

#include <string>
#include <vector>

#include "trammel/options.hpp"
#include "trammel/results.hpp"

namespace trammel {

const char* to_word(Method method);
const char* to_word(Projection projection);
const char* to_word(WorkQuadrature quadrature);
const char* to_word(SchurSolver solver);
const char* to_word(ReactionFrame frame);
const char* to_word(EnergyCorrection correction);
const char* to_word(StepControl control);
const char* to_word(Kinematics kinematics);
const char* to_word(Outcome outcome);

// What a run was asked to record; all of it: every word.
std::vector<std::string> to_words_of_record(const Recorded& record);

// The invariants that a run was asked to hold, the user's by their names.
std::vector<std::string> to_words_of_invariants(const SimulationOptions& options);

}  // namespace trammel
