// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The search for events on plain differential equations, without any mechanics: a ball that falls and bounces,
// an oscillator, a relay. Times against closed forms, by two methods and with fixed steps.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "integrate/loop.hpp"
#include "integrate/steppers/explicit_rk.hpp"

using namespace trammel;

namespace {

// ż = f(t, z)
struct Equation {
  int n;
  std::function<void(double, const double*, double*)> f;
  double tolerance = 1e-10;
  int evaluations = 0;

  int dimension() const { return n; }
  bool calc_derivative(double t, const double* z, double* rate) {
    ++evaluations;
    f(t, z, rate);
    return true;
  }
  bool finish_step(double t, double, double* z, double* rate) {
    return calc_derivative(t, z, rate);
  }
  double calc_error_norm(const double*, const double*, const double* e) const {
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(e[i]) / tolerance);
    return largest;
  }
  double calc_state_norm(const double* z) const { return calc_error_norm(z, z, z); }
};

struct Happening {
  double t;
  int event;
};

struct EventList {
  std::vector<EventFunction> functions;
  std::function<void(double, const double*, double*)> g;
  std::function<bool(int, double, double*)> act = [](int, double, double*) { return false; };
  double resolution = 0.1;
  int stop = -1;    // the event that ends the run
  int at_once = 0;  // events within a moment of the one before
  std::vector<Happening> happened = {};
  std::vector<double> ends = {};
  int rejected = 0, attempts = 0;

  bool on_step(const StepReport& step) {
    step.accepted ? ends.push_back(step.t_end) : void(++rejected);
    return true;
  }
  double next_output() const { return std::numeric_limits<double>::infinity(); }
  void on_output(double, double, double*) {}

  std::vector<EventFunction> event_functions() const { return functions; }
  double event_resolution() const { return resolution; }
  void calc_events(double t, const double* z, double* values) { g(t, z, values); }
  EventOutcome on_events(double t, double, double* z, const std::vector<int>& fired) {
    EventOutcome outcome;
    for (const int k : fired) {
      at_once = !happened.empty() && t - happened.back().t < 1e-9 ? at_once + 1 : 0;
      happened.push_back({t, k});
      outcome.has_changed |= act(k, t, z);
      outcome.ends_run |= k == stop;
    }
    outcome.too_many = at_once > 3;
    return outcome;
  }
  bool settle_branches(double, double*) { return false; }
  void on_event_attempt() { ++attempts; }
};

Stop run(Equation& equation, EventList& list, std::vector<double>& z, double t_end,
         const Tableau& tableau, double fixed_step = 0.0) {
  ExplicitRungeKutta stepper(tableau, equation);
  LoopSettings settings;
  settings.fixed_step = fixed_step;
  settings.initial_step = 1e-2;
  std::vector<double> rate(z.size());
  equation.calc_derivative(0.0, z.data(), rate.data());
  Loop loop(settings, stepper, list);
  return loop.run(t_end, z.data(), rate.data());
}

constexpr double gravity = 9.81;

Equation make_fall() {
  return {2, [](double, const double* z, double* rate) {
            rate[0] = z[1];
            rate[1] = -gravity;
          }};
}
Equation make_oscillator(double omega = 1.0) {
  return {2, [omega](double, const double* z, double* rate) {
            rate[0] = z[1];
            rate[1] = -omega * omega * z[0];
          }};
}

}  // namespace

TEST_CASE("a fall through a height: the step ends there, to rounding") {
  for (const Tableau* tableau : {&dop853(), &dopri5()}) {
    for (const double fixed : {0.0, 0.03}) {
      Equation fall = make_fall();
      EventList list{{{-1}}, [](double, const double* z, double* g) { g[0] = z[0] - 0.25; }};
      list.stop = 0;
      std::vector<double> z = {1.0, 0.0};
      CHECK(run(fall, list, z, 2.0, *tableau, fixed) == Stop::by_event);
      REQUIRE(list.happened.size() == 1);
      CHECK(std::abs(list.happened[0].t - std::sqrt(1.5 / gravity)) < 1e-14);
      CHECK(std::abs(z[0] - 0.25) < 1e-14);
      CHECK(list.ends.back() == list.happened[0].t);
    }
  }
}

TEST_CASE("fixed steps go on to their end after an event") {
  Equation fall = make_fall();
  EventList list{{{-1}}, [](double, const double* z, double* g) { g[0] = z[0] - 0.25; }};
  std::vector<double> z = {1.0, 0.0};
  CHECK(run(fall, list, z, 0.6, dop853(), 0.1) == Stop::finished);
  REQUIRE(list.happened.size() == 1);
  REQUIRE(list.ends.size() == 7);
  CHECK(std::abs(list.ends[4] - 0.4) < 1e-15);
  CHECK(list.ends[3] == list.happened[0].t);
}

TEST_CASE("zeros of an oscillator, by direction") {
  for (const Tableau* tableau : {&dop853(), &dopri5()}) {
    Equation oscillator = make_oscillator();
    EventList list{{{1}, {-1}, {0}},
                   [](double, const double* z, double* g) { g[0] = g[1] = g[2] = z[0]; }};
    std::vector<double> z = {0.0, 1.0};  // zero at the start: no event
    CHECK(run(oscillator, list, z, 20.0, *tableau) == Stop::finished);
    int rising = 0, falling = 0, either = 0;
    for (const Happening& at : list.happened) {
      const double k = std::round(at.t / std::numbers::pi);
      CHECK(std::abs(at.t - k * std::numbers::pi) < 1e-8);
      (at.event == 0 ? rising : at.event == 1 ? falling : either) += 1;
      if (at.event < 2) CHECK((static_cast<int>(k) % 2 == 0) == (at.event == 0));
    }
    CHECK(rising == 3);
    CHECK(falling == 3);
    CHECK(either == 6);
    // simultaneous ones in their order
    CHECK(list.happened[0].event == 1);
    CHECK(list.happened[1].event == 2);
  }
}

