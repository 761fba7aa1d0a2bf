// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Our own right-hand side and projection with the face of AbsoluteProblem, to run them under
// SUNDIALS' integrators: a control that tells the kernel's share of a ratio from the integrator's.
// The public API has no right-hand side to call, so this uses the library's insides.
#pragma once

#include <cstdint>
#include <vector>

#include "peer_bench.hpp"
#include "precision_problems.hpp"
#include "problem/mechanical_problem.hpp"
#include "system/frames.hpp"

namespace trammel::bench {

class OwnProblem {
 public:
  explicit OwnProblem(const PeerMechanism& mechanism)
      : system_(as_spatial(mechanism.start->system.data())),
        problem_(system_, make_options()),
        start_(dimension(), 0.0),
        rate_(dimension()) {
    import_state(system_, mechanism.start->bodies, start_.data());
  }

  int dimension() const { return system_.topology.layout.size(); }

  void put_start(double* y) {
    std::copy(start_.begin(), start_.end(), y);
    problem_.start(y, rate_.data());
  }

  std::vector<Pose> make_poses(const double* y) const {
    std::vector<Pose> poses;
    for (int b = 0; b < system_.topology.n_bodies; ++b) {
      const BodyState state = export_body(system_, y, b);
      const auto& q = state.orientation;
      poses.push_back({{state.position[0], state.position[1], state.position[2]},
                       Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()});
    }
    return poses;
  }

  void calc_rate(const double* y, double* rate) {
    ++evaluations;
    // stages are not projected, so y is not changed
    problem_.calc_derivative(0.0, const_cast<double*>(y), rate);
  }

  // With the energy held, as in our own runs. The rate that comes with it is not used: SUNDIALS
  // asks again.
  bool project(double* y, double) { return problem_.finish_step(0.0, 1e-3, y, rate_.data()); }

  std::int64_t evaluations = 0;

 private:
  static SimulationOptions make_options() {
    SimulationOptions options;
    options.hold_energy = true;
    return options;
  }

  const SystemIn<Spatial>& system_;
  MechanicalProblem<Spatial> problem_;
  std::vector<double> start_, rate_;
};

}  // namespace trammel::bench
