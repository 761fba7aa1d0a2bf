// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/reactions.hpp"

#include "system/joint_table.hpp"

namespace trammel {

namespace {

// From J itself, whatever the rows are: the moment about the centre of mass, moved to the point.
template <class Space>
Wrench<Space> calc_from_rows(const JointTopology& at, const Workspace<double, Space>& ws,
                             const double* lambda, const JointVectors<double, Space>& world) {
  Wrench<Space> wrench{Linear<double, Space>::zero(), Angular<double, Space>::zero()};
  for (int r = at.row; r < at.row + at.n_rows; ++r) {
    wrench.force -= lambda[r] * ws.linear[r];
    wrench.moment -=
        lambda[r] * (ws.pose[at.body_j].R * ws.angular_j[r] - cross(world.p_j, ws.linear[r]));
  }
  return wrench;
}

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
  if (at.kind == JointKind::generic) return calc_from_rows(at, ws, lambda, world);
  Wrench<Space> wrench{Linear<double, Space>::zero(), Angular<double, Space>::zero()};
  for (int r = 0; r < layout.rows(); ++r) {
    wrench.force -= lambda[at.row + r] * ws.linear[at.row + r];
  }
  for (int k = 0; k < layout.n_symmetric; ++k) {
    wrench.moment -= lambda[at.row + layout.first_symmetric() + k] *
                     cross(world.t[layout.pair[k].j], world.s[layout.pair[k].i]);
  }
  if (layout.n_constant_velocity > 0) {
    wrench.moment -=
        (0.5 * lambda[at.row + layout.first_constant_velocity()]) *
        (cross(world.t[0], world.s[1]) - cross(world.t[1], world.s[0]));
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
