// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Smallest and largest values of what was recorded, over all output times. Rows that a sink takes
// away are looked at once, before they go.
#pragma once

#include <cstddef>

#include "trammel/results.hpp"

namespace trammel {

// Adds rows [begin, end) of the columns.
void add_rows(const Results& results, std::size_t begin, std::size_t end, RunExtremes& extremes);

// Of all rows, those taken away included. Tables that were not recorded are empty.
RunExtremes calc_extremes(const Results& results);

}  // namespace trammel
