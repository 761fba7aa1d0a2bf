// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The operations of a BlockProgram on numbers, with sizes known at compile time: straight-line
// code, the rows of p in registers. Part of block_operations.hpp.
#pragma once

#include "math/block_ldlt.hpp"
#include "math/choices.hpp"
#include "math/unroll.hpp"

namespace trammel {

// D_p = L D Lᵀ, L unit lower triangular: strict lower triangle of the block ← L.
template <class Real, int m>
[[gnu::always_inline]] inline void factor_block(const BlockProgram::Operation& op,
                                                const BlockFactor<Real>& f, Real drop_tolerance) {
  Real* d = f.values + op.diagonal_p;
  Real l[m][m];
  unroll<m>([&](auto r) __attribute__((always_inline)) {
    unroll<r + 1>([&](auto c) __attribute__((always_inline)) { l[r][c] = d[r * m + c]; });
  });
  unroll<m>([&](auto c) __attribute__((always_inline)) {
    Real inverse;
    keep_or_drop(l[c][c], drop_tolerance * f.diagonal[op.row_p + c], f.pivot[op.row_p + c],
                 inverse);
    f.inverse[op.row_p + c] = inverse;
    Real column[m];
    unroll<m - 1 - c>([&](auto k) __attribute__((always_inline)) {
      constexpr int r = c + 1 + k;
      column[r] = l[r][c];
      l[r][c] = column[r] * inverse;
    });
    unroll<m - 1 - c>([&](auto k) __attribute__((always_inline)) {
      constexpr int r = c + 1 + k;
      unroll<k + 1>([&](auto j) __attribute__((always_inline)) {
        constexpr int q = c + 1 + j;
        l[r][q] -= l[r][c] * column[q];
      });
    });
  });
  unroll<m>([&](auto r) __attribute__((always_inline)) {
    unroll<r>([&](auto c) __attribute__((always_inline)) { d[r * m + c] = l[r][c]; });
  });
}

// Y = W L_p⁻ᵀ, L_qp = Y D⁻¹, D_q ← D_q − L_qp Yᵀ (lower triangle).
template <class Real, int m, int n>
[[gnu::always_inline]] inline void factor_panel(const BlockProgram::Operation& op,
                                                const BlockFactor<Real>& f) {
  const Real* d = f.values + op.diagonal_p;
  Real* w = f.values + op.panel_q;
  Real* dq = f.values + op.diagonal_q;
  Real y[n][m];
  Real inverse[m];
  unroll<m>([&](auto c) __attribute__((always_inline)) { inverse[c] = f.inverse[op.row_p + c]; });
  unroll<n>([&](auto r) __attribute__((always_inline)) {
    Real z[m];
    unroll<m>([&](auto c) __attribute__((always_inline)) {
      Real v = w[r * m + c];
      unroll<c>([&](auto k) __attribute__((always_inline)) { v -= d[c * m + k] * y[r][k]; });
      y[r][c] = v;
      z[c] = v * inverse[c];
      w[r * m + c] = z[c];
    });
    unroll<r + 1>([&](auto q) __attribute__((always_inline)) {
      Real v = dq[r * n + q];
      unroll<m>([&](auto c) __attribute__((always_inline)) { v -= z[c] * y[q][c]; });
      dq[r * n + q] = v;
    });
  });
}

// L_qp = W L_p⁻ᵀ D⁻¹ alone: D_q belongs to the top, and is changed when all subtrees are done.
template <class Real, int m, int n>
[[gnu::always_inline]] inline void factor_border(const BlockProgram::Operation& op,
                                                 const BlockFactor<Real>& f) {
  const Real* d = f.values + op.diagonal_p;
  Real* w = f.values + op.panel_q;
  unroll<n>([&](auto r) {
    Real y[m];
    unroll<m>([&](auto c) {
      Real v = w[r * m + c];
      unroll<c>([&](auto k) { v -= d[c * m + k] * y[k]; });
      y[c] = v;
      w[r * m + c] = v * f.inverse[op.row_p + c];
    });
  });
}

// W_sq ← W_sq − L_sp D L_qpᵀ
template <class Real, int m>
[[gnu::always_inline]] inline void factor_cross(const BlockProgram::Operation& op,
                                                const BlockProgram::Cross& cross,
                                                const BlockFactor<Real>& f) {
  const Real* zq = f.values + cross.panel_q;
  const Real* zs = f.values + cross.panel_s;
  Real* w = f.values + cross.target;
  Real pivot[m];
  unroll<m>([&](auto c) { pivot[c] = f.pivot[op.row_p + c]; });
  for (int q = 0; q < cross.n; ++q) {
    Real y[m];
    unroll<m>([&](auto c) { y[c] = zq[q * m + c] * pivot[c]; });
    for (int s = 0; s < cross.k; ++s) {
      Real v = w[s * cross.n + q];
      unroll<m>([&](auto c) { v -= zs[s * m + c] * y[c]; });
      w[s * cross.n + q] = v;
    }
  }
}

// b_p ← L_p⁻¹ b_p
template <class Real, int m>
[[gnu::always_inline]] inline void forward_block(const BlockProgram::Operation& op,
                                                 const BlockFactor<Real>& f, Real* b) {
  const Real* l = f.values + op.diagonal_p;
  Real* bp = b + op.row_p;
  unroll<m>([&](auto r) {
    Real v = bp[r];
    unroll<r>([&](auto c) { v -= l[r * m + c] * bp[c]; });
    bp[r] = v;
  });
}

// b_q ← b_q − L_qp b_p
template <class Real, int m, int n>
[[gnu::always_inline]] inline void forward_panel(const BlockProgram::Operation& op,
                                                 const BlockFactor<Real>& f, Real* b) {
  const Real* z = f.values + op.panel_q;
  Real bp[m];
  unroll<m>([&](auto c) { bp[c] = b[op.row_p + c]; });
  unroll<n>([&](auto r) {
    Real v = b[op.row_q + r];
    unroll<m>([&](auto c) { v -= z[r * m + c] * bp[c]; });
    b[op.row_q + r] = v;
  });
}

// b_p ← L_p⁻ᵀ b_p
template <class Real, int m>
[[gnu::always_inline]] inline void backward_block(const BlockProgram::Operation& op,
                                                  const BlockFactor<Real>& f, Real* b) {
  const Real* l = f.values + op.diagonal_p;
  Real* bp = b + op.row_p;
  unroll<m>([&](auto k) {
    constexpr int r = m - 1 - k;
    Real v = bp[r];
    unroll<k>([&](auto j) {
      constexpr int c = m - 1 - j;
      v -= l[c * m + r] * bp[c];
    });
    bp[r] = v;
  });
}

// b_p ← b_p − L_qpᵀ b_q
template <class Real, int m, int n>
[[gnu::always_inline]] inline void backward_panel(const BlockProgram::Operation& op,
                                                  const BlockFactor<Real>& f, Real* b) {
  const Real* z = f.values + op.panel_q;
  Real bp[m];
  unroll<m>([&](auto c) { bp[c] = b[op.row_p + c]; });
  unroll<n>([&](auto r) {
    const Real bq = b[op.row_q + r];
    unroll<m>([&](auto c) { bp[c] -= z[r * m + c] * bq; });
  });
  unroll<m>([&](auto c) { b[op.row_p + c] = bp[c]; });
}

}  // namespace trammel
