// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From the list of joints to groups, components, couplings and the elimination program.
#include "system/topology.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "system/schur_plan.hpp"

namespace trammel {

namespace {

void number_rows(Topology& topology) {
  for (JointTopology& joint : topology.joints) {
    joint.row = topology.n_rows;
    joint.data = topology.n_numbers;
    topology.n_numbers += joint.n_numbers;
    joint.moving = joint.body_i == topology.ground()   ? Moving::only_j
                   : joint.body_j == topology.ground() ? Moving::only_i
                                                       : Moving::both;
    topology.n_curves += joint.kind == JointKind::point_on_curve ? 1 : 0;
    topology.n_rows += joint.n_rows;
  }
}

void group_by_kind(Topology& topology) {
  topology.grouped_joints.resize(topology.n_joints);
  std::iota(topology.grouped_joints.begin(), topology.grouped_joints.end(), 0);
  const auto order = [&](int index) {
    const JointTopology& joint = topology.joints[index];
    return std::tuple(joint.kind, joint.shape, joint.moving);
  };
  std::stable_sort(topology.grouped_joints.begin(), topology.grouped_joints.end(),
                   [&](int a, int b) { return order(a) < order(b); });
  for (int k = 0; k < topology.n_joints; ++k) {
    const JointTopology& joint = topology.joints[topology.grouped_joints[k]];
    if (k == 0 || order(topology.grouped_joints[k - 1]) != order(topology.grouped_joints[k])) {
      topology.groups.push_back({joint.kind, joint.shape, joint.moving, k, k});
    }
    topology.groups.back().end = k + 1;
  }
  if (topology.n_joints == 0 || !topology.coordinate_rows.empty()) return;
  const int shape = topology.joints.front().shape;
  const auto has_it = [&](const JointTopology& joint) { return joint.shape == shape; };
  if (std::all_of(topology.joints.begin(), topology.joints.end(), has_it)) {
    topology.common_shape = shape;
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

// The references that follow coordinates, one per coordinate, made where they are needed.
class References {
 public:
  explicit References(Topology& topology)
      : topology_(topology), of_coordinate_(topology.coordinates.size(), -1) {}

  int find_or_add(int coordinate) {
    int& reference = of_coordinate_[coordinate];
    if (reference < 0) reference = add(coordinate);
    return reference;
  }
  // coordinate −1: one that follows none
  int add(int coordinate) {
    topology_.references.push_back({coordinate});
    return static_cast<int>(topology_.references.size()) - 1;
  }

 private:
  Topology& topology_;
  std::vector<int> of_coordinate_;  // [coordinates], −1: none yet
};

void add_followed(const std::vector<int>& followed, References& references, Topology& topology) {
  for (const int c : followed) {
    const bool counted = is_unwrapped(topology.coordinates[c].kind);
    topology.followed.push_back({c, counted ? references.find_or_add(c) : -1});
  }
}

// Terms, entries and references of the coordinate rows, numbered after the joints' rows.
void add_coordinate_rows(const std::vector<CoordinateRowRequest>& requests, int entry_numbers,
                         References& references, Topology& topology) {
  const auto find_entry = [&](int row, int body) {
    for (std::size_t e = topology.entries.size(); e-- > 0 && topology.entries[e].row == row;) {
      if (topology.entries[e].body == body) return static_cast<int>(e);
    }
    topology.entries.push_back({row, body, topology.n_numbers});
    topology.n_numbers += entry_numbers;
    return static_cast<int>(topology.entries.size()) - 1;
  };
  for (const CoordinateRowRequest& request : requests) {
    const int row = topology.n_rows++;
    CoordinateRow at{row,
                     request.joint,
                     static_cast<int>(topology.terms.size()),
                     0,
                     static_cast<int>(topology.entries.size()),
                     0};
    for (std::size_t k = 0; k < request.coordinates.size(); ++k) {
      const int c = request.coordinates[k];
      const CoordinateTopology& coordinate = topology.coordinates[c];
      const bool counted = is_unwrapped(coordinate.kind) && !request.driven;
      const int entry_i = find_entry(row, coordinate.body_i),
                entry_j = find_entry(row, coordinate.body_j);
      topology.terms.push_back(
          {c, entry_i, entry_j, counted ? references.find_or_add(c) : -1, request.functions[k]});
    }
    at.term_end = static_cast<int>(topology.terms.size());
    at.entry_end = static_cast<int>(topology.entries.size());
    if (at.joint >= 0) {
      topology.joints[at.joint].thread = static_cast<int>(topology.coordinate_rows.size());
    }
    topology.coordinate_rows.push_back(at);
    if (!request.driven) continue;
    const int reference = request.by_rate ? references.add(-1) : -1;
    topology.drivers.push_back(
        {static_cast<int>(topology.coordinate_rows.size()) - 1, reference, -1});
  }
}

// A coordinate row connects all of its bodies.
void add_links(const Topology& topology, std::vector<ForceLink>& links) {
  for (const CoordinateRow& row : topology.coordinate_rows) {
    const auto moving = [&](int t) {
      const CoordinateTopology& coordinate = topology.coordinates[topology.terms[t].coordinate];
      return coordinate.body_i == topology.ground() ? coordinate.body_j : coordinate.body_i;
    };
    for (int t = row.term_begin; t < row.term_end; ++t) {
      const CoordinateTopology& coordinate = topology.coordinates[topology.terms[t].coordinate];
      links.push_back({coordinate.body_i, coordinate.body_j, false});
      links.push_back({moving(row.term_begin), moving(t), false});
    }
  }
}

void mark_driven(Topology& topology) {
  for (DriverTopology& driver : topology.drivers) {
    for (int e = topology.coordinate_rows[driver.coordinate_row].entry_begin;
         e < topology.coordinate_rows[driver.coordinate_row].entry_end; ++e) {
      const int body = topology.entries[e].body;
      if (body != topology.ground()) driver.component = topology.component_of[body];
    }
    topology.components[driver.component].driven = true;
  }
}

}  // namespace

Topology make_topology(int n_bodies, LargeVector<JointTopology> joints,
                       std::vector<ForceLink> links, int entry_shape, int entry_numbers,
                       const WeldShape& weld, std::vector<CoordinateTopology> coordinates,
                       const std::vector<CoordinateRowRequest>& coordinate_rows,
                       const std::vector<int>& followed) {
  Topology topology;
  topology.n_bodies = n_bodies;
  topology.n_joints = static_cast<int>(joints.size());
  topology.joints = std::move(joints);
  topology.coordinates = std::move(coordinates);
  number_rows(topology);
  References references(topology);
  add_coordinate_rows(coordinate_rows, entry_numbers, references, topology);
  add_followed(followed, references, topology);
  add_links(topology, links);
  group_by_kind(topology);
  find_components(topology, links);
  mark_driven(topology);
  topology.weld = weld;
  make_schur(entry_shape, topology);
  return topology;
}

void add_basic_constraints(Topology& topology, std::vector<BasicTopology> basic_constraints) {
  std::stable_sort(basic_constraints.begin(), basic_constraints.end(),
                   [](const auto& a, const auto& b) { return a.kind < b.kind; });
  for (BasicTopology& basic : basic_constraints) {
    const JointTopology& joint = topology.joints[basic.joint];
    basic.data = joint.data + basic.row * (joint.n_numbers / joint.n_rows);
    basic.row += joint.row;
    basic.body_i = joint.body_i;
    basic.body_j = joint.body_j;
  }
  topology.basic_constraints = std::move(basic_constraints);
  for (int k = 0; k < static_cast<int>(topology.basic_constraints.size()); ++k) {
    const BasicKind kind = topology.basic_constraints[k].kind;
    if (topology.basic_groups.empty() || topology.basic_groups.back().kind != kind) {
      topology.basic_groups.push_back({kind, k, k});
    }
    topology.basic_groups.back().end = k + 1;
  }
}

}  // namespace trammel
