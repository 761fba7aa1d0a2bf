// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/reactions.hpp"

#include "system/joint_table.hpp"

namespace trammel {

Wrench calc_reaction(const Topology& topology, const Workspace<double>& ws, int joint) {
  const JointTopology& at = topology.joints[joint];
  const JointLayout& layout = layout_of(at.kind);
  const JointVectors<double>& world = ws.vectors[joint];
  Wrench wrench{Vector3<double>::zero(), Vector3<double>::zero()};
  for (int r = 0; r < layout.rows(); ++r) {
    wrench.force -= ws.lambda[at.row + r] * ws.linear[at.row + r];
  }
  for (int k = 0; k < layout.n_symmetric; ++k) {
    const double lambda = ws.lambda[at.row + 3 * layout.n_coincidence + k];
    wrench.moment -=
        lambda * cross(world.t[symmetric_pair_j[k]], world.s[symmetric_pair_i[k]]);
  }
  return wrench;
}

}  // namespace trammel
