// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel: everything that is done at each evaluation, as a table of functions.
//
// Its source is compiled once for each instruction set and space (baseline.cpp, avx2.cpp, …_planar.cpp),
// and kernel() gives the table of the best one that the processor has. So that no function compiled for a better processor
// is called on a lesser one, no two tables may share a function: the sources keep theirs in a
// namespace without a name, use no std or Eigen types, and inline all that comes from other headers
// (`ctest -R house/kernel` looks at the symbols, `cli/old_processor` runs without AVX). Both give the same bits: they round every
// operation by itself (-ffp-contract=off) and in the same order.
#pragma once

#include "system/arrays.hpp"
#include "system/parameters.hpp"

namespace trammel {

struct Traced;

template <class Real, class Space>
struct Kernel {
  using ArraysRef = const Arrays<Real, Space>&;
  using ParametersRef = const ParameterArrays<Real, Space>&;

  // ---- of some bodies (in the order of the state, or of body_order), joints or rows
  using RangeRef = const IndexRange&;
  void (*calc_positions)(ArraysRef, const Real* z, RangeRef bodies);   // R, r
  void (*calc_velocities)(ArraysRef, const Real* z, RangeRef bodies);  // v, Ω, ω; needs positions
  void (*calc_poses)(ArraysRef, const Real* z, RangeRef bodies);       // both
  void (*calc_rows)(ArraysRef, ParametersRef, const JointPiece& joints);  // g, J
  void (*calc_rows_and_gamma)(ArraysRef, ParametersRef, const JointPiece& joints);
  void (*clear_fill)(ArraysRef);                                   // S where no body writes
  void (*calc_schur)(ArraysRef, ParametersRef, const SchurPart&);  // S
  void (*calc_schur_diagonal)(ArraysRef, ParametersRef,
                              const SchurPart&);            // its diagonal blocks alone
  void (*correct_hub_diagonals)(ArraysRef, ParametersRef);  // after all parts
  void (*clear_forces)(ArraysRef, RangeRef bodies);
  void (*calc_kinetic)(ArraysRef, ParametersRef, Real* by_component);    // J
  void (*calc_potential)(ArraysRef, ParametersRef, Real* by_component);  // J, of the weight
  void (*calc_free_accelerations)(ArraysRef, ParametersRef,
                                  RangeRef bodies);  // twist, world_twist ← M⁻¹ f
  void (*calc_free_fall)(ArraysRef, ParametersRef,
                         RangeRef bodies);  // the same with no force but the weight
  void (*turn_twists)(ArraysRef, const Twist<Real, Space>* w, RangeRef bodies);  // world_twist ← w
  void (*take_velocities)(ArraysRef, RangeRef bodies);  // world_twist ← (v, ω)
  void (*calc_rates)(ArraysRef, const Twist<Real, Space>* world, Real* rates,
                     const JointPiece& joints);  // J w
  void (*calc_right_hand_side)(ArraysRef, const Twist<Real, Space>* world, Real* b,
                               const JointPiece& joints);  // J w + γ
  void (*subtract_constraint_forces)(ArraysRef, ParametersRef,
                                     RangeRef ordered);  // twist ← twist − M⁻¹ Jᵀλ
  void (*calc_mass_step)(ArraysRef, ParametersRef, const Real* mu, Twist<Real, Space>* w,
                         RangeRef ordered);  // M⁻¹ Jᵀμ
  void (*write_position_rate)(ArraysRef, const Real* z, Real* rate, RangeRef bodies);  // ẏ
  Real (*write_accelerations)(ArraysRef, Real* rate,
                              RangeRef bodies);  // u̇ ← twist; returns 0, or not a number
  Real (*write_constrained_accelerations)(ArraysRef, ParametersRef, Real* rate,
                                          RangeRef ordered);  // u̇ ← twist − M⁻¹ Jᵀλ
  void (*write_power)(ArraysRef, Real* rate);
  Real (*find_least_inverse)(ArraysRef, RangeRef rows);
};

template <class Real, class Space>
const Kernel<Real, Space>& kernel();
template <>
const Kernel<double, Spatial>& kernel();
template <>
const Kernel<double, Planar>& kernel();
template <>
const Kernel<Traced, Spatial>& kernel();  // generate/traced_kernel.cpp
template <>
const Kernel<Traced, Planar>& kernel();

}  // namespace trammel
