// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and compiling a model takes time proportional to its size, whatever its parts refer to. A search
// through all joints for each force made models of `repeat` quadratic: at this size they took 3 to 25
// times as long as the same bodies and joints alone.
#include <doctest/doctest.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <string>
#include <trammel/trammel.hpp>

using namespace trammel;

namespace {

const std::string bodies = R"yaml(
trammel: 1
parameters: {n: 30000}
bodies:
  link_<k>: {repeat: {k: n}, mass: 1, inertia: [1, 1, 1], position: [k, 0, 0]}
joints:
)yaml";

const std::string pins = R"yaml(
  pin_<k>: {repeat: {k: n}, kind: revolute, bodies: [ground, link_<k>], at: [k, 0, 0], axis: [0, 0, 1]}
)yaml";

// s of CPU time of this thread, the fastest of three
double calc_cost(const std::string& rest) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double begin = now();
    compile(read_model_text(bodies + rest, "many"));
    least = std::min(least, now() - begin);
  }
  return least;
}

}  // namespace

TEST_CASE("compiling is linear in the number of parts that name joints") {
  const double plain = calc_cost(pins);
  struct Case {
    const char* what;
    double most;  // times the cost of bodies and joints alone
    std::string rest;
  };
  const Case cases[] = {{"springs in joints", 2.5, pins + R"yaml(
forces:
  s_<k>: {repeat: {k: n}, kind: joint_spring_damper, joint: pin_<k>, stiffness: 2}
)yaml"},
                        {"gears", 2.5, pins + R"yaml(
couplers:
  g_<k>: {repeat: {k: n/2}, kind: gear, joints: [pin_<2*k-1>, pin_<2*k>], teeth: [10, 20]}
)yaml"},
                        {"couplers without 'coordinate'", 2.5, pins + R"yaml(
couplers:
  c_<k>: {repeat: {k: n/2}, kind: coupler, terms: [{joint: pin_<2*k-1>}, {joint: pin_<2*k>}]}
)yaml"},
                        {"drivers", 3, pins + R"yaml(
drivers:
  d_<k>: {repeat: {k: n}, joint: pin_<k>, angle: t}
)yaml"},
                        {"formulas with coordinates", 3.5, pins + R"yaml(
forces:
  f_<k>: {repeat: {k: n}, kind: torque, body: link_<k>, value: [0, 0, -pin_<k>.angle]}
)yaml"},
                        {"screws", 2.5, R"yaml(
  pin_<k>: {repeat: {k: n}, kind: screw, bodies: [ground, link_<k>], at: [k, 0, 0], axis: [0, 0, 1], pitch: 0.1}
)yaml"}};
  for (const Case& one : cases) {
    INFO(std::string(one.what));
    const double ratio = calc_cost(one.rest) / plain;
    MESSAGE(std::string(one.what), ": ", ratio);
    CHECK(ratio <= one.most);
  }
}
