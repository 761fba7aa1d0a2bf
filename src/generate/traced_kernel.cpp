// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel on numbers that write down what is done with them, in space. Runs once per mechanism: it is
// compiled for size of the build, not for speed (CMakeLists.txt).
#include "math/trace.hpp"
//
#include "evaluate/table.hpp"

namespace trammel {

template <>
const Kernel<Traced, Spatial>& kernel() {
  static constexpr Kernel<Traced, Spatial> table = make_kernel<Traced, Spatial>();
  return table;
}

}  // namespace trammel
