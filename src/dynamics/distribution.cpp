// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "dynamics/distribution.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "math/unroll.hpp"
#include "system/forces.hpp"

namespace trammel {

namespace {

// ---- loops over joints, with the number of rows known at compile time

// body(Index<rows>) with the rows of a joint as a constant
template <class Space, class Body>
[[gnu::always_inline]] inline void with_rows(int rows, const Body& body) {
  unroll<Space::max_joint_rows>([&](auto k) {
    if (rows == k + 1) body(Index<k + 1>{});
  });
}

// body(Index<rows>, unit, joint) for all joints, group by group: for what does not depend on the
// order. unit: std::true_type where the linear part of J is known to be the identity. A mechanism
// of such joints alone is worth its own code: what is left of a row is its angular part.
template <class Space, class Body>
[[gnu::always_inline]] inline void for_each_grouped_joint(const Topology& topology,
                                                          const Body& body) {
  if (topology.coincident) {
    for (int k = 0; k < topology.n_joints; ++k) {
      body(Index<Space::dimension>{}, std::true_type{}, k);
    }
    return;
  }
  for (const JointGroup& group : topology.groups) {
    with_rows<Space>(group.n_rows, [&](auto rows) {
      for (int k = group.begin; k < group.end; ++k) {
        body(rows, std::false_type{}, topology.grouped_joints[k]);
      }
    });
  }
}

// ---- assembly of S

// D = (1/m_i + 1/m_j) ℓ ℓᵀ + A_i 𝕀_i⁻¹ A_iᵀ + A_j 𝕀_j⁻¹ A_jᵀ  (lower triangle); ℓ = I if unit
// The diagonal of a masked row becomes +∞: no pivot is above that, so the row is dropped.
template <class Real, class Space, int m, bool unit>
[[gnu::always_inline]] inline void add_diagonal_block(const BodyParameters<Real, Space>& i,
                                                      const BodyParameters<Real, Space>& j,
                                                      const Rows<Real, Space>& rows,
                                                      const Real* mask, Real* block,
                                                      Real* diagonal) {
  const Real inverse_mass = i.inverse_mass + j.inverse_mass;
  unroll<m>([&](auto r) {
    const Linear<Real, Space> linear = inverse_mass * rows.linear[r];
    const Angular<Real, Space> angular_i = scaled(i.inverse_inertia, rows.angular_i[r]);
    const Angular<Real, Space> angular_j = scaled(j.inverse_inertia, rows.angular_j[r]);
    unroll<r + 1>([&](auto c) {
      const Real of_i = dot(angular_i, rows.angular_i[c]);
      const Real of_j = dot(angular_j, rows.angular_j[c]);
      if constexpr (!unit) {
        block[r * m + c] = dot(linear, rows.linear[c]) + of_i + of_j;
      } else if constexpr (r == c) {
        block[r * m + c] = inverse_mass + of_i + of_j;
      } else {
        block[r * m + c] = of_i + of_j;
      }
    });
    diagonal[r] = mask[r] * block[r * m + r];
  });
}

// W += ±(1/m) ℓ_q ℓ_pᵀ + A_q 𝕀⁻¹ A_pᵀ, minus when the body is body i of one joint and j of the
// other
template <class Real, class Space, int m, int n>
void add_coupling_block(const BodyParameters<Real, Space>& body, bool same_side,
                        const Linear<Real, Space>* linear_p, const Angular<Real, Space>* angular_p,
                        const Linear<Real, Space>* linear_q, const Angular<Real, Space>* angular_q,
                        Real* block) {
  const Real inverse_mass = same_side ? body.inverse_mass : -body.inverse_mass;
  unroll<n>([&](auto r) {
    const Linear<Real, Space> linear = inverse_mass * linear_q[r];
    const Angular<Real, Space> angular = scaled(body.inverse_inertia, angular_q[r]);
    unroll<m>(
        [&](auto c) { block[r * m + c] += dot(linear, linear_p[c]) + dot(angular, angular_p[c]); });
  });
}

// The same with ℓ = I. The first to write a block sets it.
template <class Real, class Space>
void calc_coincident_couplings(const Topology& topology, const Parameters<Real, Space>& parameters,
                               Workspace<Real, Space>& ws) {
  constexpr int m = Space::dimension;
  for (const int offset : topology.fill) {
    Real* block = ws.values.data() + offset;
    unroll<m * m>([&](auto k) { block[k] = Real(0); });
  }
  for (const SchurCoupling& at : topology.couplings) {
    const BodyParameters<Real, Space>& body = parameters.bodies[at.body];
    const Angular<Real, Space>* p = (at.p_side_j ? ws.angular_j : ws.angular_i).data() + at.row_p;
    const Angular<Real, Space>* q = (at.q_side_j ? ws.angular_j : ws.angular_i).data() + at.row_q;
    const Real inverse_mass = at.p_side_j == at.q_side_j ? body.inverse_mass : -body.inverse_mass;
    Real* block = ws.values.data() + at.offset;
    const bool first = at.first;
    unroll<m>([&](auto r) {
      const Angular<Real, Space> angular = scaled(body.inverse_inertia, q[r]);
      unroll<m>([&](auto c) {
        Real v = dot(angular, p[c]);
        if constexpr (r == c) v = inverse_mass + v;
        block[r * m + c] = first ? v : block[r * m + c] + v;
      });
    });
  }
}

template <class Real, class Space>
using CouplingKernel = void (*)(const BodyParameters<Real, Space>&, bool,
                                const Linear<Real, Space>*, const Angular<Real, Space>*,
                                const Linear<Real, Space>*, const Angular<Real, Space>*, Real*);

// [rows of p − 1][rows of q − 1]
template <class Real, class Space>
using CouplingTable = std::array<std::array<CouplingKernel<Real, Space>, Space::max_joint_rows>,
                                 Space::max_joint_rows>;

template <class Real, class Space>
constexpr CouplingTable<Real, Space> make_coupling_table() {
  CouplingTable<Real, Space> table{};
  unroll<Space::max_joint_rows>([&](auto i) {
    unroll<Space::max_joint_rows>(
        [&](auto j) { table[i][j] = add_coupling_block<Real, Space, i + 1, j + 1>; });
  });
  return table;
}

// Coordinate rows, by body: D = Σ ⟨ℓ, ℓ⟩/m + ⟨A, 𝕀⁻¹A⟩
template <class Real, class Space>
void add_coordinate_diagonal(const Topology& topology, const Parameters<Real, Space>& parameters,
                             Workspace<Real, Space>& ws) {
  for (std::size_t k = 0; k < topology.coordinate_rows.size(); ++k) {
    const CoordinateRow& at = topology.coordinate_rows[k];
    Real sum(0);
    for (int e = at.entry_begin; e < at.entry_end; ++e) {
      const BodyParameters<Real, Space>& body = parameters.bodies[topology.entries[e].body];
      const Linear<Real, Space>& linear = ws.linear[topology.n_rows + e];
      const Angular<Real, Space>& angular = ws.angular_j[topology.n_rows + e];
      sum += body.inverse_mass * dot(linear, linear) +
             dot(scaled(body.inverse_inertia, angular), angular);
    }
    ws.values[topology.program.diagonal[topology.n_joints + static_cast<int>(k)]] = sum;
    ws.diagonal[at.row] = ws.mask[at.row] * sum;
  }
}

template <class Real, class Space>
void calc_schur(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws) {
  static constexpr CouplingTable<Real, Space> table = make_coupling_table<Real, Space>();
  const BlockProgram& program = topology.program;
  for_each_grouped_joint<Space>(topology, [&](auto rows, auto unit, int k) {
    const JointTopology& joint = topology.joints[k];
    add_diagonal_block<Real, Space, rows, unit>(
        parameters.bodies[joint.body_i], parameters.bodies[joint.body_j], ws.rows(joint.row),
        ws.mask.data() + joint.row, ws.values.data() + program.diagonal[k],
        ws.diagonal.data() + joint.row);
  });
  add_coordinate_diagonal(topology, parameters, ws);
  if (ws.iterative != nullptr) return;  // the diagonal is all it needs
  if (topology.coincident) return calc_coincident_couplings(topology, parameters, ws);
  std::fill(ws.values.begin() + static_cast<std::ptrdiff_t>(program.n_diagonal_values),
            ws.values.end(), Real(0));
  for (const SchurCoupling& at : topology.couplings) {
    const auto* angular_p = (at.p_side_j ? ws.angular_j : ws.angular_i).data();
    const auto* angular_q = (at.q_side_j ? ws.angular_j : ws.angular_i).data();
    table[at.n_p - 1][at.n_q - 1](parameters.bodies[at.body], at.p_side_j == at.q_side_j,
                                  ws.linear.data() + at.row_p, angular_p + at.row_p,
                                  ws.linear.data() + at.row_q, angular_q + at.row_q,
                                  ws.values.data() + at.offset);
  }
}

template <class Real, class Space>
[[gnu::always_inline]] inline void clear_force(Workspace<Real, Space>& ws, int body) {
  ws.force_W[body] = Linear<Real, Space>::zero();
  ws.torque_B[body] = Angular<Real, Space>::zero();
}

// force_W, torque_B += Jᵀ μ
template <class Real, class Space>
void add_jt_times(const Topology& topology, Workspace<Real, Space>& ws, const Real* mu) {
  const auto add = [&](auto rows, auto unit, const JointTopology& joint) {
    const Real* mu_of = mu + joint.row;
    const Rows<Real, Space> at = ws.rows(joint.row);
    auto force = Linear<Real, Space>::zero();
    auto torque_i = Angular<Real, Space>::zero();
    auto torque_j = Angular<Real, Space>::zero();
    if constexpr (unit) force = Linear<Real, Space>::load(mu_of);
    unroll<rows>([&](auto r) {
      if constexpr (!unit) force += mu_of[r] * at.linear[r];
      torque_i += mu_of[r] * at.angular_i[r];
      torque_j += mu_of[r] * at.angular_j[r];
    });
    ws.force_W[joint.body_i] -= force;
    ws.force_W[joint.body_j] += force;
    ws.torque_B[joint.body_i] += torque_i;
    ws.torque_B[joint.body_j] += torque_j;
  };
  if (topology.coincident) {
    for (const JointTopology& joint : topology.joints) {
      add(Index<Space::dimension>{}, std::true_type{}, joint);
    }
    return;
  }
  for (const JointTopology& joint : topology.joints) {
    with_rows<Space>(joint.n_rows, [&](auto rows) { add(rows, std::false_type{}, joint); });
  }
  for (std::size_t e = 0; e < topology.entries.size(); ++e) {
    const RowEntry& at = topology.entries[e];
    ws.force_W[at.body] += mu[at.row] * ws.linear[topology.n_rows + e];
    ws.torque_B[at.body] += mu[at.row] * ws.angular_j[topology.n_rows + e];
  }
}

// rates ← J w, or J w + γ
template <class Real, class Space, bool with_gamma>
[[gnu::always_inline]] inline void calc_rates(const Topology& topology,
                                              const Workspace<Real, Space>& ws,
                                              const Twist<Real, Space>* w, Real* rates) {
  const auto* linear = ws.linear.data();
  const auto* angular_i = ws.angular_i.data();
  const auto* angular_j = ws.angular_j.data();
  const Real* gamma = ws.gamma.data();
  for_each_grouped_joint<Space>(topology, [&](auto rows, auto unit, int k) {
    const JointTopology& joint = topology.joints[k];
    const Twist<Real, Space>& i = w[joint.body_i];
    const Twist<Real, Space>& j = w[joint.body_j];
    const Linear<Real, Space> difference = j.linear - i.linear;
    Real along[Space::dimension];
    if constexpr (unit) difference.store(along);
    unroll<rows>([&](auto offset) {
      const int r = joint.row + offset;
      Real rate = dot(angular_i[r], i.angular) + dot(angular_j[r], j.angular);
      if constexpr (unit) {
        rate = along[offset] + rate;
      } else {
        rate = dot(linear[r], difference) + rate;
      }
      rates[r] = with_gamma ? rate + gamma[r] : rate;
    });
  });
  for (const CoordinateRow& at : topology.coordinate_rows) {
    Real sum(0);
    for (int e = at.entry_begin; e < at.entry_end; ++e) {
      const Twist<Real, Space>& of_body = w[topology.entries[e].body];
      const int r = topology.n_rows + e;
      sum += dot(linear[r], of_body.linear) + dot(angular_j[r], of_body.angular);
    }
    rates[at.row] = with_gamma ? sum + gamma[at.row] : sum;
  }
}

}  // namespace

template <class Real, class Space>
int calc_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, Real drop_tolerance) {
  calc_schur(topology, parameters, ws);
  if (ws.iterative == nullptr) {
    factorise(topology.program, ws.factor(), drop_tolerance);
  } else {
    factorise_blocks(topology.program, ws.factor(), drop_tolerance);
  }
  const Real* const inverse = ws.inverse.data();
  for (int r = 0, n = topology.n_rows; r < n; ++r) {
    if (inverse[r] == Real(0) && ws.mask[r] == Real(1)) [[unlikely]] return r;
  }
  return -1;
}

