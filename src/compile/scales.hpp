// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The part of `compile` that finds how large things are: mechanisms, bodies and constraint rows.
//
// L, the length of a mechanism (bodies connected by joints or forces), is the mean distance of its
// joint points from the centres of mass, or the largest radius of gyration where that is longer, up
// to ten times the former: a moment of inertia about an axis that cannot turn says nothing about
// lengths. Local errors are measured with L.
//
// ℓ_b, the size of a body itself, is the largest distance of a joint point from its centre of mass,
// or its radius of gyration up to the smallest such distance of the bodies it is joined to. Rank,
// open joints and the end of the projection are judged with ℓ_b: a small linkage on a long boom has
// to close to its own size.
#pragma once

#include "system/system.hpp"

namespace trammel {

// Fills length, size and own_part of the bodies and scale, size, reach and component of the
// joints' rows; needs topology and parameters of bodies and joints.
template <class Space>
void compile_scales(SystemIn<Space>& system);

// The smaller size of the two bodies; the ground has none.
double calc_joined_size(const SystemData& system, int body_i, int body_j);

}  // namespace trammel
