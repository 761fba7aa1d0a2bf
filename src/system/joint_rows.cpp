// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Each kind of joint is compiled from the joint table: the loop over joints of one kind is a
// function of its own and has no branch on the kind inside.
#include "system/joint_rows.hpp"

#include <algorithm>
#include <array>

#include "math/unroll.hpp"
#include "system/coincidence.hpp"
#include "system/constant_velocity.hpp"
#include "system/coordinate_rows.hpp"
#include "system/curve.hpp"
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

// x_j − x_i of the D row: beside O rows d is measured from r_i.
template <class Real, class Space, JointLayout layout>
[[gnu::always_inline]] inline Linear<Real, Space> calc_span(
    const JointVectors<Real, Space>& world) {
  if constexpr (layout.n_orthogonality > 0) return world.d - world.p_i;
  return world.d;
}

template <class Real, class Space, JointLayout layout>
[[gnu::always_inline]] inline void calc_joint_rows(const JointParameters<Real, Space>& data,
                                                   const Pose<Real, Space>& i,
                                                   const Pose<Real, Space>& j,
                                                   JointVectors<Real, Space>& world,
                                                   const Rows<Real, Space>& rows) {
  world.p_i = i.R * data.point_i;
  world.p_j = j.R * data.point_j;
  unroll<2>([&](auto v) {
    if constexpr (layout.uses_i(v)) world.s[v] = i.R * data.vector_i[v];
  });
  unroll<2>([&](auto v) {
    if constexpr (layout.uses_j(v)) world.t[v] = j.R * data.vector_j[v];
  });
  if constexpr (layout.n_coincidence > 0) {
    coincidence::calc_rows(i, j, data.point_i, data.point_j, world.p_i, world.p_j, rows);
  }
  unroll<layout.n_symmetric>([&](auto k) {
    constexpr VectorPair pair = layout.pair[k];
    symmetric_orthogonality::calc_row(i, j, data.vector_i[pair.i], data.vector_j[pair.j],
                                      world.s[pair.i], world.t[pair.j], rows,
                                      layout.first_symmetric() + k);
  });
  if constexpr (layout.n_orthogonality > 0) world.d = (j.r + world.p_j) - i.r;
  unroll<layout.n_orthogonality>([&](auto k) {
    orthogonality::calc_row(i, j, data.vector_i[k], data.offset[k], data.point_j, world.s[k],
                            world.d, rows, layout.first_orthogonality() + k);
  });
  if constexpr (layout.n_distance > 0) {
    if constexpr (layout.n_orthogonality == 0) world.d = (j.r + world.p_j) - (i.r + world.p_i);
    distance::calc_row(i, j, data.point_i, data.point_j, data.length,
                       calc_span<Real, Space, layout>(world), rows, layout.first_distance());
  }
  if constexpr (layout.n_constant_velocity > 0) {
    constant_velocity::calc_row(i, j, data.vector_i, data.vector_j, world.s, world.t, rows,
                                layout.first_constant_velocity());
  }
}

template <class Real, class Space, JointLayout layout>
[[gnu::always_inline]] inline void calc_joint_gamma(const JointParameters<Real, Space>& data,
                                                    const Pose<Real, Space>& i,
                                                    const Pose<Real, Space>& j,
                                                    const JointVectors<Real, Space>& world,
                                                    Real* gamma) {
  if constexpr (layout.n_coincidence > 0) {
    coincidence::calc_gamma(i, j, world.p_i, world.p_j, gamma);
  }
  unroll<layout.n_symmetric>([&](auto k) {
    gamma[layout.first_symmetric() + k] = symmetric_orthogonality::calc_gamma(
        i, j, world.s[layout.pair[k].i], world.t[layout.pair[k].j]);
  });
  unroll<layout.n_orthogonality>([&](auto k) {
    gamma[layout.first_orthogonality() + k] =
        orthogonality::calc_gamma(i, j, world.p_j, world.s[k], world.d);
  });
  if constexpr (layout.n_distance > 0) {
    gamma[layout.first_distance()] =
        distance::calc_gamma(i, j, world.p_i, world.p_j, data.length,
                             calc_span<Real, Space, layout>(world));
  }
  if constexpr (layout.n_constant_velocity > 0) {
    gamma[layout.first_constant_velocity()] =
        constant_velocity::calc_gamma(i, j, world.s, world.t);
  }
}

// ---- groups of one kind: a function each, chosen from a table by the kind

