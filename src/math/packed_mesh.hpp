// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A mesh as results and pages hold it: points on a grid of 65,536 cells along each side of its box, which
// is finer than a pixel. x = low + step · k.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trammel/mesh.hpp"

namespace trammel {

struct PackedMesh {
  Vec3 low{}, step{};                    // units of the file
  std::vector<std::uint16_t> points;     // three numbers each
  std::vector<std::uint32_t> triangles;  // three points each
};

PackedMesh pack_mesh(const TriangleMesh& mesh);

// For pictures: of the solid is known only whether it is closed. Throws std::invalid_argument for indices
// without point and boxes that are not finite.
std::shared_ptr<const TriangleMesh> unpack_mesh(const PackedMesh& packed, const std::string& file,
                                                bool closed);

}  // namespace trammel
