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

template <class Space>
CheckedState check_and_assemble(const SystemIn<Space>& system);

}  // namespace trammel
