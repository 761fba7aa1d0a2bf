// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's quadrangle as a planar and as a spatial model: the same motion, for less.
#include <doctest/doctest.h>

#include <ctime>

#include "support/reference.hpp"

using namespace trammel;

namespace {

double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// CPU time of the quickest of some runs: what the machine does beside it only adds.
double calc_cpu_seconds(const System& system, const SimulationOptions& options) {
  const double begin = cpu_now();
  simulate(system, options);
  return cpu_now() - begin;
}

double calc_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

// The reaction of a joint at one output time: force and moment on body j.
std::array<double, 6> reaction(const Results& results, std::size_t row, std::size_t joint) {
  const std::size_t at = (row * results.joint_names.size() + joint) * 3;
  const auto &f = results.reaction_force, &m = results.reaction_moment;
  return {f[at], f[at + 1], f[at + 2], m[at], m[at + 1], m[at + 2]};
}

}  // namespace

TEST_CASE("planar and spatial quadrangle are the same motion, and the exact one") {
  const Model planar = test::read_repository_model("planar/quadrangle.yaml");
  const Model spatial = test::read_repository_model("paper/quadrangle.yaml");
  const Results a = test::run(planar, test::with_tolerance(planar.simulation, 1e-12));
  const Results b = test::run(spatial, test::with_tolerance(spatial.simulation, 1e-12));
  CHECK(a.check.dof == 1);
  CHECK(a.check.rank == 8);
  MESSAGE("at t = 10: ", test::position_difference(a, b), " m");
  CHECK(test::position_difference(a, b) <= 1e-9);
  const auto reference = test::read_reference("paper_quadrangle.json");
  const auto exact = test::find_state(reference["reference"]["states"], 10);
  MESSAGE("from the exact solution: ", test::position_error(a, exact["bodies"]), " m");
  CHECK(test::position_error(a, exact["bodies"]) <= 5e-9);
  // all columns at all times: z, the signs of θ, body rates
  CHECK(calc_difference(a.position, b.position) <= 5e-9);
  CHECK(calc_difference(a.orientation, b.orientation) <= 5e-9);
  CHECK(calc_difference(a.angular_velocity, b.angular_velocity) <= 1e-7);
  CHECK(calc_difference(a.kinetic, b.kinetic) <= 1e-10 * b.energy.kinetic_max);
  CHECK(calc_difference(a.external_work, b.external_work) <= 1e-10 * b.energy.kinetic_max);
  CHECK(a.energy.balance_error_max <= 1e-12 * a.energy.kinetic_max);
  CHECK(a.violation.position <= 1e-13);
}

TEST_CASE("planar reactions are those of the spatial twin in the plane") {
  const Model planar = test::read_repository_model("planar/quadrangle.yaml");
  const Model spatial = test::read_repository_model("paper/quadrangle.yaml");
  const Results a = test::run(planar, test::with_tolerance(planar.simulation, 1e-11));
  const Results b = test::run(spatial, test::with_tolerance(spatial.simulation, 1e-11));
  for (std::size_t row = 0; row < a.time.size(); row += 50) {
    for (std::size_t joint = 0; joint < 4; ++joint) {
      const auto in_plane = reaction(a, row, joint), in_space = reaction(b, row, joint);
      const double size = 1.0 + std::hypot(in_space[0], in_space[1]);
      CHECK(std::abs(in_plane[0] - in_space[0]) <= 1e-7 * size);
      CHECK(std::abs(in_plane[1] - in_space[1]) <= 1e-7 * size);
      for (std::size_t k = 2; k < 6; ++k) CHECK(in_plane[k] == 0.0);
    }
  }
}

TEST_CASE("the planar quadrangle takes the steps of the spatial one at a fraction of the cost") {
  const Model planar = test::read_repository_model("planar/quadrangle.yaml");
  const Model spatial = test::read_repository_model("paper/quadrangle.yaml");
  const System in_plane = compile(planar), in_space = compile(spatial);
  const SimulationOptions options = test::with_tolerance(planar.simulation, 1e-12);
  const Results a = simulate(in_plane, options), b = simulate(in_space, options);
  const double steps = static_cast<double>(b.counts.accepted);
  CHECK(std::abs(static_cast<double>(a.counts.accepted) - steps) <= 0.01 * steps);
  double plane = 1e9, space = 1e9;
  for (int k = 0; k < 15; ++k) {
    plane = std::min(plane, calc_cpu_seconds(in_plane, options));
    space = std::min(space, calc_cpu_seconds(in_space, options));
  }
  MESSAGE("CPU: ", 1e3 * plane, " ms in the plane, ", 1e3 * space, " ms in space, ", space / plane,
          " times");
  // instructions, which do not depend on the machine's other work: tests/instructions
#ifdef NDEBUG  // unoptimised code says nothing about cost
  CHECK(space / plane >= 1.7);
#endif
}
