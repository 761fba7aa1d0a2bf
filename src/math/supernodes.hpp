// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Supernodes: columns of L with the same rows below them, stored as one dense panel. The symbolic
// half of the factorisation of matrices with much fill, made once; supernodal_ldlt.hpp executes it.
//
//   panel of J:  │ L_JJ │  width × width, unit lower triangle
//                │ L_RJ │  rows R below, sorted
//
// Columns whose rows differ by little are joined and zeros stored, because a wide panel costs less
// than two narrow ones; a panel is at most max_supernode_width wide, so that what it gives to another
// one fits the first cache, and so that two threads find work in the last separator of a net. The
// pieces of one supernode share one list of rows. Nothing is stored for a pair of blocks: the memory
// besides the values is a number a row of a panel, and twelve bytes a pair of panels.
//
// Rows are numbered here by elimination; row_of leads back to the rows of vectors.
#pragma once

#include <cstddef>
#include <vector>

#include "math/elimination_order.hpp"

namespace trammel {

inline constexpr int max_supernode_width = 48;

struct Supernode {
  int first;  // its columns are first … first + width
  int width;
  int height;                    // of the panel: width and the rows below
  int rows;                      // row_index[rows … rows + height), its own columns first
  std::size_t panel;             // offset in the values; by columns, one every `height` numbers
  int update_begin, update_end;  // those that change it: updates[…]
  int source_begin, source_end;  // its part of S: sources[…]
};

// Rows begin … end of the panel of `from` are columns of the supernode this belongs to.
struct SupernodeUpdate {
  int from;
  int begin, end;
};

// A block of S and its place in the panel.
struct SupernodeSource {
  int offset;  // of the block in the values, by rows
  int row;     // in the panel
  int column;
  short n_rows, n_columns;  // on the diagonal only the lower triangle counts
};

struct SupernodeRange {
  int begin, end;
};

struct SupernodePlan {
  std::vector<Supernode> nodes;  // descendants before ancestors
  std::vector<int> row_index;
  std::vector<SupernodeUpdate> updates;  // by the one that is changed, then by the one that changes
  std::vector<SupernodeSource> sources;
  std::vector<int> row_of;  // [rows] row of vectors

  // Subtrees of the elimination tree that know nothing of each other, and what remains above them,
  // in the order of elimination. The same whatever the number of threads.
  std::vector<SupernodeRange> subtrees;
  std::vector<int> top;

  // ---- scratch behind the panels, in the values
  std::size_t pivots = 0;    // [rows] D in the order of elimination
  std::size_t vector = 0;    // [rows] a right-hand side in the order of elimination
  std::size_t places = 0;    // [rows] int, where a row is in a panel
  std::size_t n_values = 0;  // all of them

  int n_rows() const { return static_cast<int>(row_of.size()); }
  bool empty() const { return nodes.empty(); }
};

// A block of S as it is stored: rows of block `later`, columns of block `block`, or the diagonal.
struct StoredBlock {
  int block;
  int later;
  int offset;
};

// Joins columns; `elimination` is renumbered so that those of a supernode are consecutive. Returns
// for each step the last step of its supernode.
std::vector<int> join_columns(const std::vector<int>& sizes, Elimination& elimination);

// stored: all blocks of S; first_value: where the panels may begin.
SupernodePlan make_supernode_plan(const std::vector<int>& sizes, const std::vector<int>& row,
                                  const Elimination& elimination, const std::vector<int>& last_of,
                                  const std::vector<StoredBlock>& stored, std::size_t first_value);

}  // namespace trammel
