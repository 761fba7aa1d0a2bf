// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which blocks S = J M⁻¹ Jᵀ has, and which body writes them in which order (evaluate/schur.hpp executes it).
//
// Each pair of joints on a body is coupled by a block: on a body with n joints n²/2 of them. Such a hub is cut
// into clones at one place, with equal shares of its mass and inertia, a few of its joints each, and welds
// between them, which form a binary tree. With v the velocities of the clones, W v = 0 the welds and right-hand
// sides 0 in their rows,
//
//   ( J M_c⁻¹ Jᵀ   J M_c⁻¹ Wᵀ ) ( λ )   ( b )
//   ( W M_c⁻¹ Jᵀ   W M_c⁻¹ Wᵀ ) ( w ) = ( 0 )        has the λ of S λ = b:
//
// W v = 0 makes the clones move as one, and Pᵀ Wᵀ = 0 for the common motion P of the clones, so their equations
// of motion add up to those of the hub. The matrix is symmetric and positive definite with S, and sparse. To
// all others the welds are unknown: they are inner blocks of the program.
//
// Where joints of a hub lie on a common loop, it is they that may depend on each other; they stay on one clone, so
// that no weld can. Joints share a loop where they belong to the same biconnected component of the graph of
// bodies and joints.
#pragma once

#include "system/topology.hpp"

namespace trammel {

// Fills program, body_order, schur_sides, couplings, fill, schur_parts and the clones.
void make_schur(int entry_shape, Topology& topology);

}  // namespace trammel
