// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Block operations with sizes known at compile time, chosen from a table by the sizes of the
// operation: one indirect call per block, straight-line code inside. Where all blocks have the same
// size (a chain of like joints, most planar mechanisms) the loop over operations is compiled for
// that size and nothing is called at all: with blocks of two rows the calls cost more than the
// numbers. The bodies of block_ldlt.hpp, for block_ldlt.cpp and block_ldlt_traced.cpp alone.
//
// Subtrees of a large program are shared by the threads of the run; what they give the top is added
// afterwards in the order of the list, by one thread, so that bits do not depend on the threads.
#pragma once

#include <array>
#include <type_traits>

#include "math/block_kernels.hpp"
#include "math/block_ldlt.hpp"
#include "math/supernodal_ldlt.hpp"
#include "math/thread_pool.hpp"

namespace trammel {

namespace {

using Operation = BlockProgram::Operation;
using Cross = BlockProgram::Cross;

// They return the operation to go on with: the next one, or the one after that.
template <class Real>
using FactorKernel = const Operation* (*)(const Operation*, const BlockFactor<Real>&, Real);
template <class Real>
using CrossKernel = void (*)(const Operation&, const Cross&, const BlockFactor<Real>&);
template <class Real>
using SolveKernel = const Operation* (*)(const Operation*, const BlockFactor<Real>&, Real*);

// ---- tables by kernel_index

template <class Kernel>
using Table = std::array<Kernel, n_kernels>;

template <class Real, int m>
const Operation* call_factor(const Operation* op, const BlockFactor<Real>& f, Real tolerance) {
  factor_block<Real, m>(*op, f, tolerance);
  return op + 1;
}
template <class Real, int m, int n>
const Operation* call_panel(const Operation* op, const BlockFactor<Real>& f, Real) {
  factor_panel<Real, m, n>(*op, f);
  return op + 1;
}
template <class Real, int m, int n>
const Operation* call_border(const Operation* op, const BlockFactor<Real>& f, Real) {
  factor_border<Real, m, n>(*op, f);
  return op + 1;
}
template <class Real, int m, int n>
const Operation* call_both(const Operation* op, const BlockFactor<Real>& f, Real tolerance) {
  factor_block<Real, m>(op[0], f, tolerance);
  factor_panel<Real, m, n>(op[1], f);
  return op + 2;
}

// forward from the first operation of a block, backward from the last
template <class Real, int m>
const Operation* call_forward(const Operation* op, const BlockFactor<Real>& f, Real* b) {
  forward_block<Real, m>(*op, f, b);
  return op + 1;
}
template <class Real, int m, int n>
const Operation* call_forward_panel(const Operation* op, const BlockFactor<Real>& f, Real* b) {
  forward_panel<Real, m, n>(*op, f, b);
  return op + 1;
}
template <class Real>
const Operation* pass_border(const Operation* op, const BlockFactor<Real>&, Real*) {
  return op + 1;  // b_q belongs to the top
}
template <class Real, int m, int n>
const Operation* call_forward_both(const Operation* op, const BlockFactor<Real>& f, Real* b) {
  forward_block<Real, m>(op[0], f, b);
  forward_panel<Real, m, n>(op[1], f, b);
  return op + 2;
}
template <class Real, int m>
const Operation* call_backward(const Operation* op, const BlockFactor<Real>& f, Real* b) {
  backward_block<Real, m>(*op, f, b);
  return op - 1;
}
template <class Real, int m, int n>
const Operation* call_backward_panel(const Operation* op, const BlockFactor<Real>& f, Real* b) {
  backward_panel<Real, m, n>(*op, f, b);
  return op - 1;
}
template <class Real, int m, int n>
const Operation* call_backward_both(const Operation* op, const BlockFactor<Real>& f, Real* b) {
  backward_panel<Real, m, n>(op[0], f, b);
  backward_block<Real, m>(op[-1], f, b);
  return op - 2;
}

template <class Real>
struct Tables {
  Table<FactorKernel<Real>> factor{};
  std::array<CrossKernel<Real>, max_block_rows> cross{};
  Table<SolveKernel<Real>> forward{}, backward{};
};

template <class Real>
constexpr Tables<Real> make_tables() {
  Tables<Real> t;
  unroll<max_block_rows>([&](auto i) {
    constexpr int m = i + 1;
    t.cross[i] = factor_cross<Real, m>;
    unroll<max_block_rows>([&](auto j) {
      constexpr int n = j + 1;
      t.factor[kernel_index(0, m, n)] = call_factor<Real, m>;
      t.factor[kernel_index(1, m, n)] = call_panel<Real, m, n>;
      t.factor[kernel_index(2, m, n)] = call_border<Real, m, n>;
      t.factor[kernel_index(3, m, n)] = call_both<Real, m, n>;
      t.forward[kernel_index(0, m, n)] = call_forward<Real, m>;
      t.forward[kernel_index(1, m, n)] = call_forward_panel<Real, m, n>;
      t.forward[kernel_index(2, m, n)] = pass_border<Real>;
      t.forward[kernel_index(3, m, n)] = call_forward_both<Real, m, n>;
      t.backward[kernel_index(0, m, n)] = call_backward<Real, m>;
      t.backward[kernel_index(1, m, n)] = call_backward_panel<Real, m, n>;
      t.backward[kernel_index(2, m, n)] = call_backward_panel<Real, m, n>;
      t.backward[kernel_index(3, m, n)] = call_backward_both<Real, m, n>;
    });
  });
  return t;
}

// ---- the list: subtrees on all threads, what they give the top, then the top

// Blocks of sizes that differ: every operation is a call.
template <class Real>
struct AnyBlocks {
  static constexpr Tables<Real> tables = make_tables<Real>();

