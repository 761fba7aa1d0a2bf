// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The right-hand side and projection that an expert would write for SUNDIALS with the means at
// hand: positions, Euler parameters, velocities, body angular velocities; the conditions C, SO, O
// one by one; accelerations by the Schur complement, with small dense Eigen matrices that never
// touch the heap. Written apart from the library on purpose: nothing of ours may help it or slow it
// down.
//
//   y = (r, θ)×bodies, (v, Ω)×bodies           13 numbers a body
#pragma once

#include <cstdint>
#include <vector>

#include "peer_bench.hpp"

namespace trammel::bench {

class AbsoluteProblem {
 public:
  static constexpr int most_bodies = 4, most_rows = 20;  // the governor's
  template <int rows, int columns>
  using Bounded =
      Eigen::Matrix<double, Eigen::Dynamic, columns == 1 ? 1 : Eigen::Dynamic, 0, rows, columns>;
  using Velocity = Bounded<6 * most_bodies, 1>;
  using Rows = Bounded<most_rows, 1>;
  using Jacobian = Bounded<most_rows, 6 * most_bodies>;
  using Schur = Bounded<most_rows, most_rows>;

  explicit AbsoluteProblem(const PeerMechanism& mechanism);

  int bodies() const { return n_; }
  int rows() const { return m_; }
  int dimension() const { return 13 * n_; }

  void put_start(double* y) const;
  std::vector<Pose> make_poses(const double* y) const;

  // ẏ; multipliers where asked for. Counts as an evaluation.
  void calc_rate(const double* y, double* rate, Rows* multipliers = nullptr);
  // Onto g = 0, |θ| = 1 and G u = 0; false where it does not converge.
  bool project(double* y, double tolerance) const;
  // The residual of the stabilised index-2 form (Gear, Gupta, Leimkuhler); y = (…, λ, μ, κ).
  void calc_residual(const double* y, const double* rate, double* residual);
  int residual_dimension() const { return dimension() + 2 * m_ + n_; }

  std::int64_t evaluations = 0;

 private:
  struct Frames;
  void calc_conditions(const double* y, bool with_velocity, Rows* g, Jacobian* G, Rows* bias) const;
  void calc_force(const double* y, Velocity& force) const;
  void add_springs(const double* y, Velocity& force) const;
  Eigen::LLT<Schur> make_schur(const Jacobian& G) const;

  std::vector<PeerBody> of_;
  std::vector<Condition> conditions_;
  std::vector<PeerSpring> springs_;
  Vector3d gravity_;
  double torque_;
  int n_, m_ = 0;
  Velocity inverse_mass_;
};

}  // namespace trammel::bench
