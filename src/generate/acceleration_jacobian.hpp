// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The Jacobian of the accelerations, ∂u̇/∂(q, u), in local directions: of each body a displacement δr (world
// frame), a small turn φ (body frame, δR = R[φ]×; in the plane δβ), and changes δv and δΩ of its velocities.
//
// The factorisation is not differentiated. With the multipliers held, the accelerations and the rows are
//
//   u̇(z, λ) = M⁻¹(f − Jᵀλ),   ρ(z, λ) = J u̇ + γ = 0,
//
// and by the implicit function theorem each direction costs a solve with the factor that is there:
//
//   S dλ = ∂ρ,   du̇ = ∂u̇ − M⁻¹Jᵀ dλ,   S = J M⁻¹Jᵀ.
//
// ∂u̇ and ∂ρ come from a tape of the kernel, differentiated forward with sparse tangents
// (math/derivatives.hpp) and compiled together with the evaluation; the solves run on lanes, four columns at
// a time. The time is some three to seven evaluations (docs/studies/performance.md).
#pragma once

#include <memory>
#include <vector>

#include "generate/machine_code.hpp"
#include "system/system.hpp"

namespace trammel {

// Whether there is a Jacobian at a state.
enum class JacobianOutcome {
  done,
  dependent_rows,  // a pivot of S is not safely positive: the accelerations are not unique
  not_smooth,      // a force or a row has no derivative there, as a spring of length 0 has none
};

template <class Space>
class AccelerationJacobian {
 public:
  // Null where no code can be made: another processor, too many rows, parts without derivatives (curves).
  // left_out: [rows] those that take no part, of a mechanism with dependent rows, or empty. Another set of
  // rows is another code.
  static std::unique_ptr<AccelerationJacobian> make(const SystemIn<Space>& system,
                                                    double drop_tolerance,
                                                    const std::vector<char>& left_out = {});

  // At the state z, which need not be on the joints, and a time in s. What follows is valid where it is
  // done. References of angles, the time and what drivers ask for are held.
  JacobianOutcome calc(const double* z, double time = 0.0);

  // ∂u̇ₖ/∂(direction d): k counts u = (v, Ω) of all bodies, d the same twice: first (δr, φ) of all bodies,
  // then (δv, δΩ).
  double operator()(int k, int d) const { return data()[k * stride_ + column_[d]]; }
  // The same as a matrix by rows, `stride` numbers apart, with direction d in column columns()[d].
  const double* data() const { return jacobian_.front().of; }
  int stride() const { return stride_; }
  const std::vector<int>& columns() const { return column_; }
  int n_rows() const { return n_u_; }
  int n_directions() const { return 2 * n_u_; }
  // ż and λ at the same state
  const double* rate() const { return results_.data() + first_rate_; }
  const double* multipliers() const { return results_.data() + first_multiplier; }

  int n_operations() const { return n_operations_; }  // before the solves
  int n_solves() const { return solved_stride_ / lanes; }

 private:
  class Recorder;
  explicit AccelerationJacobian(const SystemIn<Space>& system) : system_(system) {}

  static constexpr int lanes = 4;
  struct alignas(lanes * sizeof(double)) Lanes {
    double of[lanes];
  };
  // in results_
  static constexpr int margin = 0, least_edge = 1, first_multiplier = 2;

  const SystemIn<Space>& system_;
  int n_u_ = 0;  // velocities of all bodies
  // Directions that move rows come first: they take a solve, in groups of the lanes.
  std::vector<int> column_;  // [directions]
  int solved_stride_ = 0;    // columns with a solve, a multiple of the lanes
  int stride_ = 0;           // all of them, the same
  int n_operations_ = 0;
  int n_shared_ = 0;                      // numbers that all solves read: factor, rows, rotations
  int first_rate_ = 0, first_given_ = 0;  // in results_
  std::unique_ptr<MachineCode> before_;   // evaluation, ∂u̇ and ∂ρ
  std::unique_ptr<MachineCode> solve_;    // of four columns
  std::vector<double> results_, shared_;
  std::vector<Lanes> spread_;  // [shared] each number for all lanes
  std::vector<Lanes> held_;    // [n_u + rows][solved_stride] ∂u̇, ∂ρ of columns with a solve
  std::vector<Lanes> jacobian_;  // [n_u][stride]
};

}  // namespace trammel
