// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// The sequence of an evaluation, and solves with S: loops over bodies and joints shared between threads.
#include "evaluate/accelerations.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/kernel.hpp"
#include "evaluate/step_judgement.hpp"
#include "math/thread_pool.hpp"
#include "math/trace.hpp"

namespace trammel {

template <class Real, class Space>
int find_dropped_row(const Topology& topology, const Workspace<Real, Space>& ws) {
  for (int r = 0; r < topology.n_rows; ++r) {
    if constexpr (std::is_same_v<Real, double>) {
      // D⁻¹ = 0 where a pivot was dropped; a mask of 1 where the row should have taken part
      if (ws.inverse[r] == 0.0 && ws.mask[r] == 1.0) return r;
    }
  }
  return -1;
}

namespace {

// S, or its blocks on the diagonal alone: the top by one thread, then the subtrees by all.
template <class Real, class Space>
void calc_schur(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, bool with_couplings) {
  const Kernel<Real, Space>& functions = kernel<Real, Space>();
  const auto calc_part = with_couplings ? functions.calc_schur : functions.calc_schur_diagonal;
  const ParameterArrays<Real, Space> numbers = parameters.arrays();
  if (with_couplings) functions.clear_fill(ws.arrays);
  const std::vector<SchurPart>& parts = topology.schur_parts;
  calc_part(ws.arrays, numbers, parts.front());
  if (parts.size() > 1) {
    parallel_for(static_cast<int>(parts.size()) - 1,
                 [&](int k) { calc_part(ws.arrays, numbers, parts[k + 1]); });
  }
  if (!topology.clones.empty()) functions.correct_hub_diagonals(ws.arrays, numbers);
}

// On traced numbers the margin says it when the code runs.
template <class Real, class Space>
bool has_dropped(const Topology& topology, const Workspace<Real, Space>& ws) {
  if constexpr (!std::is_same_v<Real, double>) return false;
  std::atomic<bool> dropped{false};
  in_chunks(topology.n_rows, [&](int begin, int end) {
    const Real least = kernel<Real, Space>().find_least_inverse(ws.arrays, {begin, end});
    if constexpr (std::is_same_v<Real, double>) dropped = dropped || !(least > 0.0);
  });
  return dropped;
}

}  // namespace

template <class Real, class Space>
int calc_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, Real drop_tolerance) {
  ws.stages.need(Stage::rows);
  ws.stages.provide(Stage::factor);
  calc_schur(topology, parameters, ws, ws.iterative == nullptr);
  if constexpr (std::is_same_v<Real, double>) {
    if (ws.iterative != nullptr) {
      // the preconditioner of the conjugate gradients: each block of the diagonal by itself
      factorise_blocks(topology.program, ws.factor(), drop_tolerance);
      return has_dropped(topology, ws) ? find_dropped_row(topology, ws) : -1;
    }
  }
  // S = L D Lᵀ
  factorise(topology.program, ws.factor(), drop_tolerance);
  return has_dropped(topology, ws) ? find_dropped_row(topology, ws) : -1;
}

template <class Real, class Space>
void calc_damped_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws, Real mu, const Real* size) {
  ws.stages.need(Stage::rows);
  ws.stages.provide(Stage::factor);
  calc_schur(topology, parameters, ws, true);
  // S_rr ← S_rr + μ size_r²
  const BlockProgram& program = topology.program;
  for (std::size_t k = 0; k < program.size.size() && program.row[k] < topology.n_rows; ++k) {
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
  ws.stages.need(Stage::rows);
  in_pieces(topology, [&](const JointPiece& joints) {
    kernel<Real, Space>().calc_rates(ws.arrays, ws.world_twist.data(), rates, joints);
  });
}

// w ← M⁻¹ Jᵀ μ
template <class Real, class Space>
void calc_mass_step(const Topology& topology, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, const Real* mu, Twist<Real, Space>* w) {
  ws.stages.need(Stage::rows);
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().calc_mass_step(ws.arrays, parameters.arrays(), mu, w, {begin, end});
  });
}

}  // namespace

