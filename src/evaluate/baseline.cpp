// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel for every processor.
#include "evaluate/table.hpp"

namespace trammel {

extern const Kernel<double, Spatial> baseline_kernel_in_space;
extern const Kernel<double, Planar> baseline_kernel_in_plane;
constinit const Kernel<double, Spatial> baseline_kernel_in_space = make_kernel<double, Spatial>();
constinit const Kernel<double, Planar> baseline_kernel_in_plane = make_kernel<double, Planar>();

}  // namespace trammel
