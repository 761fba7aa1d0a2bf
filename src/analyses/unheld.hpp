// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Warnings about invariants that were requested but are not conserved or cannot be enforced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/system.hpp"
#include "trammel/options.hpp"

namespace trammel {

void warn_of_unheld(const SystemData& system, const SimulationOptions& options,
                    std::vector<std::string>& warnings);

// The same after a run: an energy that waited at more than half of the points.
void warn_of_waits(std::int64_t waits, std::int64_t attempts, std::vector<std::string>& warnings);

}  // namespace trammel
