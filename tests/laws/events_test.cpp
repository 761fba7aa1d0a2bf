// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Events of a model: times against closed forms, by every method; order, switches, bits, and what cannot be.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "support/reference.hpp"
#include "support/temporary_folder.hpp"

using namespace trammel;

namespace {

constexpr double pi = std::numbers::pi;
constexpr Method all_methods[] = {Method::dop853, Method::dopri5, Method::radau, Method::automatic};

Results run(const Model& model, const SimulationOptions& options) {
  return simulate(compile(model), options);
}
Results run(const std::string& text, Method method = Method::dop853, double tolerance = 1e-12) {
  const Model model = read_model_text(text, "f");
  SimulationOptions options = model.simulation;
  options.rtol = options.atol = tolerance;
  options.method = method;
  return run(model, options);
}

// The times of an event, in order.
std::vector<double> times_of(const Results& results, const std::string& name) {
  const auto& names = results.event_names;
  const auto k = std::find(names.begin(), names.end(), name) - names.begin();
  std::vector<double> times;
  for (const EventRecord& event : results.events) {
    if (event.event == k) times.push_back(event.t);
  }
  return times;
}

// A body that falls from 2 m, in space or in the plane.
std::string falling(const std::string& lines, bool planar = false) {
  const std::string inertia = planar ? "1" : "[1, 1, 1]";
  return std::string("trammel: 1\n") + (planar ? "dimension: 2\n" : "") +
         "gravity: [0, -9.81, 0]\nbodies: {b: {mass: 1, inertia: " + inertia +
         ", position: [0, 2, 0]}}\n" + lines;
}
// A pendulum of length 1 m, horizontal at the start: a point mass but for 1e-3 kg m².
std::string pendulum(const std::string& lines) {
  return "trammel: 1\ngravity: [0, -9.81, 0]\n"
         "bodies: {b: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [1, 0, 0]}}\n"
         "joints: {h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n" +
         lines;
}
// A block on a rail, of mass 1 kg.
std::string sliding(const std::string& lines, const std::string& start = "position: [0, 0, 0]") {
  return "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1], " + start +
         "}}\njoints: {r: {kind: translational, bodies: [ground, b], axis: [1, 0, 0], at: [0, 0, "
         "0]}}\n" +
         lines;
}

const std::string floor_event =
    "events: {floor: {when: b.position.y - 0.5, direction: falling, do: stop}}\n"
    "simulation: {t_end: 2}\n";
const double floor_time = std::sqrt(3.0 / 9.81);

}  // namespace

TEST_CASE("a fall through a height, by every method, in space and in the plane") {
  for (const bool planar : {false, true}) {
    for (const Method method : all_methods) {
      const Results results = run(falling(floor_event, planar), method);
      CHECK(results.status.outcome == Outcome::finished);
      CHECK(results.status.message.starts_with("stopped by event 'floor' at t = 0.553"));
      REQUIRE(results.events.size() == 1);
      CHECK(results.events[0].t == results.status.t);
      CHECK(std::abs(results.status.t - floor_time) < 1e-13);
      CHECK(std::abs(results.final[0].position[1] - 0.5) < 1e-14);
      // the last row is that of the event
      CHECK(results.time.back() == results.status.t);
    }
  }
}

TEST_CASE("fixed steps are divided at an event") {
  const Model model = read_model_text(
      falling("events: {half: {when: b.position.y - 0.5, do: record}}\nsimulation: {t_end: 1}\n"),
      "f");
  SimulationOptions options = model.simulation;
  options.fixed_step = 0.125;
  for (const Method method : {Method::dop853, Method::dopri5, Method::radau}) {
    options.method = method;
    const Results results = run(model, options);
    CHECK(results.status.outcome == Outcome::finished);
    CHECK(results.counts.accepted == 9);
    REQUIRE(results.events.size() == 1);
    CHECK(std::abs(results.events[0].t - floor_time) < 1e-13);
  }
}

TEST_CASE("a pendulum passes an angle: an elliptic integral") {
  // from rest at θ₀ = 90° from the lowest point: sin(θ/2) = k sin φ, t = (K(k) − F(φ, k))/ω
  const double inertia = 1.0 + 1e-3, omega = std::sqrt(9.81 / inertia), k = std::sin(pi / 4);
  const double theta = 30 * pi / 180, phi = std::asin(std::sin(theta / 2) / k);
  const double t = (std::comp_ellint_1(k) - std::ellint_1(k, phi)) / omega;
  const std::string lines =
      "events: {pass: {when: h.angle + 60 deg, direction: falling, do: stop}}\n"
      "simulation: {t_end: 2}\n";
  for (const Method method : all_methods) {
    const Results results = run(pendulum(lines), method);
    REQUIRE(results.events.size() == 1);
    CHECK(std::abs(results.events[0].t - t) < 1e-10);
  }
}