template <class Real, class Space>
void calc_damped_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws, Real mu, const Real* size) {
  calc_schur(topology, parameters, ws);
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
void calc_j_times(const Topology& topology, const Workspace<Real, Space>& ws,
                  const Twist<Real, Space>* w, Real* rates) {
  calc_rates<Real, Space, false>(topology, ws, w, rates);
}

template <class Real, class Space>
void calc_mass_step(const Topology& topology, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, const Real* mu) {
  for (int b = 0; b <= topology.n_bodies; ++b) clear_force(ws, b);
  add_jt_times(topology, ws, mu);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    ws.twist[b] = {body.inverse_mass * ws.force_W[b], scaled(body.inverse_inertia, ws.torque_B[b])};
  }
}

template <class Real, class Space>
void calc_schur_times(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws, const Real* d, std::vector<Twist<Real, Space>>& w,
                      Real* image) {
  for (int b = 0; b <= topology.n_bodies; ++b) clear_force(ws, b);
  add_jt_times(topology, ws, d);
  for (int b = 0; b < topology.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    w[b] = {body.inverse_mass * ws.force_W[b], scaled(body.inverse_inertia, ws.torque_B[b])};
    clear_force(ws, b);
  }
  clear_force(ws, topology.ground());
  calc_rates<Real, Space, false>(topology, ws, w.data(), image);
}

