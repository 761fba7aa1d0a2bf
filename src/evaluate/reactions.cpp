// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "evaluate/reactions.hpp"

#include <algorithm>

#include "evaluate/coordinate_rows.hpp"
#include "evaluate/joint_rows.hpp"
#include "math/trace.hpp"
#include "system/joint_table.hpp"

namespace trammel {

namespace {

// −λ times (ℓ, α_j), moved from the centre of mass of body j to the point with the arm p_j.
template <class Real, class Space>
void add_row(const Linear<Real, Space>& linear, const Angular<Real, Space>& alpha,
             const Linear<Real, Space>& p_j, const Real& lambda, Wrench<Real, Space>& wrench) {
  wrench.force -= lambda * linear;
  wrench.moment -= lambda * (alpha - cross(p_j, linear));
}

}  // namespace

template <class Real, class Space>
void calc_reactions(const Topology& topology, const Parameters<Real, Space>& parameters,
                    const Workspace<Real, Space>& ws, const Real* lambda, int count, int joint,
                    Wrench<Real, Space>* wrenches) {
  const JointTopology& at = topology.joints[joint];
  const JointLayout& layout = layout_of<Space>(at.kind);
  std::fill_n(wrenches, count,
              Wrench<Real, Space>{Linear<Real, Space>::zero(), Angular<Real, Space>::zero()});
  const auto multiplier = [&](int vector, int row) -> const Real& {
    return lambda[static_cast<std::size_t>(vector) * topology.n_rows + row];
  };
  const bool is_generic = at.kind == JointKind::generic;
  Linear<Real, Space> p_j = Linear<Real, Space>::zero();
  const bool off_point = is_generic || at.thread >= 0 || layout.n_axis_distance > 0;
  if (off_point) p_j = ws.pose[at.body_j].R * parameters.joints[joint].point_j;
  for (int r = 0; r < at.n_rows; ++r) {
    const Row<Real, Space> row = get_row(topology, ws, joint, r);
    const bool turns = layout.turns(r);
    const bool is_both = is_generic || r >= layout.first_axis_distance();  // force and moment
    for (int v = 0; v < count; ++v) {
      if (is_both) {
        add_row(row.linear, row.alpha_j, p_j, multiplier(v, at.row + r), wrenches[v]);
      } else if (turns) {
        wrenches[v].moment -= multiplier(v, at.row + r) * row.alpha_j;
      } else {
        wrenches[v].force -= multiplier(v, at.row + r) * row.linear;
      }
    }
  }
  if (at.thread < 0) return;
  const CoordinateRow& thread = topology.coordinate_rows[at.thread];
  for (int e = thread.entry_begin; e < thread.entry_end; ++e) {
    if (topology.entries[e].body != at.body_j) continue;
    const RowEntryData<Real, Space> row = get_entry(topology, e, ws);
    for (int v = 0; v < count; ++v) {
      add_row(row.linear, row.alpha, p_j, multiplier(v, thread.row), wrenches[v]);
    }
  }
}

template <class Real, class Space>
Wrench<Real, Space> calc_reaction(const Topology& topology,
                                  const Parameters<Real, Space>& parameters,
                                  const Workspace<Real, Space>& ws, const Real* lambda, int joint) {
  Wrench<Real, Space> wrench;
  calc_reactions(topology, parameters, ws, lambda, 1, joint, &wrench);
  return wrench;
}

#define TRAMMEL_INSTANTIATE(Real, Space)                                                      \
  template void calc_reactions(const Topology&, const Parameters<Real, Space>&,               \
                               const Workspace<Real, Space>&, const Real*, int, int,          \
                               Wrench<Real, Space>*);                                         \
  template Wrench<Real, Space> calc_reaction(const Topology&, const Parameters<Real, Space>&, \
                                             const Workspace<Real, Space>&, const Real*, int)
TRAMMEL_INSTANTIATE(double, Spatial);
TRAMMEL_INSTANTIATE(double, Planar);
TRAMMEL_INSTANTIATE(Traced, Spatial);
TRAMMEL_INSTANTIATE(Traced, Planar);
#undef TRAMMEL_INSTANTIATE

}  // namespace trammel