TEST_CASE("a change of sign within one step is found, however short it is") {
  // x = t: the event is at |t − 1/3| = d, twice; nothing but its own function limits the step
  for (const double d : {1e-2, 1e-4, 1e-6}) {
    Equation drift{1, [](double, const double*, double* rate) { rate[0] = 1.0; }};
    EventList list{{{-1}, {1}}, [d](double, const double* z, double* g) {
                     const double x = z[0] - 1.0 / 3.0;
                     g[0] = g[1] = x * x - d * d;
                   }};
    list.resolution = 10.0;
    std::vector<double> z = {0.0};
    CHECK(run(drift, list, z, 1.0, dop853()) == Stop::finished);
    REQUIRE(list.happened.size() == 2);
    CHECK(std::abs(list.happened[0].t - (1.0 / 3.0 - d)) < 1e-12);
    CHECK(std::abs(list.happened[1].t - (1.0 / 3.0 + d)) < 1e-12);
    CHECK(list.happened[0].event == 0);
  }
}

TEST_CASE(
    "changes that last longer than the resolution are found though the function is not smooth") {
  // five pulses of width 0.004 at places that steps do not know
  Equation drift{1, [](double, const double*, double* rate) { rate[0] = 1.0; }};
  EventList list{{{1}}, [](double, const double* z, double* g) {
                   g[0] = -1.0;
                   for (const double at : {0.1111, 0.3141, 0.5772, 0.7071, 0.9003}) {
                     if (z[0] > at && z[0] < at + 0.004) g[0] = 1.0;
                   }
                 }};
  list.resolution = 0.003;
  std::vector<double> z = {0.0};
  run(drift, list, z, 1.0, dop853());
  REQUIRE(list.happened.size() == 5);
  CHECK(std::abs(list.happened[1].t - 0.3141) < 1e-13);
}

TEST_CASE("a bouncing ball: a geometric series, and its limit is reported") {
  for (const double e : {0.5, 0.9}) {
    for (const Tableau* tableau : {&dop853(), &dopri5()}) {
      Equation fall = make_fall();
      EventList list{{{-1}}, [](double, const double* z, double* g) { g[0] = z[0]; }};
      list.act = [e](int, double, double* z) {
        z[1] = -e * z[1];
        return true;
      };
      std::vector<double> z = {1.0, 0.0};
      CHECK(run(fall, list, z, 20.0, *tableau) == Stop::too_many_events);
      const double first = std::sqrt(2.0 / gravity);
      double t = first, flight = 2.0 * first * e;
      for (int k = 0; k < 20; ++k) {
        CAPTURE(k);
        CHECK(std::abs(list.happened[k].t - t) < 1e-12);
        t += flight;
        flight *= e;
      }
      const double limit = first + 2.0 * first * e / (1.0 - e);
      CHECK(std::abs(list.happened.back().t - limit) < 1e-7);
    }
  }
}

TEST_CASE("a relay that drives back at once chatters, and is not passed silently") {
  Equation heat{2, [](double, const double* z, double* rate) {
                  rate[0] = z[1];
                  rate[1] = 0.0;
                }};
  EventList list{{{1}, {-1}}, [](double, const double* z, double* g) { g[0] = g[1] = z[0]; }};
  list.act = [](int k, double, double* z) {
    z[1] = k == 0 ? -1.0 : 1.0;
    return true;
  };
  std::vector<double> z = {-1.0, 1.0};
  CHECK(run(heat, list, z, 3.0, dop853()) == Stop::too_many_events);
  CHECK(std::abs(list.happened.back().t - 1.0) < 1e-9);
}

TEST_CASE("an event that sets what another one depends on causes it at once") {
  Equation drift{2, [](double, const double*, double* rate) {
                   rate[0] = 1.0;
                   rate[1] = 0.0;
                 }};
  EventList list{{{1}, {1}}, [](double, const double* z, double* g) {
                   g[0] = z[0] - 0.5;
                   g[1] = z[1] - 0.5;
                 }};
  list.act = [](int k, double, double* z) {
    if (k == 0) z[1] = 1.0;
    return k == 0;
  };
  std::vector<double> z = {0.0, 0.0};
  run(drift, list, z, 1.0, dop853());
  REQUIRE(list.happened.size() == 2);
  CHECK(list.happened[1].event == 1);
  CHECK(list.happened[1].t == list.happened[0].t);
}

TEST_CASE("two events in one step, in the order of time") {
  Equation drift{1, [](double, const double*, double* rate) { rate[0] = 1.0; }};
  EventList list{{{1}, {1}, {1}}, [](double, const double* z, double* g) {
                   g[0] = z[0] - 0.7;
                   g[1] = z[0] - 0.3;
                   g[2] = 3.0 * (z[0] - 0.3);
                 }};
  list.resolution = 10.0;
  std::vector<double> z = {0.0};
  run(drift, list, z, 1.0, dop853());
  REQUIRE(list.happened.size() == 3);
  CHECK(list.happened[0].event == 1);
  CHECK(list.happened[1].event == 2);
  CHECK(list.happened[0].t == list.happened[1].t);
  CHECK(list.happened[2].event == 0);
}
