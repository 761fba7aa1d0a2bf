// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The part of `compile` that finds bodies without mass, or with a mass or moments of inertia far
// below those they are joined to. Which of them need care, and what is done with them:
// manifold/light_bodies.hpp.
//
// The mass that counts is the largest of the bodies joined to a body, seen through other light ones.
#pragma once

#include "system/system.hpp"

namespace trammel {

// Fills light_candidates, and M⁻¹ where M is 0; needs sizes, topology and parameters of bodies.
template <class Space>
void compile_light(SystemIn<Space>& system);

}  // namespace trammel
