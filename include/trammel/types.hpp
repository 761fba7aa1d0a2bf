// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The plain number types of the public API. No library type crosses this border.
#pragma once

#include <array>

namespace trammel {

using Vec3 = std::array<double, 3>;
using Mat3 = std::array<std::array<double, 3>, 3>;  // rows

// Euler parameters θ = (θ⁰, θ¹, θ², θ³), scalar first, unit length; x = r + R(θ) χ.
using EulerParameters = std::array<double, 4>;

}  // namespace trammel
