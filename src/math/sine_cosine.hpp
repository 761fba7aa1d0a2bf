// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Sine and cosine of one angle from + − × only: the C library's may differ in the last bit between
// processors, and two calls would be a good part of an evaluation in the plane.
//
//   x = n π/2 + r,  |r| ≤ π/4              π/2 in three parts (Cody and Waite)
//   sin r, cos r                           the polynomials of Sun's fdlibm (k_sin.c, k_cos.c)
//   n mod 4 says which is which
//
// The error is below 2⁻⁵² for |x| < 8·10⁵ and below the rounding of x itself
// beyond that, up to 4·10¹⁵. Larger angles have no digit behind the point: the result means
// nothing.
#pragma once

#include <bit>
#include <cstdint>

namespace trammel {

template <class Real>
struct SineCosine {
  Real sine, cosine;
};

namespace sine_cosine {

// n = x·2/π to the nearest whole number: adding 1.5·2⁵² leaves it in the low bits
inline constexpr double shift = 6755399441055744.0;
inline constexpr double two_over_pi = 6.36619772367581382433e-01;
inline constexpr double part_1 = 1.57079632673412561417e+00;  // 33 bits each
inline constexpr double part_2 = 6.07710050630396597660e-11;
inline constexpr double part_3 = 2.02226624879595063154e-21;
// from the highest power down
inline constexpr int n_terms = 6;
inline constexpr double sine[n_terms] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                         2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                         8.33333333332248946124e-03, -1.66666666666666324348e-01};
inline constexpr double cosine[n_terms] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                                           -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                                           -1.38888888888741095749e-03, 4.16666666666666019037e-02};

}  // namespace sine_cosine

[[gnu::always_inline]] inline SineCosine<double> calc_sine_cosine(double x) {
  using namespace sine_cosine;
  const double shifted = x * two_over_pi + shift;
  const double n = shifted - shift;
  const std::uint64_t quadrant = std::bit_cast<std::uint64_t>(shifted) & 3u;
  const double r = ((x - n * part_1) - n * part_2) - n * part_3;
  const double z = r * r;
  // both polynomials at once, in pairs (sine, cosine); the order of operations is that of each
  // alone
  using Pair [[gnu::vector_size(16)]] = double;
  const Pair zz = {z, z};
  Pair p = Pair{sine[0], cosine[0]} * zz;
  p = (p + Pair{sine[1], cosine[1]}) * zz;
  p = (p + Pair{sine[2], cosine[2]}) * zz;
  p = (p + Pair{sine[3], cosine[3]}) * zz;
  p = (p + Pair{sine[4], cosine[4]}) * zz;
  p += Pair{sine[5], cosine[5]};
  const double s = r + z * r * p[0];
  const double c = 1.0 - (0.5 * z - z * (z * p[1]));
  const bool swap = (quadrant & 1u) != 0;
  const double first = swap ? c : s;
  const double second = swap ? s : c;
  return {(quadrant & 2u) != 0 ? -first : first, ((quadrant + 1u) & 2u) != 0 ? -second : second};
}

}  // namespace trammel
