// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Principal axes of an inertia tensor: 𝕀 = Q diag(I₁, I₂, I₃) Qᵀ.
#pragma once

#include "math/vector3.hpp"
#include "trammel/types.hpp"

namespace trammel {

struct PrincipalAxes {
  Vector3<double> inertia;      // kg m²
  EulerParameters orientation;  // of Q: principal axes to body axes
};

// A diagonal tensor gives Q = I, exactly.
PrincipalAxes calc_principal_axes(const Mat3& inertia);

}  // namespace trammel
