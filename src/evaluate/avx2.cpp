// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel for x86-64 processors with AVX2, in space: compiled with -mavx2 (CMakeLists.txt). Nothing here
// may be called on another, and nothing that another source has too may come from here: see kernel.hpp.
#ifdef __AVX2__

#include "evaluate/table.hpp"

namespace trammel {

extern const Kernel<double, Spatial> avx2_kernel_in_space;
constinit const Kernel<double, Spatial> avx2_kernel_in_space = make_kernel<double, Spatial>();

}  // namespace trammel

#endif
