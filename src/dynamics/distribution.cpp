// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/distribution.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "kernel/forces.hpp"
#include "kernel/joint_rows.hpp"
#include "kernel/kernel.hpp"
#include "kernel/step_judgement.hpp"
#include "math/thread_pool.hpp"

namespace trammel {

template <class Real, class Space>
int find_dropped_row(const Topology& topology, const Workspace<Real, Space>& ws) {
  for (int r = 0; r < topology.n_rows; ++r) {
    if (ws.inverse[r] == Real(0) && ws.mask[r] == Real(1)) return r;
  }
  return -1;
}

namespace {

// S, or its blocks on the diagonal alone: the top by one thread, then the subtrees by all.
template <class Real, class Space>
void calc_schur(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, bool with_couplings) {
  const Kernel<Real, Space>& with = kernel<Real, Space>();
  const auto calc_part = with_couplings ? with.calc_schur : with.calc_schur_diagonal;
  const ParameterArrays<Real, Space> of = parameters.arrays();
  if (with_couplings) with.clear_fill(ws.arrays);
  const std::vector<SchurPart>& parts = topology.schur_parts;
  calc_part(ws.arrays, of, parts.front());
  if (parts.size() == 1) return;
  parallel_for(static_cast<int>(parts.size()) - 1,
               [&](int k) { calc_part(ws.arrays, of, parts[k + 1]); });
}

template <class Real, class Space>
bool has_dropped(const Topology& topology, const Workspace<Real, Space>& ws) {
  std::atomic<bool> dropped{false};
  in_chunks(topology.n_rows, [&](int begin, int end) {
    const Real least = kernel<Real, Space>().find_least_inverse(ws.arrays, {begin, end});
    if (!(least > Real(0))) dropped = true;
  });
  return dropped;
}

}  // namespace

template <class Real, class Space>
int calc_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, Real drop_tolerance) {
  calc_schur(topology, parameters, ws, ws.iterative == nullptr);
  if (ws.iterative == nullptr) {
    factorise(topology.program, ws.factor(), drop_tolerance);
  } else {
    factorise_blocks(topology.program, ws.factor(), drop_tolerance);
  }
  return has_dropped(topology, ws) ? find_dropped_row(topology, ws) : -1;
}

template <class Real, class Space>
void calc_damped_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws, Real mu, const Real* size) {
  calc_schur(topology, parameters, ws, true);
  const BlockProgram& program = topology.program;
  for (std::size_t k = 0; k < program.size.size(); ++k) {
    Real* block = ws.values.data() + program.diagonal[k];
    for (int r = 0; r < program.size[k]; ++r) {
      const Real length = size[program.row[k] + r];
      block[r * program.size[k] + r] += mu * length * length;
    }
  }
  factorise(topology.program, ws.factor(), Real(0));
}

namespace {

// rates ← J w of the twists in world_twist
template <class Real, class Space>
void calc_rates(const Topology& topology, Workspace<Real, Space>& ws, Real* rates) {
  in_pieces(topology, [&](const JointPiece& joints) {
    kernel<Real, Space>().calc_rates(ws.arrays, ws.world_twist.data(), rates, joints);
  });
}

template <class Real, class Space>
void calc_mass_step(const Topology& topology, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, const Real* mu, Twist<Real, Space>* w) {
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().calc_mass_step(ws.arrays, parameters.arrays(), mu, w, {begin, end});
  });
}

}  // namespace

template <class Real, class Space>
void calc_j_times(const Topology& topology, Workspace<Real, Space>& ws,
                  const Twist<Real, Space>* w, Real* rates) {
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().turn_twists(ws.arrays, w, {begin, end});
  });
  calc_rates(topology, ws, rates);
}

template <class Real, class Space>
void calc_velocity_rates(const Topology& topology, Workspace<Real, Space>& ws, Real* rates) {
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().take_velocities(ws.arrays, {begin, end});
  });
  calc_rates(topology, ws, rates);
}

template <class Real, class Space>
void calc_mass_step(const Topology& topology, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, const Real* mu) {
  calc_mass_step(topology, parameters, ws, mu, ws.twist.data());
}