TEST_CASE("a bouncing ball of two states: a geometric series, and its limit ends the run") {
  const std::string lines =
      "states:\n  y: {initial: 1, rate: v}\n  v: {rate: -9.81}\n"
      "events: {bounce: {when: y, direction: falling, set: {v: -0.5*v}}}\n"
      "simulation: {t_end: 5}\n";
  const Results results = run(sliding(lines));
  CHECK(results.status.outcome == Outcome::too_many_events);
  CHECK(results.status.message.find("event 'bounce'") != std::string::npos);
  const double first = std::sqrt(2 / 9.81);
  double t = first, flight = first;
  for (std::size_t k = 0; k < 15; ++k) {
    CHECK(std::abs(results.events.at(k).t - t) < 1e-10);
    t += flight;
    flight *= 0.5;
  }
  CHECK(std::abs(results.status.t - 3 * first) < 1e-6);
}

TEST_CASE("a latch: the force is gone after the event, and its work is accounted for") {
  // pushed by 2 N until it has gone 1 m: t₁ = 1 s, then it coasts with 2 m/s
  const std::string lines =
      "switches: {pushed: true}\n"
      "forces: {push: {kind: force, body: b, value: [2*pushed, 0, 0]}}\n"
      "events:\n  let_go: {when: r.travel - 1, direction: rising, set: {pushed: false}}\n"
      "  far: {when: b.position.x - 3, do: stop}\n"
      "simulation: {t_end: 5}\n";
  for (const Method method : all_methods) {
    const Results results = run(sliding(lines), method);
    REQUIRE(results.events.size() == 2);
    CHECK(std::abs(results.events[0].t - 1) < 1e-10);
    CHECK(std::abs(results.events[1].t - 2) < 1e-10);
    CHECK(std::abs(results.energy.external_work - 2) < 1e-10);
    CHECK(results.energy.balance_error_max < 1e-10);
  }
}

TEST_CASE("an oscillator with a one-sided spring: the period in closed form") {
  // x > 0: 4 N/m, else 1 N/m: half a period of each, π/2 and π
  const std::string lines =
      "forces: {s: {kind: force, body: b, value: [\"-4*max(r.travel, 0) - min(r.travel, 0)\", 0, "
      "0]}}\n"
      "events: {back: {when: r.travel, direction: rising, do: record}}\n"
      "simulation: {t_end: 24}\n";
  for (const Method method : all_methods) {
    const Results results = run(sliding(lines, "velocity: [1, 0, 0]"), method,
                                method == Method::dopri5 ? 1e-13 : 1e-12);
    const auto times = times_of(results, "back");
    REQUIRE(times.size() == 5);
    for (std::size_t k = 0; k < times.size(); ++k) {
      CHECK(std::abs(times[k] - 1.5 * pi * static_cast<double>(k + 1)) < 1e-10);
    }
    CHECK(results.counts.corners >= 20);
    CHECK(results.counts.rejected <= 20);
  }
}

TEST_CASE("events of one step come in the order of time, simultaneous ones in that of the model") {
  const std::string lines =
      "switches: {a: 0}\n"
      "events:\n  late: {when: t - 0.7, do: record}\n"
      "  first: {when: t - 0.3, set: {a: 1}}\n"
      "  second: {when: 2*t - 0.6, set: {a: 2*a + 5}}\n"
      "  caused: {when: a - 6, do: record}\n"
      "simulation: {t_end: 1, event_resolution: 1}\n";
  const Results results = run(sliding(lines));
  REQUIRE(results.events.size() == 4);
  CHECK(results.events[0].event == 1);
  CHECK(results.events[1].event == 2);
  CHECK(results.events[2].event == 3);  // a is 7: its sign has changed by that
  CHECK(results.events[3].event == 0);
  CHECK(results.events[0].t == results.events[1].t);
  CHECK(std::abs(results.events[0].t - 0.3) < 1e-15);
}

TEST_CASE("an event that is zero at the start waits for its next change of sign") {
  const std::string lines =
      "forces: {s: {kind: force, body: b, value: [-r.travel, 0, 0]}}\n"
      "events: {back: {when: r.travel, do: stop}}\nsimulation: {t_end: 10}\n";
  const Results results = run(sliding(lines, "velocity: [1, 0, 0]"));
  CHECK(std::abs(results.status.t - pi) < 1e-10);
}

TEST_CASE("dry friction with sign: where the block comes to rest") {
  // 1 N against 2 m/s: it stops after 2 s and 2 m
  const std::string lines =
      "forces: {f: {kind: force, body: b, value: [-sign(b.velocity.x), 0, 0]}}\n"
      "events: {rest: {when: b.velocity.x, direction: falling, do: stop}}\nsimulation: {t_end: "
      "5}\n";
  for (const Method method : all_methods) {
    const Results results = run(sliding(lines, "velocity: [2, 0, 0]"), method);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(std::abs(results.status.t - 2) < 1e-10);
    CHECK(std::abs(results.final[0].position[0] - 2) < 1e-10);
  }
}

