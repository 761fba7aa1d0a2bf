// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/supernodal_ldlt.hpp"

#include <algorithm>

#include "math/dense_tiles.hpp"
#include "math/thread_pool.hpp"

namespace trammel {

namespace {

// What one panel gives another, times D: strips of six columns, each [depth][columns].
template <class Real>
struct Strips {
  alignas(32) Real values[max_supernode_width * max_supernode_width];
};

// A panel and the numbers that belong to it.
template <class Real>
struct Panel {
  const Supernode& node;
  const int* rows;  // [height]
  Real* values;     // by columns
  Real* pivot;      // [width] in the order of elimination

  Panel(const SupernodePlan& plan, const BlockFactor<Real>& f, int index)
      : node(plan.nodes[index]),
        rows(plan.row_index.data() + node.rows),
        values(f.values + node.panel),
        pivot(f.values + plan.pivots + node.first) {}

  Real* column(int c) const { return values + static_cast<std::ptrdiff_t>(c) * node.height; }
};

// ---- S and the updates, for rows begin … end of the panel

template <class Real>
void take_sources(const SupernodePlan& plan, const BlockFactor<Real>& f, const Panel<Real>& panel,
                  int begin, int end) {
  for (int c = 0; c < panel.node.width; ++c) {
    std::fill(panel.column(c) + begin, panel.column(c) + end, Real(0));
  }
  for (int s = panel.node.source_begin; s < panel.node.source_end; ++s) {
    const SupernodeSource& at = plan.sources[s];
    const Real* block = f.values + at.offset;
    const int first = std::max(begin - at.row, 0), last = std::min(end - at.row, int(at.n_rows));
    for (int c = 0; c < at.n_columns; ++c) {
      Real* to = panel.column(at.column + c) + at.row;
      for (int r = first; r < last; ++r) to[r] = block[r * at.n_columns + c];
    }
  }
}

// L_KJ D_K, the factor on the right of an update
template <class Real>
void pack(const Panel<Real>& from, int begin, int end, Strips<Real>& strips) {
  Real* to = strips.values;
  for (int c = begin; c < end; c += tile_columns) {
    const int columns = std::min(tile_columns, end - c);
    for (int k = 0; k < from.node.width; ++k) {
      const Real* l = from.column(k) + c;
      for (int j = 0; j < columns; ++j) *to++ = l[j] * from.pivot[k];
    }
  }
}

// target −= sum for `n` rows (at most four) whose places in the target are given
template <int columns, class Real>
[[gnu::always_inline]] inline void subtract_tile(const Quad<Real>* sum, const int* place, int n,
                                                 const Panel<Real>& to, const int* column) {
  if (n == tile_rows && place[3] - place[0] == 3) {
    unroll<columns>([&](auto j) {
      Real* at = to.column(column[j]) + place[0];
      (Quad<Real>::load(at) - sum[j]).store(at);
    });
    return;
  }
  unroll<columns>([&](auto j) {
    Real lane[tile_rows];
    sum[j].store(lane);
    Real* at = to.column(column[j]);
    for (int i = 0; i < n; ++i) at[place[i]] -= lane[i];
  });
}

// n rows from i on as columns of a whole tile, the rest 0
template <class Real>
void copy_rows(const Panel<Real>& from, int i, int n, Real* tile) {
  for (int k = 0; k < from.node.width; ++k) {
    for (int r = 0; r < tile_rows; ++r) *tile++ = r < n ? from.column(k)[i + r] : Real(0);
  }
}

// W_J −= L_K (L_KJ D_K)ᵀ for the rows of K from `first` to `last`; place[row] says where in J.
template <class Real>
void take_update(const Panel<Real>& from, const SupernodeUpdate& update, const Panel<Real>& to,
                 const int* place_of, int first, int last, Strips<Real>& strips) {
  pack(from, update.begin, update.end, strips);
  const int width = from.node.width;
  int column[max_supernode_width];
  const int n_columns = update.end - update.begin;
  for (int j = 0; j < n_columns; ++j) column[j] = from.rows[update.begin + j] - to.node.first;
  for (int i = first; i < last; i += tile_rows) {
    const int n = std::min(tile_rows, last - i);
    int place[tile_rows];
    for (int r = 0; r < n; ++r) place[r] = place_of[from.rows[i + r]];
    // The last rows are fewer than a tile has: beyond them is a panel that another thread may be writing.
    const Real* rows = from.values + i;
    std::ptrdiff_t stride = from.node.height;
    Real tail[tile_rows * max_supernode_width];
    if (n < tile_rows) {
      copy_rows(from, i, n, tail);
      rows = tail;
      stride = tile_rows;
    }
    // columns right of the last row are above the diagonal
    const int needed = std::min(n_columns, i + n - update.begin);
    for (int j = 0; j < needed; j += tile_columns) {
      with_columns(std::min(tile_columns, n_columns - j), [&](auto columns) {
        Quad<Real> sum[columns];
        calc_tile<columns>(rows, stride, strips.values + j * width, width, sum);
        subtract_tile<columns>(sum, place, n, to, column + j);
      });
    }
  }
}

template <class Real>
void take_updates(const SupernodePlan& plan, const BlockFactor<Real>& f, const Panel<Real>& to,
                  const int* place_of, int begin, int end) {
  Strips<Real> strips;
  for (int u = to.node.update_begin; u < to.node.update_end; ++u) {
    const SupernodeUpdate& update = plan.updates[u];
    const Panel<Real> from(plan, f, update.from);
    // its rows that lie in begin … end of the target
    const int *all = from.rows + update.begin, *past = from.rows + from.node.height;
    const int* first = begin == 0 ? all : std::lower_bound(all, past, to.rows[begin]);
    const int* last = end == to.node.height ? past : std::lower_bound(first, past, to.rows[end]);
    if (first == last) continue;
    take_update(from, update, to, place_of, static_cast<int>(first - from.rows),
                static_cast<int>(last - from.rows), strips);
  }
}

// ---- elimination of a panel

// Where the strip of columns c … begins: those before have 0, 6, 12, … numbers a column.
constexpr int strip_offset(int c) {
  const int strip = c / tile_columns;
  return tile_columns * tile_columns * strip * (strip - 1) / 2;
}

// One column of the square: pivot, or drop it; then the columns right of it up to `end`.
template <class Real>
void eliminate_column(const SupernodePlan& plan, const BlockFactor<Real>& f,
                      const Panel<Real>& panel, int c, int end, Real drop_tolerance) {
  const int row = plan.row_of[panel.node.first + c];
  Real* y = panel.column(c);
  const Real pivot = y[c];
  const bool keep = pivot > drop_tolerance * f.diagonal[row];
  const Real inverse = keep ? Real(1) / pivot : Real(0);
  panel.pivot[c] = f.pivot[row] = keep ? pivot : Real(0);
  f.inverse[row] = inverse;
  Real right[tile_columns];
  for (int q = c + 1; q < end; ++q) right[q - c - 1] = y[q];
  for (int i = c + 1; i < panel.node.width; ++i) {
    y[i] *= inverse;
    for (int q = c + 1; q < end; ++q) panel.column(q)[i] -= y[i] * right[q - c - 1];
  }
}

// W_JJ = L_JJ D Lᵀ_JJ by strips of columns; leaves L_JJ D in `strips` for the rows below.
template <class Real>
void eliminate_square(const SupernodePlan& plan, const BlockFactor<Real>& f,
                      const Panel<Real>& panel, Real drop_tolerance, Strips<Real>& strips) {
  const int width = panel.node.width;
  for (int c = 0; c < width; c += tile_columns) {
    const int end = std::min(c + tile_columns, width);
    Real* strip = strips.values + strip_offset(c);
    for (int k = 0; k < c; ++k) {
      const Real* l = panel.column(k) + c;
      for (int j = 0; j < end - c; ++j) *strip++ = l[j] * panel.pivot[k];
    }
    strip = strips.values + strip_offset(c);
    for (int i = c; c > 0 && i < width; i += tile_rows) {
      const int n = std::min(tile_rows, width - i);
      with_columns(end - c, [&](auto columns) {
        Quad<Real> sum[columns];
        calc_tile<columns>(panel.values + i, panel.node.height, strip, c, sum);
        for (int j = 0; j < columns; ++j) {
          Real lane[tile_rows];
          sum[j].store(lane);
          for (int r = 0; r < n; ++r) panel.column(c + j)[i + r] -= lane[r];
        }
      });
    }
    for (int k = c; k < end; ++k) eliminate_column(plan, f, panel, k, end, drop_tolerance);
  }
}

// Four rows of L_RJ = W_RJ L_JJ⁻ᵀ D⁻¹, columns c … c + columns; those left of them are done.
template <int columns, class Real>
[[gnu::always_inline]] inline void eliminate_tile(const Panel<Real>& panel, const Real* inverse,
                                                  const Real* strip, int c, Real* w,
                                                  std::ptrdiff_t stride) {
  Quad<Real> y[columns];
  calc_tile<columns>(w, stride, strip, c, y);
  unroll<columns>([&](auto j) {
    Real* at = w + (c + j) * stride;
    y[j] = Quad<Real>::load(at) - y[j];
    unroll<j>([&](auto k) { y[j].subtract_product(y[k], panel.column(c + k)[c + j]); });
    (y[j] * inverse[c + j]).store(at);
  });
}

// Rows begin … end below the square.
template <class Real>
void eliminate_rows(const SupernodePlan& plan, const BlockFactor<Real>& f, const Panel<Real>& panel,
                    int begin, int end, const Strips<Real>& strips) {
  const int width = panel.node.width;
  const std::ptrdiff_t height = panel.node.height;
  Real inverse[max_supernode_width];
  for (int c = 0; c < width; ++c) inverse[c] = f.inverse[plan.row_of[panel.node.first + c]];
  const auto eliminate = [&](Real* w, std::ptrdiff_t stride) {
    for (int c = 0; c < width; c += tile_columns) {
      with_columns(std::min(tile_columns, width - c), [&](auto columns) {
        eliminate_tile<columns>(panel, inverse, strips.values + strip_offset(c), c, w, stride);
      });
    }
  };
  int i = begin;
  for (; i + tile_rows <= end; i += tile_rows) eliminate(panel.values + i, height);
  if (i == end) return;
  // the rest in a tile of its own, so that nothing beyond is written
  Real rest[max_supernode_width * tile_rows] = {};
  for (int c = 0; c < width; ++c)
    std::copy(panel.column(c) + i, panel.column(c) + end, rest + c * tile_rows);
  eliminate(rest, tile_rows);
  for (int c = 0; c < width; ++c)
    std::copy(rest + c * tile_rows, rest + c * tile_rows + end - i, panel.column(c) + i);
}

template <class Real>
void calc_places(const Panel<Real>& panel, int* place_of) {
  for (int i = 0; i < panel.node.height; ++i) place_of[panel.rows[i]] = i;
}

template <class Real>
void factorise_node(const SupernodePlan& plan, const BlockFactor<Real>& f, int index,
                    Real drop_tolerance, int* place_of) {
  const Panel<Real> panel(plan, f, index);
  const int width = panel.node.width, height = panel.node.height;
  take_sources(plan, f, panel, 0, height);
  if (panel.node.update_begin < panel.node.update_end) {
    calc_places(panel, place_of);
    take_updates(plan, f, panel, place_of, 0, height);
  }
  Strips<Real> strips;
  eliminate_square(plan, f, panel, drop_tolerance, strips);
  eliminate_rows(plan, f, panel, width, height, strips);
}

// The same by rows, on all threads. Above the subtrees of a net a panel has some thousand rows.
template <class Real>
void factorise_node_together(const SupernodePlan& plan, const BlockFactor<Real>& f, int index,
                             Real drop_tolerance, int* place_of, ThreadPool& pool) {
  const Panel<Real> panel(plan, f, index);
  const int width = panel.node.width, height = panel.node.height;
  constexpr int least_rows = 32;  // a thread packs an update anew for its rows
  const int part = std::max(least_rows, height / (4 * pool.size()));
  if (height < 3 * least_rows) {
    return factorise_node(plan, f, index, drop_tolerance, place_of);
  }
  calc_places(panel, place_of);
  pool.run((height + part - 1) / part, [&](int k, int) {
    const int begin = k * part, end = std::min(begin + part, height);
    take_sources(plan, f, panel, begin, end);
    take_updates(plan, f, panel, place_of, begin, end);
  });
  Strips<Real> strips;
  eliminate_square(plan, f, panel, drop_tolerance, strips);
  pool.run((height - width + part - 1) / part, [&](int k, int) {
    const int begin = width + k * part;
    eliminate_rows(plan, f, panel, begin, std::min(begin + part, height), strips);
  });
}

// ---- solution

// x_J ← L_JJ⁻¹ x_J
template <class Real>
void solve_square(const Panel<Real>& panel, Real* x) {
  for (int c = 0; c < panel.node.width; ++c) {
    const Real* l = panel.column(c);
    const Real at = x[c];
    for (int q = c + 1; q < panel.node.width; ++q) x[q] -= l[q] * at;
  }
}

// f(k, (L_RJ x_J)_k) for rows begin … end of the panel, sixteen at a time to hide the latency of
// additions
template <class Real, class Function>
void for_each_product(const Panel<Real>& panel, const Real* x, int begin, int end, Function&& f) {
  constexpr int quads = 4;
  for (int i = begin; i < end; i += quads * tile_rows) {
    Quad<Real> sum[quads];
    unroll<quads>([&](auto k) { sum[k] = Quad<Real>::zero(); });
    const Real* l = panel.values + i;
    for (int c = 0; c < panel.node.width; ++c, l += panel.node.height) {
      unroll<quads>([&](auto k) { sum[k].add_product(Quad<Real>::load(l + k * tile_rows), x[c]); });
    }
    Real lane[quads * tile_rows];
    unroll<quads>([&](auto k) { sum[k].store(lane + k * tile_rows); });
    const int n = std::min(quads * tile_rows, end - i);
    for (int k = 0; k < n; ++k) f(i + k, lane[k]);
  }
}

// In a subtree a panel gives what it has to the later rows of the subtree at once.
template <class Real>
void solve_subtree(const SupernodePlan& plan, const BlockFactor<Real>& f, SupernodeRange range,
                   Real* x) {
  const Supernode& last = plan.nodes[range.end - 1];
  const int past = last.first + last.width;
  for (int k = range.begin; k < range.end; ++k) {
    const Panel<Real> panel(plan, f, k);
    solve_square(panel, x + panel.node.first);
    const int* end = panel.rows + panel.node.height;
    if (end[-1] >= past) end = std::lower_bound(panel.rows, end, past);
    for_each_product(panel, x + panel.node.first, panel.node.width,
                     static_cast<int>(end - panel.rows),
                     [&](int row, Real product) { x[panel.rows[row]] -= product; });
  }
}

// Above the subtrees a panel takes what all before have for it.
template <class Real>
void solve_top(const SupernodePlan& plan, const BlockFactor<Real>& f, Real* x) {
  for (const int k : plan.top) {
    const Panel<Real> panel(plan, f, k);
    for (int u = panel.node.update_begin; u < panel.node.update_end; ++u) {
      const SupernodeUpdate& update = plan.updates[u];
      const Panel<Real> from(plan, f, update.from);
      for_each_product(from, x + from.node.first, update.begin, update.end,
                       [&](int row, Real product) { x[from.rows[row]] -= product; });
    }
    solve_square(panel, x + panel.node.first);
  }
}

// x_J ← L_JJ⁻ᵀ (x_J − L_RJᵀ x_R); the sum over the rows by four lanes, added at the end
template <class Real>
void solve_node_transposed(const SupernodePlan& plan, const BlockFactor<Real>& f, int index,
                           Real* x) {
  const Panel<Real> panel(plan, f, index);
  const int width = panel.node.width, height = panel.node.height;
  Real* own = x + panel.node.first;
  constexpr int chunk = 64;
  for (int begin = width; begin < height; begin += chunk) {
    const int n = std::min(chunk, height - begin);
    Real below[chunk];
    for (int k = 0; k < n; ++k) below[k] = x[panel.rows[begin + k]];
    for (int c = 0; c < width; ++c) {
      const Real* l = panel.column(c) + begin;
      Quad<Real> sum = Quad<Real>::zero();
      int k = 0;
      for (; k + tile_rows <= n; k += tile_rows) {
        sum.add_product(Quad<Real>::load(l + k), Quad<Real>::load(below + k));
      }
      Real lane[tile_rows];
      sum.store(lane);
      Real rest(0);
      for (; k < n; ++k) rest += l[k] * below[k];
      own[c] -= ((lane[0] + lane[1]) + (lane[2] + lane[3])) + rest;
    }
  }
  for (int c = width - 1; c >= 0; --c) {
    const Real* l = panel.column(c);
    Real at = own[c];
    for (int q = c + 1; q < width; ++q) at -= l[q] * own[q];
    own[c] = at;
  }
}

template <class Real>
void solve_all_transposed(const SupernodePlan& plan, const BlockFactor<Real>& f, Real* x) {
  for (auto k = plan.top.rbegin(); k != plan.top.rend(); ++k) {
    solve_node_transposed(plan, f, *k, x);
  }
  parallel_for(static_cast<int>(plan.subtrees.size()), [&](int t) {
    const SupernodeRange range = plan.subtrees[t];
    for (int k = range.end; k-- > range.begin;) solve_node_transposed(plan, f, k, x);
  });
}

}  // namespace

template <class Real>
void factorise_supernodes(const SupernodePlan& plan, const BlockFactor<Real>& factor,
                          Real drop_tolerance) {
  int* const places = reinterpret_cast<int*>(factor.values + plan.places);
  const auto factorise_subtree = [&](int t, int* place_of) {
    const SupernodeRange range = plan.subtrees[t];
    for (int k = range.begin; k < range.end; ++k) {
      factorise_node(plan, factor, k, drop_tolerance, place_of);
    }
  };
  const int n_subtrees = static_cast<int>(plan.subtrees.size());
  if (ThreadPool* const pool = used_threads()) {
    pool->run(n_subtrees, [&](int t, int worker) {
      factorise_subtree(t, worker == 0 ? places : pool->scratch(worker, plan.row_of.size()));
    });
    for (const int k : plan.top) {
      factorise_node_together(plan, factor, k, drop_tolerance, places, *pool);
    }
  } else {
    for (int t = 0; t < n_subtrees; ++t) factorise_subtree(t, places);
    for (const int k : plan.top) factorise_node(plan, factor, k, drop_tolerance, places);
  }
}

template <class Real>
void solve_supernodes(const SupernodePlan& plan, const BlockFactor<Real>& factor, Real* b) {
  Real* x = factor.values + plan.vector;
  const int n = plan.n_rows();
  for (int r = 0; r < n; ++r) x[r] = b[plan.row_of[r]];
  parallel_for(static_cast<int>(plan.subtrees.size()),
               [&](int t) { solve_subtree(plan, factor, plan.subtrees[t], x); });
  solve_top(plan, factor, x);
  for (int r = 0; r < n; ++r) x[r] *= factor.inverse[plan.row_of[r]];
  solve_all_transposed(plan, factor, x);
  for (int r = 0; r < n; ++r) b[plan.row_of[r]] = x[r];
}

template <class Real>
void solve_supernodes_transposed(const SupernodePlan& plan, const BlockFactor<Real>& factor,
                                 Real* b) {
  Real* x = factor.values + plan.vector;
  const int n = plan.n_rows();
  for (int r = 0; r < n; ++r) x[r] = b[plan.row_of[r]];
  solve_all_transposed(plan, factor, x);
  for (int r = 0; r < n; ++r) b[plan.row_of[r]] = x[r];
}

template void factorise_supernodes<double>(const SupernodePlan&, const BlockFactor<double>&,
                                           double);
template void solve_supernodes<double>(const SupernodePlan&, const BlockFactor<double>&, double*);
template void solve_supernodes_transposed<double>(const SupernodePlan&, const BlockFactor<double>&,
                                                  double*);

}  // namespace trammel
