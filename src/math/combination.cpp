// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The number of terms is a template parameter, so that the loop over components has a fixed body
// and is vectorised; the order of additions does not depend on the width of the vectors.
//
// On x86 every loop is compiled twice, and the wider one runs where the processor has AVX2: the
// same bits with 45 % of the instructions. On the quadrangle that is 2.5 % of a run while an
// evaluation takes 11,300 instructions, and 5 % when it takes 4,700.
#include "math/combination.hpp"

#include <array>
#include <cstddef>

#include "math/thread_pool.hpp"
#include "math/unroll.hpp"

namespace trammel {

namespace {

using Kernel = void (*)(int, const double*, double, const int*, const double*, const double* const*,
                        double*);

template <int count>
__attribute__((always_inline)) inline void combine_terms(int n, const double* base, double h,
                                                         const int* stages, const double* weights,
                                                         const double* const* k,
                                                         double* __restrict out) {
  double w[count];
  const double* v[count];
  unroll<count>([&](auto s) __attribute__((always_inline)) {
    w[s] = weights[s];
    v[s] = k[stages[s]];
  });
  const auto sum = [&](int i) __attribute__((always_inline)) {
    double result = w[0] * v[0][i];
    unroll<count - 1>([&](auto s)
                          __attribute__((always_inline)) { result += w[s + 1] * v[s + 1][i]; });
    return result;
  };
  if (base == nullptr) {
    for (int i = 0; i < n; ++i) out[i] = h * sum(i);
  } else {
    for (int i = 0; i < n; ++i) out[i] = base[i] + h * sum(i);
  }
}

template <int count>
void combine_anywhere(int n, const double* base, double h, const int* stages, const double* weights,
                      const double* const* k, double* out) {
  combine_terms<count>(n, base, h, stages, weights, k, out);
}

using Kernels = std::array<Kernel, max_combination_terms>;  // [terms − 1]

constexpr Kernels kernels_anywhere = [] {
  Kernels table{};
  unroll<max_combination_terms>([&](auto s) { table[s] = combine_anywhere<s + 1>; });
  return table;
}();

// Four numbers at once, one for each of four runs or of one.
using Pack [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

#ifdef __x86_64__
#define TRAMMEL_WIDE __attribute__((target("avx2")))

template <int count, bool with_base>
TRAMMEL_WIDE __attribute__((always_inline)) inline void combine_four(int i, const double* base,
                                                                     const Pack& h, const Pack* w,
                                                                     const double* const* v,
                                                                     double* out) {
  Pack sum = w[0] * *reinterpret_cast<const Pack*>(v[0] + i);
#pragma GCC unroll 16
  for (int s = 1; s < count; ++s) sum += w[s] * *reinterpret_cast<const Pack*>(v[s] + i);
  sum = h * sum;
  if constexpr (with_base) sum = *reinterpret_cast<const Pack*>(base + i) + sum;
  *reinterpret_cast<Pack*>(out + i) = sum;
}

// Written out: what the compiler makes of combine_terms spends as much on entering a loop of ten rounds
// as on three of them. The last four numbers may have been computed already; then they are again.
template <int count>
TRAMMEL_WIDE void combine_wide(int n, const double* base, double h, const int* stages,
                               const double* weights, const double* const* k, double* out) {
  if (n < 4) return combine_anywhere<count>(n, base, h, stages, weights, k, out);
  Pack w[count];
  const double* v[count];
#pragma GCC unroll 16
  for (int s = 0; s < count; ++s) {
    w[s] = Pack{weights[s], weights[s], weights[s], weights[s]};
    v[s] = k[stages[s]];
  }
  const Pack step = {h, h, h, h};
  if (base == nullptr) {
#pragma GCC unroll 2
    for (int i = 0; i <= n - 4; i += 4) combine_four<count, false>(i, base, step, w, v, out);
    if (n % 4 != 0) combine_four<count, false>(n - 4, base, step, w, v, out);
  } else {
#pragma GCC unroll 2
    for (int i = 0; i <= n - 4; i += 4) combine_four<count, true>(i, base, step, w, v, out);
    if (n % 4 != 0) combine_four<count, true>(n - 4, base, step, w, v, out);
  }
}

constexpr Kernels kernels_wide = [] {
  Kernels table{};
  unroll<max_combination_terms>([&](auto s) { table[s] = combine_wide<s + 1>; });
  return table;
}();

const Kernels& kernels = __builtin_cpu_supports("avx2") ? kernels_wide : kernels_anywhere;
#else
const Kernels& kernels = kernels_anywhere;
#endif

}  // namespace

// A long vector by pieces, on all threads of the run.
[[gnu::noinline]] static void combine_in_chunks(int n, const double* base, double h, int count,
                                                const int* stages, const double* weights,
                                                const double* const* k, double* out) {
  in_many_chunks(n, [&](int begin, int end) {
    const double* moved[max_combination_terms];
    int order[max_combination_terms];
    for (int s = 0; s < count; ++s) {
      moved[s] = k[stages[s]] + begin;
      order[s] = s;
    }
    kernels[count - 1](end - begin, base == nullptr ? nullptr : base + begin, h, order, weights,
                       moved, out + begin);
  });
}

void combine(int n, const double* base, double h, int count, const int* stages,
             const double* weights, const double* const* k, double* out) {
  if (count_chunks(n) > 1 && used_threads() != nullptr) {
    return combine_in_chunks(n, base, h, count, stages, weights, k, out);
  }
  kernels[count - 1](n, base, h, stages, weights, k, out);
}

// Lanes are there only where the processor has AVX2.
namespace {

#ifndef __x86_64__
#define TRAMMEL_WIDE
#endif

using LaneKernel = void (*)(int, const double*, const double*, const int*, const double*,
                            const double* const*, double*);

template <int count>
TRAMMEL_WIDE void combine_lane_terms(int n, const double* base, const double* h, const int* stages,
                                     const double* weights, const double* const* k, double* out) {
  Pack w[count];
  const double* v[count];
  for (int s = 0; s < count; ++s) {
    w[s] = Pack{weights[s], weights[s], weights[s], weights[s]};
    v[s] = k[stages[s]];
  }
  const Pack step = *reinterpret_cast<const Pack*>(h);
  for (int i = 0; i < 4 * n; i += 4) {
    Pack sum = w[0] * *reinterpret_cast<const Pack*>(v[0] + i);
#pragma GCC unroll 16
    for (int s = 1; s < count; ++s) sum += w[s] * *reinterpret_cast<const Pack*>(v[s] + i);
    sum = step * sum;
    if (base != nullptr) sum = *reinterpret_cast<const Pack*>(base + i) + sum;
    *reinterpret_cast<Pack*>(out + i) = sum;
  }
}

constexpr auto lane_kernels = [] {
  std::array<LaneKernel, max_combination_terms> table{};
  unroll<max_combination_terms>([&](auto s) { table[s] = combine_lane_terms<s + 1>; });
  return table;
}();

}  // namespace

void combine_lanes(int n, const double* base, const double* h, int count, const int* stages,
                   const double* weights, const double* const* k, double* out) {
  lane_kernels[count - 1](n, base, h, stages, weights, k, out);
}

// ---- nested sums

namespace {

void nest_anywhere(int n, int count, const double* c, const double* f, double* out) {
  const std::size_t size = n;
  for (std::size_t i = 0; i < size; ++i) {
    double sum = c[(count - 1) * size + i];
    for (int k = count - 1; k-- > 0;) sum = c[k * size + i] + f[k] * sum;
    out[i] = sum;
  }
}

#ifdef __x86_64__
// As of combine_wide: the last numbers may be computed twice.
template <int packs>
TRAMMEL_WIDE __attribute__((always_inline)) inline void nest_packs(std::size_t size, int count,
                                                                   const double* last,
                                                                   const Pack* f, double* out) {
  Pack sum[packs];
  for (int p = 0; p < packs; ++p) sum[p] = *reinterpret_cast<const Pack*>(last + 4 * p);
  const double* c = last;
  for (int k = count - 1; k-- > 0;) {
    c -= size;
    const Pack factor = f[k];
    for (int p = 0; p < packs; ++p) {
      sum[p] = *reinterpret_cast<const Pack*>(c + 4 * p) + factor * sum[p];
    }
  }
  for (int p = 0; p < packs; ++p) *reinterpret_cast<Pack*>(out + 4 * p) = sum[p];
}

TRAMMEL_WIDE void nest_wide(int n, int count, const double* c, const double* f, double* out) {
  if (n < 4) return nest_anywhere(n, count, c, f, out);
  const std::size_t size = n;
  const double* const last = c + (count - 1) * size;
  Pack wide[max_combination_terms];
  for (int k = 0; k + 1 < count; ++k) wide[k] = Pack{f[k], f[k], f[k], f[k]};
  int i = 0;
  for (; i <= n - 16; i += 16) nest_packs<4>(size, count, last + i, wide, out + i);
  for (; i <= n - 4; i += 4) nest_packs<1>(size, count, last + i, wide, out + i);
  if (i < n) nest_packs<1>(size, count, last + n - 4, wide, out + n - 4);
}
const auto nest_kernel = __builtin_cpu_supports("avx2") ? nest_wide : nest_anywhere;
#else
const auto nest_kernel = nest_anywhere;
#endif

#undef TRAMMEL_WIDE

}  // namespace

void nest(int n, int count, const double* c, const double* f, double* out) {
  nest_kernel(n, count, c, f, out);
}

}  // namespace trammel