  static const Operation* factorise(const Operation* op, const BlockFactor<Real>& f,
                                    Real drop_tolerance) {
    return tables.factor[op->kernel](op, f, drop_tolerance);
  }
  static void cross(const Operation& op, const Cross& at, const BlockFactor<Real>& f) {
    tables.cross[op.m - 1](op, at, f);
  }
  static const Operation* forward(const Operation* op, const BlockFactor<Real>& f, Real* b) {
    return tables.forward[op->kernel](op, f, b);
  }
  static void forward_from_border(const Operation& op, const BlockFactor<Real>& f, Real* b) {
    tables.forward[kernel_index(1, op.m, op.n)](&op, f, b);
  }
  static const Operation* backward(const Operation* op, const BlockFactor<Real>& f, Real* b) {
    return tables.backward[op->kernel](op, f, b);
  }
};

// All blocks of m rows: nothing is called.
template <class Real, int m>
struct EqualBlocks {
  static constexpr int border = kernel_index(2, m, m);

  [[gnu::always_inline]] static const Operation* factorise(const Operation* op,
                                                           const BlockFactor<Real>& f,
                                                           Real drop_tolerance) {
    if (op->kind == BlockProgram::Kind::factor) {
      factor_block<Real, m>(*op, f, drop_tolerance);
    } else if (op->kernel != border) [[likely]] {
      factor_panel<Real, m, m>(*op, f);
    } else {
      factor_border<Real, m, m>(*op, f);
    }
    return op + 1;
  }
  [[gnu::always_inline]] static void cross(const Operation& op, const Cross& at,
                                           const BlockFactor<Real>& f) {
    factor_cross<Real, m>(op, at, f);
  }
  [[gnu::always_inline]] static const Operation* forward(const Operation* op,
                                                         const BlockFactor<Real>& f, Real* b) {
    if (op->kind == BlockProgram::Kind::factor) {
      forward_block<Real, m>(*op, f, b);
    } else if (op->kernel != border) [[likely]] {
      forward_panel<Real, m, m>(*op, f, b);
    }
    return op + 1;
  }
  [[gnu::always_inline]] static void forward_from_border(const Operation& op,
                                                         const BlockFactor<Real>& f, Real* b) {
    forward_panel<Real, m, m>(op, f, b);
  }
  [[gnu::always_inline]] static const Operation* backward(const Operation* op,
                                                          const BlockFactor<Real>& f, Real* b) {
    if (op->kind == BlockProgram::Kind::factor) {
      backward_block<Real, m>(*op, f, b);
    } else {
      backward_panel<Real, m, m>(*op, f, b);
    }
    return op - 1;
  }
};

// f(AnyBlocks or EqualBlocks); blocks of more than three rows have enough work for a call
template <class Real, class Function>
[[gnu::always_inline]] inline void with_blocks(const BlockProgram& program, Function&& f) {
  switch (program.uniform) {
    case 1: return f(EqualBlocks<Real, 1>{});
    case 2: return f(EqualBlocks<Real, 2>{});
    case 3: return f(EqualBlocks<Real, 3>{});
    default: return f(AnyBlocks<Real>{});
  }
}

// Operations of a range, as a factorisation and as the two halves of a solution need them.
template <class Blocks, class Real>
[[gnu::always_inline]] inline void factorise_range(Blocks blocks, const BlockProgram& program,
                                                   const BlockProgram::Range& range,
                                                   const BlockFactor<Real>& f,
                                                   Real drop_tolerance) {
  const Operation* const end = program.forward.data() + range.end;
  int cross = range.cross;
  for (const Operation* op = program.forward.data() + range.begin; op != end;) {
    op = blocks.factorise(op, f, drop_tolerance);
    for (; cross != op[-1].cross_end; ++cross) blocks.cross(op[-1], program.crosses[cross], f);
  }
}

template <class Blocks, class Real>
[[gnu::always_inline]] inline void forward_range(Blocks blocks, const BlockProgram& program,
                                                 const BlockProgram::Range& range,
                                                 const BlockFactor<Real>& f, Real* b) {
  const Operation* const end = program.forward.data() + range.end;
  for (const Operation* op = program.forward.data() + range.begin; op != end;) {
    op = blocks.forward(op, f, b);
  }
}

// Both at once: L is still in the cache when b needs it.
template <class Blocks, class Real>
[[gnu::always_inline]] inline void factorise_forward_range(Blocks blocks,
                                                           const BlockProgram& program,
                                                           const BlockProgram::Range& range,
                                                           const BlockFactor<Real>& f,
                                                           Real drop_tolerance, Real* b) {
  const Operation* const end = program.forward.data() + range.end;
  int cross = range.cross;
  for (const Operation* op = program.forward.data() + range.begin; op != end;) {
    const Operation* const next = blocks.factorise(op, f, drop_tolerance);
    for (; cross != next[-1].cross_end; ++cross) blocks.cross(next[-1], program.crosses[cross], f);
    blocks.forward(op, f, b);
    op = next;
  }
}

template <class Blocks, class Real>
[[gnu::always_inline]] inline void backward_range(Blocks blocks, const BlockProgram& program,
                                                  const BlockProgram::Range& range,
                                                  const BlockFactor<Real>& f, Real* b) {
  const Operation* const begin = program.forward.data() + range.begin;
  for (const Operation* end = program.forward.data() + range.end; end != begin;) {
    end = blocks.backward(end - 1, f, b) + 1;
  }
}

template <class Real>
[[gnu::always_inline]] inline void divide_by_pivots(const BlockProgram& program,
                                                    const BlockFactor<Real>& f, Real* b) {
  for (int r = 0; r < program.n_rows; ++r) b[r] *= f.inverse[r];
}

// ---- small programs: all is top

template <class Blocks, class Real>
[[gnu::noinline]] void factorise_small(Blocks blocks, const BlockProgram& program,
                                       const BlockFactor<Real>& f, Real drop_tolerance) {
  factorise_range(blocks, program, program.top, f, drop_tolerance);
}

template <class Blocks, class Real>
[[gnu::noinline]] void solve_small(Blocks blocks, const BlockProgram& program,
                                   const BlockFactor<Real>& f, Real* b) {
  forward_range(blocks, program, program.top, f, b);
  divide_by_pivots(program, f, b);
  backward_range(blocks, program, program.top, f, b);
}

// ---- large programs; apart from the small ones, where ten instructions more can be seen

// With inner blocks: f on a vector that has their rows too, 0 before f.
template <class Real, class Function>
[[gnu::noinline]] void with_inner_rows(const BlockProgram& program, const BlockFactor<Real>& factor,
                                       Real* b, Function&& f) {
  for (int r = 0; r < program.n_given; ++r) factor.whole[r] = b[r];
  for (int r = program.n_given; r < program.n_rows; ++r) factor.whole[r] = Real(0);
  f(factor.whole);
  for (int r = 0; r < program.n_given; ++r) b[r] = factor.whole[r];
}

// f(range) for the subtrees, on all threads
template <class Function>
void for_each_subtree(const BlockProgram& program, Function&& f) {
  parallel_for(static_cast<int>(program.subtrees.size()), [&](int t) { f(program.subtrees[t]); });
}

template <class Real>
[[gnu::noinline]] void factorise_large(const BlockProgram& program, const BlockFactor<Real>& f,
                                       Real drop_tolerance) {
  if (!program.supernodes.empty()) {
    return factorise_supernodes(program.supernodes, f, drop_tolerance);
  }
  with_blocks<Real>(program, [&](auto blocks) {
    for_each_subtree(program, [&](const BlockProgram::Range& range) {
      factorise_range(blocks, program, range, f, drop_tolerance);
    });
    for (const BlockProgram::BorderUpdate& at : program.border) {
      blocks.cross(program.forward[at.operation], at.cross, f);
    }
    factorise_range(blocks, program, program.top, f, drop_tolerance);
  });
}

template <class Blocks, class Real>
void backward_large(Blocks blocks, const BlockProgram& program, const BlockFactor<Real>& f,
                    Real* b) {
  backward_range(blocks, program, program.top, f, b);
  for_each_subtree(program, [&](const BlockProgram::Range& range) {
    backward_range(blocks, program, range, f, b);
  });
}

template <class Real>
[[gnu::noinline]] void solve_large(const BlockProgram& program, const BlockFactor<Real>& f,
                                   Real* b) {
  if (program.n_given != program.n_rows && b != f.whole) {
    return with_inner_rows(program, f, b, [&](Real* x) { solve_large(program, f, x); });
  }
  if (!program.supernodes.empty()) return solve_supernodes(program.supernodes, f, b);
  with_blocks<Real>(program, [&](auto blocks) {
    for_each_subtree(program, [&](const BlockProgram::Range& range) {
      forward_range(blocks, program, range, f, b);
    });
    for (const int k : program.border_operations) {
      blocks.forward_from_border(program.forward[k], f, b);
    }
    forward_range(blocks, program, program.top, f, b);
    divide_by_pivots(program, f, b);
    backward_large(blocks, program, f, b);
  });
}

template <class Real>
[[gnu::noinline]] void factorise_and_solve_large(const BlockProgram& program,
                                                 const BlockFactor<Real>& f, Real drop_tolerance,
                                                 Real* b) {
  if (program.n_given != program.n_rows && b != f.whole) {
    return with_inner_rows(
        program, f, b, [&](Real* x) { factorise_and_solve_large(program, f, drop_tolerance, x); });
  }
  with_blocks<Real>(program, [&](auto blocks) {
    for_each_subtree(program, [&](const BlockProgram::Range& range) {
      factorise_forward_range(blocks, program, range, f, drop_tolerance, b);
    });
    for (const BlockProgram::BorderUpdate& at : program.border) {
      blocks.cross(program.forward[at.operation], at.cross, f);
    }
    for (const int k : program.border_operations) {
      blocks.forward_from_border(program.forward[k], f, b);
    }
    factorise_forward_range(blocks, program, program.top, f, drop_tolerance, b);
    divide_by_pivots(program, f, b);
    backward_large(blocks, program, f, b);
  });
}

}  // namespace

template <class Real>
void factorise(const BlockProgram& program, const BlockFactor<Real>& factor, Real drop_tolerance) {
  if constexpr (std::is_floating_point_v<Real>) {
    if (program.is_large) return factorise_large(program, factor, drop_tolerance);
  }
  with_blocks<Real>(program,
                    [&](auto blocks) { factorise_small(blocks, program, factor, drop_tolerance); });
}

template <class Real>
void solve(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b) {
  if constexpr (std::is_floating_point_v<Real>) {
    if (program.is_large) return solve_large(program, factor, b);
  }
  with_blocks<Real>(program, [&](auto blocks) { solve_small(blocks, program, factor, b); });
}

template <class Real>
void factorise_and_solve(const BlockProgram& program, const BlockFactor<Real>& factor,
                         Real drop_tolerance, Real* b) {
  if constexpr (std::is_same_v<Real, double>) {
    if (program.supernodes.empty() && program.is_large) {
      return factorise_and_solve_large(program, factor, drop_tolerance, b);
    }
  }
  factorise(program, factor, drop_tolerance);
  solve(program, factor, b);
}

template <class Real>
void solve_transposed(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b) {
  if (program.n_given != program.n_rows && b != factor.whole) [[unlikely]] {
    return with_inner_rows(program, factor, b,
                           [&](Real* x) { solve_transposed(program, factor, x); });
  }
  if (!program.supernodes.empty()) {
    return solve_supernodes_transposed(program.supernodes, factor, b);
  }
  with_blocks<Real>(program, [&](auto blocks) { backward_large(blocks, program, factor, b); });
}

// The operation on a block of the diagonal alone, as the list would have it.
inline Operation make_block_operation(const BlockProgram& program, std::size_t p) {
  const int m = program.size[p];
  return {BlockProgram::Kind::factor,
          static_cast<unsigned char>(m),
          0,
          static_cast<unsigned char>(kernel_index(0, m, 0)),
          program.row[p],
          0,
          program.diagonal[p],
          0,
          0,
          0};
}

template <class Real>
void factorise_blocks(const BlockProgram& program, const BlockFactor<Real>& factor,
                      Real drop_tolerance) {
  for (std::size_t p = 0; p < program.size.size() && program.row[p] < program.n_given; ++p) {
    const Operation op = make_block_operation(program, p);
    AnyBlocks<Real>::factorise(&op, factor, drop_tolerance);
  }
}

template <class Real>
void solve_blocks(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b) {
  for (std::size_t p = 0; p < program.size.size() && program.row[p] < program.n_given; ++p) {
    const Operation op = make_block_operation(program, p);
    AnyBlocks<Real>::forward(&op, factor, b);
    for (int r = op.row_p; r < op.row_p + op.m; ++r) b[r] *= factor.inverse[r];
    AnyBlocks<Real>::backward(&op, factor, b);
  }
}

}  // namespace trammel
