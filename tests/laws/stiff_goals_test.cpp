// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What implicit steps and `auto` have to do on mechanisms with stiff forces: work in counts, never in seconds,
// and the error between steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "math/block_lu.hpp"
#include "problem/saddle_graph.hpp"
#include "support/stiff_models.hpp"
#include "system/system.hpp"

using namespace trammel;
using test::with_radau;

namespace {

std::int64_t count_factors(const ImplicitCounts& counts) {
  return counts.real_factors + counts.complex_factors;
}

// Centres of mass between the rows of a run: cubics through positions and velocities.
class Motion {
 public:
  explicit Motion(const Results& results) : of_(results), n_(3 * results.body_names.size()) {}

  // The largest distance of a centre of mass at a row of another run, after the first tenth of a second: before
  // it, springs settle faster than cubics can follow.
  double calc_distance(const Results& other) const {
    double largest = 0.0;
    for (std::size_t row = 0; row < other.time.size(); ++row) {
      if (other.time[row] < 0.1) continue;
      for (std::size_t k = 0; k < n_; k += 3) {
        double square = 0.0;
        for (std::size_t c = k; c < k + 3; ++c) {
          const double e = other.position[row * n_ + c] - calc(other.time[row], c);
          square += e * e;
        }
        largest = std::max(largest, std::sqrt(square));
      }
    }
    return largest;
  }

 private:
  double calc(double t, std::size_t c) const {
    const auto after = std::upper_bound(of_.time.begin() + 1, of_.time.end() - 1, t);
    const auto row = static_cast<std::size_t>(after - of_.time.begin() - 1);
    const double h = of_.time[row + 1] - of_.time[row], s = (t - of_.time[row]) / h;
    const double x0 = of_.position[row * n_ + c], x1 = of_.position[(row + 1) * n_ + c];
    const double v0 = of_.velocity[row * n_ + c], v1 = of_.velocity[(row + 1) * n_ + c];
    const double b = s * s * (3 - 2 * s);
    return (1 - b) * x0 + b * x1 + h * s * (1 - s) * ((1 - s) * v0 - s * v1);
  }

  const Results& of_;
  std::size_t n_;
};

}  // namespace

TEST_CASE("a rotor in bearings that stand still: 2,600 evaluations in a second") {
  const Model model = test::make_rotor();
  const Results exact = test::run(model, with_radau(model.simulation, 1e-11));
  const Results results = test::run(model, with_radau(model.simulation, 1e-6));
  MESSAGE(results.counts.accelerations, " evaluations, error ",
          test::position_difference(exact, results), " m");
  CHECK(results.counts.accelerations <= 2600);
  CHECK(test::position_difference(exact, results) < 1e-6);
}

TEST_CASE("a chain of 1,000 with stiff bushings: its work, and a hundred times as stiff") {
  SimulationOptions options;
  options.t_end = 1.0;
  options = with_radau(options, 1e-4);
  for (const double factor : {1.0, 100.0}) {
    const Results results = test::run(test::make_chain(1000, 1e3 * factor, factor), options);
    const ImplicitCounts& counts = results.counts.implicit;
    MESSAGE(results.counts.accepted, " steps, ", results.counts.accelerations, " evaluations, ",
            count_factors(counts), " factorisations, ", counts.linearisations, " Jacobians");
    CHECK(results.counts.accelerations <= 1000);
    CHECK(count_factors(counts) <= 140);
    CHECK(counts.linearisations <= 40);
    CHECK(results.violation.position < 1e-12);
  }
}

TEST_CASE("factors of a chain take the same memory and work per body from 100 to 10,000 bodies") {
  const auto make_pattern = [](int n) {
    const System handle = compile(test::make_chain(n, 1.0, 1.0));
    SaddleGraph graph = make_saddle_graph(handle.data().topology, 6);
    for (int b = 1; b < n; ++b) graph.edges.push_back({b - 1, b});  // the bushings
    const BlockGraph blocks = make_block_graph(static_cast<int>(graph.sizes.size()), graph.edges);
    return BlockLuPattern(graph.sizes, blocks,
                          order_by_minimum_degree(graph.sizes, blocks, graph.after));
  };
  double least_values = 1e300, most_values = 0.0, least_operations = 1e300, most_operations = 0.0;
  for (const int n : {100, 1000, 10000}) {
    const BlockLuPattern pattern = make_pattern(n);
    const double values = static_cast<double>(pattern.n_values()) / n;
    const double operations = pattern.count_factor_operations() / n;
    MESSAGE(n, " bodies: ", values, " numbers and ", operations, " operations per body");
    least_values = std::min(least_values, values);
    most_values = std::max(most_values, values);
    least_operations = std::min(least_operations, operations);
    most_operations = std::max(most_operations, operations);
  }
  CHECK(most_values <= 1.2 * least_values);
  CHECK(most_operations <= 1.2 * least_operations);
}

// Ends have a higher order than the polynomial of the stages: where they are far better than the tolerance asks,
// it need not be as good.
TEST_CASE(
    "between steps the error is at most 1.3 times that at their ends, or a tenth of the "
    "tolerance") {
  struct Case {
    const char* name;
    Model model;
    double t_end;
  };
  for (const Case& of :
       {Case{"governor", test::read_repository_model("gallery/flyball_governor.yaml"), 3.0},
        Case{"four-bar", test::make_four_bar(1e8, 1e4, 6.0, 9.81), 2.0},
        Case{"double pendulum", test::read_repository_model("gallery/double_pendulum.yaml"),
             2.0}}) {
    SimulationOptions options = of.model.simulation;
    options.t_end = of.t_end;
    SimulationOptions tight = with_radau(options, 1e-11);
    tight.output_interval = of.t_end / 4000;
    const Results exact = test::run(of.model, tight);
    const Motion motion(exact);
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
      SimulationOptions between = with_radau(options, tolerance), ends = between;
      between.output_interval = of.t_end / 400;
      ends.output_at_steps = true;
      const double error = motion.calc_distance(test::run(of.model, ends));
      const double largest = motion.calc_distance(test::run(of.model, between));
      MESSAGE(std::string(of.name), " at ", tolerance, ": ", error, " m at ends, ", largest,
              " m between");
      CHECK(largest <= std::max(1.3 * error, 0.1 * tolerance));
    }
  }
}

TEST_CASE("auto costs little where implicit steps do not pay: a hammer, undamped stiff springs") {
  const auto check = [](const Model& model, double tolerance, double most) {
    SimulationOptions options = test::with_tolerance(model.simulation, tolerance);
    options.output_interval = options.t_end;
    const double by_explicit = test::run(model, options).counts.operations;
    options.method = Method::automatic;
    const double ratio = test::run(model, options).counts.operations / by_explicit;
    MESSAGE(model.name, " at ", tolerance, ": ", ratio);
    CHECK(ratio <= most);
  };
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
    check(test::make_hammer(), tolerance, 1.3);
    check(test::make_four_bar(1e6, 0.0, 6.0, 9.81), tolerance, tolerance > 1e-4 ? 1.15 : 1.1);
  }
}
