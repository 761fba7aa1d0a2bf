// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Joints by the kernel, then what is not in it: curves and rows of coordinates.
#include "evaluate/joint_rows.hpp"

#include <algorithm>

#include "elements/curve.hpp"
#include "evaluate/coordinate_rows.hpp"
#include "evaluate/kernel.hpp"
#include "math/thread_pool.hpp"
#include "system/row_shape.hpp"

namespace trammel {

namespace {

// The rows of curves: splines are no part of the kernel.
template <class Real, class Space>
void calc_curve_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
                     Workspace<Real, Space>& ws, bool with_gamma) {
  constexpr RowShape shape{0, 0, Space::dimension - 1};
  using Offsets = RowOffsets<Space, shape>;
  if (topology.n_curves == 0) return;
  for (const JointGroup& group : topology.groups) {
    if (group.kind != JointKind::point_on_curve) continue;
    for (int k = group.begin; k < group.end; ++k) {
      const int index = topology.grouped_joints[k];
      const JointTopology& joint = topology.joints[index];
      const JointParameters<Real, Space>& placement = parameters.joints[index];
      const Pose<Real, Space>&i = ws.pose[joint.body_i], &j = ws.pose[joint.body_j];
      CurveState<Real, Space>& state = ws.curves[placement.curve];
      // g: the point of body j in the directions m normal to the curve
      const curve::World<Real, Space> world = curve::calc_rows(
          *parameters.curves[placement.curve], i, j, placement.point_j, state, &ws.g[joint.row]);
      Real* data = ws.row_data.data() + joint.data;
      // J: as O rows, with m in place of a vector of body i
      for (int r = 0; r < Space::dimension - 1; ++r) {
        const auto row = orthogonality::calc_row<Real, Space>(world.p_j, world.m[r], world.d);
        row.linear.store(data + Offsets::linear(r));
        row.alpha_i.store(data + Offsets::alpha_i(r));
        row.alpha_j.store(data + Offsets::alpha_j(r));
      }
      if (with_gamma) curve::calc_gamma(i, j, world, state, &ws.gamma[joint.row]);
    }
  }
}

}  // namespace

template <class Real, class Space>
void calc_positions(const Topology& topology, const Real* z, Workspace<Real, Space>& ws) {
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().calc_positions(ws.arrays, z, {begin, end});
  });
  load_references(topology, z, ws);
  ws.stages.begin_state();
}

template <class Real, class Space>
void calc_velocities(const Topology& topology, const Real* z, Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::positions);
  in_chunks(topology.n_bodies, [&](int begin, int end) {
    kernel<Real, Space>().calc_velocities(ws.arrays, z, {begin, end});
  });
  ws.stages.provide(Stage::velocities);
}

template <class Real, class Space>
void calc_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
               Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::positions);
  in_pieces(topology, [&](const JointPiece& joints) {
    kernel<Real, Space>().calc_rows(ws.arrays, parameters.arrays(), joints);
  });
  calc_curve_rows(topology, parameters, ws, false);
  if (topology.has_coordinates()) calc_coordinate_rows(topology, parameters, ws);
  ws.stages.provide(Stage::rows);
}

namespace {

// Of joints and curves γ comes with g and J in one pass.
template <class Real, class Space>
void calc_joint_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::positions);
  ws.stages.need(Stage::velocities);
  ws.stages.provide(Stage::rows);
  ws.stages.provide(Stage::gamma);
  in_pieces(topology, [&](const JointPiece& joints) {
    kernel<Real, Space>().calc_rows_and_gamma(ws.arrays, parameters.arrays(), joints);
  });
  calc_curve_rows(topology, parameters, ws, true);
}

}  // namespace

template <class Real, class Space>
void calc_rows_and_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                         Workspace<Real, Space>& ws) {
  calc_joint_gamma(topology, parameters, ws);
  if (!topology.has_coordinates()) return;
  calc_coordinate_rows(topology, parameters, ws);
  calc_coordinate_gamma(topology, parameters, ws);
}

template <class Real, class Space>
void calc_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws) {
  ws.stages.need(Stage::rows);
  calc_joint_gamma(topology, parameters, ws);
  if (topology.has_coordinates()) calc_coordinate_gamma(topology, parameters, ws);
}

