// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The currents of DC motors with an inductance, as states of the model:
//
//   L di/dt = V − R i − G k q̇
#pragma once

#include <vector>

#include "trammel/model.hpp"

namespace trammel {

std::vector<StateVariable> list_motor_currents(const Model& model);

}  // namespace trammel
