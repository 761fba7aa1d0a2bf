// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Each kind of joint is compiled from the joint table: the loop over joints of one kind has no
// branch on the kind inside.
#include "system/joint_rows.hpp"

#include "math/unroll.hpp"
#include "system/coincidence.hpp"
#include "system/joint_table.hpp"
#include "system/orthogonality.hpp"
#include "system/symmetric_orthogonality.hpp"

namespace trammel {

template <class Real>
void calc_positions(const Topology& topology, const Real* z, Workspace<Real>& ws) {
  const Real* y = z + topology.layout.y(0);
  for (int b = 0; b < topology.n_bodies; ++b, y += Space::n_y) {
    ws.pose[b].R = calc_rotation(y + 3);
    ws.pose[b].r = Vector3<Real>::load(y);
  }
}

template <class Real>
void calc_velocities(const Topology& topology, const Real* z, Workspace<Real>& ws) {
  const Real* u = z + topology.layout.u(0);
  for (int b = 0; b < topology.n_bodies; ++b, u += Space::n_u) {
    Pose<Real>& pose = ws.pose[b];
    pose.v = Vector3<Real>::load(u);
    pose.Omega = Vector3<Real>::load(u + 3);
    pose.omega = pose.R * pose.Omega;
  }
}

namespace {

template <class Real, JointKind kind>
[[gnu::always_inline]] inline void calc_joint_rows(const JointParameters<Real>& data,
                                                   const Pose<Real>& i, const Pose<Real>& j,
                                                   JointVectors<Real>& world,
                                                   const Rows<Real>& rows) {
  constexpr JointLayout layout = layout_of(kind);
  constexpr int first_so = 3 * layout.n_coincidence;
  constexpr int first_o = first_so + layout.n_symmetric;
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
}

template <class Real, JointKind kind>
[[gnu::always_inline]] inline void calc_joint_gamma(const Pose<Real>& i, const Pose<Real>& j,
                                                    const JointVectors<Real>& world, Real* gamma) {
  constexpr JointLayout layout = layout_of(kind);
  constexpr int first_so = 3 * layout.n_coincidence;
  constexpr int first_o = first_so + layout.n_symmetric;
  if constexpr (layout.n_coincidence > 0) {
    coincidence::calc_gamma(i, j, world.p_i, world.p_j, gamma);
  }
  unroll<layout.n_symmetric>([&](auto k) {
    gamma[first_so + k] = symmetric_orthogonality::calc_gamma(
        i, j, world.s[symmetric_pair_i[k]], world.t[symmetric_pair_j[k]]);
  });
  unroll<layout.n_orthogonality>([&](auto k) {
    gamma[first_o + k] = orthogonality::calc_gamma(i, j, world.p_j, world.s[k], world.d);
  });
}

// Calls body(Index<kind>, group) for each group, with the kind as a constant.
template <class Body>
void for_each_group(const Topology& topology, const Body& body) {
  for (const JointGroup& group : topology.groups) {
    unroll<n_joint_kinds>([&](auto kind) {
      if (static_cast<int>(group.kind) == kind) body(kind, group);
    });
  }
}

}  // namespace

template <class Real>
void calc_rows(const Topology& topology, const Parameters<Real>& parameters, Workspace<Real>& ws) {
  for_each_group(topology, [&](auto kind, const JointGroup& group) {
    for (int k = group.begin; k < group.end; ++k) {
      const int joint = topology.grouped_joints[k];
      const JointTopology& at = topology.joints[joint];
      calc_joint_rows<Real, static_cast<JointKind>(int(kind))>(
          parameters.joints[joint], ws.pose[at.body_i], ws.pose[at.body_j], ws.vectors[joint],
          ws.rows(at.row));
    }
  });
}

template <class Real>
void calc_gamma(const Topology& topology, Workspace<Real>& ws) {
  for_each_group(topology, [&](auto kind, const JointGroup& group) {
    for (int k = group.begin; k < group.end; ++k) {
      const int joint = topology.grouped_joints[k];
      const JointTopology& at = topology.joints[joint];
      calc_joint_gamma<Real, static_cast<JointKind>(int(kind))>(
          ws.pose[at.body_i], ws.pose[at.body_j], ws.vectors[joint], ws.gamma.data() + at.row);
    }
  });
}

template void calc_positions<double>(const Topology&, const double*, Workspace<double>&);
template void calc_velocities<double>(const Topology&, const double*, Workspace<double>&);
template void calc_rows<double>(const Topology&, const Parameters<double>&, Workspace<double>&);
template void calc_gamma<double>(const Topology&, Workspace<double>&);

}  // namespace trammel
