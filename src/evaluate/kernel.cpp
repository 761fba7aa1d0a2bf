// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which of the kernel's tables this processor gets.
#include "evaluate/kernel.hpp"

namespace trammel {

extern const Kernel<double, Spatial> baseline_kernel_in_space, avx2_kernel_in_space;
extern const Kernel<double, Planar> baseline_kernel_in_plane, avx2_kernel_in_plane;

namespace {

#ifdef TRAMMEL_HAS_AVX2_KERNEL
// determined once, when the program starts
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
const Kernel<double, Spatial>& in_space =
    has_avx2 ? avx2_kernel_in_space : baseline_kernel_in_space;
const Kernel<double, Planar>& in_plane = has_avx2 ? avx2_kernel_in_plane : baseline_kernel_in_plane;
#else
const Kernel<double, Spatial>& in_space = baseline_kernel_in_space;
const Kernel<double, Planar>& in_plane = baseline_kernel_in_plane;
#endif

}  // namespace

template <>
const Kernel<double, Spatial>& kernel() {
  return in_space;
}
template <>
const Kernel<double, Planar>& kernel() {
  return in_plane;
}

}  // namespace trammel
