// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reactions: what body i does to body j through a joint, from the multipliers.
//
// The constraint force on the bodies is −Jᵀλ. Reduced to the joint's point on body j, world frame:
//
//   F = −Σ λ ℓ                    C, O, D and K rows: they act at the joint's point
//   M = −Σ λ α_j                  SO and CV rows
//   M = −Σ λ (α_j − p_j × ℓ)      rows of a generic joint, whose points may differ from the joint's;
//                                 p_j is the arm of the joint's point
//   the thread of a screw adds its own, a force along the axis and a moment about it
//
// Body i receives −F, −M at the same point.
#pragma once

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
struct Wrench {
  Linear<double, Space> force;    // N, world
  Angular<double, Space> moment;  // N m, about the joint's point on body j, world
};

// Needs rows and multipliers in ws.
template <class Space>
Wrench<Space> calc_reaction(const SystemIn<Space>& system, const Workspace<double, Space>& ws,
                            const double* lambda, int joint);

}  // namespace trammel
