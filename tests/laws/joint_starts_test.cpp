// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a joint says about its coordinates: where they start and how fast, the limits of the assembled configuration,
// and inertia along them (armature). Couplers with functions, driven attitudes: closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "math/euler_parameters.hpp"
#include "support/reference.hpp"
#include "trammel/channels.hpp"
#include "trammel/evaluator.hpp"

using namespace trammel;

namespace {

constexpr double pi = 3.14159265358979323846;

Model read(const std::string& text) { return read_model_text("trammel: 1\n" + text, "test.yaml"); }

Results run(const Model& model, double tolerance = 1e-12) {
  return test::run(model, test::with_tolerance(model.simulation, tolerance));
}

std::string pendulum(const std::string& joint) {
  return "gravity: [0, 0, -9.81]\n"
         "bodies: {rod: {mass: 2, inertia: [0.05, 0.05, 0.001], com: [0, 0, -0.4]}}\n"
         "joints: {pin: {kind: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0]" +
         joint + "}}\nsimulation: {t_end: 2}\n";
}

// A crank of 0.1 m and a rod of 0.3 m, drawn stretched along x.
std::string slider_crank(const std::string& main, const std::string& guide) {
  return "bodies:\n"
         "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], frames: {pin: [0.1, 0, 0]}}\n"
         "  rod: {placed_in: crank.pin, mass: 1, inertia: [0.01, 0.01, 0.01], frames: {eye: [0.3, "
         "0, 0]}}\n"
         "  slider: {placed_in: rod.eye, mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
         "joints:\n"
         "  main: {kind: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]" +
         main +
         "}\n"
         "  big: {kind: revolute, bodies: [crank, rod], at: crank.pin, axis: [0, 0, 1]}\n"
         "  small: {kind: revolute, bodies: [rod, slider], at: rod.eye, axis: [0, 0, 1]}\n"
         "  guide: {kind: translational, bodies: [ground, slider], at: slider, axis: [1, 0, 0], "
         "start_travel: 0.4" +
         guide + "}\n";
}

double first(const Results& results, const std::string& channel) {
  return column(results, channel)[0];
}

}  // namespace

TEST_CASE("a joint starts at its initial angle with its initial rate") {
  const Results started = run(read(slider_crank(", initial: {angle: 250 deg, angle_rate: -3}", "") +
                                   "simulation: {t_end: 0.01}\n"));
  const double angle = 250 * pi / 180;
  CHECK(first(started, "main.angle") == doctest::Approx(angle).epsilon(1e-14));
  CHECK(first(started, "main.angle_rate") == doctest::Approx(-3).epsilon(1e-13));
  const double beta = std::asin(0.1 * std::sin(angle) / 0.3);
  CHECK(first(started, "guide.travel") ==
        doctest::Approx(0.1 * std::cos(angle) + 0.3 * std::cos(beta)).epsilon(1e-13));
}

TEST_CASE("the start of another coordinate of a loop moves the whole mechanism") {
  const Results started =
      run(read(slider_crank("", ", initial: {travel: 350 mm, travel_rate: -0.2}") +
               "simulation: {t_end: 0.01}\n"));
  CHECK(first(started, "guide.travel") == doctest::Approx(0.35).epsilon(1e-13));
  CHECK(first(started, "guide.travel_rate") == doctest::Approx(-0.2).epsilon(1e-13));
  // 0.3² = 0.1² + x² − 2·0.1 x cos α
  const double x = 0.35;
  CHECK(std::cos(first(started, "main.angle")) ==
        doctest::Approx((0.01 + x * x - 0.09) / (0.2 * x)).epsilon(1e-12));
}

TEST_CASE("a start that the joints cannot take is an error with its place") {
  try {
    compile(read(slider_crank("", ", initial: {travel: 0.5}")));
    FAIL("compiled");
  } catch (const ModelError& error) {
    CHECK(std::string(error.what())
              .find("joints.guide.initial: the joints do not close with this start") !=
          std::string::npos);
  }
}

TEST_CASE("coordinates that the assembly leaves outside of their limits start at the limit") {
  Model model = read(slider_crank("", ""));
  model.joints[3].limits.push_back({std::nullopt, 0.25, 0.38});
  Results started = run(model);
  CHECK(first(started, "guide.travel") == doctest::Approx(0.38).epsilon(1e-13));
  model.joints[3].limits[0].most = 0.5;  // as drawn
  CHECK(first(run(model), "guide.travel") == doctest::Approx(0.4).epsilon(1e-13));
  model.joints[3].limits[0] = {std::nullopt, 0.45, 0.5};  // out of reach
  CHECK_THROWS_AS(compile(model), ModelError);
}

