// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Linkages that one driver determines: exact at every output time whatever the tolerance, on the branch where
// they started, with the loads and the work of the integrated motion.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "support/driven_runs.hpp"
#include "support/reference.hpp"

using namespace trammel;
using test::coordinate;
using test::integrated;
using test::state_of;

namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

namespace {

// Crank a = 1 at (0, 0), coupler b = 3, rocker c = 2.5 at (3, 0): the crank turns all the way round.
constexpr double crank_length = 1, coupler_length = 3, rocker_length = 2.5, base_length = 3;

const char* const planar_four_bar = R"yaml(
trammel: 1
name: four-bar
dimension: 2
gravity: [0, -9.81]
parameters: {a: 1, b: 3, c: 2.5, d: 3, phi: "acos((4 + 9 - 6.25)/12)"}
bodies:
  crank:   {mass: 1, inertia: 0.1, position: [0.5, 0]}
  coupler: {mass: 2, inertia: 1.5, position: [1 + b/2*cos(phi), b/2*sin(phi)], orientation: {angle: phi}}
  rocker:  {mass: 1.5, inertia: 0.8, position: [(d + 1 + b*cos(phi))/2, b/2*sin(phi)],
            orientation: {angle: "atan2(b*sin(phi), 1 + b*cos(phi) - d)"}}
joints:
  shaft: {kind: revolute, bodies: [ground, crank], at: [0, 0]}
  pin:   {kind: revolute, bodies: [crank, coupler], at: [1, 0]}
  knee:  {kind: revolute, bodies: [coupler, rocker], at: [1 + b*cos(phi), b*sin(phi)]}
  pivot: {kind: revolute, bodies: [ground, rocker], at: [d, 0]}
drivers:
  motor: {joint: shaft, angle: 2*pi*t}
simulation: {t_end: 10}
)yaml";

// The same with hinges in space: three equations too many.
const char* const spatial_four_bar = R"yaml(
trammel: 1
name: four-bar of hinges
gravity: [0, -9.81, 0]
parameters: {b: 3, d: 3, phi: "acos((4 + 9 - 6.25)/12)"}
bodies:
  crank:   {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  coupler: {mass: 2, inertia: [1.5, 1.5, 1.5], position: [1 + b/2*cos(phi), b/2*sin(phi), 0],
            orientation: {axis: [0, 0, 1], angle: phi}}
  rocker:  {mass: 1.5, inertia: [0.8, 0.8, 0.8], position: [(d + 1 + b*cos(phi))/2, b/2*sin(phi), 0],
            orientation: {axis: [0, 0, 1], angle: "atan2(b*sin(phi), 1 + b*cos(phi) - d)"}}
joints:
  shaft: {kind: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}
  pin:   {kind: revolute, bodies: [crank, coupler], at: [1, 0, 0], axis: [0, 0, 1]}
  knee:  {kind: revolute, bodies: [coupler, rocker], at: [1 + b*cos(phi), b*sin(phi), 0], axis: [0, 0, 1]}
  pivot: {kind: revolute, bodies: [ground, rocker], at: [d, 0, 0], axis: [0, 0, 1]}
drivers:
  motor: {joint: shaft, angle: 2*pi*t}
simulation: {t_end: 10}
)yaml";

// The knee of the open four-bar: on circles about the pin and the pivot, above their line.
Eigen::Vector2d find_knee(double q) {
  const Eigen::Vector2d pin(crank_length * std::cos(q), crank_length * std::sin(q));
  const Eigen::Vector2d to = Eigen::Vector2d(base_length, 0) - pin;
  const double r = to.norm();
  const double along =
      (coupler_length * coupler_length - rocker_length * rocker_length + r * r) / (2 * r);
  const double across = std::sqrt(coupler_length * coupler_length - along * along);
  return pin + along / r * to + across / r * Eigen::Vector2d(-to.y(), to.x());
}

}  // namespace

