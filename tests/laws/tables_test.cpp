// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Tables and maps in formulas: the same motion as formulas without them, energy, breaks, and what is said when
// a table is left.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/reference.hpp"
#include "system/breaks.hpp"
#include "system/system.hpp"

using namespace trammel;

namespace {

std::string hinged(const std::string& lines) {
  return "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 1.5]}}\n"
         "joints: {h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n" +
         lines;
}

Results run(const std::string& lines, SimulationOptions options = {}) {
  const Model model = read_model_text(hinged(lines), "f");
  options.t_end = model.simulation.t_end;
  options.rtol = options.atol = 1e-11;
  options.method = Method::dop853;
  return simulate(compile(model), options);
}

double largest_angle(const Results& results) {
  return *std::max_element(results.coordinate.begin(), results.coordinate.end());
}

// A swinging door with the detents of models/new_user/table_overshoot.yaml.
std::string door(const std::string& points, const std::string& interpolation) {
  return "forces: {check: {kind: joint_spring_damper, joint: h, load: {table: {points: " + points +
         ", scale: [1 deg, 1]" + interpolation + "}}}}\nsimulation: {t_end: 2}\n";
}
const std::string detents =
    "[[-10,0],[0,0],[20,0],[24,-12],[28,12],[32,0],[46,0],[50,-15],[54,15],[58,0],[90,0],[93,-2],"
    "[96,-4],[99,-6],[102,-8],[105,-10],[150,-40]]";

// The polygon of the same points, every half degree.
std::string sample_polygon() {
  const double x[] = {-10, 0, 20, 24, 28, 32, 46, 50, 54, 58, 90, 105, 150};
  const double y[] = {0, 0, 0, -12, 12, 0, 0, -15, 15, 0, 0, -10, -40};
  std::string text = "[";
  for (int k = 0; k < 12; ++k) {
    for (double at = x[k]; at < x[k + 1]; at += 0.5) {
      const double value = y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]);
      text += "[" + std::to_string(at) + "," + std::to_string(value) + "],";
    }
  }
  return text + "[150,-40]]";
}

}  // namespace

TEST_CASE("the detent table of at most 15 N m stays within it, and a cubic is warned of") {
  Model model = test::read_repository_model("new_user/table_overshoot.yaml");
  const Results results = simulate(compile(model), model.simulation);
  CHECK(results.warnings.empty());
  const auto column =
      std::find(results.element_names.begin(), results.element_names.end(), "check.torque") -
      results.element_names.begin();
  double largest = 0.0;
  for (std::size_t k = column; k < results.element.size(); k += results.element_names.size()) {
    largest = std::max(largest, std::abs(results.element[k]));
  }
  CHECK(largest <= 15.0 + 1e-9);
  CHECK(largest > 14.9);
  auto& spring = std::get<JointSpringDamper>(model.forces[0].law);
  DataTable table = *std::get<std::shared_ptr<const DataTable>>(spring.load->form);
  table.interpolation = Interpolation::cubic;
  spring.load = Function(table);
  const CheckReport report = check(compile(model));
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("forces.check.load.table: the cubic spline through the table "
                                "reaches -39") == 0);
  CHECK(report.warnings[0].find("between 1.01229 and 1.5708") != std::string::npos);
}

TEST_CASE("a door opens as far as with the finely sampled polygon, and not as far with a cubic") {
  const double fine = largest_angle(run(door(sample_polygon(), ", interpolation: linear")));
  const double points = largest_angle(run(door(detents, "")));
  const Results cubic = run(door(detents, ", interpolation: cubic"));
  MESSAGE("largest angle: ", fine, ", ", points, ", ", largest_angle(cubic));
  CHECK(std::abs(points - fine) < 0.02);
  CHECK(std::abs(largest_angle(cubic) - fine) > 0.1);
  CHECK(!cubic.warnings.empty());
}

TEST_CASE("a pressure table over the crank angle is the fine formula, with the energy balanced") {
  Model model = test::read_repository_model("examples/tables/engine_pressure.yaml");
  // the diagram of the engine of new_user, as a formula and as a table of it every 2 degrees
  const std::string one =
      "(45e5*exp(-(P - 12 deg)^2/(2*(22 deg)^2)) + 45e5*exp(-(P - 732 deg)^2/(2*(22 deg)^2)) + "
      "1e5)";
  const auto pressure_at = [&](double p) {
    const double deg = M_PI / 180, s = 22 * deg;
    return 45e5 * std::exp(-std::pow(p - 12 * deg, 2) / (2 * s * s)) +
           45e5 * std::exp(-std::pow(p - 732 * deg, 2) / (2 * s * s)) + 1e5;
  };
  DataTable table;
  for (int k = 0; k <= 1440; ++k) {
    table.x.push_back(k * M_PI / 360);
    table.y.push_back(pressure_at(table.x.back()));
  }
  table.y.back() = table.y.front();
  table.ends = TableEnds::periodic;
  table.name = "pressure";
  table.interpolation = Interpolation::cubic;
  model.tables[0].table = std::make_shared<const DataTable>(table);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  const Results by_table = test::run(model, options);
  REQUIRE(by_table.status.outcome == Outcome::finished);
  auto& gas = std::get<JointSpringDamper>(model.forces[0].law);
  std::string formula = one;
  const std::string folded = "(main.angle - 4*pi*floor(main.angle/(4*pi)))";
  for (std::size_t at = formula.find('P'); at != std::string::npos; at = formula.find('P')) {
    formula.replace(at, 1, folded);
  }
  gas.load = Function(Formula{"-area*(" + formula + " - 1e5)"});
  const Results by_formula = test::run(model, options);
  CHECK(test::position_difference(by_table, by_formula) < 1e-6);
  CHECK(by_table.energy.balance_error_max < 1e-9 * by_table.energy.kinetic_max);
  // it turns through several cycles
  CHECK(largest_angle(by_table) > 4 * M_PI);
}

