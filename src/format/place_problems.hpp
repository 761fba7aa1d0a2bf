// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Line and column for errors that are found only once the model is compiled: channels by name.
#pragma once

#include <string>
#include <vector>

#include "record/output_channels.hpp"
#include "trammel/error.hpp"

namespace trammel {

// `text` is that of the model file, or empty: then the errors have no place. The name of the file is not
// known here: `file` of the errors is empty.
std::vector<Mistake> place_problems(const std::vector<ChannelProblem>& problems,
                                    const std::string& text);

}  // namespace trammel
