// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Each kind of joint is compiled from the joint table: the loop over joints of one kind has no
// branch on the kind inside.
#include "system/joint_rows.hpp"

#include <algorithm>

#include "math/unroll.hpp"
#include "system/coincidence.hpp"
#include "system/coordinate_rows.hpp"
#include "system/distance.hpp"
#include "system/joint_table.hpp"
#include "system/orthogonality.hpp"
#include "system/symmetric_orthogonality.hpp"

namespace trammel {

template <class Real, class Space>
void calc_positions(const Topology& topology, const Real* z, Workspace<Real, Space>& ws) {
  const Real* y = z + topology.layout.y(0);
  for (int b = 0; b < topology.n_bodies; ++b, y += Space::n_y) {
    ws.pose[b].R = Space::calc_rotation(y);
    ws.pose[b].r = Linear<Real, Space>::load(y);
  }
  const Real* rho = z + topology.layout.reference(0);
  std::copy(rho, rho + topology.references.size(), ws.reference.begin());
}

template <class Real, class Space>
void calc_velocities(const Topology& topology, const Real* z, Workspace<Real, Space>& ws) {
  const Real* u = z + topology.layout.u(0);
  for (int b = 0; b < topology.n_bodies; ++b, u += Space::n_u) {
    Pose<Real, Space>& pose = ws.pose[b];
    pose.v = Linear<Real, Space>::load(u);
    pose.Omega = Angular<Real, Space>::load(u + Space::dimension);
    pose.omega = pose.R * pose.Omega;
  }
}

namespace {

template <class Real, class Space, JointKind kind>
[[gnu::always_inline]] inline void calc_joint_rows(const JointParameters<Real, Space>& data,
                                                   const Pose<Real, Space>& i,
                                                   const Pose<Real, Space>& j,
                                                   JointVectors<Real, Space>& world,
                                                   const Rows<Real, Space>& rows) {
  constexpr JointLayout layout = layout_of<Space>(kind);
  constexpr int first_so = layout.n_coincidence;
  constexpr int first_o = first_so + layout.n_symmetric;
  constexpr int first_d = first_o + layout.n_orthogonality;
  world.p_i = i.R * data.point_i;
  world.p_j = j.R * data.point_j;
  if constexpr (layout.uses_a_i()) world.s[0] = i.R * data.vector_i[0];
  if constexpr (layout.uses_b_i()) world.s[1] = i.R * data.vector_i[1];
  if constexpr (layout.uses_a_j()) world.t[0] = j.R * data.vector_j[0];
  if constexpr (layout.uses_b_j()) world.t[1] = j.R * data.vector_j[1];
  if constexpr (layout.n_coincidence > 0) {
    coincidence::calc_rows(i, j, data.point_i, data.point_j, world.p_i, world.p_j, rows);
  }
  unroll<layout.n_symmetric>([&](auto k) {
    constexpr int a = symmetric_pair_i[k];
    constexpr int b = symmetric_pair_j[k];
    symmetric_orthogonality::calc_row(i, j, data.vector_i[a], data.vector_j[b], world.s[a],
                                      world.t[b], rows, first_so + k);
  });
  if constexpr (layout.n_orthogonality > 0) world.d = (j.r + world.p_j) - i.r;
  unroll<layout.n_orthogonality>([&](auto k) {
    orthogonality::calc_row(i, j, data.vector_i[k], data.offset[k], data.point_j, world.s[k],
                            world.d, rows, first_o + k);
  });
  if constexpr (layout.n_distance > 0) {
    world.d = (j.r + world.p_j) - (i.r + world.p_i);
    distance::calc_row(i, j, data.point_i, data.point_j, data.length, world.d, rows, first_d);
  }
}

template <class Real, class Space, JointKind kind>
[[gnu::always_inline]] inline void calc_joint_gamma(const JointParameters<Real, Space>& data,
                                                    const Pose<Real, Space>& i,
                                                    const Pose<Real, Space>& j,
                                                    const JointVectors<Real, Space>& world,
                                                    Real* gamma) {
  constexpr JointLayout layout = layout_of<Space>(kind);
  constexpr int first_so = layout.n_coincidence;
  constexpr int first_o = first_so + layout.n_symmetric;
  constexpr int first_d = first_o + layout.n_orthogonality;
  if constexpr (layout.n_coincidence > 0) {
    coincidence::calc_gamma(i, j, world.p_i, world.p_j, gamma);
  }
  unroll<layout.n_symmetric>([&](auto k) {
    gamma[first_so + k] = symmetric_orthogonality::calc_gamma(i, j, world.s[symmetric_pair_i[k]],
                                                              world.t[symmetric_pair_j[k]]);
  });
  unroll<layout.n_orthogonality>([&](auto k) {
    gamma[first_o + k] = orthogonality::calc_gamma(i, j, world.p_j, world.s[k], world.d);
  });
  if constexpr (layout.n_distance > 0) {
    gamma[first_d] = distance::calc_gamma(i, j, world.p_i, world.p_j, data.length, world.d);
  }
}

// Calls body(Index<kind>, group) for each group, with the kind as a constant.
template <class Space, class Body>
void for_each_group(const Topology& topology, const Body& body) {
  for (const JointGroup& group : topology.groups) {
    unroll<n_joint_kinds>([&](auto kind) {
      if constexpr (layout_of<Space>(static_cast<JointKind>(int(kind))).rows() > 0) {
        if (static_cast<int>(group.kind) == kind) body(kind, group);
      }
    });
  }
}

template <class Real, class Space, bool rows, bool gamma>
[[gnu::always_inline]] inline void calc_joints(const Topology& topology,
                                               const Parameters<Real, Space>& parameters,
                                               Workspace<Real, Space>& ws) {
  for_each_group<Space>(topology, [&](auto index, const JointGroup& group) {
    constexpr JointKind kind = static_cast<JointKind>(int(index));
    for (int k = group.begin; k < group.end; ++k) {
      const int joint = topology.grouped_joints[k];
      const JointTopology& at = topology.joints[joint];
      const JointParameters<Real, Space>& data = parameters.joints[joint];
      const Pose<Real, Space>&i = ws.pose[at.body_i], &j = ws.pose[at.body_j];
      JointVectors<Real, Space>& world = ws.vectors[joint];
      if constexpr (rows) calc_joint_rows<Real, Space, kind>(data, i, j, world, ws.rows(at.row));
      if constexpr (gamma) {
        calc_joint_gamma<Real, Space, kind>(data, i, j, world, ws.gamma.data() + at.row);
      }
    }
  });
}

}  // namespace

template <class Real, class Space>
void calc_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
               Workspace<Real, Space>& ws) {
  calc_joints<Real, Space, true, false>(topology, parameters, ws);
  if (topology.has_coordinates()) calc_coordinate_rows(topology, parameters, ws);
}

