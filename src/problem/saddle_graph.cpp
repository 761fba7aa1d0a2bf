// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "problem/saddle_graph.hpp"

#include <algorithm>

namespace trammel {

namespace {

constexpr int none = -1;

// A spanning tree of bodies and joints, breadth first from the ground, and from the body with most joints
// where bodies have no connection with the ground.
struct Tree {
  std::vector<int> parent;      // [bodies + 1] the ground last; none: a root
  std::vector<int> depth;       // [bodies + 1]
  std::vector<int> outer_body;  // [joints] of joints of the tree, else none
};

Tree make_tree(const Topology& topology) {
  const int n = topology.n_bodies, ground = topology.ground();
  std::vector<std::vector<int>> joints_of(n + 1);
  for (int k = 0; k < topology.n_joints; ++k) {
    const JointTopology& joint = topology.joints[k];
    if (joint.n_rows == 0) continue;
    joints_of[joint.body_i].push_back(k);
    joints_of[joint.body_j].push_back(k);
  }
  Tree tree;
  tree.parent.assign(n + 1, none);
  tree.depth.assign(n + 1, none);
  tree.outer_body.assign(topology.n_joints, none);
  std::vector<int> queue;
  const auto grow_from = [&](int root, int depth) {
    tree.depth[root] = depth;
    queue.assign(1, root);
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const int body = queue[k];
      for (const int joint : joints_of[body]) {
        const JointTopology& at = topology.joints[joint];
        const int other = at.body_i == body ? at.body_j : at.body_i;
        if (tree.depth[other] != none) continue;
        tree.depth[other] = tree.depth[body] + 1;
        tree.parent[other] = body;
        tree.outer_body[joint] = other;
        queue.push_back(other);
      }
    }
  };
  grow_from(ground, 0);
  std::vector<int> by_joints;
  for (int b = 0; b < n; ++b) {
    if (tree.depth[b] == none) by_joints.push_back(b);
  }
  std::stable_sort(by_joints.begin(), by_joints.end(),
                   [&](int a, int b) { return joints_of[a].size() > joints_of[b].size(); });
  for (const int root : by_joints) {
    if (tree.depth[root] == none) grow_from(root, 1);
  }
  return tree;
}

// Bodies on the path between a and b in the tree, both included, without the ground; up to the roots where
// they have different ones.
void add_path(const Tree& tree, int ground, int a, int b, std::vector<int>& bodies) {
  const auto depth = [&](int node) { return node == none ? none : tree.depth[node]; };
  const auto climb = [&](int node) {
    if (node != ground) bodies.push_back(node);
    return tree.parent[node];
  };
  while (a != b) {
    if (depth(a) >= depth(b)) {
      a = climb(a);
    } else {
      b = climb(b);
    }
  }
  if (a != none && a != ground) bodies.push_back(a);
}

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

SaddleGraph make_saddle_graph(const Topology& topology, int rows_of_body) {
  const int n = topology.n_bodies, ground = topology.ground();
  const Tree tree = make_tree(topology);
  SaddleGraph graph;
  graph.sizes.assign(n, rows_of_body);
  graph.after.resize(n);
  graph.first_joint = n;
  for (int k = 0; k < topology.n_joints; ++k) {
    const JointTopology& joint = topology.joints[k];
    const int node = static_cast<int>(graph.sizes.size());
    graph.sizes.push_back(joint.n_rows);
    for (const int body : {joint.body_i, joint.body_j}) {
      if (body != ground) graph.edges.push_back({node, body});
    }
    std::vector<int>& after = graph.after.emplace_back();
    if (tree.outer_body[k] != none) {
      after.push_back(tree.outer_body[k]);
    } else if (joint.n_rows > 0) {
      add_path(tree, ground, joint.body_i, joint.body_j, after);
    }
  }
  graph.first_row = static_cast<int>(graph.sizes.size());
  for (const CoordinateRow& row : topology.coordinate_rows) {
    const int node = static_cast<int>(graph.sizes.size());
    graph.sizes.push_back(1);
    for (int e = row.entry_begin; e < row.entry_end; ++e) {
      const int body = topology.entries[e].body;
      if (body != ground) graph.edges.push_back({node, body});
    }
    std::vector<int>& after = graph.after.emplace_back();
    const int first = topology.coordinates[topology.terms[row.term_begin].coordinate].body_i;
    for (int t = row.term_begin; t < row.term_end; ++t) {
      const CoordinateTopology& of = topology.coordinates[topology.terms[t].coordinate];
      add_path(tree, ground, first, of.body_i, after);
      add_path(tree, ground, first, of.body_j, after);
    }
    sort_unique(after);
  }
  return graph;
}

}  // namespace trammel