TEST_CASE("a driven four-bar stays on its branch at any output interval, redundant or not") {
  for (const char* text : {planar_four_bar, spatial_four_bar}) {
    const Model model = read_model_text(text, "four-bar");
    for (const double interval : {0.01, 0.37, 1.0, 10.0}) {
      CAPTURE(interval);
      SimulationOptions options = model.simulation;
      options.output_interval = interval;
      const Results run = test::run(model, options);
      REQUIRE(run.status.outcome == Outcome::finished);
      CHECK(run.is_kinematic());
      CHECK(run.warnings.empty());
      CHECK(run.violation.position <= 2e-15 * 4);
      CHECK(run.violation.velocity <= 1e-12);
      for (std::size_t row = 0; row < run.time.size(); ++row) {
        const double q = 2 * pi * run.time[row];
        const Eigen::Vector2d knee = find_knee(q);
        const BodyState rocker = state_of(run, row, 2), coupler = state_of(run, row, 1);
        REQUIRE(std::abs(rocker.position[0] - 0.5 * (knee.x() + base_length)) <= 2e-14);
        REQUIRE(std::abs(rocker.position[1] - 0.5 * knee.y()) <= 2e-14);
        REQUIRE(std::abs(coupler.position[0] - 0.5 * (knee.x() + std::cos(q))) <= 2e-14);
        REQUIRE(std::abs(coordinate(run, "shaft.angle", row) - q) <= 1e-13 * (1 + q));
        // the crank turns, the coupler swings: their hinge counts turns
        REQUIRE(std::abs(coordinate(run, "pin.angle", row) + q) <= 1.7);
      }
    }
  }
}

TEST_CASE("loads and work of a driven four-bar are those of its integration") {
  for (const char* text : {planar_four_bar, spatial_four_bar}) {
    Model model = read_model_text(text, "four-bar");
    model.simulation.t_end = 3;
    const Results run = test::run(model, test::with_tolerance(model.simulation, 1e-12));
    const Results by_steps = test::run(model, integrated(model.simulation, 1e-13));
    REQUIRE(run.status.outcome == Outcome::finished);
    REQUIRE(run.load.size() == by_steps.load.size());
    const double torque = std::abs(*std::max_element(run.load.begin(), run.load.end()));
    for (std::size_t k = 0; k < run.load.size(); ++k) {
      REQUIRE(std::abs(run.load[k] - by_steps.load[k]) <= 1e-8 * torque);
    }
    for (std::size_t row = 0; row < run.time.size(); ++row) {
      REQUIRE(std::abs(run.external_work[row] - by_steps.external_work[row]) <=
              1e-9 * run.energy.kinetic_max);
    }
    CHECK(run.energy.balance_error_max <= 1e-11 * run.energy.kinetic_max);
    // per joint, the even share of redundant reactions included
    for (std::size_t k = 0; k < run.reaction_force.size(); ++k) {
      REQUIRE(std::abs(run.reaction_force[k] - by_steps.reaction_force[k]) <= 1e-8 * torque);
    }
  }
}

namespace {

// Crank 0.3, rod 1 and slider along x. The crank is driven, or the slider.
std::string make_slider_crank(const std::string& driver) {
  return R"yaml(
trammel: 1
name: slider-crank
dimension: 2
parameters: {r: 0.3, l: 1, q: 1.2, x: r*cos(q) + sqrt(l^2 - (r*sin(q))^2)}
bodies:
  crank:  {mass: 1, inertia: 0.01, position: [r/2*cos(q), r/2*sin(q)], orientation: {angle: q}}
  rod:    {mass: 2, inertia: 0.2, position: [(r*cos(q) + x)/2, r/2*sin(q)],
           orientation: {angle: "atan2(-r*sin(q), x - r*cos(q))"}}
  slider: {mass: 3, inertia: 0.1, position: [x, 0]}
joints:
  shaft: {kind: revolute, bodies: [ground, crank], at: [0, 0], start_angle: q}
  pin:   {kind: revolute, bodies: [crank, rod], at: [r*cos(q), r*sin(q)]}
  wrist: {kind: revolute, bodies: [rod, slider], at: [x, 0]}
  guide: {kind: translational, bodies: [ground, slider], at: [0, 0], axis: [1, 0]}
drivers:
)yaml" + driver +
         "\nsimulation: {t_end: 2}\n";
}

}  // namespace

TEST_CASE("a slider-crank driven by its crank, in both directions and by a rate") {
  for (const std::string driver : {"  motor: {joint: shaft, angle: q + 5*sin(3*t)}",
                                   "  motor: {joint: shaft, angle_rate: 15*cos(3*t)}"}) {
    CAPTURE(driver);
    const Model model = read_model_text(make_slider_crank(driver), "slider-crank");
    const Results run = test::run(model, model.simulation);
    REQUIRE(run.status.outcome == Outcome::finished);
    CHECK(run.is_kinematic());
    CHECK(run.warnings.empty());
    for (std::size_t row = 0; row < run.time.size(); ++row) {
      const double t = run.time[row], q = 1.2 + 5 * std::sin(3 * t), rate = 15 * std::cos(3 * t);
      const double s = 0.3 * std::sin(q), c = 0.3 * std::cos(q), root = std::sqrt(1 - s * s);
      const BodyState slider = state_of(run, row, 2);
      REQUIRE(std::abs(slider.position[0] - (c + root)) <= 5e-15);
      REQUIRE(std::abs(slider.velocity[0] - rate * (-s - s * c / root)) <= 5e-13);
    }
    CHECK(run.energy.balance_error_max <= 1e-6 * run.energy.kinetic_max);
  }
}

