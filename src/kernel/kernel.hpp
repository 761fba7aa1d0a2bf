// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel: everything that is done at each evaluation, as a table of functions.
//
// Its source is compiled once for each instruction set (baseline.cpp, avx2.cpp), and kernel() gives the
// table of the best one that the processor has. So that no function compiled for a better processor
// is called on a lesser one, no two tables may share a function: the sources keep theirs in a
// namespace without a name, use no std or Eigen types, and inline all that comes from other headers
// (`ctest -R house/kernel` looks at the symbols, `cli/old_processor` runs without AVX). Both give the same bits: they round every
// operation by itself (-ffp-contract=off) and in the same order.
#pragma once

#include "system/arrays.hpp"
#include "system/parameters.hpp"

namespace trammel {

template <class Real>
struct EvaluationOutcome {
  Real least_inverse;  // 0: a row that takes part was dropped
  Real not_finite;     // 0, or not a number
};

template <class Real, class Space>
struct Kernel {
  using At = const Arrays<Real, Space>&;
  using Of = const ParameterArrays<Real, Space>&;
  const char* instructions;  // "baseline", "avx2"

  void (*calc_positions)(At, const Real* z);   // R, r
  void (*calc_velocities)(At, const Real* z);  // v, Ω, ω; needs positions
  void (*calc_rows)(At, Of);                   // g, J
  void (*calc_rows_and_gamma)(At, Of);
  void (*calc_schur)(At, Of);                  // S
  void (*calc_schur_diagonal)(At, Of);         // its diagonal blocks alone
  void (*calc_forces)(At, Of);                 // loads, springs, dampers
  void (*calc_kinetic)(At, Of, Real* by_component);    // J
  void (*calc_potential)(At, Of, Real* by_component);  // J, of the weight
  void (*calc_free_accelerations)(At, Of);     // twist ← M⁻¹ f
  void (*calc_right_hand_side)(At, const Twist<Real, Space>* world, Real* b);  // J w + γ
  void (*subtract_constraint_forces)(At, Of);  // twist ← twist − M⁻¹ Jᵀλ
  void (*calc_mass_step)(At, Of, const Real* mu, Twist<Real, Space>* w);  // w ← M⁻¹ Jᵀμ
  void (*calc_j_times)(At, const Twist<Real, Space>* w, Real* rates);  // J w
  void (*calc_velocity_rates)(At, Real* rates);                        // J u of the poses
  Real (*write_rate)(At, const Real* z, Real* rate);
  Real (*find_least_inverse)(At);
  EvaluationOutcome<Real> (*evaluate)(At, Of, const Real& drop_tolerance, const Real* z,
                                      Real* rate);  // all of it
};

template <class Real, class Space>
const Kernel<Real, Space>& kernel();
template <>
const Kernel<double, Spatial>& kernel();
template <>
const Kernel<double, Planar>& kernel();

}  // namespace trammel
