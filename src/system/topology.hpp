// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Topology: which bodies, which joints between them, and the elimination program that follows.
// Indices only, no numbers with units; constant, and the same for all members of an ensemble.
#pragma once

#include <vector>

#include "math/block_program.hpp"
#include "system/space.hpp"
#include "trammel/joint_kind.hpp"

namespace trammel {

struct JointTopology {
  JointKind kind;
  int body_i;  // n_bodies stands for the ground
  int body_j;
  int n_rows;   // from the joint table of the space
  int row = 0;  // first of its rows, set by make_topology
};

// Joints of one kind, evaluated in one loop: grouped_joints[begin … end).
struct JointGroup {
  JointKind kind;
  int n_rows;  // of each joint
  int begin;
  int end;
};

// Two joints on one body couple in S: W += rows of `q` × columns of `p`, p eliminated first.
struct SchurCoupling {
  int row_p;  // first rows of the joints
  int row_q;
  int n_p;  // how many
  int n_q;
  int body;
  bool p_side_j;  // the body is body j of joint p (else body i)
  bool q_side_j;
  int offset;  // of the block in the values of the factor
};

// Bodies connected by joints or springs exchange energy; between components nothing is exchanged.
struct Component {
  int n_bodies = 0;
  bool grounded = false;     // held by a joint or a spring of the ground
  bool dissipative = false;  // has a damper
};

struct Topology {
  int n_bodies = 0;
  int n_joints = 0;
  int n_rows = 0;
  std::vector<JointTopology> joints;      // [joints], in the order of the model
  std::vector<int> grouped_joints;        // [joints], by kind
  std::vector<JointGroup> groups;
  std::vector<int> component_of;          // [bodies]
  std::vector<Component> components;
  std::vector<SchurCoupling> couplings;
  BlockProgram program;                   // blocks = joints
  StateLayout layout;

  int ground() const { return n_bodies; }
  int n_components() const { return static_cast<int>(components.size()); }
};

// A force between two bodies (spring, damper): it connects them as a joint does.
struct ForceLink {
  int body_i;
  int body_j;
  bool dissipative;
};

// Numbers the rows, groups the joints, finds the components and makes the elimination program.
// The layout of the state is that of the space and is set by the caller.
Topology make_topology(int n_bodies, std::vector<JointTopology> joints,
                       const std::vector<ForceLink>& links);

}  // namespace trammel
