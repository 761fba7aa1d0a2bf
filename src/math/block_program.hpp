// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The symbolic half of a block-sparse LDLᵀ, made once and executed at every evaluation
// (block_ldlt.hpp).
//
//   S = L D Lᵀ,  S symmetric, blocks of 1 … 6 rows, one per joint
//
// In which order to eliminate and what fills in: elimination_order.hpp. With little fill (a mechanism
// of a few bodies, a chain, a tree) the program is a flat list of operations on blocks, and L is stored
// where S stood. With much fill (a net) the list would be longer than L, and its operations too small
// for the vector unit: then the program is a plan of supernodes (supernodes.hpp), and L is stored in
// panels behind S. Nothing here depends on numbers.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "math/large_vector.hpp"
#include "math/supernodes.hpp"

namespace trammel {

inline constexpr int max_block_rows = 6;

// Kernels are in tables [kind][m − 1][n − 1], with n = 1 where an operation has no q.
constexpr int kernel_index(int kind, int m, int n) {
  return (kind * max_block_rows + m - 1) * max_block_rows + (n > 0 ? n - 1 : 0);
}
// factor, panel, panel on the border, factor and its only panel together
inline constexpr int n_kernel_kinds = 4;
inline constexpr int n_kernels = n_kernel_kinds * max_block_rows * max_block_rows;

// Where a block lives: rows × columns numbers, row-major, from `offset` in the value array.
struct BlockProgram {
  // factor:  D_p → L_p, D⁻¹
  // panel:   W_qp → L_qp = W L_p⁻ᵀ D⁻¹, and D_q ← D_q − L_qp D L_qpᵀ
  enum class Kind : unsigned char { factor, panel };

  // A panel operation on the border, from a subtree to the top (below), leaves D_q and b_q alone: they
  // follow as a BorderUpdate when all subtrees are done.

  // 28 bytes: of a chain every body has two of them
  struct Operation {
    Kind kind;
    unsigned char m;       // rows of p, the block being eliminated
    unsigned char n;       // rows of q (panel)
    unsigned char kernel;  // which code executes it, from its kind, m and n: index into a table
    int row_p;             // first row of p in vectors
    int row_q;             // first row of q in vectors
    int diagonal_p;        // offset of D_p
    int diagonal_q;        // offset of D_q (panel)
    int panel_q;           // offset of W_qp (panel)
    int cross_end;         // the crosses up to here come before the next operation
  };

  // W_sq ← W_sq − L_sp D L_qpᵀ   (p eliminated by the operation before, q before s)
  struct Cross {
    int panel_q;      // offset of W_qp
    int panel_s;      // offset of W_sp
    int target;       // offset of W_sq
    unsigned char n;  // rows of q
    unsigned char k;  // rows of s
  };

  int n_rows = 0;
  int n_given = 0;            // those of vectors; the rows after them take 0 (make_block_program)
  int uniform = 0;            // rows of every block where all have as many, else 0
  std::vector<int> size;      // [blocks] rows of a block
  std::vector<int> row;       // [blocks] first row in vectors, in the order given
  std::vector<int> diagonal;  // [blocks] offset of the diagonal block
  std::vector<int> position;  // [blocks] when it is eliminated
  std::size_t n_diagonal_values = 0;  // the off-diagonal blocks follow
  std::size_t n_block_values = 0;     // both; panels follow
  std::size_t n_values = 0;

  bool is_large = false;     // has supernodes, subtrees or inner blocks
  SupernodePlan supernodes;  // where it is not empty, the lists are

  // One list for all: the factorisation executes operations and crosses, a solve the operations
  // alone, forwards and then backwards.
  LargeVector<Operation> forward;
  std::vector<Cross> crosses;

  // In a large program the operations of subtrees of the elimination tree come first, each subtree
  // by itself, then what they give the top, then the top. In a small one all is top.
  struct Range {
    int begin, end;  // operations
    int cross;       // the first cross
  };
  struct BorderUpdate {
    int operation;
    Cross cross;  // of D_q: W_qq ← W_qq − L_qp D L_qpᵀ
  };
  std::vector<Range> subtrees;
  std::vector<int> subtree_end;  // [subtrees] the position of the first block behind each
  Range top{};
  std::vector<BorderUpdate> border;    // of the factorisation, in order
  std::vector<int> border_operations;  // of the forward solution, in order

  // Offset of the off-diagonal block that couples blocks a and b, and whether it is stored with
  // the rows of a (true) or of b (false). With supernodes: of those that S has, without fill.
  struct Coupling {
    int offset;
    bool rows_of_a;
  };
  Coupling find_coupling(int a, int b) const;
  int n_blocks() const { return static_cast<int>(size.size()); }

 private:
  friend class BlockProgrammer;
  // The off-diagonal blocks of the block of step k: with the blocks of the later steps
  // later_[begin_[k] … begin_[k + 1]), sorted, from the offsets next to them.
  std::vector<int> begin_, later_, offset_;
};

// Whether supernodes are used: by the predicted work, or as a test wants it.
enum class Supernodes { where_they_pay, always, never };

// sizes: rows of each block; edges: pairs of blocks that are coupled (any order, may repeat).
// n_inner: the last blocks are known to the factorisation alone. Right-hand sides are 0 there, and vectors
// end before their rows.
BlockProgram make_block_program(const std::vector<int>& sizes,
                                const std::vector<std::pair<int, int>>& edges,
                                Supernodes supernodes = Supernodes::where_they_pay,
                                int n_inner = 0);

}  // namespace trammel
