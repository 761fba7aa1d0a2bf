// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The check that both `check` and `simulate` make: assembly and rank.
#pragma once

#include "dynamics/assembly.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

struct CheckedState {
  AssembledState assembled;
  CheckReport report;
};

CheckedState check_and_assemble(const SystemData& system);

}  // namespace trammel
