// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The inner loop of the supernodal factorisation: a tile of 4 rows and up to 6 columns of A Bᵀ, held
// in registers (4 × 6 numbers take 12 of the 16 registers of SSE2, 2 carry A, 1 carries B).
//
// Every number is a sum over the columns of A in ascending order, whatever tile it falls in: bits do
// not depend on how the rows are cut into tiles, nor on the width of the vector unit.
#pragma once

#include <cstddef>
#include <cstring>

#include "math/unroll.hpp"

namespace trammel {

inline constexpr int tile_rows = 4;
inline constexpr int tile_columns = 6;

// Four numbers of a column, one below the other.
template <class Real>
struct Quad {
  Real lane[tile_rows];

  static Quad zero() { return {{Real(0), Real(0), Real(0), Real(0)}}; }
  static Quad load(const Real* from) { return {{from[0], from[1], from[2], from[3]}}; }
  void store(Real* to) const {
    unroll<tile_rows>([&](auto i) { to[i] = lane[i]; });
  }
  void add_product(const Quad& a, Real b) {
    unroll<tile_rows>([&](auto i) { lane[i] += a.lane[i] * b; });
  }
  void add_product(const Quad& a, const Quad& b) {
    unroll<tile_rows>([&](auto i) { lane[i] += a.lane[i] * b.lane[i]; });
  }
  void subtract_product(const Quad& a, Real b) {
    unroll<tile_rows>([&](auto i) { lane[i] -= a.lane[i] * b; });
  }
  Quad operator-(const Quad& b) const {
    Quad result;
    unroll<tile_rows>([&](auto i) { result.lane[i] = lane[i] - b.lane[i]; });
    return result;
  }
  Quad operator*(Real b) const {
    Quad result;
    unroll<tile_rows>([&](auto i) { result.lane[i] = lane[i] * b; });
    return result;
  }
};

// g++ keeps arrays of double in memory more often than vectors of the language extension.
template <>
struct Quad<double> {
  using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
  Pair low, high;

  static Quad zero() { return {Pair{0.0, 0.0}, Pair{0.0, 0.0}}; }
  static Quad load(const double* from) {
    Quad result;
    std::memcpy(&result.low, from, sizeof(Pair));
    std::memcpy(&result.high, from + 2, sizeof(Pair));
    return result;
  }
  void store(double* to) const {
    std::memcpy(to, &low, sizeof(Pair));
    std::memcpy(to + 2, &high, sizeof(Pair));
  }
  void add_product(const Quad& a, double b) {
    low += a.low * b;
    high += a.high * b;
  }
  void add_product(const Quad& a, const Quad& b) {
    low += a.low * b.low;
    high += a.high * b.high;
  }
  void subtract_product(const Quad& a, double b) {
    low -= a.low * b;
    high -= a.high * b;
  }
  Quad operator-(const Quad& b) const { return {low - b.low, high - b.high}; }
  Quad operator*(double b) const { return {low * b, high * b}; }
};

// sum_j = Σ_k a_k b_kj: a points at four rows of the first column, columns are `stride` apart; b has
// `columns` numbers for each k.
template <int columns, class Real>
[[gnu::always_inline]] inline void calc_tile(const Real* a, std::ptrdiff_t stride, const Real* b,
                                             int depth, Quad<Real>* sum) {
  Quad<Real> s[columns];
  unroll<columns>([&](auto j) { s[j] = Quad<Real>::zero(); });
  for (int k = 0; k < depth; ++k) {
    const Quad<Real> at = Quad<Real>::load(a);
    unroll<columns>([&](auto j) { s[j].add_product(at, b[j]); });
    a += stride;
    b += columns;
  }
  unroll<columns>([&](auto j) { sum[j] = s[j]; });
}

// f(Index<columns>) for 1 … tile_columns
template <class Function>
[[gnu::always_inline]] inline void with_columns(int columns, Function&& f) {
  switch (columns) {
    case 1: return f(Index<1>{});
    case 2: return f(Index<2>{});
    case 3: return f(Index<3>{});
    case 4: return f(Index<4>{});
    case 5: return f(Index<5>{});
    default: return f(Index<6>{});
  }
}

}  // namespace trammel
