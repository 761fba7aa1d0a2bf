// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The same in the plane (traced_kernel.cpp).
#include "math/trace.hpp"
//
#include "evaluate/table.hpp"

namespace trammel {

template <>
const Kernel<Traced, Planar>& kernel() {
  static constexpr Kernel<Traced, Planar> table = make_kernel<Traced, Planar>();
  return table;
}

}  // namespace trammel
