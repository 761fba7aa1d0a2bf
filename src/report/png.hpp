// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// SVG → PNG by the program rsvg-convert (Debian: librsvg2-bin).
#pragma once

#include <string>

namespace trammel {

// The bytes of a PNG file with `zoom` pixels for each of the SVG. Throws FileError that names `path`.
std::string make_png(const std::string& svg, const std::string& path, int zoom);

}  // namespace trammel
