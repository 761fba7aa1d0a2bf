// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// While this lives, numbers below 2.2e-308 are taken as 0 in its thread; on other processors than
// x86 it does nothing.
//
// A mechanism that moves in a plane but is built in space has velocities across the plane that are
// rounding errors, and every projection makes them smaller, until they are subnormal. Many
// processors are ten times slower with such numbers, and nothing is lost with them.
#pragma once

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace trammel {

class FlushedSubnormals {
 public:
#ifdef __SSE2__
  FlushedSubnormals() : before_(_mm_getcsr()) {
    constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
    _mm_setcsr(before_ | flush_to_zero | denormals_are_zero);
  }
  ~FlushedSubnormals() { _mm_setcsr(before_); }
#else
  FlushedSubnormals() {}
#endif
  FlushedSubnormals(const FlushedSubnormals&) = delete;
  FlushedSubnormals& operator=(const FlushedSubnormals&) = delete;

 private:
  [[maybe_unused]] unsigned before_ = 0;
};

}  // namespace trammel
