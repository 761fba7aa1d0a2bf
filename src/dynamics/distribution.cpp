// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/distribution.hpp"

#include "kernel/forces.hpp"
#include "kernel/kernel.hpp"

namespace trammel {

template <class Real, class Space>
int find_dropped_row(const Topology& topology, const Workspace<Real, Space>& ws) {
  for (int r = 0; r < topology.n_rows; ++r) {
    if (ws.inverse[r] == Real(0) && ws.mask[r] == Real(1)) return r;
  }
  return -1;
}

template <class Real, class Space>
int calc_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, Real drop_tolerance) {
  const Kernel<Real, Space>& with = kernel<Real, Space>();
  if (ws.iterative == nullptr) {
    with.calc_schur(ws.arrays, parameters.arrays());
    factorise(topology.program, ws.factor(), drop_tolerance);
  } else {
    with.calc_schur_diagonal(ws.arrays, parameters.arrays());
    factorise_blocks(topology.program, ws.factor(), drop_tolerance);
  }
  return with.find_least_inverse(ws.arrays) > Real(0) ? -1 : find_dropped_row(topology, ws);
}

template <class Real, class Space>
void calc_damped_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws, Real mu, const Real* size) {
  kernel<Real, Space>().calc_schur(ws.arrays, parameters.arrays());
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

template <class Real, class Space>
void calc_j_times(const Topology&, Workspace<Real, Space>& ws, const Twist<Real, Space>* w,
                  Real* rates) {
  kernel<Real, Space>().calc_j_times(ws.arrays, w, rates);
}

template <class Real, class Space>
void calc_velocity_rates(const Topology&, Workspace<Real, Space>& ws, Real* rates) {
  kernel<Real, Space>().calc_velocity_rates(ws.arrays, rates);
}

template <class Real, class Space>
void calc_mass_step(const Topology&, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, const Real* mu) {
  kernel<Real, Space>().calc_mass_step(ws.arrays, parameters.arrays(), mu, ws.twist.data());
}

template <class Real, class Space>
void calc_schur_times(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws, const Real* d, std::vector<Twist<Real, Space>>& w,
                      Real* image) {
  kernel<Real, Space>().calc_mass_step(ws.arrays, parameters.arrays(), d, w.data());
  calc_j_times(topology, ws, w.data(), image);
  for (int b = 0; b <= topology.n_bodies; ++b) {
    ws.force_W[b] = Linear<Real, Space>::zero();
    ws.torque_W[b] = Angular<Real, Space>::zero();
  }
}

template <class Real, class Space>
void calc_distribution(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws) {
  const Kernel<Real, Space>& with = kernel<Real, Space>();
  const ParameterArrays<Real, Space> of = parameters.arrays();
  calc_forces(topology, parameters, ws);
  // u̇ without constraints: M⁻¹ f
  with.calc_free_accelerations(ws.arrays, of);
  if (topology.n_rows == 0) return;
  // S λ = J M⁻¹ f + γ
  with.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.lambda.data());
  solve_schur(topology, parameters, ws, ws.lambda.data());
  // the power of a driver: −λ J u = λ g_t
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const DriverTopology& driver = topology.drivers[k];
    const int row = topology.coordinate_rows[driver.coordinate_row].row;
    ws.power[driver.component] -= ws.lambda[row] * ws.drive[k].first;
  }
  // u̇ = M⁻¹ f − M⁻¹ Jᵀ λ
  with.subtract_constraint_forces(ws.arrays, of);
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

}  // namespace trammel
