// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Fewer triangles for a picture: points of one cell of a grid become one, where the planes of their
// triangles come nearest to meeting (Lindstrom 2000). Works on any triangles, closed or not.
#pragma once

#include <memory>

#include "trammel/mesh.hpp"

namespace trammel {

// At most so many triangles where `most` is 100 or more; the same mesh if it has no more than that.
// Of the rest file, color, box and opening are kept.
std::shared_ptr<const TriangleMesh> reduce_mesh(const std::shared_ptr<const TriangleMesh>& mesh,
                                                std::size_t most);

// The share of a budget of triangles that each mesh gets: in proportion to what it has.
std::size_t share_triangles(std::size_t own, std::size_t all, std::size_t budget);

}  // namespace trammel