template <class Real, class Space>
void calc_j_times(const Topology& topology, Workspace<Real, Space>& ws, const Twist<Real, Space>* w,
                  Real* rates) {
  // angular parts into the frame of the rows, the world's
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().turn_twists(ws.arrays, w, {begin, end});
  });
  calc_rates(topology, ws, rates);
}

template <class Real, class Space>
void calc_velocity_rates(const Topology& topology, Workspace<Real, Space>& ws, Real* rates) {
  ws.stages.need(Stage::velocities);
  // the poses have v and ω in the world's frame already
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
  // S d = J (M⁻¹ Jᵀ d)
  calc_mass_step(topology, parameters, ws, d, w.data());
  calc_j_times(topology, ws, w.data(), image);
}

namespace {

// λ ← J M⁻¹ f + γ, ws.twist ← M⁻¹ f: the accelerations without constraints, and the right-hand side of S λ.
// Without forces of their own, bodies fall freely: no array of forces is moved through memory.
template <class Real, class Space>
void calc_right_hand_side(const Topology& topology, const Parameters<Real, Space>& parameters,
                          Workspace<Real, Space>& ws) {
  const Kernel<Real, Space>& functions = kernel<Real, Space>();
  const ParameterArrays<Real, Space> numbers = parameters.arrays();
  // v̇ = g, Ω̇ = 𝕀⁻¹ (−Ω×𝕀Ω); or with the forces of the elements
  if (parameters.is_free()) {
    for (Real& power : ws.power) power = Real(0);
    in_chunks(topology.n_bodies, [&](int begin, int end) {
      functions.calc_free_fall(ws.arrays, numbers, {begin, end});
    });
  } else {
    calc_forces(topology, parameters, ws);
    in_chunks(topology.n_bodies, [&](int begin, int end) {
      functions.calc_free_accelerations(ws.arrays, numbers, {begin, end});
    });
  }
  // J M⁻¹ f + γ
  in_pieces(topology, [&](const JointPiece& joints) {
    functions.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.lambda.data(), joints);
  });
}

// the power of a driver: −λ J u = λ g_t
template <class Real, class Space>
void add_driver_power(const Topology& topology, const Real& sign, Workspace<Real, Space>& ws) {
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const DriverTopology& driver = topology.drivers[k];
    const int row = topology.coordinate_rows[driver.coordinate_row].row;
    ws.power[driver.component] -= sign * ws.lambda[row] * ws.drive[k].first;
  }
}

// u̇ = M⁻¹ f − M⁻¹ Jᵀ λ
template <class Real, class Space>
void subtract_constraint_forces(const Topology& topology, const Parameters<Real, Space>& parameters,
                                Workspace<Real, Space>& ws) {
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().subtract_constraint_forces(ws.arrays, parameters.arrays(), {begin, end});
  });
}

// 0, or not a number; what a traced one is shows when the code runs
bool is_zero(double x) { return x == 0.0; }
bool is_zero(const Traced&) { return true; }

// Ẇ, ρ̇, ẋ
template <class Real, class Space>
void write_other_rates(const Topology& topology, Workspace<Real, Space>& ws, Real* rate) {
  kernel<Real, Space>().write_power(ws.arrays, rate);
  std::copy(ws.reference_rate.begin(), ws.reference_rate.end(),
            rate + topology.layout.reference(0));
  std::copy(ws.state_rate.begin(), ws.state_rate.end(), rate + topology.layout.state(0));
}

}  // namespace

template <class Real, class Space>
void calc_distribution(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::gamma);
  ws.stages.need(Stage::factor);
  calc_right_hand_side(topology, parameters, ws);
  // S λ = J M⁻¹ f + γ
  solve_schur(topology, parameters, ws, ws.lambda.data());
  add_driver_power(topology, Real(1), ws);
  // u̇ = M⁻¹ f − M⁻¹ Jᵀλ
  subtract_constraint_forces(topology, parameters, ws);
}

