// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the mechanism did: ranges of the joint coordinates, the largest reactions, loads and powers,
// each with its name and time. Quantities that were not recorded are not mentioned.
#pragma once

#include "report/text.hpp"
#include "trammel/results.hpp"

namespace trammel {

// A few lines: the first coordinates, and the peaks.
void add_motion(ReportText& report, const Results& results);

// A section with the range of every coordinate and of every load (the first thousand of each).
void add_ranges(ReportText& report, const Results& results);

}  // namespace trammel
