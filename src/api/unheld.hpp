// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What was asked to be held and is not conserved, or cannot be held: said once, before the run.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"
#include "trammel/options.hpp"

namespace trammel {

void warn_of_unheld(const SystemData& system, const SimulationOptions& options,
                    std::vector<std::string>& warnings);

}  // namespace trammel
