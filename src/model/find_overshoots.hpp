// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Tables whose curve leaves the range of its points.
#pragma once

#include <string>
#include <vector>

#include "trammel/model.hpp"

namespace trammel {

// Parts of the range of a table by which its curve may leave that of two neighbours without a warning.
inline constexpr double most_overshoot = 0.2;

// A warning per table; the model has been checked.
std::vector<std::string> find_overshoots(const Model& model);

}  // namespace trammel
