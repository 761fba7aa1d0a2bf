// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Light parts in the path of large loads: the number of steps does not depend on the mass of what
// weighs next to nothing, and mass 0 is the limit of small masses. A body without mass whose motion
// nothing determines is refused, with the reason.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/joint_gaps.hpp"
#include "support/mistakes.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr double heavy = 1e5;  // kg: weighs 1e6 N

Body make_body(const std::string& name, const Vec3& at, double mass, double radius) {
  Body body;
  body.name = name;
  body.mass = mass;
  const double I = mass * radius * radius;
  body.inertia = Mat3{{{I, 0, 0}, {0, 0.9 * I, 0}, {0, 0, 0.8 * I}}};
  body.position = at;
  return body;
}

Joint make_hinge(const std::string& name, const std::string& i, const std::string& j,
                 const Vec3& at, const Vec3& axis = {0, 0, 1}) {
  return {name, JointKind::revolute, i, j, WorldPlacement{at, axis, {}}};
}

// A weight on a slide, hung on a crank by a light rod; the crank has a flywheel.
Model make_hoist(double light) {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {make_body("wheel", {0, 0, 0}, heavy, 0.5),
                  make_body("rod", {0.25, -1, 0}, light, 0.5),
                  make_body("weight", {0, -2, 0}, heavy, 0.5)};
  model.joints = {
      make_hinge("shaft", ground, "wheel", {0, 0, 0}),
      make_hinge("pin", "wheel", "rod", {0.5, 0, 0}),
      {"eye", JointKind::spherical, "rod", "weight", WorldPlacement{{0, -2, 0}, {}, {}}},
      {"guide", JointKind::translational, ground, "weight",
       WorldPlacement{{0, -2, 0}, Vec3{0, 1, 0}, {}}}};
  return model;
}

// A weight on a chain of hinges in oblique planes, of which every other link is light.
Model make_chain(double light) {
  Model model;
  model.gravity = {0, -9.81, 0};
  const Vec3 axes[] = {{0, 0, 1}, {0.3, 0, 1}, {1, 0, 0.2}, {0, 0, 1}};
  for (int k = 0; k < 4; ++k) {
    const double x = 0.5 + k;
    model.bodies.push_back(
        make_body("link_" + std::to_string(k), {x, 0.1 * k, 0}, k % 2 == 0 ? light : heavy, 0.3));
    model.joints.push_back(make_hinge("hinge_" + std::to_string(k),
                                      k == 0 ? ground : "link_" + std::to_string(k - 1),
                                      "link_" + std::to_string(k), {x - 0.5, 0.1 * k, 0}, axes[k]));
  }
  return model;
}

// Two heavy shafts and the cross of a Cardan joint between them, made of hinges.
Model make_shafts(double light) {
  Model model;
  model.bodies = {make_body("drive", {-1, 0, 0}, heavy, 0.4),
                  make_body("cross", {0, 0, 0}, light, 0.1),
                  make_body("driven", {0.8, 0.6, 0}, heavy, 0.4)};
  model.bodies[0].angular_velocity = {3, 0, 0};
  model.joints = {make_hinge("left", ground, "drive", {-1, 0, 0}, {1, 0, 0}),
                  make_hinge("fork_1", "drive", "cross", {0, 0, 0}, {0, 0, 1}),
                  make_hinge("fork_2", "cross", "driven", {0, 0, 0}, {-0.6, 0.8, 0}),
                  {"right", JointKind::cylindrical, ground, "driven",
                   WorldPlacement{{0.8, 0.6, 0}, Vec3{0.8, 0.6, 0}, {}}}};
  model.forces = {{"load", Torque{"driven", Frame::body, {-2e5, -1.5e5, 0}}}};
  return model;
}

// A weight on a rope of n light links, of which the middle one has a mass of its own. Hardly any gravity:
// the links swing slowly, pulled aside by a small force.
Model make_rope(int n, double middle) {
  Model model;
  model.gravity = {0, -1e-3, 0};
  for (int k = 0; k <= n; ++k) {
    const bool last = k == n;
    const double mass = last ? 1e3 : k == n / 2 ? middle : 5e-3;
    const double y = -0.1 * k - (last ? 0.2 : 0.05);
    model.bodies.push_back(make_body("part_" + std::to_string(k), {0, y, 0}, mass, 0.05));
    model.joints.push_back(make_hinge("hinge_" + std::to_string(k),
                                      k == 0 ? ground : "part_" + std::to_string(k - 1),
                                      "part_" + std::to_string(k), {0, -0.1 * k, 0}));
  }
  model.forces = {{"push", PointForce{"part_1", Frame::world, {0.05, 0, 0}, {0, 0, 0}}}};
  return model;
}

SimulationOptions make_options(double tolerance) {
  SimulationOptions options = test::with_tolerance({}, tolerance);
  options.t_end = 1.5;
  options.output_interval = 0.1;
  options.max_steps = 5000;
  return options;
}

using Maker = Model (*)(double);
constexpr std::pair<const char*, Maker> mechanisms[] = {
    {"hoist", make_hoist}, {"chain", make_chain}, {"shafts", make_shafts}};

double find_difference(const Results& a, const Results& b) {
  double largest = a.position.size() == b.position.size() ? 0.0 : INFINITY;
  for (std::size_t k = 0; k < std::min(a.position.size(), b.position.size()); ++k) {
    largest = std::max(largest, std::abs(a.position[k] - b.position[k]));
  }
  for (std::size_t k = 0; k < std::min(a.orientation.size(), b.orientation.size()); ++k) {
    largest = std::max(largest, std::abs(a.orientation[k] - b.orientation[k]));
  }
  return largest;
}

