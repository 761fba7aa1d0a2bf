// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel for every processor, in the plane.
#include "evaluate/table.hpp"

namespace trammel {

extern const Kernel<double, Planar> baseline_kernel_in_plane;
constinit const Kernel<double, Planar> baseline_kernel_in_plane = make_kernel<double, Planar>();

}  // namespace trammel
