// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Between the user's frames (world, body axes as in the model file) and those inside a System
// (origin near the mechanism, principal axes).
#pragma once

#include <vector>

#include "system/system.hpp"
#include "trammel/results.hpp"

namespace trammel {

// State of the bodies as users see it → y and u of z.
void import_state(const SystemData& system, const std::vector<BodyState>& bodies, double* z);

// y and u of z → state of one body as users see it.
BodyState export_body(const SystemData& system, const double* z, int body);

}  // namespace trammel
