// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/block_lu.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace trammel {

BlockLuPattern::BlockLuPattern(const std::vector<int>& sizes, const BlockGraph& graph,
                               std::vector<int> order)
    : size_(sizes) {
  const Elimination elimination = eliminate(sizes, graph, std::move(order));
  position_ = elimination.position;
  row_.resize(sizes.size());
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    row_[block] = n_rows_;
    n_rows_ += sizes[block];
  }
  const auto take = [&](std::size_t count) { return std::exchange(n_values_, n_values_ + count); };
  for (int step = 0; step < elimination.n_steps(); ++step) {
    const int block = elimination.order[step];
    Step s{};
    s.block = block;
    s.size = sizes[block];
    s.row = row_[block];
    s.later_begin = static_cast<int>(later_.size());
    for (long k = elimination.begin[step]; k < elimination.begin[step + 1]; ++k) {
      const int other = elimination.order[elimination.later[k]];
      later_.push_back({other, sizes[other], row_[other], s.width});
      s.width += sizes[other];
    }
    s.later_end = static_cast<int>(later_.size());
    const auto a = static_cast<std::size_t>(s.size), m = static_cast<std::size_t>(s.width);
    s.diagonal = take(a * a);
    s.upper = take(a * m);
    s.lower = take(m * a);
    steps_.push_back(s);
  }
  for (Step& s : steps_) {
    s.targets = targets_.size();
    for (int i = s.later_begin; i < s.later_end; ++i) {
      for (int j = s.later_begin; j < s.later_end; ++j) {
        targets_.push_back(find(later_[i].block, later_[j].block));
      }
    }
  }
}

BlockLuPattern::Place BlockLuPattern::find(int row_block, int column_block) const {
  const int row_step = position_[row_block], column_step = position_[column_block];
  const Step& s = steps_[std::min(row_step, column_step)];
  if (row_step == column_step) return {s.diagonal, s.size};
  // later blocks are in the order of their steps
  const int sought = std::max(row_step, column_step);
  const auto begin = later_.begin() + s.later_begin, end = later_.begin() + s.later_end;
  const auto found = std::lower_bound(
      begin, end, sought, [&](const Later& x, int step) { return position_[x.block] < step; });
  assert(found != end && position_[found->block] == sought);
  const auto at = static_cast<std::size_t>(found->at);
  if (row_step < column_step) return {s.upper + at, s.width};
  return {s.lower + at * static_cast<std::size_t>(s.size), s.size};
}

double BlockLuPattern::count_factor_operations() const {
  double count = 0.0;
  for (const Step& s : steps_) {
    const double a = s.size, m = s.width;
    count += 2.0 / 3.0 * a * a * a + 2.0 * a * a * m + 2.0 * a * m * m;
  }
  return count;
}

