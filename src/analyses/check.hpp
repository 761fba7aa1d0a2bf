// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Assembly, rank and verdict, shared by `check`, `assemble` and `simulate`.
#pragma once

#include "manifold/assembly.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

struct CheckedState {
  AssembledState assembled;
  CheckReport report;
};

template <class Space>
CheckedState check_and_assemble(const SystemIn<Space>& system);

}  // namespace trammel
