// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A hub with many joints is cut into clones for S alone: solutions are those of S = J M⁻¹ Jᵀ as it is defined,
// and cost and storage are linear in the number of joints.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/projection.hpp"
#include "math/block_lu.hpp"
#include "math/thread_pool.hpp"
#include "problem/saddle_graph.hpp"
#include "support/reference.hpp"
#include "system/system.hpp"

using namespace trammel;

namespace {

Body make_body(const std::string& name, double mass, const Vec3& position) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = Mat3{{{0.02 * mass, 0, 0}, {0, 0.03 * mass, 0}, {0, 0, 0.025 * mass}}};
  body.position = position;
  return body;
}

std::string arm(int k) { return "arm" + std::to_string(k); }

// Arms around a hub that turns about a vertical axle; kind(k): the joint of arm k.
template <class Kind>
Model make_wheel(int n, Kind&& kind) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies.push_back(make_body("hub", 50.0, {0, 0, 0}));
  model.joints.push_back(
      {"axle", JointKind::revolute, ground, "hub", WorldPlacement{{0, 0, 0}, Vec3{0, 0, 1}, {}}});
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * 3.14159265358979 * k / n, c = std::cos(angle), s = std::sin(angle);
    model.bodies.push_back(make_body(arm(k), 1.0 + 0.1 * (k % 7), {1.2 * c, 1.2 * s, 0.01 * k}));
    const JointKind of_arm = kind(k);
    WorldPlacement place{{c, s, 0}, {}, {}};
    if (of_arm != JointKind::spherical && of_arm != JointKind::fixed) place.axis = Vec3{-s, c, 0};
    model.joints.push_back({"pin" + std::to_string(k), of_arm, "hub", arm(k), place});
  }
  model.simulation.t_end = 0.2;
  model.simulation.output_interval = 0.1;
  return model;
}

Model make_plain_wheel(int n) {
  return make_wheel(n, [](int) { return JointKind::revolute; });
}

// The same with a spring and a damper in each pin.
Model make_sprung_wheel(int n) {
  Model model = make_plain_wheel(n);
  for (int k = 0; k < n; ++k) {
    model.forces.push_back({"spring" + std::to_string(k),
                            JointSpringDamper{"pin" + std::to_string(k), {}, 1e4, 10.0, 0.0}});
  }
  return model;
}

// All sorts of joints; arms in pairs closed by links, and a gear between two pins: loops through the hub.
Model make_mixed_wheel() {
  Model model = make_wheel(60, [](int k) {
    constexpr JointKind kinds[] = {JointKind::revolute, JointKind::spherical,
                                   JointKind::translational, JointKind::fixed,
                                   JointKind::cylindrical};
    return kinds[k % 5];
  });
  for (const int k : {0, 1, 20, 21, 22, 23}) {
    WorldPlacement ends{model.bodies[k + 1].position, {}, {}};
    ends.point_j = model.bodies[k + 2].position;
    model.joints.push_back(
        {"link" + std::to_string(k), JointKind::distance, arm(k), arm(k + 1), ends});
  }
  model.couplers.push_back({"gear", LinearCoupler{{{"pin30", JointCoordinate::angle, 1.0},
                                                   {"pin45", JointCoordinate::angle, 2.0}},
                                                  {}}});
  return model;
}

Model make_planar_wheel() {
  Model model;
  model.dimension = 2;
  model.gravity = {0, -9.81, 0};
  model.bodies.push_back(make_body("hub", 50.0, {0, 0, 0}));
  model.joints.push_back(
      {"axle", JointKind::revolute, ground, "hub", WorldPlacement{{0, 0, 0}, {}, {}}});
  for (int k = 0; k < 100; ++k) {
    const double angle = 2 * 3.14159265358979 * k / 100, c = std::cos(angle), s = std::sin(angle);
    model.bodies.push_back(make_body(arm(k), 1.0 + 0.1 * (k % 7), {1.2 * c, 1.3 * s, 0}));
    model.joints.push_back({"pin" + std::to_string(k), JointKind::revolute, "hub", arm(k),
                            WorldPlacement{{c, s, 0}, {}, {}}});
  }
  return model;
}

