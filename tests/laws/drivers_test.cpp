// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Drivers: many turns, rates and tables, driven lengths and points against equations of motion
// solved by another method, loads, energy.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr double pi = 3.14159265358979323846;

double find(const std::vector<std::string>& names, const std::vector<double>& values,
            const std::string& name, std::size_t row) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return values[row * names.size() + k];
  }
  FAIL("no column ", name);
  return 0.0;
}
double load(const Results& run, const std::string& name, std::size_t row) {
  return find(run.load_names, run.load, name, row);
}
double coordinate(const Results& run, const std::string& name, std::size_t row) {
  return find(run.coordinate_names, run.coordinate, name, row);
}

Results run_example(const std::string& name, double tolerance) {
  const Model model = test::read_repository_model("examples/drivers/" + name + ".yaml");
  return test::run(model, test::with_tolerance(model.simulation, tolerance));
}

// θ¨ = f(t, θ, θ˙) by the classical Runge–Kutta method with n steps.
std::array<double, 2> solve(const std::function<double(double, double, double)>& f, double theta,
                            double rate, double t_end, int n) {
  const double h = t_end / n;
  for (int k = 0; k < n; ++k) {
    const double t = k * h;
    const double v1 = rate, a1 = f(t, theta, rate);
    const double v2 = rate + 0.5 * h * a1, a2 = f(t + 0.5 * h, theta + 0.5 * h * v1, v2);
    const double v3 = rate + 0.5 * h * a2, a3 = f(t + 0.5 * h, theta + 0.5 * h * v2, v3);
    const double v4 = rate + h * a3, a4 = f(t + h, theta + h * v3, v4);
    theta += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {theta, rate};
}

Model make_rotor(const Function& value, bool is_rate) {
  Model model;
  model.name = "rotor";
  Body rotor;
  rotor.name = "rotor";
  rotor.mass = 2.0;
  rotor.inertia = Mat3{{{0.5, 0, 0}, {0, 0.4, 0}, {0, 0, 0.3}}};
  model.bodies = {rotor};
  WorldPlacement place;
  place.axis = Vec3{0, 0, 1};
  model.joints = {{"shaft", JointKind::revolute, "ground", "rotor", place}};
  model.drivers = {{"motor", JointDriver{"shaft", JointCoordinate::angle, value, is_rate}}};
  return model;
}

}  // namespace

TEST_CASE("an angle is driven over many turns, by its value or its rate") {
  for (const bool is_rate : {false, true}) {
    Model model = make_rotor(
        is_rate ? Function("100*pi + 3*cos(t)") : Function("100*pi*t + 3*sin(t)"), is_rate);
    model.simulation.t_end = 20;
    const Results run = test::run(model, test::with_tolerance(model.simulation, 1e-9));
    REQUIRE(run.status.outcome == Outcome::finished);
    CHECK(run.check.dof == 0);
    const std::size_t n = run.time.size();
    for (std::size_t row = 0; row < n; row += 100) {
      const double t = run.time[row];
      CHECK(coordinate(run, "shaft.angle", row) ==
            doctest::Approx(100 * pi * t + 3 * std::sin(t)).epsilon(1e-9));
      // τ = I f¨, P = τ f˙
      CHECK(std::abs(load(run, "motor.torque", row) + 0.3 * 3 * std::sin(t)) <= 1e-9);
      CHECK(std::abs(load(run, "motor.power", row) +
                     0.9 * std::sin(t) * (100 * pi + 3 * std::cos(t))) <= 1e-6);
    }
    CHECK(run.violation.position <= 1e-11);
    CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
  }
}