TEST_CASE("the same bits by loops and by code, with any number of threads") {
  const std::string lines =
      "switches: {k: 1}\n"
      "forces: {s: {kind: force, body: b, value: [\"-k*max(r.travel, 0) - 3*min(r.travel, "
      "0)\", 0, 0]}}\n"
      "events: {back: {when: r.travel, direction: rising, set: {k: 1.1*k}}}\n"
      "simulation: {t_end: 20}\n";
  const Model model = read_model_text(sliding(lines, "velocity: [1, 0, 0]"), "f");
  SimulationOptions options = model.simulation;
  const Results by_code = run(model, options);
  CHECK(by_code.counts.evaluations_by_code > 0);
  options.kernel = KernelChoice::loops;
  options.threads = 2;
  const Results by_loops = run(model, options);
  REQUIRE(by_code.events.size() == by_loops.events.size());
  REQUIRE(by_code.events.size() > 3);
  for (std::size_t k = 0; k < by_code.events.size(); ++k) {
    CHECK(std::bit_cast<std::uint64_t>(by_code.events[k].t) ==
          std::bit_cast<std::uint64_t>(by_loops.events[k].t));
  }
  CHECK(by_code.position == by_loops.position);
  // and in the lanes of an ensemble
  options.kernel = KernelChoice::automatic;
  const std::vector<System> members(5, compile(model));
  for (const Results& member : simulate_ensemble(members, options)) {
    CHECK(member.position == by_code.position);
    CHECK(member.events.size() == by_code.events.size());
  }
}

TEST_CASE("a law that depends on the sign within it is that law on each side") {
  const auto bounce = [](const char* law, Method method) {
    return run(sliding("forces:\n  pull: {kind: force, body: b, value: [-9.81, 0, 0]}\n"
                       "  stop: {kind: force, body: b, value: ['" +
                           std::string(law) + "', 0, 0]}\nsimulation: {t_end: 2}\n",
                       "position: [0.3, 0, 0]"),
               method);
  };
  const Results plain = bounce("max(0, -900*b.position.x)", Method::dop853);
  for (const Method method : all_methods) {
    for (const char* law :
         {"max(0, sign(-b.position.x))*(-900*b.position.x)",
          "(1 - max(0, sign(b.position.x)))*(-900*b.position.x)",
          "max(-1e6, min(1e6, 0.5*(1 - sign(b.position.x))*(-900*b.position.x)))"}) {
      CAPTURE(law);
      const Results results = bounce(law, method);
      REQUIRE(results.status.outcome == Outcome::finished);
      CHECK(std::abs(results.final[0].position[0] - plain.final[0].position[0]) < 1e-9);
    }
  }
}

TEST_CASE("named points, frames and channels of forces are among what events read") {
  const Results results =
      run(falling("points: {tip: {body: b, at: [0, -0.5, 0]}}\n"
                  "events: {low: {when: tip.position.y, direction: falling, do: stop}}\n"
                  "simulation: {t_end: 2}\n"));
  CHECK(std::abs(results.status.t - floor_time) < 1e-13);
}

TEST_CASE("a fully driven mechanism is integrated where it has events, and it is said") {
  const Results results =
      run(pendulum("drivers: {d: {joint: h, angle: t}}\n"
                   "events: {half: {when: h.angle - 0.5, do: stop}}\nsimulation: {t_end: 1}\n"));
  CHECK(std::abs(results.status.t - 0.5) < 1e-12);
  REQUIRE(!results.warnings.empty());
  CHECK(results.warnings[0].find("the events of the model are integrated") != std::string::npos);
}

TEST_CASE("rows that events record, and files that keep them") {
  const Results results =
      run(sliding("events: {third: {when: 3*t - 1, do: record}}\n"
                  "simulation: {t_end: 1, output_interval: 0.25}\n"));
  REQUIRE(results.time.size() == 6);
  CHECK(std::abs(results.time[2] - 1.0 / 3) < 1e-15);
  CHECK(results.event_counts == std::vector<std::int64_t>{1});
  CHECK(to_json(results).find("\"third\"") != std::string::npos);
  CHECK(brief_report(results).find("third at t = 0.333333333 s") != std::string::npos);
  const test::TemporaryFolder folder;
  write_hdf5(results, folder.file("run.h5"));
  const Results read = read_results(folder.file("run.h5"));
  CHECK(read.event_names == results.event_names);
  CHECK(read.event_counts == results.event_counts);
  REQUIRE(read.events.size() == 1);
  CHECK(read.events[0].t == results.events[0].t);
  CHECK(read.counts.event_attempts == results.counts.event_attempts);
}
