// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers below 1e-308 are taken as 0 while this lives; on other processors than x86 it does
// nothing.
//
// A mechanism that moves in a plane but is built in space has such numbers across the plane:
// velocities that every projection makes smaller. Many processors are ten times slower with them.
#pragma once

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace trammel::bench {

class FlushedSubnormals {
 public:
#ifdef __SSE2__
  explicit FlushedSubnormals(bool flush) : before_(_mm_getcsr()) {
    if (flush) _mm_setcsr(before_ | 0x8040u);  // FTZ, DAZ
  }
  ~FlushedSubnormals() { _mm_setcsr(before_); }
#else
  explicit FlushedSubnormals(bool) {}
#endif
  FlushedSubnormals(const FlushedSubnormals&) = delete;
  FlushedSubnormals& operator=(const FlushedSubnormals&) = delete;

 private:
  [[maybe_unused]] unsigned before_ = 0;
};

}  // namespace trammel::bench
