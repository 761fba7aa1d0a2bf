// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/reactions.hpp"

#include "system/joint_table.hpp"

namespace trammel {

template <class Space>
Wrench<Space> calc_reaction(const Topology& topology, const Workspace<double, Space>& ws,
                            int joint) {
  const JointTopology& at = topology.joints[joint];
  const JointLayout& layout = layout_of<Space>(at.kind);
  const JointVectors<double, Space>& world = ws.vectors[joint];
  Wrench<Space> wrench{Linear<double, Space>::zero(), Angular<double, Space>::zero()};
  for (int r = 0; r < layout.rows(); ++r) {
    wrench.force -= ws.lambda[at.row + r] * ws.linear[at.row + r];
  }
  for (int k = 0; k < layout.n_symmetric; ++k) {
    const double lambda = ws.lambda[at.row + layout.n_coincidence + k];
    wrench.moment -=
        lambda * cross(world.t[symmetric_pair_j[k]], world.s[symmetric_pair_i[k]]);
  }
  return wrench;
}

template Wrench<Spatial> calc_reaction(const Topology&, const Workspace<double, Spatial>&, int);
template Wrench<Planar> calc_reaction(const Topology&, const Workspace<double, Planar>&, int);

}  // namespace trammel
