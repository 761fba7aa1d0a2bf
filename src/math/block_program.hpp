// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The symbolic half of a block-sparse LDLᵀ: which blocks fill in, in which order to eliminate, and
// a flat list of block operations, made once and executed at every evaluation (block_ldlt.hpp).
//
//   S = L D Lᵀ,  S symmetric, blocks of 1 … 6 rows, one per joint
//
// The order is minimum degree, counted in rows, on the graph of blocks (ties: lowest level of the
// elimination tree, so that a chain is eaten from both ends). Nothing here depends on numbers.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace trammel {

inline constexpr int max_block_rows = 6;

// Kernels stand in tables [kind][m − 1][n − 1], with n = 1 where an operation has no q.
constexpr int kernel_index(int kind, int m, int n) {
  return (kind * max_block_rows + m - 1) * max_block_rows + (n > 0 ? n - 1 : 0);
}
inline constexpr int n_kernels = 3 * max_block_rows * max_block_rows;

// Where a block lives: rows × columns numbers, row-major, from `offset` in the value array.
struct BlockProgram {
  // factor:  D_p → L_p, D⁻¹
  // panel:   W_qp → L_qp = W L_p⁻ᵀ D⁻¹, and D_q ← D_q − L_qp D L_qpᵀ
  // cross:   W_sq ← W_sq − L_sp D L_qpᵀ   (p eliminated, q before s)
  enum class Kind : unsigned char { factor, panel, cross };

  struct Operation {
    Kind kind;
    unsigned char m;  // rows of p, the block being eliminated
    unsigned char n;  // rows of q (panel, cross)
    unsigned char k;  // rows of s (cross)
    int row_p;        // first row of p in vectors
    int row_q;        // first row of q in vectors
    int diagonal_p;   // offset of D_p
    int diagonal_q;   // offset of D_q (panel)
    int panel_q;      // offset of W_qp (panel, cross)
    int panel_s;      // offset of W_sp (cross)
    int target;       // offset of W_sq (cross)
    int kernel = 0;   // which code executes it, from kind, m and n: index into a table
  };

  int n_rows = 0;
  int uniform = 0;            // rows of every block where all have as many, else 0
  std::vector<int> size;      // [blocks] rows of a block
  std::vector<int> row;       // [blocks] first row in vectors, in the order given
  std::vector<int> diagonal;  // [blocks] offset of the diagonal block
  std::vector<int> position;  // [blocks] when it is eliminated
  std::size_t n_diagonal_values = 0;  // the off-diagonal blocks stand behind these
  std::size_t n_values = 0;

  std::vector<Operation> factor;    // factor, panel, cross, in order
  std::vector<Operation> forward;   // factor (L_p⁻¹) and panel operations only, in order
  std::vector<Operation> backward;  // panel and factor operations, in reverse

  // Offset of the off-diagonal block that couples blocks a and b, and whether it is stored with
  // the rows of a (true) or of b (false).
  struct Coupling {
    int offset;
    bool rows_of_a;
  };
  Coupling find_coupling(int a, int b) const;

 private:
  friend BlockProgram make_block_program(const std::vector<int>&,
                                         const std::vector<std::pair<int, int>>&);
  std::vector<std::vector<std::pair<int, int>>> panels_;  // [blocks] (later block, offset), sorted
};

// sizes: rows of each block; edges: pairs of blocks that are coupled (any order, may repeat).
BlockProgram make_block_program(const std::vector<int>& sizes,
                                const std::vector<std::pair<int, int>>& edges);

}  // namespace trammel
