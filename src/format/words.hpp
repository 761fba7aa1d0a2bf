// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The word for each outcome: the same in reports, HDF5 files and the JSON summary. Words of options are
// in the option table (trammel/option_table.hpp).
#pragma once

#include "trammel/results.hpp"

namespace trammel {

const char* to_word(Outcome outcome);

}  // namespace trammel
