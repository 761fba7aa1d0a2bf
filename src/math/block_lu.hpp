// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// LU factors of a sparse matrix of small dense blocks, whose pattern is symmetric and whose values need not
// be, on real or complex numbers. With the blocks in the order of their elimination,
//
//   A = ( D  U )   L = W,   U ← D⁻¹U,   A ← A − L U      for the rest,
//       ( W  A )
//
// D with row exchanges within the block, between blocks none: the order has to see to it that no pivot is
// singular. Memory and work are those of the pattern; which numbers they are is known beforehand.
#pragma once

#include <cstddef>
#include <vector>

#include "math/complex.hpp"
#include "math/elimination_order.hpp"

namespace trammel {

// Where the blocks are, shared by all factors with the same pattern. Constant.
class BlockLuPattern {
 public:
  BlockLuPattern() = default;
  // sizes: rows of each block; order[step] = block
  BlockLuPattern(const std::vector<int>& sizes, const BlockGraph& graph, std::vector<int> order);

  int n_rows() const { return n_rows_; }
  int first_row(int block) const { return row_[block]; }  // in vectors
  int size(int block) const { return size_[block]; }
  std::size_t n_values() const { return n_values_; }

  // Multiplications and additions of one factorisation; a solution takes two for each number.
  double count_factor_operations() const;

  // A block of A or of its fill: rows `stride` numbers apart.
  struct Place {
    std::size_t offset;
    int stride;
  };
  Place find(int row_block, int column_block) const;

  // The block that is eliminated in a step, with its panels: its own rows U, the columns W below it.
  struct Step {
    int block;
    int size;              // a
    int row;               // first, in vectors
    int width;             // m: columns of U, rows of W
    std::size_t diagonal;  // a × a numbers
    std::size_t upper;     // a × m
    std::size_t lower;     // m × a
    int later_begin, later_end;
    std::size_t targets;  // (later blocks)² places where L U goes
  };
  const std::vector<Step>& steps() const { return steps_; }

  // A block coupled with that of a step: where it is in the panel and in vectors.
  struct Later {
    int block;
    int size;
    int row;
    int at;  // first column of U, row of W
  };
  const Later* later(int k) const { return later_.data() + k; }
  const Place* target(std::size_t k) const { return targets_.data() + k; }

 private:
  int n_rows_ = 0;
  std::size_t n_values_ = 0;
  std::vector<int> size_, row_, position_;  // [blocks]
  std::vector<Step> steps_;
  std::vector<Later> later_;
  std::vector<Place> targets_;
};

template <class Number>
class BlockLu {
 public:
  explicit BlockLu(const BlockLuPattern& pattern)
      : pattern_(&pattern), values_(pattern.n_values()), pivots_(pattern.n_rows()) {}

  void clear();  // all numbers 0
  Number* at(const BlockLuPattern::Place& place) { return values_.data() + place.offset; }

  // A → its factors; false: a pivot is 0 or not finite.
  bool factor();
  // b → A⁻¹ b
  void solve(Number* b) const;

 private:
  const BlockLuPattern* pattern_;
  std::vector<Number> values_;
  std::vector<int> pivots_;  // [rows] row of the block that pivoting moved here
};

extern template class BlockLu<double>;
extern template class BlockLu<Complex>;

}  // namespace trammel
