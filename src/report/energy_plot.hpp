// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Energies over time, as a plot in a picture.
#pragma once

#include "report/camera.hpp"
#include "report/svg.hpp"

namespace trammel {

// Kinetic, potential, work, and T + U − W; a line at time t.
void draw_energies(SvgWriter& svg, const Results& results, double t, const Area& frame);

// About `most` round numbers from low to high: 1, 2 or 5 times a power of ten apart.
std::vector<double> make_ticks(double low, double high, int most);

}  // namespace trammel
