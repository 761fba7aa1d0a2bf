// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The graph of bodies and rows of a saddle-point matrix,
//
//   ( D  Jᵀ )      D: blocks of bodies, and of bodies joined by a force element
//   ( J  0  )      rows: one block for each joint, one for each coordinate row
//
// and in which order it may be eliminated. Rows have no diagonal block: their pivot is −J D⁻¹ Jᵀ of what has
// been eliminated before, and regular where the rows eliminated so far are independent on the bodies
// eliminated so far. A spanning tree of the joints, rooted at the ground, makes sure of that:
//
//   a joint of the tree           waits for its outer body. With it go, through eliminated joints, bodies
//                                 that are free to move together as one rigid body, which no row between
//                                 them resists: any rows of one joint are independent on them.
//   other joints, coordinate rows  wait for all bodies on the loops that they close. Then their rows are
//                                 those of the whole mechanism, whose active rows are independent.
//
// The arms of a hub go before it, with their joints: a hub with n arms takes n blocks, not n².
#pragma once

#include <utility>
#include <vector>

#include "math/elimination_order.hpp"
#include "system/topology.hpp"

namespace trammel {

struct SaddleGraph {
  std::vector<int> sizes;  // [nodes] bodies, joints, coordinate rows
  std::vector<std::pair<int, int>>
      edges;           // of rows and their bodies; those of forces are to be added
  Predecessors after;  // [nodes]

  // first node of joints and of coordinate rows
  int first_joint = 0, first_row = 0;
};

SaddleGraph make_saddle_graph(const Topology& topology, int rows_of_body);

}  // namespace trammel
