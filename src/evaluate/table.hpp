// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The table of the functions as the including source compiles them.
#pragma once

#include "evaluate/kernel.hpp"
//
#include "evaluate/evaluation.hpp"

namespace trammel {
namespace {

template <class Real, class Space>
constexpr Kernel<Real, Space> make_kernel() {
  return {calc_positions<Real, Space>,
          calc_velocities<Real, Space>,
          calc_poses<Real, Space>,
          calc_rows<false, Real, Space>,
          calc_rows<true, Real, Space>,
          clear_fill<Real, Space>,
          calc_schur<true, Real, Space>,
          calc_schur<false, Real, Space>,
          correct_hub_diagonals<Real, Space>,
          clear_forces<Real, Space>,
          calc_kinetic<Real, Space>,
          calc_potential<Real, Space>,
          calc_free_accelerations<Real, Space>,
          calc_free_fall<Real, Space>,
          turn_twists<Real, Space>,
          take_velocities<Real, Space>,
          calc_rates<false, Real, Space>,
          calc_rates<true, Real, Space>,
          subtract_constraint_forces<Real, Space>,
          calc_mass_step<Real, Space>,
          write_position_rate<Real, Space>,
          write_accelerations<Real, Space>,
          write_constrained_accelerations<Real, Space>,
          write_power<Real, Space>,
          find_least_inverse<Real, Space>};
}

}  // namespace
}  // namespace trammel