template <class Real, class Space>
RefinementStep<Real> calc_refinement(const Topology& topology,
                                     const Parameters<Real, Space>& parameters,
                                     Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::gamma);
  ws.stages.need(Stage::factor);
  const Kernel<Real, Space>& functions = kernel<Real, Space>();
  // J u̇ + γ
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    functions.turn_twists(ws.arrays, ws.twist.data(), {begin, end});
  });
  in_pieces(topology, [&](const JointPiece& joints) {
    functions.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.mu.data(), joints);
  });
  // δ, and M⁻¹Jᵀδ, whose length in the mass metric is that of δ in S
  solve(topology.program, ws.factor(), ws.mu.data());
  calc_mass_step(topology, parameters, ws, ws.mu.data(), ws.world_twist.data());
  RefinementStep<Real> step{Real(0), Real(0)};
  for (int b = 0; b < topology.n_bodies; ++b) {
    step.size2 += mass_norm2(parameters.bodies[b], ws.world_twist[b]);
    step.whole2 += mass_norm2(parameters.bodies[b], ws.twist[b]);
  }
  return step;
}

template <class Space>
void refine_distribution(const Topology& topology, const Parameters<double, Space>& parameters,
                         Workspace<double, Space>& ws) {
  constexpr int most_steps = 3;
  constexpr double half = 0.25;  // of squares
  if (topology.n_rows == 0 || ws.iterative != nullptr) return;
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const auto [size2, whole2] = calc_refinement(topology, parameters, ws);
    // δ is no longer halved: rounding is reached
    if (!(size2 < half * last)) return;
    last = size2;
    // λ ← λ + δ, u̇ ← u̇ − M⁻¹Jᵀδ
    for (int r = 0; r < topology.n_rows; ++r) ws.lambda[r] += ws.mu[r];
    for (int b = 0; b < topology.n_bodies; ++b) {
      ws.twist[b].linear -= ws.world_twist[b].linear;
      ws.twist[b].angular -= ws.world_twist[b].angular;
    }
    // so small that the next δ would be below rounding of u̇
    if (size2 <= refined_enough * whole2) return;
  }
}

template <class Space>
void refine_with_power(const Topology& topology, const Parameters<double, Space>& parameters,
                       Workspace<double, Space>& ws) {
  // the power was counted with the λ before
  add_driver_power(topology, -1.0, ws);
  refine_distribution(topology, parameters, ws);
  add_driver_power(topology, 1.0, ws);
}

template <class Real, class Space>
bool write_rate(const Topology& topology, Workspace<Real, Space>& ws, const Real* z, Real* rate) {
  const Kernel<Real, Space>& functions = kernel<Real, Space>();
  std::atomic<bool> finite{true};
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    // ẏ, and u̇ from the twists
    functions.write_position_rate(ws.arrays, z, rate, {begin, end});
    if (!is_zero(functions.write_accelerations(ws.arrays, rate, {begin, end}))) finite = false;
  });
  write_other_rates(topology, ws, rate);
  return finite;
}

template <class Real, class Space>
bool calc_multipliers(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws, const Real& drop_tolerance, const Real* z) {
  const Kernel<Real, Space>& functions = kernel<Real, Space>();
  const ParameterArrays<Real, Space> numbers = parameters.arrays();
  // joints alone, and no force but the weight: in as few passes over the memory as there can be
  const bool falls = parameters.is_free() && topology.n_curves == 0 && !topology.has_coordinates();
  // positions, velocities
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    functions.calc_poses(ws.arrays, z, {begin, end});
    if (falls) functions.calc_free_fall(ws.arrays, numbers, {begin, end});
  });
  ws.stages.begin_state();
  ws.stages.provide(Stage::velocities);
  if (falls) {
    for (Real& power : ws.power) power = Real(0);
    // rows and right-hand side
    in_pieces(topology, [&](const JointPiece& joints) {
      functions.calc_rows_and_gamma(ws.arrays, numbers, joints);
      functions.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.lambda.data(), joints);
    });
    ws.stages.provide(Stage::rows);
    ws.stages.provide(Stage::gamma);
  } else {
    load_references(topology, z, ws);
    // rows
    calc_rows_and_gamma(topology, parameters, ws);
    // forces and right-hand side
    calc_right_hand_side(topology, parameters, ws);
  }
  // factor, multipliers
  if (ws.iterative == nullptr) {
    calc_schur(topology, parameters, ws, true);
    factorise_and_solve(topology.program, ws.factor(), drop_tolerance, ws.lambda.data());
    ws.stages.provide(Stage::factor);
    if (has_dropped(topology, ws)) return false;
  } else {
    if (calc_factor(topology, parameters, ws, drop_tolerance) >= 0) return false;
    solve_schur(topology, parameters, ws, ws.lambda.data());
  }
  add_driver_power(topology, Real(1), ws);
  return true;
}

