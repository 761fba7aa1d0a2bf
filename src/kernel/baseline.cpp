// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel for every processor.
#include "kernel/table.hpp"

namespace trammel {

template <class Real, class Space>
const Kernel<Real, Space>& kernel() {
  static constexpr Kernel<Real, Space> table = make_kernel<Real, Space>("baseline");
  return table;
}
template const Kernel<double, Spatial>& kernel();
template const Kernel<double, Planar>& kernel();

}  // namespace trammel