// S column by column from products with J, M⁻¹ and Jᵀ: nothing of the elimination takes part.
template <class Space>
Eigen::MatrixXd calc_schur(const SystemIn<Space>& system, Workspace<double, Space>& ws) {
  const int n = system.topology.n_rows;
  Eigen::MatrixXd S(n, n);
  std::vector<Twist<double, Space>> w(system.topology.n_bodies + 1, Twist<double, Space>::zero());
  for (int c = 0; c < n; ++c) {
    Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, c), column(n);
    calc_schur_times(system.topology, system.parameters, ws, unit.data(), w, column.data());
    S.col(c) = column;
  }
  return S;
}

template <class Space>
void check_solutions(const SystemIn<Space>& system) {
  const Topology& topology = system.topology;
  REQUIRE(!topology.clones.empty());
  Workspace<double, Space> ws(topology);
  calc_positions(topology, system.initial.data(), ws);
  calc_rows(topology, system.parameters, ws);
  const Eigen::MatrixXd S = calc_schur(system, ws);
  const int n = topology.n_rows;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  Eigen::VectorXd b(n);
  for (double& x : b) x = normal(generator);

  // all rows, and all but some
  for (const bool with_all : {true, false}) {
    Eigen::MatrixXd kept = S;
    Eigen::VectorXd right = b;
    for (int r = 0; r < n; ++r) {
      const bool left_out = !with_all && r % 7 == 3;
      ws.mask[r] = left_out ? row_left_out : 1.0;
      if (!left_out) continue;
      kept.row(r).setZero();
      kept.col(r).setZero();
      kept(r, r) = 1.0;
      right[r] = 0.0;
    }
    CHECK(calc_factor(topology, system.parameters, ws, 1e-12) == -1);
    Eigen::VectorXd x = b;
    solve(topology.program, ws.factor(), x.data());
    const Eigen::VectorXd expected = kept.ldlt().solve(right);
    CHECK((x - expected).norm() <= 1e-11 * expected.norm());
    // pivots are judged by the rows as they are
    for (int r = 0; r < n; ++r) {
      if (ws.mask[r] == 1.0) CHECK(ws.diagonal[r] == doctest::Approx(S(r, r)).epsilon(1e-12));
    }
  }

  // damped, as the assembly has it
  std::fill(ws.mask.begin(), ws.mask.end(), 1.0);
  std::vector<double> size(n, 0.5);
  calc_damped_factor(topology, system.parameters, ws, 0.1, size.data());
  Eigen::VectorXd x = b;
  solve(topology.program, ws.factor(), x.data());
  const Eigen::MatrixXd damped = S + 0.1 * 0.25 * Eigen::MatrixXd::Identity(n, n);
  const Eigen::VectorXd expected = damped.ldlt().solve(b);
  CHECK((x - expected).norm() <= 1e-11 * expected.norm());
}

}  // namespace

TEST_CASE("solutions with a hub that was cut are those of S") {
  check_solutions(as_spatial(compile(make_plain_wheel(60)).data()));
  check_solutions(as_spatial(compile(make_mixed_wheel()).data()));
  check_solutions(as_planar(compile(make_planar_wheel()).data()));
}

TEST_CASE("joints of a hub on a common loop stay together") {
  const System handle = compile(make_mixed_wheel());
  const Topology& topology = handle.data().topology;
  // the clone on which the rows of a joint are
  const auto find_clone = [&](int joint) {
    for (std::size_t k = 0; k < topology.clones.size(); ++k) {
      const HubClone& clone = topology.clones[k];
      for (int s = clone.sides.begin; s < clone.sides.end; ++s) {
        if (topology.clone_sides[s].row == topology.joints[joint].row) return static_cast<int>(k);
      }
    }
    return -1;
  };
  const auto of_pin = [&](int k) { return find_clone(k + 1); };
  CHECK(of_pin(0) == of_pin(1));
  CHECK(of_pin(1) == of_pin(2));
  CHECK(of_pin(20) == of_pin(24));
  CHECK(of_pin(30) == of_pin(45));
  CHECK(of_pin(0) != of_pin(20));
  CHECK(of_pin(10) >= 0);
}