template <class Real, class Space>
bool calc_accelerations_at(const Topology& topology, const Parameters<Real, Space>& parameters,
                           Workspace<Real, Space>& ws, const Real& drop_tolerance, const Real* z) {
  if (!calc_multipliers(topology, parameters, ws, drop_tolerance, z)) return false;
  subtract_constraint_forces(topology, parameters, ws);
  return true;
}

template <class Real, class Space>
bool evaluate(const Topology& topology, const Parameters<Real, Space>& parameters,
              Workspace<Real, Space>& ws, const Real& drop_tolerance, const Real* z, Real* rate) {
  if (!calc_multipliers(topology, parameters, ws, drop_tolerance, z)) return false;
  // accelerations, in one pass with the rates of positions
  const Kernel<Real, Space>& functions = kernel<Real, Space>();
  std::atomic<bool> finite{true};
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    functions.write_position_rate(ws.arrays, z, rate, {begin, end});
    const Real sum = functions.write_constrained_accelerations(ws.arrays, parameters.arrays(), rate,
                                                               {begin, end});
    if (!is_zero(sum)) finite = false;
  });
  write_other_rates(topology, ws, rate);
  return finite;
}

template int calc_factor(const Topology&, const Parameters<double, Spatial>&,
                         Workspace<double, Spatial>&, double);
template void calc_velocity_rates(const Topology&, Workspace<double, Spatial>&, double*);
template void calc_j_times(const Topology&, Workspace<double, Spatial>&,
                           const Twist<double, Spatial>*, double*);
template void calc_mass_step(const Topology&, const Parameters<double, Spatial>&,
                             Workspace<double, Spatial>&, const double*);
template void calc_distribution(const Topology&, const Parameters<double, Spatial>&,
                                Workspace<double, Spatial>&);
template bool write_rate(const Topology&, Workspace<double, Spatial>&, const double*, double*);
template bool calc_multipliers(const Topology&, const Parameters<double, Spatial>&,
                               Workspace<double, Spatial>&, const double&, const double*);
template bool evaluate(const Topology&, const Parameters<double, Spatial>&,
                       Workspace<double, Spatial>&, const double&, const double*, double*);
template int calc_factor(const Topology&, const Parameters<Traced, Spatial>&,
                         Workspace<Traced, Spatial>&, Traced);
template void calc_velocity_rates(const Topology&, Workspace<Traced, Spatial>&, Traced*);
template void calc_j_times(const Topology&, Workspace<Traced, Spatial>&,
                           const Twist<Traced, Spatial>*, Traced*);
template void calc_mass_step(const Topology&, const Parameters<Traced, Spatial>&,
                             Workspace<Traced, Spatial>&, const Traced*);
template void calc_distribution(const Topology&, const Parameters<Traced, Spatial>&,
                                Workspace<Traced, Spatial>&);
template bool write_rate(const Topology&, Workspace<Traced, Spatial>&, const Traced*, Traced*);
template bool calc_multipliers(const Topology&, const Parameters<Traced, Spatial>&,
                               Workspace<Traced, Spatial>&, const Traced&, const Traced*);
template bool evaluate(const Topology&, const Parameters<Traced, Spatial>&,
                       Workspace<Traced, Spatial>&, const Traced&, const Traced*, Traced*);
