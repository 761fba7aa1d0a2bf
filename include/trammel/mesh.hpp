// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A surface of triangles, as CAD programs write it to STL, OBJ and glTF files.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/types.hpp"

namespace trammel {

using Rgb = std::array<float, 3>;  // red, green, blue of sRGB, 0 … 1

struct TriangleMesh {
  std::string file;          // where it comes from, as the model names it
  std::vector<Vec3> points;  // units of the file; no two are equal
  std::vector<std::array<std::uint32_t, 3>> triangles;  // anticlockwise seen from outside
  std::optional<Rgb> color;                             // of the file, where it has one
};

// Reads STL (text or binary), OBJ, glTF or GLB, by content and extension. Equal points are merged,
// triangles without area left out, and a closed surface that is inside out is turned.
// `name` becomes TriangleMesh::file. Throws FileError with file and place.
std::shared_ptr<const TriangleMesh> read_mesh(const std::string& path, const std::string& name);

}  // namespace trammel
