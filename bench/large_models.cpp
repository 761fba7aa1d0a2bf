// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "large_models.hpp"

#include <cmath>
#include <utility>

namespace trammel::bench {

namespace {

std::string name_of(int body) { return body < 0 ? ground : std::to_string(body); }

// A round rod of 1 m and 1 kg along x: the peers' chain has the same.
Body make_rod(int index, Vec3 position) {
  Body rod;
  rod.name = name_of(index);
  rod.mass = 1.0;
  rod.inertia = Mat3{{{0.00125, 0, 0}, {0, 0.0839583333, 0}, {0, 0, 0.0839583333}}};
  rod.position = position;
  return rod;
}

Model make_empty() {
  Model model;
  model.name = "bench";
  model.gravity = {0, -9.81, 0};
  return model;
}

void add_joint(Model& model, JointKind kind, int i, int j, Vec3 at) {
  std::optional<Vec3> axis;
  if (kind != JointKind::spherical) axis = Vec3{0, 0, 1};
  model.joints.push_back({"j" + std::to_string(model.joints.size()), kind, name_of(i), name_of(j),
                          WorldPlacement{at, axis, {}}});
}

Model make_chain_of(JointKind kind, int bodies) {
  Model model = make_empty();
  for (int k = 0; k < bodies; ++k) {
    model.bodies.push_back(make_rod(k, {k + 0.5, 0, 0}));
    add_joint(model, kind, k - 1, k, {static_cast<double>(k), 0, 0});
  }
  return model;
}

Model make_revolute_chain(int bodies) { return make_chain_of(JointKind::revolute, bodies); }

// Rod k hangs on rod (k − 1)/2; brothers lie apart in z.
Model make_tree(int bodies) {
  Model model = make_empty();
  for (int k = 0; k < bodies; ++k) {
    const int parent = k == 0 ? -1 : (k - 1) / 2;
    const Vec3 end = k == 0
                         ? Vec3{0, 0, 0}
                         : Vec3{model.bodies[parent].position[0] + 0.5,
                                model.bodies[parent].position[1], model.bodies[parent].position[2]};
    model.bodies.push_back(make_rod(k, {end[0] + 0.5, end[1], end[2]}));
    add_joint(model, JointKind::spherical, parent, k, end);
  }
  return model;
}

// Crank, then coupler and crank again and again; hinge, ball and sliding hinge in each loop, so
// that no constraint repeats another.
Model make_ladder(int bodies) {
  Model model = make_empty();
  const auto add_crank = [&](int k, double x) {
    Body crank = make_rod(k, {x, 0.5, 0});
    crank.orientation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    model.bodies.push_back(std::move(crank));
    add_joint(model, JointKind::revolute, -1, k, {x, 0, 0});
  };
  add_crank(0, 0.0);
  for (int k = 1; k + 1 < bodies; k += 2) {
    const double x = (k - 1) / 2;
    model.bodies.push_back(make_rod(k, {x + 0.5, 1, 0}));
    add_crank(k + 1, x + 1.0);
    add_joint(model, JointKind::spherical, k == 1 ? 0 : k - 1, k, {x, 1, 0});
    add_joint(model, JointKind::cylindrical, k, k + 1, {x + 1.0, 1, 0});
  }
  return model;
}

// Not flat: between the two corners that are held a straight row of bars would be stressed in
// itself.
Vec3 make_node(int i, int j) { return {0.1 * i, 0.02 * std::sin(0.5 * i + 0.3 * j), 0.1 * j}; }

}  // namespace

Model make_chain(int bodies) { return make_chain_of(JointKind::spherical, bodies); }

// A binary tree of hinges, balls and universal joints, four pairs of whose leaves are held together by
// hinges: 34 joints with 140 rows.
Model make_tree_with_loops() {
  Model model = make_empty();
  constexpr JointKind kinds[] = {JointKind::revolute, JointKind::spherical, JointKind::universal};
  const auto connect = [&](JointKind kind, int i, int j, Vec3 at) {
    WorldPlacement placement{at, {}, {}};
    if (kind != JointKind::spherical) placement.axis = Vec3{0, 0, 1};
    if (kind == JointKind::universal) placement.axis_j = Vec3{0, 1, 0};
    model.joints.push_back(
        {"j" + std::to_string(model.joints.size()), kind, name_of(i), name_of(j), placement});
  };
  for (int k = 0; k < 30; ++k) {
    const int parent = k == 0 ? -1 : (k - 1) / 2;
    const Vec3 from = k == 0 ? Vec3{0, 0, 0} : model.bodies[parent].position;
    // apart from each other, so that the loops are not flat
    model.bodies.push_back(make_rod(k, {from[0] + 1.0, from[1] + 0.1 * (k % 5), 0.2 * (k % 7)}));
    connect(kinds[k % 3], parent, k, {from[0] + 0.5, from[1], from[2]});
  }
  for (int k = 15; k < 30; k += 4) {
    const Vec3& a = model.bodies[k].position;
    connect(JointKind::revolute, k, k == 27 ? 29 : k + 2, {a[0] + 0.5, a[1], a[2]});
  }
  return model;
}

Model make_net(int bodies) {
  const int n =
      static_cast<int>(std::lround(0.5 + std::sqrt(0.25 + bodies / 2.0)));  // 2n(n−1) bars
  Model model = make_empty();
  std::vector<std::vector<int>> at_node(static_cast<std::size_t>(n) * n);
  const auto add_bar = [&](int i, int j, int i2, int j2) {
    const Vec3 a = make_node(i, j), b = make_node(i2, j2);
    const int bar = static_cast<int>(model.bodies.size());
    Body body = make_rod(bar, {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])});
    body.inertia = Mat3{{{1e-3, 0, 0}, {0, 1.25e-3, 0}, {0, 0, 2e-3}}};
    model.bodies.push_back(std::move(body));
    at_node[i * n + j].push_back(bar);
    at_node[i2 * n + j2].push_back(bar);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) add_bar(i, j, i + 1, j);
      if (j + 1 < n) add_bar(i, j, i, j + 1);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const std::vector<int>& bars = at_node[i * n + j];
      if (i == 0 && (j == 0 || j == n - 1)) {
        add_joint(model, JointKind::spherical, -1, bars[0], make_node(i, j));
      }
      for (std::size_t k = 1; k < bars.size(); ++k) {
        add_joint(model, JointKind::spherical, bars[0], bars[k], make_node(i, j));
      }
    }
  }
  return model;
}

const std::vector<Family>& all_families() {
  static const std::vector<Family> families = {{"chain", make_chain, 1'000'000},
                                               {"revolute chain", make_revolute_chain, 100'000},
                                               {"tree", make_tree, 100'000},
                                               {"ladder", make_ladder, 100'000},
                                               {"net", make_net, 100'000}};
  return families;
}

}  // namespace trammel::bench
