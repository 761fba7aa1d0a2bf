// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with force elements where a run starts, or at its tolerance.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace trammel {

// Stops that are pressed in, at the state z, much further than all other forces there could.
template <class Space>
std::vector<std::string> find_contradicted_limits(const SystemIn<Space>& system,
                                                  const std::vector<double>& z);

// Warnings of friction that changes its sign within speeds the tolerance does not resolve.
template <class Space>
std::vector<std::string> list_coarse_frictions(const SystemIn<Space>& system, double atol);

}  // namespace trammel
