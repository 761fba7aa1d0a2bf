// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The numeric half of the block-sparse LDLᵀ: executes a BlockProgram on numbers.
//
// A pivot that is not safely positive (≤ drop_tolerance × the row's own diagonal in S, or not a
// number) is *dropped*: its inverse is taken as 0, which removes the row from the system, so
// that no division by zero and no NaN can come out of a dependent row. Who called decides what a
// dropped row means (rank at assembly, a failed step in a run). A row can be left out on purpose: with
// +∞ as its diagonal no pivot is large enough.
#pragma once

#include "math/block_program.hpp"

namespace trammel {

template <class Real>
struct BlockFactor {
  Real* values;           // [n_values] in: S by blocks (lower triangle); out: L by blocks
  Real* pivot;            // [n_rows] D, 0 where dropped
  Real* inverse;          // [n_rows] D⁻¹, 0 where dropped
  const Real* diagonal;   // [n_rows] diagonal of S before the factorisation
  Real* whole = nullptr;  // [n_rows] scratch for vectors, of a program with inner blocks
};

// S → L D Lᵀ in place.
template <class Real>
void factorise(const BlockProgram& program, const BlockFactor<Real>& factor, Real drop_tolerance);

// b → S⁻¹ b in place (dropped rows give 0).
template <class Real>
void solve(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b);

// The two after each other, in fewer passes over the memory: for systems that do not fit the cache.
template <class Real>
void factorise_and_solve(const BlockProgram& program, const BlockFactor<Real>& factor,
                         Real drop_tolerance, Real* b);

// b → L⁻ᵀ b in place. For b = e_r this is the vector v with S v = D_r L e_r, vᵀ S v = D_r: where the
// pivot of row r is small, a combination of rows that nearly vanishes.
template <class Real>
void solve_transposed(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b);

// The same for the matrix of the diagonal blocks of S alone.
template <class Real>
void factorise_blocks(const BlockProgram& program, const BlockFactor<Real>& factor,
                      Real drop_tolerance);
template <class Real>
void solve_blocks(const BlockProgram& program, const BlockFactor<Real>& factor, Real* b);

}  // namespace trammel
