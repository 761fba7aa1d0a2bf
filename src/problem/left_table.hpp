// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which table has no value where a force asked for one: why accelerations are not finite.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

struct LeftTable {
  int force = -1;                     // index into SystemData::forces; −1: none
  const std::string* name = nullptr;  // of the table; empty for one written in the force
};

// At the point whose poses are in the workspace; overwrites its forces.
template <class Space>
LeftTable find_left_table(const SystemIn<Space>& system, Workspace<double, Space>& ws);
// The same shortly after t, where a run stopped at z with the rate ż because it could not go on.
template <class Space>
LeftTable find_left_table_after(const SystemIn<Space>& system, double t, double t_end,
                                const std::vector<double>& z, const std::vector<double>& rate,
                                Workspace<double, Space>& ws);

}  // namespace trammel
