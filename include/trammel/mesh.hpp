// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A surface of triangles, as CAD programs write it to STL, OBJ and glTF files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/types.hpp"

namespace trammel {

using Rgb = std::array<float, 3>;               // red, green, blue of sRGB, 0 … 1
using Triangle = std::array<std::uint32_t, 3>;  // points, anticlockwise seen from outside

// Where a surface is not closed: an edge that its triangles do not pass equally often in both directions.
struct MeshOpening {
  Vec3 from{}, to{};      // an edge of this kind, units of the file
  int forward = 0;        // triangles that pass it in this direction
  int backward = 0;       // and in the other
  std::size_t count = 0;  // edges of this kind
};

// Made by make_mesh or read_mesh; the numbers that follow from the triangles are in units of the file.
struct TriangleMesh {
  std::string file;          // where it comes from, as the model names it
  std::vector<Vec3> points;  // no two are equal
  std::vector<Triangle> triangles;
  std::optional<Rgb> color;  // of the file, where it has one

  Vec3 low{}, high{};                  // corners of the box around it
  bool turned = false;                 // some of its triangles were given inside out
  std::optional<MeshOpening> opening;  // without it the surface is closed, and:
  double volume = 0.0;                 // of what it encloses
  Vec3 center{};                       // centroid of that
  Mat3 gyration{};                     // ∫ (x − center)(x − center)ᵀ dV / volume
};

// Merges equal points, leaves out triangles with two equal corners, and turns closed surfaces that
// are inside out. Throws std::invalid_argument for indices without point and numbers that are not finite.
std::shared_ptr<const TriangleMesh> make_mesh(std::vector<Vec3> points,
                                              std::vector<Triangle> triangles,
                                              const std::string& file = {});

// Reads STL (text or binary), OBJ, glTF or GLB. Throws FileError with file and place. `name` becomes
// TriangleMesh::file.
std::shared_ptr<const TriangleMesh> read_mesh(const std::string& path, const std::string& name);

}  // namespace trammel