template <class Real, class Space>
void calc_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws) {
  calc_joints<Real, Space, false, true>(topology, parameters, ws);
  if (topology.has_coordinates()) calc_coordinate_gamma(topology, parameters, ws);
}

template <class Real, class Space>
void calc_rows_and_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                         Workspace<Real, Space>& ws) {
  calc_joints<Real, Space, true, true>(topology, parameters, ws);
  if (!topology.has_coordinates()) return;
  calc_coordinate_rows(topology, parameters, ws);
  calc_coordinate_gamma(topology, parameters, ws);
}

template void calc_positions(const Topology&, const double*, Workspace<double, Spatial>&);
template void calc_velocities(const Topology&, const double*, Workspace<double, Spatial>&);
template void calc_rows(const Topology&, const Parameters<double, Spatial>&,
                        Workspace<double, Spatial>&);
template void calc_gamma(const Topology&, const Parameters<double, Spatial>&,
                         Workspace<double, Spatial>&);
template void calc_rows_and_gamma(const Topology&, const Parameters<double, Spatial>&,
                                  Workspace<double, Spatial>&);
template void calc_positions(const Topology&, const double*, Workspace<double, Planar>&);
template void calc_velocities(const Topology&, const double*, Workspace<double, Planar>&);
template void calc_rows(const Topology&, const Parameters<double, Planar>&,
                        Workspace<double, Planar>&);
template void calc_gamma(const Topology&, const Parameters<double, Planar>&,
                         Workspace<double, Planar>&);
template void calc_rows_and_gamma(const Topology&, const Parameters<double, Planar>&,
                                  Workspace<double, Planar>&);

}  // namespace trammel
