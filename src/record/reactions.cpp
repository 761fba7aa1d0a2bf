// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/reactions.hpp"

#include "system/joint_table.hpp"

namespace trammel {

namespace {

// −λ times the gradient by the velocities of body j, moved from the centre of mass to the joint's
// point.
template <class Space>
void add_row(const Topology& topology, const Workspace<double, Space>& ws, const CoordinateRow& row,
             double lambda, Wrench<Space>& wrench) {
  const int body = topology.joints[row.joint].body_j;
  for (int e = row.entry_begin; e < row.entry_end; ++e) {
    if (topology.entries[e].body != body) continue;
    const Linear<double, Space> force = -lambda * ws.linear[topology.n_rows + e];
    const Angular<double, Space> moment =
        ws.pose[body].R * (-lambda * ws.angular_j[topology.n_rows + e]);
    wrench.force += force;
    wrench.moment += moment - cross(ws.vectors[row.joint].p_j, force);
  }
}

}  // namespace

template <class Space>
Wrench<Space> calc_reaction(const Topology& topology, const Workspace<double, Space>& ws,
                            const double* lambda, int joint) {
  const JointTopology& at = topology.joints[joint];
  const JointLayout& layout = layout_of<Space>(at.kind);
  const JointVectors<double, Space>& world = ws.vectors[joint];
  Wrench<Space> wrench{Linear<double, Space>::zero(), Angular<double, Space>::zero()};
  for (int r = 0; r < layout.rows(); ++r) {
    wrench.force -= lambda[at.row + r] * ws.linear[at.row + r];
  }
  for (int k = 0; k < layout.n_symmetric; ++k) {
    wrench.moment -=
        lambda[at.row + layout.n_coincidence + k] * cross(world.t[symmetric_pair_j[k]], world.s[symmetric_pair_i[k]]);
  }
  if (at.thread >= 0) {
    const CoordinateRow& row = topology.coordinate_rows[at.thread];
    add_row(topology, ws, row, lambda[row.row], wrench);
  }
  return wrench;
}

template Wrench<Spatial> calc_reaction(const Topology&, const Workspace<double, Spatial>&,
                                       const double*, int);
template Wrench<Planar> calc_reaction(const Topology&, const Workspace<double, Planar>&,
                                      const double*, int);

}  // namespace trammel
