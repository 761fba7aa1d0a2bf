// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of the check report that the full report of a run repeats.
#pragma once

#include "report/text.hpp"
#include "trammel/results.hpp"

namespace trammel {

void add_assembly(ReportText& report, const CheckReport& check);
void add_constraints(ReportText& report, const CheckReport& check);

}  // namespace trammel
