// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/reactions.hpp"

#include "evaluate/coordinate_rows.hpp"
#include "evaluate/joint_rows.hpp"
#include "system/joint_table.hpp"

namespace trammel {

namespace {

// −λ times (ℓ, α_j), moved from the centre of mass of body j to the point with the arm p_j.
template <class Space>
void add_row(const Linear<double, Space>& linear, const Angular<double, Space>& alpha,
             const Linear<double, Space>& p_j, double lambda, Wrench<Space>& wrench) {
  wrench.force -= lambda * linear;
  wrench.moment -= lambda * (alpha - cross(p_j, linear));
}

}  // namespace

template <class Space>
Wrench<Space> calc_reaction(const SystemIn<Space>& system, const Workspace<double, Space>& ws,
                            const double* lambda, int joint) {
  const Topology& topology = system.topology;
  const JointTopology& at = topology.joints[joint];
  const JointLayout& layout = layout_of<Space>(at.kind);
  const Linear<double, Space> p_j = ws.pose[at.body_j].R * system.parameters.joints[joint].point_j;
  Wrench<Space> wrench{Linear<double, Space>::zero(), Angular<double, Space>::zero()};
  for (int r = 0; r < at.n_rows; ++r) {
    const Row<double, Space> row = get_row(topology, ws, joint, r);
    const bool turns = (r >= layout.first_symmetric() && r < layout.first_orthogonality()) ||
                       (r >= layout.first_constant_velocity() && r < layout.first_curve());
    if (at.kind == JointKind::generic) {
      add_row(row.linear, row.alpha_j, p_j, lambda[at.row + r], wrench);
    } else if (turns) {
      wrench.moment -= lambda[at.row + r] * row.alpha_j;
    } else {
      wrench.force -= lambda[at.row + r] * row.linear;
    }
  }
  if (at.thread < 0) return wrench;
  const CoordinateRow& thread = topology.coordinate_rows[at.thread];
  for (int e = thread.entry_begin; e < thread.entry_end; ++e) {
    if (topology.entries[e].body != at.body_j) continue;
    const RowEntryData<double, Space> row = get_entry(topology, e, ws);
    add_row(row.linear, row.alpha, p_j, lambda[thread.row], wrench);
  }
  return wrench;
}

template Wrench<Spatial> calc_reaction(const SystemIn<Spatial>&, const Workspace<double, Spatial>&,
                                       const double*, int);
template Wrench<Planar> calc_reaction(const SystemIn<Planar>&, const Workspace<double, Planar>&,
                                      const double*, int);

}  // namespace trammel