template <class Real, class Space>
void calc_distribution(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws) {
  calc_forces(topology, parameters, ws);
  // u̇ without constraints: M⁻¹ f
  for (int b = 0; b < topology.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    const Angular<Real, Space> torque =
        Space::calc_effective_torque(ws.torque_B[b], body.inertia, ws.pose[b].Omega);
    ws.twist[b] = {parameters.gravity + body.inverse_mass * ws.force_W[b],
                   scaled(body.inverse_inertia, torque)};
    clear_force(ws, b);
  }
  if (topology.n_rows == 0) return;
  clear_force(ws, topology.ground());
  // S λ = J M⁻¹ f + γ
  calc_rates<Real, Space, true>(topology, ws, ws.twist.data(), ws.lambda.data());
  solve_schur(topology, parameters, ws, ws.lambda.data());
  // the power of a driver: −λ J u = λ g_t
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const DriverTopology& driver = topology.drivers[k];
    const int row = topology.coordinate_rows[driver.coordinate_row].row;
    ws.power[driver.component] -= ws.lambda[row] * ws.drive[k].first;
  }
  // u̇ = M⁻¹ f − M⁻¹ Jᵀ λ
  add_jt_times(topology, ws, ws.lambda.data());
  for (int b = 0; b < topology.n_bodies; ++b) {
    const BodyParameters<Real, Space>& body = parameters.bodies[b];
    const Twist<Real, Space> free = ws.twist[b];
    ws.twist[b] = {free.linear - body.inverse_mass * ws.force_W[b],
                   free.angular - scaled(body.inverse_inertia, ws.torque_B[b])};
  }
}

