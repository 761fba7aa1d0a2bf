// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is known at the current point of a run: its workspace, the rows in use, the invariants, how
// well it lies on the manifold, why it could not be reached, and counters. Filled by Projector (on
// doubles) and CodedEnd (from numbers of generated code); read by the recorder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evaluate/conjugate_gradients.hpp"
#include "evaluate/kernel.hpp"
#include "manifold/active_rows.hpp"
#include "manifold/energy_balance.hpp"
#include "manifold/light_bodies.hpp"
#include "manifold/momentum_balance.hpp"
#include "manifold/projection.hpp"
#include "manifold/user_invariants.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"
#include "trammel/options.hpp"

namespace trammel {

// Why a point could not be evaluated or projected; read by the report of a failed run.
struct PointFailure {
  enum class Kind {
    none,
    not_finite,
    left_table,
    dependent_row,
    not_projected,
    open_joint,
    parting_joint,
    rough_passage,
    off_curve,
    no_inertia,
    not_followed
  };
  Kind kind = Kind::none;
  int index = -1;         // body (not_finite), force (left_table), row, or joint (off_curve);
                          // not_followed: the driver's row
  double residual = 0.0;  // |g| of that row (not_projected, open_joint), or |ġ| (parting_joint)
  const std::string* table = nullptr;  // its name (left_table)
};

// The first joint that opened in a run without projection.
struct OpenedRow {
  double t = 0.0;
  PointFailure failure;  // open_joint, parting_joint, or none
};

// How well a point lies on the manifold.
struct PointQuality {
  LargestRow position{0.0, -1};
  LargestRow velocity{0.0, -1};
  double euler_parameters = 0.0;  // largest | |θ|² − 1 |
  int iterations = 0;             // iterations of the projection
  double smallest_pivot = 1.0;    // of S, relative to the start; 0 in a singular position
  int smallest_pivot_row = -1;
  LargestRow before{0.0, -1};  // |g| before it
  double moved = 0.0;          // the largest of its moves: radians, or relative to the length
};

struct DynamicsCounts {
  std::int64_t accelerations = 0;
  std::int64_t projection = 0;
  std::int64_t iterations = 0;
  int iterations_max = 0;
  std::int64_t dg = 0;
  std::int64_t d2g = 0;
  std::int64_t df_inv = 0;
  std::int64_t evaluations_by_code = 0;
  std::int64_t steps_by_code = 0;  // ends of steps
  std::int64_t evaluations_in_lanes = 0, steps_in_lanes = 0;
  double projection_seconds = 0.0;
};

template <class Space>
struct RunPoint {
  RunPoint(const SystemIn<Space>& system_, const SimulationOptions& options_);

  const SystemIn<Space>& system;
  SimulationOptions options;
  double projection_tolerance;  // of a move onto the joints, relative to the mechanism

  Workspace<double, Space> ws;
  bool poses_are_current = true;  // in ws, of the end of the last step: code leaves none there
  std::unique_ptr<ConjugateGradients<double, Space>> iterative;  // of ws, where requested
  std::unique_ptr<LightCorrection<Space>> light;  // where bodies have hardly any mass

  // [joints × n_u] F, M (evaluate/reactions.hpp) of an output point that code has finished
  std::vector<double> reactions;
  bool has_reactions = false;

  // ---- rows in use
  ActiveRows<Space> rows;
  bool has_other_rows = false;  // ws.mask is not that of the current step
  bool in_passage = false;  // at the last point rows were left out because it is nearly singular
  double end_pivot = 1.0;   // the smallest, at the end of the last step

  // ---- invariants
  MomentumBalance<Space> momenta;
  EnergyBalance<Space> energy;
  UserInvariants<Space> user;
  std::vector<double> step_kinetic;  // [components] J, T at the end of the last step
  const double* difference =
      nullptr;  // [dimension] embedded difference of the step that ends, or null

  // ---- what is reported
  PointQuality quality;
  PointFailure failure;
  OpenedRow opened;
  DynamicsCounts counts;
  std::string
      code_refusal;  // why evaluations are not made by code; empty where they are, or will be

  bool fail(PointFailure::Kind kind, int index, double residual = 0.0) {
    failure = {kind, index, residual};
    return false;
  }
  bool succeed() {
    failure = {};
    return true;
  }

  // An attempt that was rejected or an output point may have left the rows of another point in ws.
  void use_step_rows() {
    if (!has_other_rows) return;
    rows.use_step_rows(ws);
    has_other_rows = false;
  }

  // The scale of the work's error: T at steps only, so that output points leave the steps alone.
  void remember_kinetic() {
    for (std::size_t c = 0; c < step_kinetic.size(); ++c) {
      step_kinetic[c] = energy.kinetic(static_cast<int>(c));
    }
  }

  // ws with positions and velocities of z, the end of the last step.
  const Workspace<double, Space>& workspace_at(const double* z) {
    if (!poses_are_current) {
      kernel<double, Space>().calc_poses(ws.arrays, z, {0, system.topology.n_bodies});
      ws.stages.begin_state();
      ws.stages.provide(Stage::velocities);
      poses_are_current = true;
    }
    return ws;
  }
};

template <class Space>
RunPoint<Space>::RunPoint(const SystemIn<Space>& system_, const SimulationOptions& options_)
    : system(system_),
      options(options_),
      // well below the tolerance of the local error, and never looser than 1e-12
      projection_tolerance(std::min(1e-12, 1e-3 * options_.atol)),
      ws(system_.topology),
      reactions(Space::n_u * system_.topology.n_joints),
      rows(system_),
      momenta(system_, options_.hold_linear_momentum, options_.hold_angular_momentum),
      energy(system_, momenta, options_.hold_dissipative),
      user(system_, options_.user_invariants),
      step_kinetic(system_.topology.n_components(), 0.0) {
  if (!system.light.empty()) light = std::make_unique<LightCorrection<Space>>(system);
  if (options.schur != SchurSolver::iterative) return;
  iterative = std::make_unique<ConjugateGradients<double, Space>>(system.topology);
  ws.iterative = iterative.get();
}

}  // namespace trammel
