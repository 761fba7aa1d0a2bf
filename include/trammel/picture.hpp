// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A picture of the mechanism at one time, for papers and READMEs.
#pragma once

#include <optional>
#include <string>

#include "trammel/results.hpp"

namespace trammel {

struct PictureOptions {
  std::optional<double> t;        // s; empty: the first output time
  int width = 800;                // pixels
  std::optional<double> azimuth;  // rad, of the camera about the vertical; empty: by the motion
  std::optional<double>
      elevation;          // rad, above the horizon; empty: 20°, a planar model from the front
  double trail = 0.0;     // s of each body's path before t
  bool labels = false;    // names of bodies, where there are not more than 20
  bool energies = false;  // plot of the energies below
};

// Throws std::invalid_argument when the results have no positions or the time is outside.
std::string draw_svg(const Results& results, const PictureOptions& options = {});

// SVG, or PNG by way of the program rsvg-convert, as the ending says. Throws FileError too.
void write_picture(const Results& results, const std::string& path,
                   const PictureOptions& options = {});

}  // namespace trammel