template <class Real, class Space>
void calc_schur_times(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws, const Real* d, std::vector<Twist<Real, Space>>& w,
                      Real* image) {
  calc_mass_step(topology, parameters, ws, d, w.data());
  calc_j_times(topology, ws, w.data(), image);
}

template <class Real, class Space>
void calc_distribution(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws) {
  const Kernel<Real, Space>& with = kernel<Real, Space>();
  const ParameterArrays<Real, Space> of = parameters.arrays();
  calc_forces(topology, parameters, ws);
  // u̇ without constraints: M⁻¹ f
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    with.calc_free_accelerations(ws.arrays, of, {begin, end});
  });
  if (topology.n_rows == 0) return;
  // S λ = J M⁻¹ f + γ
  in_pieces(topology, [&](const JointPiece& joints) {
    with.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.lambda.data(), joints);
  });
  solve_schur(topology, parameters, ws, ws.lambda.data());
  // the power of a driver: −λ J u = λ g_t
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const DriverTopology& driver = topology.drivers[k];
    const int row = topology.coordinate_rows[driver.coordinate_row].row;
    ws.power[driver.component] -= ws.lambda[row] * ws.drive[k].first;
  }
  // u̇ = M⁻¹ f − M⁻¹ Jᵀ λ
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    with.subtract_constraint_forces(ws.arrays, of, {begin, end});
  });
}

template <class Space>
void refine_distribution(const Topology& topology, const Parameters<double, Space>& parameters,
                         Workspace<double, Space>& ws) {
  constexpr int most_steps = 3;
  // of squares; a step leaves about the square of the part it moves
  constexpr double small = 1e-22, half = 0.25;
  if (topology.n_rows == 0 || ws.iterative != nullptr) return;
  const Kernel<double, Space>& with = kernel<double, Space>();
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    in_chunks(topology.n_bodies, [&](int begin, int end) {
      with.turn_twists(ws.arrays, ws.twist.data(), {begin, end});
    });
    in_pieces(topology, [&](const JointPiece& joints) {
      with.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.mu.data(), joints);
    });
    solve(topology.program, ws.factor(), ws.mu.data());
    LargeVector<Twist<double, Space>>& move = ws.world_twist;  // M⁻¹Jᵀδ; its length is that of δ in S
    calc_mass_step(topology, parameters, ws, ws.mu.data(), move.data());
    double size = 0.0, whole = 0.0;
    for (int b = 0; b < topology.n_bodies; ++b) {
      size += mass_norm2(parameters.bodies[b], move[b]);
      whole += mass_norm2(parameters.bodies[b], ws.twist[b]);
    }
    if (!(size < half * last)) return;
    last = size;
    for (int r = 0; r < topology.n_rows; ++r) ws.lambda[r] += ws.mu[r];
    for (int b = 0; b < topology.n_bodies; ++b) {
      ws.twist[b].linear -= move[b].linear;
      ws.twist[b].angular -= move[b].angular;
    }
    if (size <= small * whole) return;
  }
}

template <class Space>
bool write_rate(const Topology& topology, Workspace<double, Space>& ws, const double* z,
                double* rate) {
  const Kernel<double, Space>& with = kernel<double, Space>();
  std::atomic<bool> finite{true};
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    with.write_position_rate(ws.arrays, z, rate, {begin, end});
    if (with.write_accelerations(ws.arrays, rate, {begin, end}) != 0.0) finite = false;
  });
  with.write_power(ws.arrays, rate);
  return finite;
}

