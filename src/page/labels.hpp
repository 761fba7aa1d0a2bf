// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Names for runs that are compared.
#pragma once

#include <string>
#include <vector>

#include "trammel/results.hpp"

namespace trammel {

// One for each run: what tells it from the others ("tolerance 1e-09", "energy enforced"), or "run 2" where
// nothing does. No two are the same.
std::vector<std::string> make_labels(const std::vector<const Results*>& runs);

// The same names, told apart by a number where they are equal.
std::vector<std::string> make_unique(std::vector<std::string> labels);

}  // namespace trammel
