// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Radau IIA on mechanisms: the matrix against differences of the accelerations, orders on a smooth problem,
// agreement with DOP853, work on stiff mechanisms, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "analyses/prepared_run.hpp"
#include "integrate/steppers/radau.hpp"
#include "manifold/assembly.hpp"
#include "problem/implicit_problem.hpp"
#include "support/reference.hpp"
#include "support/stiff_models.hpp"

using namespace trammel;
using test::make_chain;
using test::make_four_bar;
using test::with_radau;

namespace {

bool has_same_bits(const Results& a, const Results& b) {
  return a.position.size() == b.position.size() &&
         std::memcmp(a.position.data(), b.position.data(), a.position.size() * sizeof(double)) == 0;
}

// The largest |x − s A x − b| for x = solve(b), with A x by central differences of ż along x. Exact where
// nothing moves and no joint is loaded: then all that the matrix leaves out is 0.
template <class Space>
double calc_residual(const SystemIn<Space>& system, double s, Complex complex_s) {
  SimulationOptions options;
  options.kernel = KernelChoice::loops;
  std::vector<double> z = assemble(system).z, rate(z.size());
  MechanicalProblem<Space> mechanics(system, options);
  REQUIRE(mechanics.start(z.data(), rate.data()));
  ImplicitProblem<Space> problem(mechanics);
  problem.prepare_factors(1);
  REQUIRE(problem.linearise(0.0, z.data()));
  REQUIRE(problem.factor(0, s));
  REQUIRE(problem.factor(1, complex_s));
  const int n = problem.n_unknowns();
  const auto calc_change = [&](const std::vector<double>& x) {
    constexpr double step = 1e-5;
    std::vector<double> ahead(z), behind(z), fast(z.size()), slow(z.size());
    for (int k = 0; k < n; ++k) {
      ahead[k] += step * x[k];
      behind[k] -= step * x[k];
    }
    REQUIRE(mechanics.calc_derivative(0.0, ahead.data(), fast.data()));
    REQUIRE(mechanics.calc_derivative(0.0, behind.data(), slow.data()));
    for (int k = 0; k < n; ++k) fast[k] = (fast[k] - slow[k]) / (2 * step);
    return fast;
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> b(z.size()), c(z.size());
  for (int k = 0; k < n; ++k) {
    b[k] = uniform(random);
    c[k] = uniform(random);
  }
  double largest = 0.0;
  std::vector<double> x = b;
  problem.turn_to(z.data(), x.data());
  problem.solve(x.data());
  problem.turn_from(z.data(), x.data());
  std::vector<double> change = calc_change(x);
  for (int k = 0; k < n; ++k) {
    largest = std::max(largest, std::abs(x[k] - s * change[k] - b[k]));
  }
  std::vector<double> re = b, im = c;
  problem.turn_to(z.data(), re.data());
  problem.turn_to(z.data(), im.data());
  problem.solve(1, re.data(), im.data());
  problem.turn_from(z.data(), re.data());
  problem.turn_from(z.data(), im.data());
  const std::vector<double> by_re = calc_change(re), by_im = calc_change(im);
  for (int k = 0; k < n; ++k) {
    const Complex image = complex_s * Complex(by_re[k], by_im[k]);
    largest =
        std::max({largest, std::abs(re[k] - image.re - b[k]), std::abs(im[k] - image.im - c[k])});
  }
  return largest;
}

}  // namespace

TEST_CASE(
    "the matrix of implicit steps is that of the motion where nothing moves and no joint is "
    "loaded") {
  const auto check = [](const Model& model) {
    const System handle = compile(model);
    visit_space(handle.data(), [&](const auto& system) {
      const double residual = calc_residual(system, 0.02, Complex(0.015, 0.01));
      CAPTURE(model.name);
      CHECK(residual < 1e-6);
    });
  };
  check(make_four_bar(1e3, 5.0, 0.0, 0.0));
  Model chain = make_chain(5, 2.0, 0.01);
  chain.gravity = {0, 0, 0};
  check(chain);
}

TEST_CASE("Radau IIA has orders 5, 9 and 13 with fixed steps, and comes to rounding") {
  Model model = test::read_repository_model("gallery/double_pendulum.yaml");
  model.simulation.t_end = 1.0;
  model.simulation.hold_energy = false;
  const Results exact = test::run(model, test::with_tolerance(model.simulation, 1e-14));
  const System handle = compile(model);
  const auto run_with = [&](int stages, double h) {
    double error = 0.0;
    visit_space(handle.data(), [&]<class Space>(const SystemIn<Space>& system) {
      // of which Newton's method leaves 0.003
      SimulationOptions options = with_radau(model.simulation, stages == 7 ? 1e-13 : 1e-11);
      options.fixed_step = h;
      PreparedRun<Space> run(system, options, {}, nullptr);
      ImplicitProblem<Space> problem(run.problem());
      Radau<ImplicitProblem<Space>> stepper(problem, {stages, stages, stages});
      run.begin_loop();
      const Stop stop = Loop(run.make_loop_settings(), stepper, run.recorder())
                            .run(options.t_end, run.z().data(), run.rate().data());
      const Results results = run.finish(stop, run.problem().point().failure);
      REQUIRE(results.status.outcome == Outcome::finished);
      CHECK(results.violation.position < 1e-14);
      error = test::position_difference(exact, results);
    });
    return error;
  };
  const double order_5 = std::log2(run_with(3, 1.0 / 32) / run_with(3, 1.0 / 64));
  const double order_9 = std::log2(run_with(5, 1.0 / 16) / run_with(5, 1.0 / 32));
  const double left = run_with(7, 1.0 / 40);
  MESSAGE("orders ", order_5, ", ", order_9, "; s = 7 leaves ", left);
  CHECK(order_5 > 4.7);
  CHECK(order_5 < 5.6);
  CHECK(order_9 > 8.2);
  CHECK(left < 3e-13);
}

TEST_CASE("Radau agrees with DOP853 on every model of the repository, between steps too") {
  int compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const Model model = read_model(entry.path().string());
    // states with a rate, those of motors too, are refused: states_test.cpp
    const bool has_motor =
        std::any_of(model.forces.begin(), model.forces.end(), [](const Force& force) {
          const auto* motor = std::get_if<DcMotor>(&force.law);
          return motor != nullptr && motor->inductance > 0.0;
        });
    if (!model.states.empty() || has_motor) continue;
    SimulationOptions options = model.simulation;
    // over their whole time, but for two that would take minutes: dop853 on the governor, radau on 190 repulsions
    if (entry.path().stem() == "flyball_governor") options.t_end = 1.0;
    if (entry.path().stem() == "fekete") options.t_end = 20.0;
    options.output_interval = options.t_end / 50;
    options.hold_energy = false;
    const Results exact = test::run(model, test::with_tolerance(options, 1e-12));
    if (exact.is_kinematic()) continue;
    SimulationOptions implicit = with_radau(options, 1e-11);
    implicit.output_interval = options.output_interval;
    const Results results = test::run(model, implicit);
    REQUIRE(results.status.outcome == exact.status.outcome);
    CHECK(test::position_difference(exact, results) < 1e-9);
    REQUIRE(exact.position.size() == results.position.size());
    double between = 0.0;
    for (std::size_t k = 0; k < exact.position.size(); ++k) {
      between = std::max(between, std::abs(exact.position[k] - results.position[k]));
    }
    CHECK(between < 1e-8);
    CHECK(results.violation.position < 1e-11);
    CHECK(results.counts.implicit.linearisations > 0);
    CHECK(results.counts.implicit.steps_of_order_5 + results.counts.implicit.steps_of_order_9 +
              results.counts.implicit.steps_of_order_13 ==
          results.counts.accepted);
    ++compared;
  }
  CHECK(compared > 50);
}