TEST_CASE("armature adds ½ I q̇² to the kinetic energy") {
  const double inertia = 0.05 + 2 * 0.4 * 0.4 + 0.3, weight = 2 * 9.81 * 0.4;
  const Model model = read(pendulum(", armature: 0.3, initial: {angle: 40 deg, angle_rate: 1}"));
  const Results with = run(model);
  // I q̈ = −m g l sin q has the integral ½ I q̇² − m g l cos q
  const auto angle = column(with, "pin.angle"), rate = column(with, "pin.angle_rate");
  CHECK(angle[0] == doctest::Approx(40 * pi / 180).epsilon(1e-14));
  CHECK(rate[0] == doctest::Approx(1).epsilon(1e-13));
  const double energy = 0.5 * inertia - weight * std::cos(angle[0]);
  for (std::size_t k = 0; k < angle.size(); ++k) {
    CHECK(0.5 * inertia * rate[k] * rate[k] - weight * std::cos(angle[k]) ==
          doctest::Approx(energy).epsilon(1e-9));
  }
  // the torque that accelerates the rotor is that on the pin
  CHECK(column(with, "pin_armature.pin.torque")[0] ==
        doctest::Approx(0.3 * weight * std::sin(angle[0]) / inertia).epsilon(1e-9));
}

TEST_CASE("armature along a slide is a mass that has no weight") {
  Model model = read(
      "gravity: [0, 0, -10]\n"
      "bodies: {box: {mass: 2, inertia: [1, 1, 1]}}\n"
      "joints: {rail: {kind: translational, bodies: [ground, box], at: [0, 0, 0], axis: [0, 0, 1], "
      "armature: 3}}\n"
      "simulation: {t_end: 1}\n");
  const Results fall = run(model);
  CHECK(column(fall, "rail.travel").back() == doctest::Approx(-0.5 * 10 * 2.0 / 5).epsilon(1e-11));
}

TEST_CASE("a coupler with a function holds a cam's lift exactly") {
  const Model model = read(
      "gravity: [0, -9.81, 0]\n"
      "bodies:\n"
      "  cam: {mass: 1, inertia: [0.006, 0.006, 0.01]}\n"
      "  follower: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0.1, 0]}\n"
      "joints:\n"
      "  shaft: {kind: revolute, bodies: [ground, cam], at: [0, 0, 0], axis: [0, 0, 1], initial: "
      "{angle_rate: 20}}\n"
      "  guide: {kind: translational, bodies: [ground, follower], at: [0, 0.1, 0], axis: [0, 1, "
      "0]}\n"
      "couplers:\n"
      "  lift: {kind: coupler, value: 0, terms: [{joint: guide}, {joint: shaft, coefficient: -1, "
      "function: "
      "0.01*(1 - cos(angle)) + 0.002*sin(2*angle)}]}\n"
      "simulation: {t_end: 2}\n");
  for (const Method method : {Method::dop853, Method::radau}) {
    Model with = model;
    with.simulation.method = method;
    const Results results = run(with, 1e-10);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.energy.balance_error_max <= 1e-8 * results.energy.kinetic_max);
    const auto angle = column(results, "shaft.angle"), rate = column(results, "shaft.angle_rate");
    const auto travel = column(results, "guide.travel"),
               speed = column(results, "guide.travel_rate");
    const auto torque = column(results, "lift.shaft.torque"),
               force = column(results, "lift.guide.force");
    double worst = 0.0;
    for (std::size_t k = 0; k < angle.size(); ++k) {
      const double q = angle[k], slope = 0.01 * std::sin(q) + 0.004 * std::cos(2 * q);
      worst =
          std::max(worst, std::abs(travel[k] - 0.01 * (1 - std::cos(q)) - 0.002 * std::sin(2 * q)));
      worst = std::max(worst, std::abs(speed[k] - slope * rate[k]));
      worst = std::max(worst, std::abs(torque[k] + slope * force[k]));  // no power
    }
    CHECK(worst < 1e-11);
    CHECK(angle.back() > 30);  // revolutions are counted
  }
}

