// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The quick-return mechanism against its closed form, and its motor against d'Alembert's principle;
// the differential against the solution of its two reduced equations.
#include <doctest/doctest.h>

#include <cmath>

#include "math/jet.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

// ---- functions of time with two derivatives

Jet number(double x) { return {x, 0.0, 0.0}; }
Jet sine(const Jet& a) {
  return compose(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value));
}
Jet cosine(const Jet& a) {
  return compose(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value));
}
Jet root(const Jet& a) {
  const double s = std::sqrt(a.value);
  return compose(a, s, 0.5 / s, -0.25 / (s * a.value));
}
// of a quotient y/x: derivatives by those of the arctangent, the branch by the signs
Jet angle_of(const Jet& y, const Jet& x) {
  const Jet q = y / x;
  const double d = 1.0 / (1.0 + q.value * q.value);
  return compose(q, std::atan2(y.value, x.value), d, -2.0 * q.value * d * d);
}

struct Planar3 {
  double mass, inertia;
  Jet x, y, beta;
};

double find(const std::vector<std::string>& names, const std::vector<double>& values,
            const std::string& name, std::size_t row) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return values[row * names.size() + k];
  }
  FAIL("no column ", name);
  return 0.0;
}

// Bodies in the order of the model: crank, block, lever, rod, ram.
std::vector<Planar3> calc_quick_return(const Jet& phi) {
  const double d = 0.4, r = 0.15, L = 0.9, l = 0.4, h = 0.88;
  const Jet px = number(r) * cosine(phi), py = number(d) + number(r) * sine(phi);
  // ψ = 90° − atan(px/py): no pole in the range of the lever
  const Jet psi = number(std::acos(0.0)) - angle_of(px, py);
  const Jet qx = number(L) * cosine(psi), qy = number(L) * sine(psi);
  const Jet rise = number(h) - qy;
  const Jet run = root(number(l * l) - rise * rise);
  const Jet ram = qx + run;
  const Jet half = number(0.5);
  return {{3, 0.02, half * px, half * (number(d) + py), phi},
          {0.5, 0.001, px, py, psi},
          {5, 0.35, half * qx, half * qy, psi},
          {1.5, 0.02, half * (qx + ram), half * (qy + number(h)), angle_of(rise, run)},
          {12, 0.5, ram, number(h), number(0.0)}};
}

}  // namespace

TEST_CASE("quick return: ram and motor against the closed form") {
  const Model model = test::read_repository_model("gallery/quick_return.yaml");
  const double omega = 4 * std::acos(0.0);
  const System system = compile(model);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  options.output_interval = 0.05;
  const Results run = simulate(system, options);
  REQUIRE(run.status.outcome == Outcome::finished);
  CHECK(run.check.dof == 0);
  CHECK(run.check.drivers == 1);
  CHECK(run.warnings.empty());
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    const double t = run.time[row];
    const std::vector<Planar3> bodies = calc_quick_return({omega * t, omega, 0.0});
    // motion of the ram
    const std::size_t at = 3 * (5 * row + 4);
    CHECK(std::abs(run.position[at] - bodies[4].x.value) <= 1e-9);
    CHECK(std::abs(run.velocity[at] - bodies[4].x.first) <= 1e-9);
    std::vector<BodyState> state(5);
    for (std::size_t b = 0; b < 5; ++b) {
      std::copy_n(run.position.begin() + 3 * (5 * row + b), 3, state[b].position.begin());
      std::copy_n(run.orientation.begin() + 4 * (5 * row + b), 4, state[b].orientation.begin());
      std::copy_n(run.velocity.begin() + 3 * (5 * row + b), 3, state[b].velocity.begin());
      std::copy_n(run.angular_velocity.begin() + 3 * (5 * row + b), 3,
                  state[b].angular_velocity.begin());
    }
    CHECK(std::abs(calc_accelerations(system, state, t).linear[4][0] - bodies[4].x.second) <=
          1e-9 * omega * omega);
    // τ ω = Σ m ⟨a − g, v⟩ + I β¨β˙ + cut·v_ram
    double power = 300 * bodies[4].x.first;
    for (const Planar3& body : bodies) {
      power += body.mass * (body.x.second * body.x.first + (body.y.second + 9.81) * body.y.first) +
               body.inertia * body.beta.second * body.beta.first;
    }
    const double torque = find(run.load_names, run.load, "motor.torque", row);
    CHECK(std::abs(torque - power / omega) <= 1e-9 * 300);
    CHECK(find(run.load_names, run.load, "motor.power", row) ==
          doctest::Approx(omega * torque).epsilon(1e-12));
    CHECK(find(run.coordinate_names, run.coordinate, "shaft.angle", row) ==
          doctest::Approx(omega * t).epsilon(1e-12));
  }
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
  CHECK(run.violation.position <= 1e-12);
  CHECK(run.violation.velocity <= 1e-11);
}

TEST_CASE("differential: speeds, torques and motion") {
  const Model model = test::read_repository_model("gallery/differential.yaml");
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  options.output_interval = 0.1;
  const Results run = test::run(model, options);
  REQUIRE(run.status.outcome == Outcome::finished);
  CHECK(run.check.dof == 2);
  // with ω of the cage and δ = ω_right − ω_left, T = ½ A ω² + ½ B δ²; planets turn by
  // σ = ∓(z_side/z_planet) δ/2 about their own axes
  const double ratio = 40.0 / 11, spin = 16.0 / 10;
  const double A = 0.004 * ratio * ratio + 0.08 + 2 * 0.02 + 2 * (0.0003 + 0.4 * 0.05 * 0.05);
  const double B = 0.02 / 2 + 2 * 0.0005 * spin * spin / 4;
  const double torque = 25 * ratio - 30 - 48, split = (-48 + 30) / 2.0, slip = 1.5 / 2;
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    const double t = run.time[row];
    // A ω˙ = torque,  B δ˙ = split − slip δ
    const double omega = 40 + torque / A * t;
    const double delta = split / slip * (1 - std::exp(-slip / B * t));
    const auto spin_of = [&](std::size_t b) { return run.angular_velocity[3 * (6 * row + b)]; };
    CHECK(spin_of(1) == doctest::Approx(omega).epsilon(1e-8));
    CHECK(std::abs(spin_of(3) - spin_of(2) - delta) <= 1e-7);
    CHECK(spin_of(2) + spin_of(3) == doctest::Approx(2 * spin_of(1)).epsilon(1e-12));
    // each planet presses on both sides alike: the torques on the sides differ by friction and
    // brakes
    const double domega = torque / A, ddelta = (split - slip * delta) / B;
    const double right = 0.02 * (domega + ddelta / 2) + 48 + 1.5 * delta / 2;
    const double left = 0.02 * (domega - ddelta / 2) + 30 - 1.5 * delta / 2;
    CHECK(find(run.load_names, run.load, "right_1.right_hinge.torque", row) ==
          doctest::Approx(right).epsilon(1e-7));
    // about the axis of the left hinge, which points the other way
    CHECK(find(run.load_names, run.load, "left_1.left_hinge.torque", row) +
              find(run.load_names, run.load, "left_2.left_hinge.torque", row) ==
          doctest::Approx(-left).epsilon(1e-7));
  }
  CHECK(run.energy.balance_error_max <= 1e-9 * run.energy.kinetic_max);
}
