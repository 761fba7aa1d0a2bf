// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Loops with a trip count known at compile time, unrolled by the language rather than at the optimiser's discretion:
// g++ keeps small arrays in memory unless every index is a constant.
#pragma once

#include <utility>

namespace trammel {

template <int value>
struct Index {
  constexpr operator int() const { return value; }
};

// unroll<3>([&](auto k) { … }) calls the body with Index<0>, Index<1>, Index<2>; inside it,
// `k` is usable in constant expressions.
template <int count, class Body>
[[gnu::always_inline]] constexpr void unroll(Body&& body) {
  [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline)) {
    (body(Index<k>{}), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

}  // namespace trammel