TEST_CASE("tables in formulas, by name, of signals and of time are one and the same") {
  const std::string head =
      "tables:\n  p: {points: [[-1, 2], [0, 0.5], [1, -1], [3, -4]], interpolation: cubic, beyond: "
      "linear}\n  w: {points: [[0, 0], [0.3, 1], [0.7, -2], [2, 0]], interpolation: cubic}\n";
  const std::string tail = "simulation: {t_end: 2}\n";
  const auto force = [&](const std::string& load) {
    return head + "forces: {f: {kind: joint_spring_damper, joint: h, load: " + load + "}}\n" + tail;
  };
  const Results own = run(force("{table: p}"));
  REQUIRE(own.status.outcome == Outcome::finished);
  for (const char* load : {"p(h.angle)", "p(angle)", "{table: p, of: angle}", "2*p(angle)/2"}) {
    CAPTURE(load);
    const Results other = run(force(load));
    CHECK(std::abs(other.coordinate.back() - own.coordinate.back()) < 1e-9);
    CHECK(other.energy.balance_error_max < 1e-9);
  }
  const Results of_time = run(force("\"w(t) - angle\""));
  const Results of = run(force("\"0 - angle + w(2*t/2)\""));
  CHECK(std::abs(of_time.coordinate.back() - of.coordinate.back()) < 1e-9);
}

TEST_CASE("steps end at the points of tables of the time, and of linear functions of it") {
  const auto breaks_of = [](const std::string& load) {
    const Model model = read_model_text(
        hinged("tables: {w: {points: [[0, 0], [0.3, 1], [0.7, -2], [1, 0]], ends: periodic, "
               "interpolation: pchip}}\n"
               "forces: {f: {kind: joint_spring_damper, joint: h, load: \"" +
               load + "\"}}\n"),
        "f");
    const System system = compile(model);
    return find_breaks(as_spatial(system.data()).parameters, 1.0);
  };
  const auto check = [](const std::vector<double>& found, const std::vector<double>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-12));
    }
  };
  check(breaks_of("w(t)"), {0.3, 0.7});
  check(breaks_of("w(2*t - 0.1)"), {0.05, 0.2, 0.4, 0.55, 0.7, 0.9});
  check(breaks_of("w(1 - t)"), {0.3, 0.7});
  check(breaks_of("w(t^2)"), {});
  check(breaks_of("w(h.angle)"), {});
}

TEST_CASE("a run that leaves a table names it") {
  const std::string head = "tables: {p: {points: [[-1, 0], [1, 0]]}}\nforces: ";
  const std::string tail = "\nsimulation: {t_end: 2}\n";
  for (const KernelChoice kernel : {KernelChoice::automatic, KernelChoice::loops}) {
    SimulationOptions options;
    options.kernel = kernel;
    const Results formula =
        run(head + "{f: {kind: torque, body: b, value: [0, 0, p(h.angle)]}}" + tail, options);
    CHECK(formula.status.outcome != Outcome::finished);
    CHECK(formula.status.message.find("the range of the table 'p' of force 'f' was left") !=
          std::string::npos);
    const Results load = run(head +
                                 "{g: {kind: joint_spring_damper, joint: h, load: {table: {points: "
                                 "[[-1, 0], [1, 0]]}}}}" +
                                 tail,
                             options);
    CHECK(load.status.message.find("the range of the table of force 'g' was left") !=
          std::string::npos);
  }
}

TEST_CASE("Radau knows the derivatives of tables and maps") {
  const std::string lines =
      "tables:\n  p: {points: [[-4, 8], [-1, 2], [0, 0.5], [1, -1], [4, -9]]}\n"
      "  m: {x: [-9, 0, 9], y: [-5, 0, 5], values: [[9, 3, -3], [5, 0, -5], [3, -3, -9]], "
      "interpolation: cubic}\n"
      "forces:\n  f: {kind: joint_spring_damper, joint: h, load: \"3*p(angle) + m(rate, angle)\"}\n"
      "simulation: {t_end: 2}\n";
  const Results explicit_steps = run(lines);
  const Model model = read_model_text(hinged(lines), "f");
  SimulationOptions options;
  options.t_end = 2;
  options.rtol = options.atol = 1e-10;
  options.method = Method::radau;
  const Results implicit = simulate(compile(model), options);
  REQUIRE(implicit.status.outcome == Outcome::finished);
  CHECK(std::abs(implicit.coordinate.back() - explicit_steps.coordinate.back()) < 1e-8);
}