namespace {

// Sizes up to this one have code of their own.
constexpr int most_rows = 6;

// D → its LU factors with exchanged rows; the diagonal of U is stored inverted.
template <class Number>
bool factor_diagonal(Number* d, int a, int* pivots) {
  for (int k = 0; k < a; ++k) {
    int best = k;
    for (int i = k + 1; i < a; ++i) {
      if (calc_size(d[i * a + k]) > calc_size(d[best * a + k])) best = i;
    }
    const double size = calc_size(d[best * a + k]);
    if (!(size > 0.0) || !std::isfinite(size)) return false;
    pivots[k] = best;
    if (best != k) std::swap_ranges(d + k * a, d + (k + 1) * a, d + best * a);
    const Number inverse = calc_inverse(d[k * a + k]);
    d[k * a + k] = inverse;
    for (int i = k + 1; i < a; ++i) {
      const Number factor = d[i * a + k] * inverse;
      d[i * a + k] = factor;
      for (int j = k + 1; j < a; ++j) d[i * a + j] -= factor * d[k * a + j];
    }
  }
  return true;
}

// B → D⁻¹ B, B with a rows of m numbers
template <class Number>
void solve_diagonal(const Number* d, int a, const int* pivots, Number* b, int m) {
  for (int k = 0; k < a; ++k) {
    if (pivots[k] != k) std::swap_ranges(b + k * m, b + (k + 1) * m, b + pivots[k] * m);
  }
  for (int i = 1; i < a; ++i) {
    for (int k = 0; k < i; ++k) {
      const Number factor = d[i * a + k];
      for (int j = 0; j < m; ++j) b[i * m + j] -= factor * b[k * m + j];
    }
  }
  for (int i = a - 1; i >= 0; --i) {
    for (int k = i + 1; k < a; ++k) {
      const Number factor = d[i * a + k];
      for (int j = 0; j < m; ++j) b[i * m + j] -= factor * b[k * m + j];
    }
    const Number inverse = d[i * a + i];
    for (int j = 0; j < m; ++j) b[i * m + j] = b[i * m + j] * inverse;
  }
}

// A ← A − L U for the blocks behind those of a step; a: its size, where it is known when compiling
template <class Number, int known>
void subtract_products(const BlockLuPattern& pattern, const BlockLuPattern::Step& s,
                       Number* values) {
  const int a = known > 0 ? known : s.size;
  const Number* const upper = values + s.upper;
  const Number* const lower = values + s.lower;
  const BlockLuPattern::Place* target = pattern.target(s.targets);
  const BlockLuPattern::Later *const begin = pattern.later(s.later_begin), *const end =
                                                                               pattern.later(
                                                                                   s.later_end);
  for (const auto* i = begin; i != end; ++i) {
    for (const auto* j = begin; j != end; ++j, ++target) {
      Number* out = values + target->offset;
      const Number* l = lower + static_cast<std::size_t>(i->at) * a;
      for (int row = 0; row < i->size; ++row, out += target->stride, l += a) {
        for (int column = 0; column < j->size; ++column) {
          Number sum = l[0] * upper[j->at + column];
          for (int k = 1; k < a; ++k) sum += l[k] * upper[k * s.width + j->at + column];
          out[column] -= sum;
        }
      }
    }
  }
}

template <class Number>
using SubtractProducts = void (*)(const BlockLuPattern&, const BlockLuPattern::Step&, Number*);

template <class Number>
constexpr std::array<SubtractProducts<Number>, most_rows + 1> subtract_table = {
    subtract_products<Number, 0>, subtract_products<Number, 1>, subtract_products<Number, 2>,
    subtract_products<Number, 3>, subtract_products<Number, 4>, subtract_products<Number, 5>,
    subtract_products<Number, 6>};

}  // namespace

template <class Number>
void BlockLu<Number>::clear() {
  std::fill(values_.begin(), values_.end(), Number(0.0));
}

template <class Number>
bool BlockLu<Number>::factor() {
  for (const BlockLuPattern::Step& s : pattern_->steps()) {
    if (s.size == 0) continue;
    Number* const d = values_.data() + s.diagonal;
    int* const pivots = pivots_.data() + s.row;
    if (!factor_diagonal(d, s.size, pivots)) return false;
    if (s.width == 0) continue;
    solve_diagonal(d, s.size, pivots, values_.data() + s.upper, s.width);
    subtract_table<Number>[s.size <= most_rows ? s.size : 0](*pattern_, s, values_.data());
  }
  return true;
}

template <class Number>
void BlockLu<Number>::solve(Number* b) const {
  const std::vector<BlockLuPattern::Step>& steps = pattern_->steps();
  for (const BlockLuPattern::Step& s : steps) {
    if (s.size == 0) continue;
    Number* const x = b + s.row;
    solve_diagonal(values_.data() + s.diagonal, s.size, pivots_.data() + s.row, x, 1);
    const Number* l = values_.data() + s.lower;
    for (int k = s.later_begin; k < s.later_end; ++k) {
      const BlockLuPattern::Later& later = *pattern_->later(k);
      for (int i = 0; i < later.size; ++i, l += s.size) {
        Number sum = l[0] * x[0];
        for (int j = 1; j < s.size; ++j) sum += l[j] * x[j];
        b[later.row + i] -= sum;
      }
    }
  }
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const BlockLuPattern::Step& s = *step;
    Number* const x = b + s.row;
    const Number* u = values_.data() + s.upper;
    for (int i = 0; i < s.size; ++i, u += s.width) {
      Number sum(0.0);
      for (int k = s.later_begin; k < s.later_end; ++k) {
        const BlockLuPattern::Later& later = *pattern_->later(k);
        for (int j = 0; j < later.size; ++j) sum += u[later.at + j] * b[later.row + j];
      }
      x[i] -= sum;
    }
  }
}

template class BlockLu<double>;
template class BlockLu<Complex>;

}  // namespace trammel