template <class Space>
bool evaluate(const Topology& topology, const Parameters<double, Space>& parameters,
              Workspace<double, Space>& ws, double drop_tolerance, const double* z, double* rate) {
  const Kernel<double, Space>& with = kernel<double, Space>();
  const Arrays<double, Space>& at = ws.arrays;
  const ParameterArrays<double, Space> of = parameters.arrays();
  if (topology.n_bodies < chunk_size && !topology.program.is_large) {
    const auto outcome = with.evaluate(at, of, drop_tolerance, z, rate);
    return outcome.least_inverse > 0.0 && outcome.not_finite == 0.0;
  }
  // The same in as few passes over the memory as there can be: it is what all of this waits for.
  const bool has_forces = of.n_loads + of.n_springs + of.n_dampers > 0;
  const auto begin_bodies = [&](const IndexRange& bodies) {
    with.calc_poses(at, z, bodies);
    with.write_position_rate(at, z, rate, bodies);
    if (!has_forces) with.calc_free_fall(at, of, bodies);
  };
  const auto begin_joints = [&](const JointPiece& joints) {
    with.calc_rows_and_gamma(at, of, joints);
    if (!has_forces) with.calc_right_hand_side(at, ws.world_twist.data(), ws.lambda.data(), joints);
  };
  in_chunks(topology.n_bodies, [&](int begin, int end) { begin_bodies({begin, end}); });
  in_pieces(topology, begin_joints);
  if (has_forces) {
    calc_forces(topology, parameters, ws);
    in_chunks(topology.n_bodies, [&](int begin, int end) {
      with.calc_free_accelerations(at, of, {begin, end});
    });
    in_pieces(topology, [&](const JointPiece& joints) {
      with.calc_right_hand_side(at, ws.world_twist.data(), ws.lambda.data(), joints);
    });
  }
  calc_schur(topology, parameters, ws, true);
  factorise_and_solve(topology.program, ws.factor(), drop_tolerance, ws.lambda.data());
  if (has_dropped(topology, ws)) return false;
  std::atomic<bool> finite{true};
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    if (with.write_constrained_accelerations(at, of, rate, {begin, end}) != 0.0) finite = false;
  });
  if (!has_forces) std::fill(ws.power.begin(), ws.power.end(), 0.0);
  with.write_power(at, rate);
  return finite;
}

template int calc_factor(const Topology&, const Parameters<double, Spatial>&,
                         Workspace<double, Spatial>&, double);
template int find_dropped_row(const Topology&, const Workspace<double, Spatial>&);
template void calc_damped_factor(const Topology&, const Parameters<double, Spatial>&,
                                 Workspace<double, Spatial>&, double, const double*);
template void calc_j_times(const Topology&, Workspace<double, Spatial>&, const Twist<double, Spatial>*,
                           double*);
template void calc_velocity_rates(const Topology&, Workspace<double, Spatial>&, double*);
template void calc_mass_step(const Topology&, const Parameters<double, Spatial>&,
                             Workspace<double, Spatial>&, const double*);
template void calc_schur_times(const Topology&, const Parameters<double, Spatial>&,
                               Workspace<double, Spatial>&, const double*,
                               std::vector<Twist<double, Spatial>>&, double*);
template void calc_distribution(const Topology&, const Parameters<double, Spatial>&,
                                Workspace<double, Spatial>&);
template void refine_distribution(const Topology&, const Parameters<double, Spatial>&,
                                  Workspace<double, Spatial>&);
template bool write_rate(const Topology&, Workspace<double, Spatial>&, const double*, double*);
template bool evaluate(const Topology&, const Parameters<double, Spatial>&, Workspace<double, Spatial>&,
                       double, const double*, double*);
template int calc_factor(const Topology&, const Parameters<double, Planar>&,
                         Workspace<double, Planar>&, double);
template int find_dropped_row(const Topology&, const Workspace<double, Planar>&);
template void calc_damped_factor(const Topology&, const Parameters<double, Planar>&,
                                 Workspace<double, Planar>&, double, const double*);
template void calc_j_times(const Topology&, Workspace<double, Planar>&, const Twist<double, Planar>*,
                           double*);
template void calc_velocity_rates(const Topology&, Workspace<double, Planar>&, double*);
template void calc_mass_step(const Topology&, const Parameters<double, Planar>&,
                             Workspace<double, Planar>&, const double*);
template void calc_schur_times(const Topology&, const Parameters<double, Planar>&,
                               Workspace<double, Planar>&, const double*,
                               std::vector<Twist<double, Planar>>&, double*);
template void calc_distribution(const Topology&, const Parameters<double, Planar>&,
                                Workspace<double, Planar>&);
template void refine_distribution(const Topology&, const Parameters<double, Planar>&,
                                  Workspace<double, Planar>&);
template bool write_rate(const Topology&, Workspace<double, Planar>&, const double*, double*);
template bool evaluate(const Topology&, const Parameters<double, Planar>&, Workspace<double, Planar>&,
                       double, const double*, double*);

}  // namespace trammel
