// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The numeric half of the supernodal LDLᵀ: factorise and solve of block_ldlt.hpp where the program
// has supernodes. Left-looking: a panel takes its part of S, then what its descendants give it, in
// ascending order, then is eliminated:
//
//   W_J = S_J − Σ_K L_K D_K L_KJᵀ,   W_JJ = L_JJ D_J L_JJᵀ,   L_RJ = W_RJ L_JJ⁻ᵀ D_J⁻¹
//
// Each number is written by one panel in one order, whoever calculates it.
#pragma once

#include "math/block_ldlt.hpp"

namespace trammel {

template <class Real>
void factorise_supernodes(const SupernodePlan& plan, const BlockFactor<Real>& factor,
                          Real drop_tolerance);

// b → L⁻ᵀ D⁻¹ L⁻¹ b
template <class Real>
void solve_supernodes(const SupernodePlan& plan, const BlockFactor<Real>& factor, Real* b);

// b → L⁻ᵀ b
template <class Real>
void solve_supernodes_transposed(const SupernodePlan& plan, const BlockFactor<Real>& factor,
                                 Real* b);

}  // namespace trammel