TEST_CASE("redundant joints on a hub are found, and the motion is that without them") {
  const Model plain = make_plain_wheel(40);
  Model twice = plain;
  for (int k = 0; k < 40; ++k) {
    Joint second = plain.joints[k + 1];
    auto& place = std::get<WorldPlacement>(second.placement);
    for (int c = 0; c < 3; ++c) place.point[c] += 0.1 * (*place.axis)[c];
    second.name = "second" + std::to_string(k);
    twice.joints.push_back(second);
  }
  const SimulationOptions options = test::with_tolerance(plain.simulation, 1e-10);
  const Results one = test::run(plain, options), two = test::run(twice, options);
  CHECK(one.check.dof == 41);
  CHECK(two.check.dof == 41);
  CHECK(two.status.outcome == Outcome::finished);
  CHECK(two.violation.position <= 1e-12);
  REQUIRE(one.position.size() == two.position.size());
  for (std::size_t k = 0; k < one.position.size(); ++k) {
    CHECK(two.position[k] == doctest::Approx(one.position[k]).epsilon(1e-10));
  }
}

TEST_CASE("storage of a hub is linear, and a run has the same bits on any number of threads") {
  const System small = compile(make_plain_wheel(100)), large = compile(make_plain_wheel(5000));
  const double a = static_cast<double>(small.data().topology.program.n_values) / 100;
  const double b = static_cast<double>(large.data().topology.program.n_values) / 5000;
  CHECK(b <= 1.2 * a);
  const Model model = make_plain_wheel(2000);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-8);
  const Results one = test::run(model, options);
  CHECK(one.status.outcome == Outcome::finished);
  CHECK(one.check.dof == 2001);
  CHECK(one.violation.position <= 1e-12);
  CHECK(one.energy.balance_error_max <= 1e-7 * one.energy.kinetic_max);
  options.threads = 2;
  const Results two = test::run(model, options);
  CHECK(two.position == one.position);
  CHECK(two.velocity == one.velocity);
}

TEST_CASE(
    "work on a hub is linear, of explicit and of implicit steps: 1,000 joints against 4,000") {
  struct Counts {
    double operations, cross, values, factor;
  };
  const auto count = [](int n) {
    const System handle = compile(make_sprung_wheel(n));
    const BlockProgram& program = handle.data().topology.program;
    SaddleGraph graph = make_saddle_graph(handle.data().topology, 6);
    for (int b = 1; b <= n; ++b) graph.edges.push_back({0, b});  // the springs
    const BlockGraph blocks = make_block_graph(static_cast<int>(graph.sizes.size()), graph.edges);
    const BlockLuPattern pattern(graph.sizes, blocks,
                                 order_by_minimum_degree(graph.sizes, blocks, graph.after));
    return Counts{static_cast<double>(program.forward.size()) / n,
                  static_cast<double>(program.crosses.size()) / n,
                  static_cast<double>(pattern.n_values()) / n,
                  pattern.count_factor_operations() / n};
  };
  const Counts small = count(1000), large = count(4000);
  MESSAGE("per joint: ", small.operations, " and ", large.operations, " block operations, ",
          small.cross, " and ", large.cross, " crosses; implicit ", small.values, " and ",
          large.values, " numbers, ", small.factor, " and ", large.factor, " operations");
  CHECK(small.operations > 1.0);
  CHECK(large.operations <= 1.05 * small.operations);
  CHECK(large.cross <= 1.05 * small.cross);
  CHECK(large.values <= 1.05 * small.values);
  CHECK(large.factor <= 1.05 * small.factor);
}

TEST_CASE("radau takes as many steps on a hub of 1,000 arms as on one of 200") {
  const auto run = [](int n) {
    const Model model = make_sprung_wheel(n);
    return test::run(model, test::with_tolerance(model.simulation, 1e-6, Method::radau));
  };
  const Results small = run(200), large = run(1000);
  MESSAGE(small.counts.accelerations, " and ", large.counts.accelerations, " evaluations");
  CHECK(large.status.outcome == Outcome::finished);
  CHECK(large.counts.accelerations < 1.5 * static_cast<double>(small.counts.accelerations));
  CHECK(large.counts.operations < 7.5 * small.counts.operations);
  CHECK(large.violation.position < 1e-12);
}

TEST_CASE("implicit steps take a hub, too") {
  const Model model = make_sprung_wheel(60);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-9);
  const Results explicit_steps = test::run(model, options);
  options.method = Method::radau;
  const Results implicit_steps = test::run(model, options);
  CHECK(implicit_steps.status.outcome == Outcome::finished);
  REQUIRE(implicit_steps.position.size() == explicit_steps.position.size());
  for (std::size_t k = 0; k < explicit_steps.position.size(); ++k) {
    CHECK(std::abs(implicit_steps.position[k] - explicit_steps.position[k]) <= 1e-7);
  }
}