template <class Real, class Space>
Row<Real, Space> get_row(const Topology& topology, const Workspace<Real, Space>& ws, int joint,
                         int row) {
  const JointTopology& at = topology.joints[joint];
  const RowShape& shape = RowShapes<Space>::all[at.shape];
  const Real* data = ws.row_data.data() + at.data;
  const bool has_i = at.moving != Moving::only_j, has_j = at.moving != Moving::only_i;
  using V = Linear<Real, Space>;
  using A = Angular<Real, Space>;
  // pinned: ℓ = e_k, α = p × e_k
  if (row < shape.pinned) {
    const V arm_i = has_i ? V::load(data) : V::zero();
    const V arm_j = has_j ? V::load(data + Space::dimension) : V::zero();
    return {Rotation<Real, Space>::identity().row[row], Space::calc_arm(arm_i, row),
            Space::calc_arm(arm_j, row)};
  }
  data += shape.pinned > 0 ? 2 * Space::dimension : 0;
  row -= shape.pinned;
  // angular: ℓ = 0, the same α for both bodies
  if (row < shape.angular) {
    const A alpha = A::load(data + Space::n_angular * row);
    return {V::zero(), alpha, alpha};
  }
  // general: ℓ, α_i and α_j as stored
  data += Space::n_angular * shape.angular +
          (Space::dimension + 2 * Space::n_angular) * (row - shape.angular);
  const Real* alpha_i = data + Space::dimension;
  const Real* alpha_j = alpha_i + Space::n_angular;
  const bool generic = at.kind == JointKind::generic;  // has both
  return {V::load(data), has_i || generic ? A::load(alpha_i) : A::zero(),
          has_j || generic ? A::load(alpha_j) : A::zero()};
}

template void calc_positions(const Topology&, const double*, Workspace<double, Spatial>&);
template void calc_velocities(const Topology&, const double*, Workspace<double, Spatial>&);
template void calc_rows(const Topology&, const Parameters<double, Spatial>&,
                        Workspace<double, Spatial>&);
template void calc_rows_and_gamma(const Topology&, const Parameters<double, Spatial>&,
                                  Workspace<double, Spatial>&);
template void calc_positions(const Topology&, const Traced*, Workspace<Traced, Spatial>&);
template void calc_velocities(const Topology&, const Traced*, Workspace<Traced, Spatial>&);
template void calc_rows(const Topology&, const Parameters<Traced, Spatial>&,
                        Workspace<Traced, Spatial>&);
template void calc_rows_and_gamma(const Topology&, const Parameters<Traced, Spatial>&,
                                  Workspace<Traced, Spatial>&);
template void calc_positions(const Topology&, const double*, Workspace<double, Planar>&);
template void calc_velocities(const Topology&, const double*, Workspace<double, Planar>&);
template void calc_rows(const Topology&, const Parameters<double, Planar>&,
                        Workspace<double, Planar>&);
template void calc_rows_and_gamma(const Topology&, const Parameters<double, Planar>&,
                                  Workspace<double, Planar>&);
template void calc_positions(const Topology&, const Traced*, Workspace<Traced, Planar>&);
template void calc_velocities(const Topology&, const Traced*, Workspace<Traced, Planar>&);
template void calc_rows(const Topology&, const Parameters<Traced, Planar>&,
                        Workspace<Traced, Planar>&);
template void calc_rows_and_gamma(const Topology&, const Parameters<Traced, Planar>&,
                                  Workspace<Traced, Planar>&);
template void calc_gamma(const Topology&, const Parameters<double, Spatial>&,
                         Workspace<double, Spatial>&);
template void calc_gamma(const Topology&, const Parameters<Traced, Spatial>&,
                         Workspace<Traced, Spatial>&);
template void calc_gamma(const Topology&, const Parameters<double, Planar>&,
                         Workspace<double, Planar>&);
template void calc_gamma(const Topology&, const Parameters<Traced, Planar>&,
                         Workspace<Traced, Planar>&);
template Row<double, Spatial> get_row(const Topology&, const Workspace<double, Spatial>&, int, int);
template Row<double, Planar> get_row(const Topology&, const Workspace<double, Planar>&, int, int);
template Row<Traced, Spatial> get_row(const Topology&, const Workspace<Traced, Spatial>&, int, int);
template Row<Traced, Planar> get_row(const Topology&, const Workspace<Traced, Planar>&, int, int);

}  // namespace trammel