TEST_CASE("stiff mechanisms take the steps of their motion, at the accuracy of the tolerance") {
  SUBCASE("the governor, 10 s") {
    const Model model = test::read_repository_model("gallery/flyball_governor.yaml");
    const Results exact = test::run(model, with_radau(model.simulation, 1e-11));
    const Results results = test::run(model, with_radau(model.simulation, 1e-6));
    CHECK(results.counts.accelerations <= 4500);
    const ImplicitCounts& counts = results.counts.implicit;
    CHECK(counts.real_factors + counts.complex_factors <= 550);
    CHECK(test::position_difference(exact, results) < 1e-6);
    CHECK(results.violation.position < 1e-13);
    // an explicit method with the same tolerance, over a tenth of the time
    SimulationOptions shorter = test::with_tolerance(model.simulation, 1e-6);
    shorter.t_end = shorter.output_interval = 1.0;
    CHECK(test::run(model, shorter).counts.accelerations > results.counts.accelerations);
  }
  SUBCASE("a four-bar with a bushing of 1e8 N/m, 2 s") {
    const Model model = make_four_bar(1e8, 1e4, 6.0, 9.81);
    const Results exact = test::run(model, with_radau(model.simulation, 1e-10));
    const Results results = test::run(model, with_radau(model.simulation, 1e-6));
    CHECK(results.counts.accelerations <= 2500);
    CHECK(test::position_difference(exact, results) < 1e-6);
    SimulationOptions shorter = test::with_tolerance(model.simulation, 1e-10);
    shorter.t_end = 0.05;
    const Results other = test::run(model, shorter);
    shorter.method = Method::radau;
    CHECK(test::position_difference(other, test::run(model, shorter)) < 1e-9);
  }
  SUBCASE("a chain of 100, and the same a hundred times as stiff") {
    SimulationOptions options;
    options.t_end = 1.0;
    options = with_radau(options, 1e-4);
    const Results soft = test::run(make_chain(100, 1e3, 1.0), options);
    const Results stiff = test::run(make_chain(100, 1e5, 100.0), options);
    CHECK(soft.counts.accelerations < 1000);
    CHECK(stiff.counts.accelerations < 1.2 * static_cast<double>(soft.counts.accelerations));
    CHECK(soft.violation.position < 1e-12);
  }
}