// Joints of the model, and constraints of generic joints: where their data are.
struct OfJoints {
  using Kind = JointKind;
  static constexpr int n_kinds = n_joint_kinds;
  static int index(const Topology& topology, int k) { return topology.grouped_joints[k]; }
  static const JointTopology& at(const Topology& topology, int index) {
    return topology.joints[index];
  }
  static const std::vector<JointGroup>& groups(const Topology& topology) { return topology.groups; }
  static auto& data(const auto& parameters) { return parameters.joints; }
  static auto& vectors(auto& ws) { return ws.vectors; }
};
struct OfConstraints {
  using Kind = BasicKind;
  static constexpr int n_kinds = n_basic_kinds;
  static int index(const Topology&, int k) { return k; }
  static const BasicTopology& at(const Topology& topology, int index) {
    return topology.basics[index];
  }
  static const std::vector<BasicGroup>& groups(const Topology& topology) {
    return topology.basic_groups;
  }
  static auto& data(const auto& parameters) { return parameters.basics; }
  static auto& vectors(auto& ws) { return ws.basic_vectors; }
};

template <class Real, class Space>
using GroupKernel = void (*)(const Topology&, const Parameters<Real, Space>&,
                             Workspace<Real, Space>&, int begin, int end);

// What of a group is computed.
struct RowsOnly {
  static constexpr bool rows = true, gamma = false;
};
struct GammaOnly {
  static constexpr bool rows = false, gamma = true;
};
struct RowsAndGamma {
  static constexpr bool rows = true, gamma = true;
};

// A generic joint has no rows of its own here, only the arms of its point.
template <class What, class Real, class Space, class Of, JointLayout layout>
void calc_group(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, int begin, int end) {
  for (int k = begin; k < end; ++k) {
    const int index = Of::index(topology, k);
    const auto& at = Of::at(topology, index);
    const Pose<Real, Space>&i = ws.pose[at.body_i], &j = ws.pose[at.body_j];
    const JointParameters<Real, Space>& data = Of::data(parameters)[index];
    JointVectors<Real, Space>& world = Of::vectors(ws)[index];
    if constexpr (What::rows) {
      calc_joint_rows<Real, Space, layout>(data, i, j, world, ws.rows(at.row));
      if constexpr (layout.n_curve > 0) {
        world.d = (j.r + world.p_j) - i.r;
        curve::calc_rows(parameters.curves[data.curve], i, j, data.point_j, world.d,
                         ws.curves[data.curve], world.s, ws.rows(at.row), layout.first_curve());
      }
    }
    if constexpr (What::gamma) {
      calc_joint_gamma<Real, Space, layout>(data, i, j, world, ws.gamma.data() + at.row);
      if constexpr (layout.n_curve > 0) {
        curve::calc_gamma(i, j, world.p_j, world.d, ws.curves[data.curve], world.s,
                          ws.gamma.data() + at.row + layout.first_curve());
      }
    }
  }
}

template <class What, class Real, class Space, class Of>
constexpr auto make_table() {
  std::array<GroupKernel<Real, Space>, Of::n_kinds> table{};
  unroll<Of::n_kinds>([&](auto k) {
    constexpr JointLayout layout = layout_of<Space>(static_cast<typename Of::Kind>(int(k)));
    table[k] = calc_group<What, Real, Space, Of, layout>;
  });
  return table;
}

template <class What, class Real, class Space>
void calc_groups(const Topology& topology, const Parameters<Real, Space>& parameters,
                 Workspace<Real, Space>& ws) {
  const auto calc = [&](auto of) {
    using Of = decltype(of);
    static constexpr auto table = make_table<What, Real, Space, Of>();
    for (const auto& group : Of::groups(topology)) {
      table[static_cast<int>(group.kind)](topology, parameters, ws, group.begin, group.end);
    }
  };
  calc(OfJoints{});
  calc(OfConstraints{});
}

}  // namespace

template <class Real, class Space>
void calc_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
               Workspace<Real, Space>& ws) {
  calc_groups<RowsOnly>(topology, parameters, ws);
  if (topology.has_coordinates()) calc_coordinate_rows(topology, parameters, ws);
}

template <class Real, class Space>
void calc_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws) {
  calc_groups<GammaOnly>(topology, parameters, ws);
  if (topology.has_coordinates()) calc_coordinate_gamma(topology, parameters, ws);
}

template <class Real, class Space>
void calc_rows_and_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                         Workspace<Real, Space>& ws) {
  calc_groups<RowsAndGamma>(topology, parameters, ws);
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
