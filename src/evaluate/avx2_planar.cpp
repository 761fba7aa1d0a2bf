// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The same in the plane (avx2.cpp).
#ifdef __AVX2__

#include "evaluate/table.hpp"

namespace trammel {

extern const Kernel<double, Planar> avx2_kernel_in_plane;
constinit const Kernel<double, Planar> avx2_kernel_in_plane = make_kernel<double, Planar>();

}  // namespace trammel

#endif
