// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Forms of shapes, and colours.
#pragma once

#include "format/reader.hpp"
#include "trammel/shape.hpp"

namespace trammel {

// Of the key that says which form it is; a box of size 0 after an error.
Geometry read_geometry(Reader& reader, NodeId shape);

// A name, "#rgb", "#rrggbb" or three numbers from 0 to 1.
Rgb read_color(Reader& reader, NodeId id);

}  // namespace trammel
