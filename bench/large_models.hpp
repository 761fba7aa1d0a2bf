// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Regular models of any size, none with redundant constraints.
#pragma once

#include <string>
#include <trammel/trammel.hpp>
#include <vector>

namespace trammel::bench {

struct Family {
  std::string name;
  Model (*make)(int bodies);  // about so many: a net or a ladder comes in whole cells
  int most_bodies;            // that the bench goes to
};

// chain: rods on spherical joints.  revolute chain: the same in the plane z = 0.
// tree: each rod carries two.       ladder: four-bar linkages in a row, 1 degree of freedom.
// net: n × n nodes, every edge between neighbours a bar, held at two corners.
const std::vector<Family>& all_families();

Model make_chain(int bodies);
Model make_tree_with_loops();  // 30 bodies, four loops
Model make_net(int bodies);

}  // namespace trammel::bench
