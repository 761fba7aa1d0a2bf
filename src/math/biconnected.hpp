// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which edges of a graph lie on a common cycle: its biconnected components (J. Hopcroft and R. Tarjan,
// Communications of the ACM 16 (1973) 372), in one depth-first pass. Two edges at a vertex belong to
// different components exactly when every path between their other ends leads through that vertex.
#pragma once

#include <utility>
#include <vector>

namespace trammel {

// [edges] number of the component of each edge; edges may be parallel.
std::vector<int> find_biconnected(int n_vertices, const std::vector<std::pair<int, int>>& edges);

}  // namespace trammel
