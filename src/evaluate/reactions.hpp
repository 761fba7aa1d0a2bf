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

#include "system/workspace.hpp"

namespace trammel {

template <class Real, class Space>
struct Wrench {
  Linear<Real, Space> force;    // N, world
  Angular<Real, Space> moment;  // N m, about the joint's point on body j, world
};

// Needs rows in ws; lambda: [rows] multipliers.
template <class Real, class Space>
Wrench<Real, Space> calc_reaction(const Topology& topology,
                                  const Parameters<Real, Space>& parameters,
                                  const Workspace<Real, Space>& ws, const Real* lambda, int joint);

// The same for `count` vectors of multipliers, one behind the other.
template <class Real, class Space>
void calc_reactions(const Topology& topology, const Parameters<Real, Space>& parameters,
                    const Workspace<Real, Space>& ws, const Real* lambda, int count, int joint,
                    Wrench<Real, Space>* wrenches);

}  // namespace trammel
