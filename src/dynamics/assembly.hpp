// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Assembly: from initial data rounded by hand to a point of M, before t = 0.
//
// Positions by Gauss–Newton in the mass metric, S new in each iteration, rows that depend on others
// left out, steps halved while |g| grows; then velocities into ker J.
#pragma once

#include <string>
#include <vector>

#include "system/system.hpp"
#include "trammel/results.hpp"

namespace trammel {

struct AssembledState {
  std::vector<double> z;  // the state vector, on M if report.converged
  Assembly report;
};

template <class Space>
AssembledState assemble(const SystemIn<Space>& system);

}  // namespace trammel
