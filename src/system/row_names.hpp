// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Names of constraint rows, for reports: "shaft.C.x", "shaft.SO(b,a)"; in a generic joint
// "mount.C.1.x", "mount.SO.2"; of a coupler or driver its own. Made on request: kept for all
// rows they would be a tenth of a large System.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"

namespace trammel {

std::string make_row_name(const SystemData& system, int row);
std::vector<std::string> make_row_names(const SystemData& system);

}  // namespace trammel