template int calc_factor(const Topology&, const Parameters<double, Spatial>&,
                         Workspace<double, Spatial>&, double);
template void calc_damped_factor(const Topology&, const Parameters<double, Spatial>&,
                                 Workspace<double, Spatial>&, double, const double*);
template void calc_damped_factor(const Topology&, const Parameters<double, Planar>&,
                                 Workspace<double, Planar>&, double, const double*);
template void calc_j_times(const Topology&, const Workspace<double, Spatial>&,
                           const Twist<double, Spatial>*, double*);
template void calc_mass_step(const Topology&, const Parameters<double, Spatial>&,
                             Workspace<double, Spatial>&, const double*);
template void calc_distribution(const Topology&, const Parameters<double, Spatial>&,
                                Workspace<double, Spatial>&);
template void calc_schur_times(const Topology&, const Parameters<double, Spatial>&,
                               Workspace<double, Spatial>&, const double*,
                               std::vector<Twist<double, Spatial>>&, double*);
template int calc_factor(const Topology&, const Parameters<double, Planar>&,
                         Workspace<double, Planar>&, double);
template void calc_j_times(const Topology&, const Workspace<double, Planar>&,
                           const Twist<double, Planar>*, double*);
template void calc_mass_step(const Topology&, const Parameters<double, Planar>&,
                             Workspace<double, Planar>&, const double*);
template void calc_distribution(const Topology&, const Parameters<double, Planar>&,
                                Workspace<double, Planar>&);
template void calc_schur_times(const Topology&, const Parameters<double, Planar>&,
                               Workspace<double, Planar>&, const double*,
                               std::vector<Twist<double, Planar>>&, double*);

}  // namespace trammel