TEST_CASE("a driven rotor: torque against gravity and run-up, work in the balance") {
  const Results run = run_example("angle", 1e-11);
  REQUIRE(run.status.outcome == Outcome::finished);
  CHECK(run.warnings.empty());
  for (std::size_t row = 0; row < run.time.size(); row += 37) {
    const double t = run.time[row], s = std::min(t / 2, 1.0);
    const double rate = 20 * pi * s * s * s * (10 - 15 * s + 6 * s * s);
    const double acceleration = s < 1 ? 20 * pi * 30 * s * s * (1 - s) * (1 - s) / 2 : 0.0;
    CHECK(run.coordinate_rate[row] == doctest::Approx(rate).epsilon(1e-9));
    // the mass stands at 0.1 (cos q, 0, −sin q): a turn about y
    const double q = coordinate(run, "shaft.angle", row);
    const double torque = (0.04 + 2 * 0.01) * acceleration - 2 * 9.81 * 0.1 * std::cos(q);
    CHECK(std::abs(load(run, "motor.torque", row) - torque) <= 1e-7);
  }
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("a pendulum with a driven length follows its equation of motion") {
  const Results run = run_example("distance", 1e-11);
  const auto length = [](double t) { return 1 + 0.05 * std::sin(6.2 * t); };
  const auto rate = [](double t) { return 0.31 * std::cos(6.2 * t); };
  const auto [theta, spin] =
      solve([&](double t, double at,
                double speed) { return -(2 * rate(t) * speed + 9.81 * std::sin(at)) / length(t); },
            0.3, 0.0, 10.0, 40000);
  const double l = length(10.0);
  CHECK(run.final[0].position[0] == doctest::Approx(l * std::sin(theta)).epsilon(1e-8));
  CHECK(run.final[0].position[1] == doctest::Approx(-l * std::cos(theta)).epsilon(1e-8));
  // m (l¨ − l θ˙² − g cos θ) is the force along the rope
  const double bend = -0.05 * 6.2 * 6.2 * std::sin(62.0);
  CHECK(load(run, "winch.force", run.time.size() - 1) ==
        doctest::Approx(bend - l * spin * spin - 9.81 * std::cos(theta)).epsilon(1e-7));
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("a rod carried by a driven point follows its equation of motion") {
  const Results run = run_example("position", 1e-11);
  // I θ¨ = moment about the end, which accelerates: (I + m c²) θ¨ = −m c (g_eff × direction)
  const double c = 0.3, inertia = 0.36 / 12 + c * c;
  const auto [theta, spin] = solve(
      [&](double t, double at, double) {
        const double ax = -1.8 * std::cos(3 * t), ay = -1.8 * std::sin(3 * t);
        return c * (ax * std::sin(at) - (ay + 9.81) * std::cos(at)) / inertia;
      },
      -pi / 2, 0.0, 10.0, 40000);
  CHECK(run.final[0].position[0] ==
        doctest::Approx(0.2 * std::cos(30.0) + c * std::cos(theta)).epsilon(1e-8));
  CHECK(run.final[0].angular_velocity[2] == doctest::Approx(spin).epsilon(1e-7));
  const std::size_t last = run.time.size() - 1;
  CHECK(coordinate(run, "hand.position.x", last) == doctest::Approx(0.2 * std::cos(30.0)));
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

TEST_CASE("a slide follows a periodic table, and a pendulum on it the slide's acceleration") {
  const Results run = run_example("travel_table", 1e-12);
  REQUIRE(run.status.outcome == Outcome::finished);
  for (std::size_t row = 0; row < run.time.size(); row += 50) {
    const double t = std::fmod(run.time[row], 0.5);
    if (std::min(t, 0.5 - t) > 1e-9) continue;
    const double points[] = {0.0, 0.05, 0.2, 0.05};
    const int k = static_cast<int>(std::lround(run.time[row] / 0.5)) % 4;
    CHECK(std::abs(coordinate(run, "guide.travel", row) - points[k]) <= 1e-11);
  }
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}

namespace {

// f(t) from where the model is drawn: a table, a wave or a smooth step.
Function make_motion(int form, double start) {
  if (form == 1) return Formula{std::to_string(start) + " + 0.3*sin(4*t)"};
  if (form == 2) return Formula{std::to_string(start) + " + step(t, 0.2, 0, 1.3, 0.3)"};
  DataTable points;
  points.x = {0.0, 0.3, 0.7, 1.1, 1.6, 2.0};
  for (const double y : {0.0, 0.2, -0.3, 0.1, 0.25, 0.0}) points.y.push_back(start + y);
  return points;
}

// An angle, a distance or a position is driven by its value or its rate: a rotor with an arm on a
// ball joint.
Model make_driven_arm(int driven, int form, bool is_rate) {
  const auto motion = [&](double start) { return make_motion(form, is_rate ? 0.0 : start); };
  Model model = make_rotor(motion(0.0), is_rate);
  model.gravity = {0, -9.81, 0};
  Body arm = model.bodies[0];
  arm.name = "arm";
  arm.position = {0.7, 0.1, 0.2};
  model.bodies.push_back(arm);
  model.joints.push_back(
      {"ball", JointKind::spherical, "rotor", "arm", WorldPlacement{{0.3, 0, 0}, {}, {}}});
  if (driven == 1) {
    model.drivers[0].law =
        DistanceDriver{"ground", "arm", {0.7, 1.1, 0.2}, {0, 0, 0}, motion(1.0), is_rate};
  } else if (driven == 2) {
    model.drivers[0].law =
        PointDriver{"arm", {0.1, 0, 0}, {std::nullopt, motion(0.1), std::nullopt}, is_rate};
  }
  model.simulation = test::with_tolerance(model.simulation, 1e-12);
  model.simulation.t_end = 2;
  return model;
}

}  // namespace

TEST_CASE("the balance closes for everything driven by a value, a rate or a table") {
  for (int driven = 0; driven < 3; ++driven) {
    for (int form = 0; form < 3; ++form) {
      for (const bool is_rate : {false, true}) {
        CAPTURE(driven);
        CAPTURE(form);
        CAPTURE(is_rate);
        const Model model = make_driven_arm(driven, form, is_rate);
        const Results run = test::run(model, model.simulation);
        REQUIRE(run.status.outcome == Outcome::finished);
        CHECK(run.warnings.empty());
        CHECK(run.check.drivers == 1);
        CHECK(std::abs(run.energy.external_work) > 1e-3);
        CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
      }
    }
  }
}

TEST_CASE("steps end where a table or a step function has a corner in its third derivative") {
  const Results run = run_example("travel_table", 1e-10);
  const auto ends_at = [&](double t) {
    return std::any_of(run.steps.begin(), run.steps.end(), [&](const StepRecord& step) {
      return step.accepted && std::abs(step.t + step.h - t) <= 1e-14 * (1 + t);
    });
  };
  for (double t = 0.5; t < 6; t += 0.5) CHECK(ends_at(t));
  CHECK(!ends_at(0.25));
  // the run-up ends at 2 s: nothing is lost there at any tolerance
  for (const double tolerance : {1e-10, 1e-11, 1e-12, 1e-13}) {
    const Results rotor = run_example("angle", tolerance);
    CHECK(rotor.energy.balance_error_max <= 50 * tolerance * rotor.energy.kinetic_max);
  }
}

TEST_CASE("a light ball on a long rope is projected to the rounding of the rope") {
  for (const double tolerance : {1e-12, 1e-13}) {
    const Results run = run_example("distance", tolerance);
    CHECK(run.warnings.empty());
    CHECK(run.time.size() == 1001);
  }
}

TEST_CASE("the energy of a driven mechanism is monitored, not enforced") {
  Model model = make_rotor(Function("sin(t)"), false);
  model.simulation.hold_energy = true;
  const Results run = test::run(model, model.simulation);
  REQUIRE(run.warnings.size() == 1);
  CHECK(run.warnings[0] == "the energy of a mechanism with drivers is monitored, not enforced");
  CHECK(!run.options.hold_energy);
}

TEST_CASE("a start that does not fit the driver is assembled to it") {
  Model model = make_rotor(Function("0.2 + t"), false);
  model.bodies[0].orientation = {1, 0, 0, 0};
  model.simulation.t_end = 1;
  const Results run = test::run(model, model.simulation);
  CHECK(run.coordinate[0] == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(run.coordinate_rate[0] == doctest::Approx(1.0).epsilon(1e-12));
  CHECK(run.coordinate.back() == doctest::Approx(1.2).epsilon(1e-12));
}