TEST_CASE("limits, stops and corners work as with explicit methods") {
  const Model model = make_four_bar(1e6, 100.0, 6.0, 9.81);
  SimulationOptions options = with_radau(model.simulation, 1e-6);
  options.max_steps = 20;
  const Results limited = test::run(model, options);
  CHECK(limited.status.outcome == Outcome::too_many_steps);
  CHECK(limited.counts.accepted + limited.counts.rejected == 20);
  CHECK(limited.counts.implicit.iterations > 20);
  options.max_steps = 0;
  const System system = compile(model);
  const Results stopped =
      simulate(system, options, [](const Progress& progress) { return progress.t < 0.3; });
  CHECK(stopped.status.outcome == Outcome::interrupted);
  CHECK(stopped.status.t >= 0.3);
  CHECK(stopped.status.t < 2.0);
  // a table with corners ends steps
  const Model pushed = test::read_repository_model("examples/forces/variable_force.yaml");
  CHECK(test::run(pushed, with_radau(pushed.simulation, 1e-6)).status.outcome == Outcome::finished);
}

TEST_CASE("auto takes implicit steps where they are cheaper, and explicit ones where those are") {
  const auto count_implicit = [](const Results& results) {
    const ImplicitCounts& counts = results.counts.implicit;
    return counts.steps_of_order_5 + counts.steps_of_order_9 + counts.steps_of_order_13;
  };
  SUBCASE(
      "stiff: a hundred explicit steps and some trials, else implicit ones; the same bits each "
      "time") {
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(tolerance);
      const Model model = test::read_repository_model("gallery/flyball_governor.yaml");
      SimulationOptions options = with_radau(model.simulation, tolerance);
      const Results implicit = test::run(model, options);
      options.method = Method::automatic;
      const Results results = test::run(model, options);
      CHECK(results.counts.accelerations <
            1.7 * static_cast<double>(implicit.counts.accelerations));
      CHECK(count_implicit(results) > 0);
      CHECK(results.counts.accepted - count_implicit(results) >= 100);
      CHECK(results.counts.accepted - count_implicit(results) < 300);
      CHECK(test::position_difference(implicit, results) < 30 * tolerance);
      CHECK(has_same_bits(results, test::run(model, options)));
    }
  }
  SUBCASE("no forces that could be stiff: the bits of dop853") {
    for (const char* name : {"paper/quadrangle.yaml", "paper/crank.yaml", "planar/andrews.yaml"}) {
      Model model = test::read_repository_model(name);
      if (std::string(name) == "planar/andrews.yaml") model.forces.clear();
      SimulationOptions options = model.simulation;
      options.t_end = std::min(options.t_end, 1.0);
      options.hold_energy = false;
      const Results explicit_run = test::run(model, options);
      options.method = Method::automatic;
      const Results results = test::run(model, options);
      CHECK(has_same_bits(explicit_run, results));
      CHECK(count_implicit(results) == 0);
    }
  }
  SUBCASE("a soft spring: trials, and back to explicit steps") {
    Model model = make_four_bar(200.0, 1.0, 6.0, 9.81);
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-10);
    options.t_end = options.output_interval = 4.0;
    const Results explicit_run = test::run(model, options);
    options.method = Method::automatic;
    const Results results = test::run(model, options);
    CHECK(count_implicit(results) > 0);
    CHECK(results.counts.accepted - count_implicit(results) > 10 * count_implicit(results));
    CHECK(test::position_difference(explicit_run, results) < 1e-8);
  }
}

TEST_CASE("what implicit steps cannot do is refused with the reason") {
  const Model model = make_four_bar(1e6, 100.0, 6.0, 9.81);
  const auto find_reason = [](const Model& of, const SimulationOptions& options) {
    try {
      simulate(compile(of), options);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  SimulationOptions options = with_radau(model.simulation, 1e-6);
  options.project_stages = true;
  CHECK(find_reason(model, options).find("does not project its stages") != std::string::npos);
  options.project_stages = false;
  options.projection = Projection::orthogonal;
  CHECK(find_reason(model, options).find("jet") != std::string::npos);
  options.projection = Projection::mass;
  const Model crank = test::read_repository_model("paper/crank.yaml");
  SimulationOptions held = with_radau(crank.simulation, 1e-6);
  held.hold_energy = true;
  CHECK(find_reason(crank, held).find("cannot enforce the energy") != std::string::npos);
  Model light = test::read_repository_model("paper/crank.yaml");
  light.bodies[1].mass = 0.0;
  light.bodies[1].inertia = Mat3{};
  CHECK(find_reason(light, with_radau(light.simulation, 1e-6)).find("without mass") !=
        std::string::npos);
}
