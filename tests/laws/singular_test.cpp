// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Singular positions: passed on the branch the motion is on, or named.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr double pi = 3.14159265358979323846;

Body make_bar(const char* name, double length, const Vec3& from, double angle) {
  Body body;
  body.name = name;
  body.mass = length;
  const double I = length * length * length / 12;
  body.inertia = Mat3{{{1e-3, 0, 0}, {0, I, 0}, {0, 0, I}}};
  body.position = {from[0] + 0.5 * length * std::cos(angle),
                   from[1] + 0.5 * length * std::sin(angle), 0};
  body.orientation = {std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle)};
  return body;
}

// Crank and rod of equal length 1, slider on x: the crank's tip runs over the slide's axis at 90°,
// where the slider may stay at the origin for ever (the other branch).
// φ: angle of the crank; omega: its rate.
Model make_equal_slider_crank(double phi, double omega) {
  Model model;
  const double c = std::cos(phi), s = std::sin(phi);
  model.bodies = {make_bar("crank", 1, {0, 0, 0}, phi), make_bar("rod", 1, {c, s, 0}, -phi)};
  Body slider;
  slider.name = "slider";
  slider.mass = 0.5;
  slider.inertia = Mat3{{{0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}}};
  slider.position = {2 * c, 0, 0};
  slider.velocity = {-2 * s * omega, 0, 0};
  model.bodies.push_back(slider);
  model.bodies[0].velocity = {-0.5 * s * omega, 0.5 * c * omega, 0};
  model.bodies[0].angular_velocity = {0, 0, omega};
  model.bodies[1].velocity = {-1.5 * s * omega, 0.5 * c * omega, 0};
  model.bodies[1].angular_velocity = {0, 0, -omega};
  const Vec3 x{1, 0, 0}, z{0, 0, 1};
  model.joints = {
      {"shaft", JointKind::revolute, "ground", "crank", WorldPlacement{{0, 0, 0}, z, {}}},
      {"pin", JointKind::spherical, "crank", "rod", WorldPlacement{{c, s, 0}, {}, {}}},
      {"wrist", JointKind::cylindrical, "rod", "slider", WorldPlacement{{2 * c, 0, 0}, z, {}}},
      {"slide", JointKind::translational, "ground", "slider", WorldPlacement{{0, 0, 0}, x, {}}}};
  return model;
}

// Without gravity: ½ I(φ) φ̇² is kept, I(φ) = 1/3 + 1/12 + ¼cos²φ + 9/4 sin²φ + ½·4 sin²φ, so
// t = ∫ √(I(φ)/2E) dφ: φ at time t by Newton with Simpson's rule, an independent calculation.
double slider_crank_angle(double phi_0, double omega, double t) {
  const auto inertia = [](double phi) {
    const double c = std::cos(phi), s = std::sin(phi);
    return 1.0 / 3 + 1.0 / 12 + 0.25 * c * c + 2.25 * s * s + 2.0 * s * s;
  };
  const double scale = omega * std::sqrt(inertia(phi_0));
  const auto time_to = [&](double phi) {
    const int n = 4000;
    const double h = (phi - phi_0) / n;
    double sum = std::sqrt(inertia(phi_0)) + std::sqrt(inertia(phi));
    for (int k = 1; k < n; ++k) sum += (k % 2 == 1 ? 4 : 2) * std::sqrt(inertia(phi_0 + k * h));
    return sum * h / 3 / scale;
  };
  double phi = phi_0 + omega * t;
  for (int k = 0; k < 60; ++k) phi -= (time_to(phi) - t) * scale / std::sqrt(inertia(phi));
  return phi;
}

double check_slider_crank(double phi, double omega, double t_end, double tolerance, Method method) {
  const Model model = make_equal_slider_crank(phi, omega);
  SimulationOptions options = test::with_tolerance({}, tolerance, method);
  options.t_end = t_end;
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  const double end = slider_crank_angle(phi, omega, t_end);
  const double error = std::max(
      test::distance(results.final[0].position, Vec3{0.5 * std::cos(end), 0.5 * std::sin(end), 0}),
      test::distance(results.final[2].position, Vec3{2 * std::cos(end), 0, 0}));
  for (double x : results.position) REQUIRE(std::isfinite(x));
  return error;
}

}  // namespace

TEST_CASE(
    "an equal slider-crank runs through its singular position, both methods, all tolerances") {
  for (const Method method : {Method::dopri5, Method::dop853}) {
    for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
      const double error = check_slider_crank(0.3, 1.0, 10.0, tolerance, method);
      MESSAGE("tolerance ", tolerance, ": error ", error);
      CHECK(error < 100 * tolerance + 1e-9);
    }
  }
}

TEST_CASE(
    "a start in the singular position, with a velocity, follows the branch of that velocity") {
  const CheckReport report = check(compile(make_equal_slider_crank(pi / 2, 1.0)));
  CHECK(report.ok());
  CHECK(report.rank == 17);
  CHECK(report.rank_at_start == 16);
  CHECK(report.lost_at_start.size() == 1);
  REQUIRE(!report.warnings.empty());
  CHECK(report.warnings[0].rfind("starts in a singular position", 0) == 0);
  CHECK(check_slider_crank(pi / 2, 1.0, 5.0, 1e-9, Method::dop853) < 1e-7);
  CHECK(check_slider_crank(pi / 2 - 1e-4, 1.0, 5.0, 1e-9, Method::dop853) < 1e-7);
}

TEST_CASE("at rest in a singular position the motion is not determined: refused") {
  const CheckReport report = check(compile(make_equal_slider_crank(pi / 2, 0.0)));
  REQUIRE(!report.ok());
  CHECK(report.reasons[0].rfind("starts at rest in a singular position", 0) == 0);
}

TEST_CASE("what was passed is told, with time and row, and the monitor shows it") {
  const Model model = make_equal_slider_crank(0.3, 1.0);
  SimulationOptions options = test::with_tolerance({}, 1e-9);
  options.t_end = 4;
  const Results results = test::run(model, options);
  double t_singular = 0.0;  // φ = π/2, by bisection
  for (double low = 0, high = 4; high - low > 1e-12;) {
    t_singular = 0.5 * (low + high);
    (slider_crank_angle(0.3, 1.0, t_singular) < pi / 2 ? low : high) = t_singular;
  }
  CHECK(results.conditioning.smallest_pivot < 1e-4);
  CHECK(std::abs(results.conditioning.t - t_singular) < 0.1);
  CHECK(!results.conditioning.row.empty());
  REQUIRE(results.smallest_pivot.size() == results.time.size());
  std::size_t lowest = 0;
  for (std::size_t k = 0; k < results.time.size(); ++k) {
    if (results.smallest_pivot[k] < results.smallest_pivot[lowest]) lowest = k;
  }
  CHECK(std::abs(results.time[lowest] - t_singular) < 0.01);
  if (results.conditioning.passages > 0) {
    CHECK(std::abs(results.conditioning.singular[0].t - t_singular) < 0.05);
    REQUIRE(!results.warnings.empty());
    CHECK(results.warnings.back().rfind("passed a singular position at t = ", 0) == 0);
  }
}