template bool calc_accelerations_at(const Topology&, const Parameters<double, Spatial>&,
                                    Workspace<double, Spatial>&, const double&, const double*);
template int find_dropped_row(const Topology&, const Workspace<double, Spatial>&);
template void calc_damped_factor(const Topology&, const Parameters<double, Spatial>&,
                                 Workspace<double, Spatial>&, double, const double*);
template void calc_schur_times(const Topology&, const Parameters<double, Spatial>&,
                               Workspace<double, Spatial>&, const double*,
                               std::vector<Twist<double, Spatial>>&, double*);
template RefinementStep<Traced> calc_refinement(const Topology&, const Parameters<Traced, Spatial>&,
                                                Workspace<Traced, Spatial>&);
template void refine_distribution(const Topology&, const Parameters<double, Spatial>&,
                                  Workspace<double, Spatial>&);
template void refine_with_power(const Topology&, const Parameters<double, Spatial>&,
                                Workspace<double, Spatial>&);
template int calc_factor(const Topology&, const Parameters<double, Planar>&,
                         Workspace<double, Planar>&, double);
template void calc_velocity_rates(const Topology&, Workspace<double, Planar>&, double*);
template void calc_j_times(const Topology&, Workspace<double, Planar>&,
                           const Twist<double, Planar>*, double*);
template void calc_mass_step(const Topology&, const Parameters<double, Planar>&,
                             Workspace<double, Planar>&, const double*);
template void calc_distribution(const Topology&, const Parameters<double, Planar>&,
                                Workspace<double, Planar>&);
template bool write_rate(const Topology&, Workspace<double, Planar>&, const double*, double*);
template bool calc_multipliers(const Topology&, const Parameters<double, Planar>&,
                               Workspace<double, Planar>&, const double&, const double*);
template bool evaluate(const Topology&, const Parameters<double, Planar>&,
                       Workspace<double, Planar>&, const double&, const double*, double*);
template int calc_factor(const Topology&, const Parameters<Traced, Planar>&,
                         Workspace<Traced, Planar>&, Traced);
template void calc_velocity_rates(const Topology&, Workspace<Traced, Planar>&, Traced*);
template void calc_j_times(const Topology&, Workspace<Traced, Planar>&,
                           const Twist<Traced, Planar>*, Traced*);
template void calc_mass_step(const Topology&, const Parameters<Traced, Planar>&,
                             Workspace<Traced, Planar>&, const Traced*);
template void calc_distribution(const Topology&, const Parameters<Traced, Planar>&,
                                Workspace<Traced, Planar>&);
template bool write_rate(const Topology&, Workspace<Traced, Planar>&, const Traced*, Traced*);
template bool calc_multipliers(const Topology&, const Parameters<Traced, Planar>&,
                               Workspace<Traced, Planar>&, const Traced&, const Traced*);
template bool evaluate(const Topology&, const Parameters<Traced, Planar>&,
                       Workspace<Traced, Planar>&, const Traced&, const Traced*, Traced*);
template bool calc_accelerations_at(const Topology&, const Parameters<double, Planar>&,
                                    Workspace<double, Planar>&, const double&, const double*);
template int find_dropped_row(const Topology&, const Workspace<double, Planar>&);
template void calc_damped_factor(const Topology&, const Parameters<double, Planar>&,
                                 Workspace<double, Planar>&, double, const double*);
template void calc_schur_times(const Topology&, const Parameters<double, Planar>&,
                               Workspace<double, Planar>&, const double*,
                               std::vector<Twist<double, Planar>>&, double*);
template RefinementStep<Traced> calc_refinement(const Topology&, const Parameters<Traced, Planar>&,
                                                Workspace<Traced, Planar>&);
template void refine_distribution(const Topology&, const Parameters<double, Planar>&,
                                  Workspace<double, Planar>&);
template void refine_with_power(const Topology&, const Parameters<double, Planar>&,
                                Workspace<double, Planar>&);

}  // namespace trammel