TEST_CASE("a law that leaves the reachable range ends the run by name and keeps what was reached") {
  // the slider reaches r + l = 1.3 m at most, crank and rod in line
  const Model model = read_model_text(
      make_slider_crank("  ram: {joint: guide, travel: \"0.35*t\"}"), "slider-crank");
  const double start = 0.3 * std::cos(1.2) + std::sqrt(1 - std::pow(0.3 * std::sin(1.2), 2));
  const Results run = test::run(model, model.simulation);
  REQUIRE(run.check.ok());
  CHECK(run.is_kinematic());
  CHECK(run.status.outcome == Outcome::step_too_small);
  CAPTURE(run.status.message);
  CHECK(std::abs(run.status.t - (1.3 - start) / 0.35) <= 2e-8);
  CHECK(run.status.message.find("ram") != std::string::npos);
  CHECK(run.status.message.find("singular position") != std::string::npos);
  CHECK(run.time.size() > 100);
  CHECK(run.violation.position <= 1e-12);
  CHECK(run.counts.accepted + run.counts.rejected < 1000);
  // every point is on the branch where the run started: the pin above the line
  for (std::size_t row = 0; row < run.time.size(); ++row)
    CHECK(state_of(run, row, 0).position[1] > 0);
}

TEST_CASE(
    "a slider that nearly reaches the dead centre turns back on its branch, or says that it did "
    "not") {
  const auto run_to = [](const std::string& part) {
    const Model model = read_model_text(
        make_slider_crank("  ram: {joint: guide, travel: \"(1.3 - x)*" + part + "*sin(3*t)\"}"),
        "slider-crank");
    return test::run(model, model.simulation);
  };
  for (const std::string part : {"0.999", "(1 - 1e-6)", "(1 - 1e-8)"}) {
    const Results run = run_to(part);
    REQUIRE(run.status.outcome == Outcome::finished);
    CHECK(run.warnings.empty());
    for (std::size_t row = 0; row < run.time.size(); ++row) {
      REQUIRE(coordinate(run, "shaft.angle", row) > 0);
    }
  }
  // it touches the dead centre, where two motions meet
  const Results through = run_to("1");
  REQUIRE(through.status.outcome == Outcome::finished);
  REQUIRE(through.warnings.size() == 1);
  CHECK(through.warnings[0].rfind("passed a singular position where two motions meet", 0) == 0);
}

TEST_CASE("kinematics off integrates, and a fixed step does") {
  const Model model = test::read_repository_model("gallery/quick_return.yaml");
  SimulationOptions options = model.simulation;
  options.kinematics = Kinematics::off;
  const Results by_steps = test::run(model, options);
  CHECK(!by_steps.is_kinematic());
  CHECK(by_steps.counts.accepted > 100);
  const Results run = test::run(model, model.simulation);
  CHECK(run.is_kinematic());
  CHECK(test::position_difference(run, by_steps) <= 1e-9);
  CHECK(brief_report(run).find("kinematic: all degrees of freedom are driven") !=
        std::string::npos);
  CHECK(brief_report(by_steps).find("dop853") != std::string::npos);
  options = model.simulation;
  options.fixed_step = 1e-3;
  CHECK(!test::run(model, options).is_kinematic());
}

TEST_CASE("an ensemble of driven members has the bits of single runs") {
  std::vector<System> members;
  for (const char* text : {planar_four_bar, planar_four_bar}) {
    members.push_back(compile(read_model_text(text, "four-bar")));
  }
  members.push_back(compile(test::read_repository_model("gallery/truss.yaml")));
  SimulationOptions options;
  options.t_end = 2;
  const std::vector<Results> together = simulate_ensemble(members, options);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Results alone = simulate(members[k], options);
    CHECK(together[k].is_kinematic());
    CHECK(together[k].position == alone.position);
    CHECK(together[k].reaction_force == alone.reaction_force);
    CHECK(together[k].external_work == alone.external_work);
  }
}
