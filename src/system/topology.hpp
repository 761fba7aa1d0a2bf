// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Topology: which bodies, which joints between them, and the elimination program that follows.
// Indices only, no numbers with units; constant, and the same for all members of an ensemble.
#pragma once

#include <vector>

#include "elements/coordinate.hpp"
#include "math/block_program.hpp"
#include "math/large_vector.hpp"
#include "space/pose.hpp"
#include "space/space.hpp"
#include "trammel/joint_kind.hpp"

namespace trammel {

struct JointTopology {
  JointKind kind;
  int body_i;  // n_bodies stands for the ground
  int body_j;
  int n_rows;     // from the joint table of the space; generic: the sum over its constraints
  int shape;      // how its rows are stored: index into RowShapes of the space (row_shape.hpp)
  int n_numbers;  // that are stored
  // ---- set by make_topology
  int row = 0;      // first of its rows
  int data = 0;     // first of its numbers in Workspace::row_data
  int thread = -1;  // its coordinate row (screw)
  Moving moving = Moving::both;
};

// One constraint of a generic joint.
struct BasicTopology {
  BasicKind kind;
  int joint;
  int constraint;  // which of the joint's list
  int row;         // its first; given within the joint, made absolute by add_basic_constraints
  // ---- set by add_basic_constraints
  int body_i = 0;  // those of the joint
  int body_j = 0;
  int data = 0;  // of its numbers in Workspace::row_data
};

// Constraints of one kind, evaluated in one loop: basic_constraints[begin … end).
struct BasicGroup {
  BasicKind kind;
  int begin;
  int end;
};

// Joints of one kind, shape and movability, evaluated in one loop: grouped_joints[begin … end).
struct JointGroup {
  JointKind kind;
  int shape;
  Moving moving;
  int begin;
  int end;
};

// A constraint on one or more coordinates, Σ c q = offset: a coupler, the thread of a screw, a
// driver. It is a block of one row, behind those of the joints. Its gradient may reach more than two
// bodies; it is stored by body, as `entries`, each a general row of its own with that body as body j.
struct CoordinateRow {
  int row;
  int joint;  // whose reaction it is part of, or −1
  int term_begin, term_end;
  int entry_begin, entry_end;
};
struct CoordinateTerm {
  int coordinate;
  int entry_i, entry_j;  // where its gradient goes
  int reference;         // ρ that counts the turns of its angle, or −1
  int function;          // f of a term f(q): of parameters.term_functions, or −1
};
struct RowEntry {
  int row;
  int body;
  int data = 0;  // of its numbers in Workspace::row_data, set by make_topology
};

// A reference of the state: it follows a coordinate, or integrates a given rate.
struct Reference {
  int coordinate;  // or −1: the rate of a driver
};

// A coordinate that forces see.
struct FollowedCoordinate {
  int coordinate;
  int reference;  // that counts its turns, or −1 where it is no angle
};

// A driver gives the offset of a coordinate row as a function of time, or its rate.
struct DriverTopology {
  int coordinate_row;
  int reference;  // the integral of its rate, or −1 where the value itself is given
  int component;
};

// A joint or an entry of a coordinate row on a body that moves: its part of S through that body.
struct SchurSide {
  int data;             // of its rows in Workspace::row_data
  int row;              // the first
  int diagonal;         // offset of its diagonal block in the values of the factor
  unsigned char shape;  // index into RowShapes
  bool side_j;          // the body is body j of the joint
  bool first;           // of those that write the diagonal block
  bool last;
};

// [begin, end) of bodies, joints or values.
struct IndexRange {
  int begin;
  int end;
};

// The joints in pieces: the k-th of so many of each group. Groups are in the order of the model, so a
// piece has to do with few bodies, whatever the kinds of its joints.
struct JointPiece {
  int k;
  int count;
  [[gnu::always_inline]] static constexpr JointPiece all() { return {0, 1}; }
  [[gnu::always_inline]] constexpr bool is_last() const { return k + 1 == count; }
  [[gnu::always_inline]] constexpr IndexRange of(const JointGroup& group) const {
    if (count == 1) return {group.begin, group.end};
    const long size = group.end - group.begin;
    return {group.begin + static_cast<int>(size * k / count),
            group.begin + static_cast<int>(size * (k + 1) / count)};
  }
};

// A hub, a body with so many joints that coupling each with each would cost the square of their number, is cut
// into clones for S (hubs.hpp): each has an equal share of its mass and inertia and some of its joints, and welds
// hold them together.
struct HubClone {
  int body;
  double parts;      // into which the hub is cut: M⁻¹ of a clone is that of the hub times this
  IndexRange sides;  // of clone_sides
  int coupling;      // the first
};

// The rows of a weld, as those of a fixed joint between clones at one place; the same numbers for all.
struct WeldShape {
  int shape = -1;  // index into RowShapes
  int n_rows = 0;
  int n_numbers = 0;
  int data = 0;  // set by make_topology
};

// Bodies and clones whose parts of S are added by one thread. In a program with subtrees
// (block_program.hpp) those at the top come first; after them those of each subtree write nothing that
// another writes.
struct SchurPart {
  IndexRange bodies;  // of body_order
  int coupling;       // their first
  IndexRange clones = {0, 0};
};

// Bodies connected by joints or springs exchange energy; between components nothing is exchanged.
struct Component {
  int n_bodies = 0;
  bool grounded = false;     // held by a joint or a spring of the ground
  bool dissipative = false;  // has a damper
  bool driven = false;       // has a driver
};

struct Topology {
  int n_bodies = 0;
  int n_joints = 0;
  int n_rows = 0;
  LargeVector<JointTopology> joints;  // [joints], in the order of the model
  LargeVector<int> grouped_joints;    // [joints], by kind
  std::vector<JointGroup> groups;
  std::vector<BasicTopology> basic_constraints;  // the constraints of generic joints, by kind
  std::vector<BasicGroup> basic_groups;
  int n_curves = 0;               // one for each point_on_curve joint, in their order
  std::vector<int> component_of;  // [bodies]
  std::vector<Component> components;
  // S, body by body: its schur_sides in the order of elimination, and for each pair of them the block that
  // couples them, rows of the later one: its offset in the values, ~offset where one was there before
  LargeVector<int> body_order;        // [bodies] which body comes when; hubs last, behind all parts
  LargeVector<int> schur_side_begin;  // [bodies + 1], in that order
  LargeVector<SchurSide>
      schur_sides;  // schur_side_begin[k] … schur_side_begin[k + 1) of body_order[k]
  LargeVector<int> couplings;
  std::vector<IndexRange> fill;  // that no coupling writes
  std::vector<SchurPart> schur_parts;
  std::vector<HubClone> clones;  // in the order of schur_parts
  std::vector<SchurSide> clone_sides;
  WeldShape weld;
  int n_numbers = 0;                            // of all rows
  std::vector<CoordinateTopology> coordinates;  // of joints, couplers and drivers
  std::vector<CoordinateRow> coordinate_rows;
  std::vector<CoordinateTerm> terms;  // of all coordinate rows
  std::vector<RowEntry> entries;      // of all coordinate rows
  std::vector<Reference> references;
  std::vector<DriverTopology> drivers;
  std::vector<FollowedCoordinate> followed;
  BlockProgram program;  // blocks = joints, then coordinate rows, then welds as inner blocks
  // Every joint has this shape, whose blocks of S are evaluated without a call each; −1: they differ
  int common_shape = -1;
  StateLayout layout;
  int n_slots = 0;  // numbers that formulas of forces see, elements/forces/state_function.hpp

