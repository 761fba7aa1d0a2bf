// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where a motion that drivers determine cannot go on: the combination v of rows that nearly vanishes,
// vᵀS v ≪ 1 (rows of unit length), and the driver with the largest part in it. At a dead centre the
// driver's row depends on those of the joints: they hold what it should move.
#pragma once

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

// Needs the factor of S in ws; uses ws.mu. The row of a driver, or where none takes part in the
// combination the row with the largest share; −1 without rows.
template <class Space>
int find_blocked_row(const SystemIn<Space>& system, Workspace<double, Space>& ws);

}  // namespace trammel