TEST_CASE("a driven frame has the attitude of its three angles") {
  const Model model = read(
      "bodies: {plate: {mass: 2, inertia: [0.1, 0.2, 0.25], com: [0.1, 0.05, 0.02]}}\n"
      "drivers: {carry: {body: plate, position: [0.1*sin(t), 0, 0.2*t], "
      "orientation: [0.3*sin(2*t), 0.4*t, t^2], order: zyx}}\n"
      "simulation: {t_end: 2}\n");
  const Results results = run(model);
  REQUIRE(results.status.outcome == Outcome::finished);
  double worst = 0.0;
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    const double t = results.time[row], a = 0.3 * std::sin(2 * t), b = 0.4 * t, c = t * t;
    const auto R = calc_rotation(&results.orientation[4 * row]);
    // R = R_z(a) R_y(b) R_x(c)
    const double expected[3][3] = {
        {std::cos(a) * std::cos(b),
         std::cos(a) * std::sin(b) * std::sin(c) - std::sin(a) * std::cos(c),
         std::cos(a) * std::sin(b) * std::cos(c) + std::sin(a) * std::sin(c)},
        {std::sin(a) * std::cos(b),
         std::sin(a) * std::sin(b) * std::sin(c) + std::cos(a) * std::cos(c),
         std::sin(a) * std::sin(b) * std::cos(c) - std::cos(a) * std::sin(c)},
        {-std::sin(b), std::cos(b) * std::sin(c), std::cos(b) * std::cos(c)}};
    for (int k = 0; k < 3; ++k) {
      const Vector3<double> e{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      const Vector3<double> image = R * e;
      worst = std::max({worst, std::abs(image.x - expected[0][k]),
                        std::abs(image.y - expected[1][k]), std::abs(image.z - expected[2][k])});
    }
    worst = std::max(worst, std::abs(results.position[3 * row] - 0.1 * std::sin(t)));
  }
  CHECK(worst < 1e-13);
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
}

TEST_CASE("gears, racks, belts and threads between frames move as those between joints") {
  const auto compare = [](const std::string& bodies, const char* frames, const char* joints,
                          const char* channel) {
    const Results a = run(read(bodies + frames + "\nsimulation: {t_end: 1}\n"), 1e-12);
    const Results b = run(read(bodies + joints + "\nsimulation: {t_end: 1}\n"), 1e-12);
    CAPTURE(frames);
    REQUIRE(a.status.outcome == Outcome::finished);
    const auto x = column(a, channel), y = column(b, channel);
    CHECK(std::abs(y.back()) > 0.1);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(x[k] == doctest::Approx(y[k]).epsilon(1e-10));
  };
  const std::string wheels =
      "bodies:\n"
      "  one: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  two: {mass: 2, inertia: [0.03, 0.03, 0.03], position: [0.08, 0, 0]}\n"
      "joints:\n"
      "  a: {kind: revolute, bodies: [ground, one], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  b: {kind: revolute, bodies: [ground, two], at: [0.08, 0, 0], axis: [0, 0, 1]}\n"
      "forces: {motor: {kind: joint_spring_damper, joint: a, load: 0.3}}\n";
  compare(wheels, "couplers: {c: {kind: gear, frames: [one, two], teeth: [20, 60]}}",
          "couplers: {c: {kind: gear, joints: [a, b], teeth: [20, 60]}}", "b.angle");
  compare(
      wheels, "couplers: {c: {kind: gear, frames: [one, two], teeth: [20, 60], mesh: internal}}",
      "couplers: {c: {kind: gear, joints: [a, b], teeth: [20, 60], mesh: internal}}", "b.angle");
  compare(wheels, "couplers: {c: {kind: belt, frames: [one, two], radii: [0.02, 0.05]}}",
          "couplers: {c: {kind: belt, joints: [a, b], radii: [0.02, 0.05]}}", "b.angle");
  const std::string rack =
      "gravity: [3, -9.81, 0]\n"
      "bodies:\n"
      "  pinion: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  rack: {mass: 2, inertia: [0.03, 0.03, 0.03], position: [0.02, -0.06, 0]}\n"
      "joints:\n"
      "  a: {kind: revolute, bodies: [ground, pinion], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  b: {kind: translational, bodies: [ground, rack], at: [0, -0.06, 0], axis: [1, 0, 0]}\n";
  compare(rack, "couplers: {c: {kind: rack_and_pinion, frames: [pinion, rack], radius: 0.05}}",
          "couplers: {c: {kind: rack_and_pinion, joints: [a, b], radius: 0.05}}", "a.angle");
  const std::string nut =
      "gravity: [0, 0, -9.81]\nbodies: {nut: {mass: 1, inertia: [0.01, 0.01, 0.01]}}\n";
  compare(
      nut,
      "joints: {a: {kind: cylindrical, bodies: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
      "couplers: {c: {kind: thread, frames: [ground, nut], pitch: 0.3}}",
      "joints: {a: {kind: screw, bodies: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch: "
      "0.3}}",
      "a.angle");
}