  // Constrained, or seen by forces.
  bool has_coordinates() const { return !coordinate_rows.empty() || !followed.empty(); }
  int ground() const { return n_bodies; }
  int n_components() const { return static_cast<int>(components.size()); }
};

// A force between two bodies (spring, damper): it connects them as a joint does.
struct ForceLink {
  int body_i;
  int body_j;
  bool dissipative;
};

// A coordinate row as compile asks for it.
struct CoordinateRowRequest {
  int joint = -1;
  std::vector<int> coordinates = {};  // one per term
  std::vector<int> functions = {};    // of the terms, −1: none
  bool driven = false;
  bool by_rate = false;  // the driver gives the rate
};

// Numbers the rows, groups the joints, finds the components and makes the elimination program.
// followed: coordinates that forces see.
// entry_shape, entry_numbers: of one general row. weld: of the welds in hubs. The layout of the state is that
// of the space and is set by the caller.
Topology make_topology(int n_bodies, LargeVector<JointTopology> joints,
                       std::vector<ForceLink> links, int entry_shape, int entry_numbers,
                       const WeldShape& weld, std::vector<CoordinateTopology> coordinates = {},
                       const std::vector<CoordinateRowRequest>& coordinate_rows = {},
                       const std::vector<int>& followed = {});

// Rows up to which code is generated (step_code.hpp); larger systems go by loops, and their hubs are cut.
inline constexpr int most_coded_rows = 160;

// Adds the constraints of the generic joints, grouped by kind.
void add_basic_constraints(Topology& topology, std::vector<BasicTopology> basic_constraints);

}  // namespace trammel
