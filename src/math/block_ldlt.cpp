// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Block operations with sizes known at compile time, chosen from a table by the sizes of the
// operation: one indirect call per block, straight-line code inside. Where all blocks have the same
// size (a chain of like joints, most planar mechanisms) the loop over operations is compiled for
// that size and nothing is called at all: with blocks of two rows the calls cost more than the
// numbers.
#include "math/block_ldlt.hpp"

#include <array>

#include "math/supernodal_ldlt.hpp"
#include "math/unroll.hpp"

namespace trammel {

namespace {

using Operation = BlockProgram::Operation;

template <class Real>
using FactorKernel = void (*)(const Operation&, const BlockFactor<Real>&, Real);
template <class Real>
using SolveKernel = void (*)(const Operation&, const BlockFactor<Real>&, Real*);

// D_p = L D Lᵀ, L unit lower triangular: strict lower triangle of the block ← L.
template <class Real, int m>
[[gnu::always_inline]] inline void factor_block(const Operation& op, const BlockFactor<Real>& f,
                                                Real drop_tolerance) {
  Real* d = f.values + op.diagonal_p;
  Real l[m][m];
  unroll<m>([&](auto r) { unroll<r + 1>([&](auto c) { l[r][c] = d[r * m + c]; }); });
  unroll<m>([&](auto c) {
    const Real pivot = l[c][c];
    const bool keep = pivot > drop_tolerance * f.diagonal[op.row_p + c];
    const Real inverse = keep ? Real(1) / pivot : Real(0);
    f.pivot[op.row_p + c] = keep ? pivot : Real(0);
    f.inverse[op.row_p + c] = inverse;
    Real column[m];
    unroll<m - 1 - c>([&](auto k) {
      constexpr int r = c + 1 + k;
      column[r] = l[r][c];
      l[r][c] = column[r] * inverse;
    });
    unroll<m - 1 - c>([&](auto k) {
      constexpr int r = c + 1 + k;
      unroll<k + 1>([&](auto j) {
        constexpr int q = c + 1 + j;
        l[r][q] -= l[r][c] * column[q];
      });
    });
  });
  unroll<m>([&](auto r) { unroll<r>([&](auto c) { d[r * m + c] = l[r][c]; }); });
}

// Y = W L_p⁻ᵀ, L_qp = Y D⁻¹, D_q ← D_q − L_qp Yᵀ (lower triangle).
template <class Real, int m, int n>
[[gnu::always_inline]] inline void factor_panel(const Operation& op, const BlockFactor<Real>& f,
                                                Real) {
  const Real* d = f.values + op.diagonal_p;
  Real* w = f.values + op.panel_q;
  Real* dq = f.values + op.diagonal_q;
  Real y[n][m];
  Real inverse[m];
  unroll<m>([&](auto c) { inverse[c] = f.inverse[op.row_p + c]; });
  unroll<n>([&](auto r) {
    Real z[m];
    unroll<m>([&](auto c) {
      Real v = w[r * m + c];
      unroll<c>([&](auto k) { v -= d[c * m + k] * y[r][k]; });
      y[r][c] = v;
      z[c] = v * inverse[c];
      w[r * m + c] = z[c];
    });
    unroll<r + 1>([&](auto q) {
      Real v = dq[r * n + q];
      unroll<m>([&](auto c) { v -= z[c] * y[q][c]; });
      dq[r * n + q] = v;
    });
  });
}

// W_sq ← W_sq − L_sp D L_qpᵀ
template <class Real, int m>
[[gnu::always_inline]] inline void factor_cross(const Operation& op, const BlockFactor<Real>& f,
                                                Real) {
  const Real* zq = f.values + op.panel_q;
  const Real* zs = f.values + op.panel_s;
  Real* w = f.values + op.target;
  Real pivot[m];
  unroll<m>([&](auto c) { pivot[c] = f.pivot[op.row_p + c]; });
  for (int q = 0; q < op.n; ++q) {
    Real y[m];
    unroll<m>([&](auto c) { y[c] = zq[q * m + c] * pivot[c]; });
    for (int s = 0; s < op.k; ++s) {
      Real v = w[s * op.n + q];
      unroll<m>([&](auto c) { v -= zs[s * m + c] * y[c]; });
      w[s * op.n + q] = v;
    }
  }
}

// b_p ← L_p⁻¹ b_p
template <class Real, int m>
[[gnu::always_inline]] inline void forward_block(const Operation& op, const BlockFactor<Real>& f,
                                                 Real* b) {
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
[[gnu::always_inline]] inline void forward_panel(const Operation& op, const BlockFactor<Real>& f,
                                                 Real* b) {
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
[[gnu::always_inline]] inline void backward_block(const Operation& op, const BlockFactor<Real>& f,
                                                  Real* b) {
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
[[gnu::always_inline]] inline void backward_panel(const Operation& op, const BlockFactor<Real>& f,
                                                  Real* b) {
  const Real* z = f.values + op.panel_q;
  Real bp[m];
  unroll<m>([&](auto c) { bp[c] = b[op.row_p + c]; });
  unroll<n>([&](auto r) {
    const Real bq = b[op.row_q + r];
    unroll<m>([&](auto c) { bp[c] -= z[r * m + c] * bq; });
  });
  unroll<m>([&](auto c) { b[op.row_p + c] = bp[c]; });
}

// ---- tables by kernel_index

template <class Kernel>
using Table = std::array<Kernel, n_kernels>;

template <class Real>
constexpr Table<FactorKernel<Real>> make_factor_table() {
  Table<FactorKernel<Real>> table{};
  unroll<max_block_rows>([&](auto i) {
    unroll<max_block_rows>([&](auto j) {
      table[kernel_index(0, i + 1, j + 1)] = factor_block<Real, i + 1>;
      table[kernel_index(1, i + 1, j + 1)] = factor_panel<Real, i + 1, j + 1>;
      table[kernel_index(2, i + 1, j + 1)] = factor_cross<Real, i + 1>;
    });
  });
  return table;
}

struct Forward {};
struct Backward {};

template <class Real, class Direction>
constexpr Table<SolveKernel<Real>> make_solve_table(Direction) {
  constexpr bool forward = std::is_same_v<Direction, Forward>;
  Table<SolveKernel<Real>> table{};
  unroll<max_block_rows>([&](auto i) {
    unroll<max_block_rows>([&](auto j) {
      table[kernel_index(0, i + 1, j + 1)] =
          forward ? forward_block<Real, i + 1> : backward_block<Real, i + 1>;
      table[kernel_index(1, i + 1, j + 1)] =
          forward ? forward_panel<Real, i + 1, j + 1> : backward_panel<Real, i + 1, j + 1>;
    });
  });
  return table;
}

// ---- all blocks of m rows: 1 to 3 below, larger blocks have enough work for a call

template <class Real, int m>
void factorise_uniform(const BlockProgram& program, const BlockFactor<Real>& f,
                       Real drop_tolerance) {
  for (const Operation& op : program.factor) {
    if (op.kind == BlockProgram::Kind::factor) {
      factor_block<Real, m>(op, f, drop_tolerance);
    } else if (op.kind == BlockProgram::Kind::panel) {
      factor_panel<Real, m, m>(op, f, drop_tolerance);
    } else {
      factor_cross<Real, m>(op, f, drop_tolerance);
    }
  }
}

template <class Real, int m>
void solve_uniform(const BlockProgram& program, const BlockFactor<Real>& f, Real* b) {
  for (const Operation& op : program.forward) {
    if (op.kind == BlockProgram::Kind::factor) {
      forward_block<Real, m>(op, f, b);
    } else {
      forward_panel<Real, m, m>(op, f, b);
    }
  }
  for (int r = 0; r < program.n_rows; ++r) b[r] *= f.inverse[r];
  for (const Operation& op : program.backward) {
    if (op.kind == BlockProgram::Kind::factor) {
      backward_block<Real, m>(op, f, b);
    } else {
      backward_panel<Real, m, m>(op, f, b);
    }
  }
}

}  // namespace

template <class Real>
void factorise(const BlockProgram& program, const BlockFactor<Real>& factor, Real drop_tolerance) {
  if (!program.supernodes.empty()) {
    return factorise_supernodes(program.supernodes, factor, drop_tolerance);
  }
  if (program.uniform == 1) return factorise_uniform<Real, 1>(program, factor, drop_tolerance);
  if (program.uniform == 2) return factorise_uniform<Real, 2>(program, factor, drop_tolerance);
  if (program.uniform == 3) return factorise_uniform<Real, 3>(program, factor, drop_tolerance);
  static constexpr auto table = make_factor_table<Real>();
  for (const Operation& op : program.factor) table[op.kernel](op, factor, drop_tolerance);
}

template <class Real>
void solve(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b) {
  if (!program.supernodes.empty()) return solve_supernodes(program.supernodes, factor, b);
  if (program.uniform == 1) return solve_uniform<Real, 1>(program, factor, b);
  if (program.uniform == 2) return solve_uniform<Real, 2>(program, factor, b);
  if (program.uniform == 3) return solve_uniform<Real, 3>(program, factor, b);
  static constexpr auto forward = make_solve_table<Real>(Forward{});
  static constexpr auto backward = make_solve_table<Real>(Backward{});
  for (const Operation& op : program.forward) forward[op.kernel](op, factor, b);
  for (int r = 0; r < program.n_rows; ++r) b[r] *= factor.inverse[r];
  for (const Operation& op : program.backward) backward[op.kernel](op, factor, b);
}

template <class Real>
void solve_transposed(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b) {
  if (!program.supernodes.empty()) {
    return solve_supernodes_transposed(program.supernodes, factor, b);
  }
  static constexpr auto backward = make_solve_table<Real>(Backward{});
  for (const Operation& op : program.backward) backward[op.kernel](op, factor, b);
}

// The operation on a block of the diagonal alone, as the list would have it.
inline Operation make_block_operation(const BlockProgram& program, std::size_t p) {
  return {BlockProgram::Kind::factor, static_cast<unsigned char>(program.size[p]), 0, 0,
          program.row[p], 0, program.diagonal[p], 0, 0, 0, 0,
          kernel_index(0, program.size[p], 0)};
}

template <class Real>
void factorise_blocks(const BlockProgram& program, const BlockFactor<Real>& factor,
                      Real drop_tolerance) {
  static constexpr auto table = make_factor_table<Real>();
  for (std::size_t p = 0; p < program.size.size(); ++p) {
    const Operation op = make_block_operation(program, p);
    table[op.kernel](op, factor, drop_tolerance);
  }
}

template <class Real>
void solve_blocks(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b) {
  static constexpr auto forward = make_solve_table<Real>(Forward{});
  static constexpr auto backward = make_solve_table<Real>(Backward{});
  for (std::size_t p = 0; p < program.size.size(); ++p) {
    const Operation op = make_block_operation(program, p);
    forward[op.kernel](op, factor, b);
    for (int r = op.row_p; r < op.row_p + op.m; ++r) b[r] *= factor.inverse[r];
    backward[op.kernel](op, factor, b);
  }
}

template void factorise<double>(const BlockProgram&, const BlockFactor<double>&, double);
template void solve<double>(const BlockProgram&, const BlockFactor<double>&, double*);
template void solve_transposed<double>(const BlockProgram&, const BlockFactor<double>&, double*);
template void factorise_blocks<double>(const BlockProgram&, const BlockFactor<double>&, double);
template void solve_blocks<double>(const BlockProgram&, const BlockFactor<double>&, double*);

}  // namespace trammel
