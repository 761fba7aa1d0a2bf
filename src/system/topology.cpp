// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From the list of joints to groups, components, couplings and the elimination program.
#include "system/topology.hpp"

#include <algorithm>
#include <numeric>

namespace trammel {

namespace {

void number_rows(Topology& topology) {
  for (JointTopology& joint : topology.joints) {
    joint.row = topology.n_rows;
    topology.n_rows += joint.n_rows;
  }
}

void group_by_kind(Topology& topology) {
  topology.grouped_joints.resize(topology.n_joints);
  std::iota(topology.grouped_joints.begin(), topology.grouped_joints.end(), 0);
  const auto kind = [&](int joint) { return topology.joints[joint].kind; };
  std::stable_sort(topology.grouped_joints.begin(), topology.grouped_joints.end(),
                   [&](int a, int b) { return kind(a) < kind(b); });
  for (int k = 0; k < topology.n_joints; ++k) {
    const JointTopology& joint = topology.joints[topology.grouped_joints[k]];
    if (topology.groups.empty() || topology.groups.back().kind != joint.kind) {
      topology.groups.push_back({joint.kind, joint.n_rows, k, k});
    }
    topology.groups.back().end = k + 1;
  }
}

// Union–find over bodies; components are numbered in the order of their first body.
void find_components(Topology& topology, const std::vector<ForceLink>& links) {
  std::vector<int> parent(topology.n_bodies);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int b) {
    while (parent[b] != b) b = parent[b] = parent[parent[b]];
    return b;
  };
  const auto join = [&](int i, int j) {
    if (i == topology.ground() || j == topology.ground()) return;
    const int a = root(i), b = root(j);
    parent[std::max(a, b)] = std::min(a, b);
  };
  for (const JointTopology& joint : topology.joints) join(joint.body_i, joint.body_j);
  for (const ForceLink& link : links) join(link.body_i, link.body_j);

  std::vector<int> number(topology.n_bodies, -1);
  topology.component_of.resize(topology.n_bodies);
  for (int b = 0; b < topology.n_bodies; ++b) {
    int& n = number[root(b)];
    if (n < 0) {
      n = topology.n_components();
      topology.components.emplace_back();
    }
    topology.component_of[b] = n;
    ++topology.components[n].n_bodies;
  }
  const auto mark = [&](int i, int j, bool dissipative) {
    const int moving = i == topology.ground() ? j : i;
    Component& component = topology.components[topology.component_of[moving]];
    component.grounded |= i == topology.ground() || j == topology.ground();
    component.dissipative |= dissipative;
  };
  for (const JointTopology& joint : topology.joints) mark(joint.body_i, joint.body_j, false);
  for (const ForceLink& link : links) mark(link.body_i, link.body_j, link.dissipative);
}

// S has a block for each pair of joints that share a body.
void make_program(Topology& topology) {
  struct Side {
    int joint;
    bool side_j;
  };
  std::vector<std::vector<Side>> sides(topology.n_bodies + 1);
  for (int k = 0; k < topology.n_joints; ++k) {
    sides[topology.joints[k].body_i].push_back({k, false});
    sides[topology.joints[k].body_j].push_back({k, true});
  }
  struct Pair {
    Side a, b;
    int body;
  };
  std::vector<Pair> pairs;
  std::vector<std::pair<int, int>> edges;
  for (int body = 0; body < topology.n_bodies; ++body) {
    for (std::size_t a = 0; a < sides[body].size(); ++a) {
      for (std::size_t b = a + 1; b < sides[body].size(); ++b) {
        pairs.push_back({sides[body][a], sides[body][b], body});
        edges.emplace_back(sides[body][a].joint, sides[body][b].joint);
      }
    }
  }
  std::vector<int> sizes;
  for (const JointTopology& joint : topology.joints) sizes.push_back(joint.n_rows);
  topology.program = make_block_program(sizes, edges);
  for (const Pair& pair : pairs) {
    const auto at = topology.program.find_coupling(pair.a.joint, pair.b.joint);
    const Side& p = at.rows_of_a ? pair.b : pair.a;  // columns: eliminated first
    const Side& q = at.rows_of_a ? pair.a : pair.b;
    const JointTopology& of_p = topology.joints[p.joint];
    const JointTopology& of_q = topology.joints[q.joint];
    topology.couplings.push_back(
        {of_p.row, of_q.row, of_p.n_rows, of_q.n_rows, pair.body, p.side_j, q.side_j, at.offset});
  }
}

}  // namespace

Topology make_topology(int n_bodies, std::vector<JointTopology> joints,
                       const std::vector<ForceLink>& links) {
  Topology topology;
  topology.n_bodies = n_bodies;
  topology.n_joints = static_cast<int>(joints.size());
  topology.joints = std::move(joints);
  number_rows(topology);
  group_by_kind(topology);
  find_components(topology, links);
  make_program(topology);
  return topology;
}

}  // namespace trammel