// Why the model does not run, or "accepted".
std::string find_refusal(const Model& model) {
  return test::mistakes_of([&] { simulate(compile(model), make_options(1e-6)); });
}

}  // namespace

TEST_CASE("a part of 1e-9 … 1 kg in the path of 1e6 N: as many steps, closed joints") {
  for (const auto& [name, make] : mechanisms) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      const std::string mechanism(name);
      CAPTURE(mechanism);
      CAPTURE(tolerance);
      double fewest = 1e300, most = 0.0;
      for (int power = 0; power >= -9; --power) {
        CAPTURE(power);
        const Model model = make(std::pow(10.0, power));
        const Results results = test::run(model, make_options(tolerance));
        CHECK(results.status.outcome == Outcome::finished);
        CHECK(results.energy.balance_error_max <=
              std::max(1e4 * tolerance, 1e-11) * results.energy.kinetic_max);
        CHECK(test::find_worst_gap(model, results).position <= 1e-11);
        const auto steps = static_cast<double>(results.counts.accepted + results.counts.rejected);
        fewest = std::min(fewest, steps);
        most = std::max(most, steps);
      }
      CHECK(most <= 1.1 * fewest + 1);
    }
  }
}

TEST_CASE("mass 0 and inertia 0 are the limit of small masses") {
  for (const auto& [name, make] : mechanisms) {
    const std::string mechanism(name);
    CAPTURE(mechanism);
    const SimulationOptions options = make_options(1e-12);
    Results none;
    REQUIRE_NOTHROW(none = test::run(make(0.0), options));
    CHECK(none.status.outcome == Outcome::finished);
    CHECK(test::find_worst_gap(make(0.0), none).position <= 1e-11);
    const Results little = test::run(make(1e-9), options);
    CHECK(find_difference(none, little) < 1e-9);
    // and not of nothing at all: a mass of 1000 kg is seen
    CHECK(find_difference(none, test::run(make(1e3), options)) > 1e-6);
  }
}

TEST_CASE("calc_accelerations of light bodies is that of the limit, all loads included") {
  const auto calc = [](double light) {
    const System system = compile(make_hoist(light));
    return calc_accelerations(system, assemble(system).bodies);
  };
  const Accelerations none = calc(0.0), little = calc(1e-9);
  for (std::size_t b = 0; b < none.linear.size(); ++b) {
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(little.linear[b][k] == doctest::Approx(none.linear[b][k]).epsilon(1e-9));
      CHECK(little.angular[b][k] == doctest::Approx(none.angular[b][k]).epsilon(1e-9));
    }
  }
  for (std::size_t r = 0; r < none.multipliers.size(); ++r) {
    CHECK(std::abs(little.multipliers[r] - none.multipliers[r]) <= 1e-9 * 1e6);
  }
}

TEST_CASE("a link without mass between light ones is determined by theirs, few or many of them") {
  for (const int n : {4, 25}) {
    CAPTURE(n);
    SimulationOptions options = make_options(1e-10);
    options.t_end = 0.3;
    Results none;
    REQUIRE_NOTHROW(none = test::run(make_rope(n, 0.0), options));
    CHECK(none.status.outcome == Outcome::finished);
    CHECK(test::find_worst_gap(make_rope(n, 0.0), none).position <= 1e-11);
    // the difference falls with the mass
    const double seen = find_difference(none, test::run(make_rope(n, 1e-3), options));
    CHECK(seen > 1e-5);
    CHECK(find_difference(none, test::run(make_rope(n, 1e-4), options)) < 0.2 * seen);
  }
  // two in a row may buckle: nothing determines the pin between them
  Model model = make_rope(25, 0.0);
  *model.bodies[13].mass = 0.0;
  model.bodies[13].inertia = Mat3{};
  const std::string reason = find_refusal(model);
  CAPTURE(reason);
  CHECK(reason.find("mass") != std::string::npos);
  CHECK(reason.find("part_12") != std::string::npos);
}

TEST_CASE("a point mass: inertia 0 with a mass, where joints determine the attitude") {
  Model model = make_hoist(1.0), small = make_hoist(1.0);
  model.bodies[1].inertia = Mat3{};
  for (Vec3& row : *small.bodies[1].inertia) {
    for (double& x : row) x *= 1e-9;
  }
  Results none;
  REQUIRE_NOTHROW(none = test::run(model, make_options(1e-12)));
  CHECK(find_difference(none, test::run(small, make_options(1e-12))) < 1e-9);
}

TEST_CASE("a body without mass whose motion nothing determines is refused with the reason") {
  Model alone;
  alone.bodies = {make_body("dust", {0, 0, 0}, 0.0, 1.0)};
  // a pendulum without mass, a rod that may spin about its own axis, a massless end of a chain
  Model pendulum = alone;
  pendulum.gravity = {0, -9.81, 0};
  pendulum.joints = {make_hinge("hinge", ground, "dust", {0, 1, 0})};
  Model spin = make_hoist(0.0);
  spin.joints[1].kind = JointKind::spherical;
  std::get<WorldPlacement>(spin.joints[1].placement).axis.reset();
  Model end = make_chain(1.0);
  end.bodies.push_back(make_body("end", {4.5, 0.4, 0}, 0.0, 0.3));
  end.joints.push_back(make_hinge("last", "link_3", "end", {4, 0.4, 0}));
  for (const Model& model : {alone, pendulum, spin, end}) {
    const std::string reason = find_refusal(model);
    CAPTURE(reason);
    CHECK(reason != "accepted");
    CHECK(reason.find("mass") != std::string::npos);
  }
  // the name of the body is part of it
  CHECK(find_refusal(spin).find("rod") != std::string::npos);
  CHECK(find_refusal(end).find("end") != std::string::npos);
  // negative masses stay mistakes
  CHECK(find_refusal(make_hoist(-1.0)) != "accepted");
}
