// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that a loop will need some rounds later. The processor foresees by itself what is read in a row,
// but not one joint in three, or the parts of a body that are wanted: with it a ladder of 100,000 bodies
// takes a quarter less for its rows.
#pragma once

namespace trammel {

inline constexpr int rounds_ahead = 6;

// n bytes at p, by lines of 64
template <int n>
[[gnu::always_inline]] inline void prefetch(const void* p) {
  for (int k = 0; k < n; k += 64) __builtin_prefetch(static_cast<const char*>(p) + k);
}

}  // namespace trammel
