// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel for every processor, in space.
#include "evaluate/table.hpp"

namespace trammel {

extern const Kernel<double, Spatial> baseline_kernel_in_space;
constinit const Kernel<double, Spatial> baseline_kernel_in_space = make_kernel<double, Spatial>();

}  // namespace trammel
