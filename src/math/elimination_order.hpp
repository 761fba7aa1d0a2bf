// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// In which order to eliminate the blocks of a sparse symmetric matrix, and what fills in.
//
// Two orders are known:
//   minimum degree     the block with the fewest rows coupled to it goes first; no fill on chains and
//                      trees, and near linear there (ties: lowest level of the elimination tree, so
//                      that a chain is eaten from both ends)
//   nested dissection  a small set of blocks that cuts the graph in two goes last, and so on in the
//                      halves (METIS): on a net of n × n nodes n³ operations
//                      (A. George, SIAM J. Numer. Anal. 10 (1973) 345)
// make_elimination takes the one that predicts less work, Σ m_p h_p² over the blocks p with m_p rows
// and h_p rows on and below the diagonal. Where minimum degree is nearly without fill the other is
// not tried. Nothing here depends on numbers.
#pragma once

#include <utility>
#include <vector>

namespace trammel {

// Which blocks are coupled: neighbours of p are neighbour[begin[p] … begin[p + 1]), sorted.
struct BlockGraph {
  std::vector<int> begin;  // [blocks + 1]
  std::vector<int> neighbour;
  int n_blocks() const { return static_cast<int>(begin.size()) - 1; }
};

// edges: pairs of blocks, in any order, may repeat.
BlockGraph make_block_graph(int n_blocks, const std::vector<std::pair<int, int>>& edges);

// Which blocks have to be eliminated before a block: [blocks] or empty.
using Predecessors = std::vector<std::vector<int>>;

// order[step] = block. after: a matrix that is not definite may have pivots of 0 until other blocks have
// been eliminated; these waits must not be circular.
std::vector<int> order_by_minimum_degree(const std::vector<int>& sizes, const BlockGraph& graph,
                                         const Predecessors& after = {});
std::vector<int> order_by_nested_dissection(const std::vector<int>& sizes, const BlockGraph& graph);

// An order and its fill: the block of step k is coupled with those of the later steps
// later[begin[k] … begin[k + 1]), sorted. The first of them is its parent in the elimination tree.
struct Elimination {
  std::vector<int> order;     // [steps] block
  std::vector<int> position;  // [blocks] step
  std::vector<long> begin;    // [steps + 1]
  std::vector<int> later;     // steps
  double work = 0.0;          // multiplications, predicted

  int n_steps() const { return static_cast<int>(order.size()); }
  int n_later(int step) const { return static_cast<int>(begin[step + 1] - begin[step]); }
  int parent(int step) const { return n_later(step) > 0 ? later[begin[step]] : -1; }
};

Elimination eliminate(const std::vector<int>& sizes, const BlockGraph& graph,
                      std::vector<int> order);

// With the better of the two orders.
Elimination make_elimination(const std::vector<int>& sizes, const BlockGraph& graph);

}  // namespace trammel
