// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A Topology and a Workspace as the kernel sees them.
#pragma once

#include "space/pose.hpp"
#include "system/topology.hpp"

namespace trammel {

// A velocity, an acceleration or a small displacement of a body: (dr, φ).
template <class Real, class Space = Spatial>
struct Twist {
  Linear<Real, Space> linear;    // world frame
  Angular<Real, Space> angular;  // body frame
  [[gnu::always_inline]] static constexpr Twist zero() {
    return {Linear<Real, Space>::zero(), Angular<Real, Space>::zero()};
  }
};

// What the kernel reads of a Topology, and reads and writes of a Workspace, as plain pointers
// (src/evaluate): no std types, so that code which sees only these can be compiled for several instruction
// sets. The names are those of the members there.
template <class Real, class Space>
struct Arrays {
  // ---- of the topology
  int n_bodies;
  int n_joints;
  int n_rows;
  int n_components;
  int first_u;  // offsets in the state
  int first_work;
  int common_shape;
  const JointTopology* joints;
  const int* grouped_joints;
  const JointGroup* groups;
  int n_groups;
  const BasicTopology* basic_constraints;
  const BasicGroup* basic_groups;
  int n_basic_groups;
  const CoordinateRow* coordinate_rows;
  int n_coordinate_rows;
  const RowEntry* entries;
  int n_entries;
  const int* component_of;
  const int* body_order;
  const int* schur_side_begin;
  const SchurSide* schur_sides;
  const int* couplings;
  const HubClone* clones;
  int n_clones;
  const SchurSide* clone_sides;
  const IndexRange* fill;
  int n_fill;
  const BlockProgram* program;
  // ---- of the workspace
  Pose<Real, Space>* pose;
  Real* g;
  Real* row_data;
  Real* gamma;
  const Real* mask;
  Real* values;
  Real* diagonal;
  Real* pivot;
  Real* inverse;
  Linear<Real, Space>* force_W;
  Angular<Real, Space>* torque_B;
  Real* power;
  Real* lambda;
  Twist<Real, Space>* twist;
  Twist<Real, Space>* world_twist;
};

}  // namespace trammel
