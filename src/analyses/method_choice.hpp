// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What makes the steps of a run with `method: auto`, and why: the only place that decides it.
#pragma once

#include <string>

#include "system/system.hpp"
#include "trammel/options.hpp"

namespace trammel {

// Why a run cannot take implicit steps: in a few words for the report of a run with `auto`, which then takes
// explicit ones, and as a refusal of `radau`. Empty: it can. Forces whose derivatives are not known are found
// out later.
struct Hindrance {
  std::string reason;
  std::string refusal;
};
// options: as they take effect
template <class Space>
Hindrance find_hindrance(const SystemIn<Space>& system, const SimulationOptions& options);

// Why a run with `auto` takes explicit steps only; empty: dop853 and radau compete for it.
template <class Space>
std::string explain_explicit(const SystemIn<Space>& system, const SimulationOptions& options);

// Bodies without mass or with a moment of inertia of 0.
template <class Space>
bool has_massless_bodies(const SystemIn<Space>& system);

}  // namespace trammel
