// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Slopes at the points of a table for interpolation by Hermite's cubics, from a few neighbours.
//
//   pchip   harmonic mean of the two chords, 0 at an extreme: the curve is monotone where the points
//           are (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984)
//   akima   mean of the two chords, weighted by how straight the other side is (Akima, J. ACM 17, 1970)
#pragma once

#include <span>
#include <vector>

#include "trammel/function.hpp"

namespace trammel {

// pchip or akima. Periodic: the last value repeats the first.
std::vector<double> calc_table_slopes(std::span<const double> x, std::span<const double> y,
                                      Interpolation interpolation, bool periodic);

}  // namespace trammel
