// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Options as JSON with the keys and words of a model file's `simulation`, and back.
#pragma once

#include <string>

#include "format/json_writer.hpp"
#include "trammel/options.hpp"

namespace trammel {

// All rows of the option table, into an open object.
void add_options(JsonWriter& json, const SimulationOptions& options);

// Without the user's invariants, which are C++ functions.
std::string make_options_text(const SimulationOptions& options);
SimulationOptions read_options_text(const std::string& text);

}  // namespace trammel
