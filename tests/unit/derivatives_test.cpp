// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of tapes: each operation against its closed form, random programs against differences in
// long double, forward against reverse, and what has no derivative.
#include "math/derivatives.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "math/choices.hpp"
#include "math/tape_values.hpp"
#include "math/trace.hpp"
#include "support/central_difference.hpp"
#include "support/random_model.hpp"

using namespace trammel;

namespace {

using Function = std::function<Traced(const std::vector<Traced>&)>;

Tape record(int n_inputs, const Function& f) {
  Trace trace;
  std::vector<Traced> x;
  for (int k = 0; k < n_inputs; ++k) x.push_back(trace.input(0, k));
  trace.constant(1.0);
  trace.output(f(x), 1, 0);
  return trace.tape();
}

int find_one(const Tape& tape) {
  for (std::size_t n = 0; n < tape.nodes.size(); ++n) {
    if (tape.nodes[n].operation == Tape::Operation::constant && tape.nodes[n].value == 1.0) {
      return static_cast<int>(n);
    }
  }
  return -1;
}

template <class Number>
std::vector<Number> calc_at(const Tape& tape, const std::vector<Number>& x) {
  return calc_values<Number>(tape, [&](int, int offset) { return x[offset]; });
}

// The gradient of the only output, by both sweeps.
struct Gradients {
  std::vector<double> forward, reverse;
};

Gradients calc_gradients(const Tape& tape, const std::vector<double>& x) {
  std::vector<Seed> seeds;
  std::vector<int> inputs;
  const int one = find_one(tape);
  for (int k = 0; k < static_cast<int>(x.size()); ++k) {
    inputs.push_back(find_variable(tape, 0, k));
    seeds.push_back({inputs.back(), k, one});
  }
  Gradients result{std::vector<double>(x.size(), 0.0), std::vector<double>(x.size(), 0.0)};
  const Derivative forward = differentiate_forward(tape, seeds);
  const std::vector<double> tangents = calc_at(forward.tape, x);
  for (const Partial& partial : forward.partials[0]) {
    result.forward[partial.by] = tangents[partial.node];
  }
  const Derivative reverse = differentiate_reverse(tape, {one}, inputs);
  const std::vector<double> adjoints = calc_at(reverse.tape, x);
  for (const Partial& partial : reverse.partials[0]) {
    result.reverse[reverse.tape.nodes[partial.by].offset] = adjoints[partial.node];
  }
  return result;
}

// A function that is called: factor·a·b·c.
constexpr double factor = 0.75;
double calc_product(const void* data, double a, double b, double c) {
  return *static_cast<const double*>(data) * a * b * c;
}
Traced derive_product(const TracedFunction& self, const Traced& a, const Traced& b, const Traced& c,
                      int which) {
  const Traced one(1.0);
  return Trace::current().call(self,
                               {which == 0 ? one : a, which == 1 ? one : b, which == 2 ? one : c});
}

struct Case {
  const char* name;
  Function f;
  std::function<std::vector<double>(double, double)> gradient;  // by x and y
};

const std::vector<Case> cases = {
    {"negate", [](const auto& x) { return -x[0]; },
     [](double, double) {
       return std::vector{-1.0, 0.0};
     }},
    {"add", [](const auto& x) { return x[0] + x[1]; },
     [](double, double) {
       return std::vector{1.0, 1.0};
     }},
    {"subtract", [](const auto& x) { return x[0] - x[1]; },
     [](double, double) {
       return std::vector{1.0, -1.0};
     }},
    {"multiply", [](const auto& x) { return x[0] * x[1]; },
     [](double x, double y) {
       return std::vector{y, x};
     }},
    {"square", [](const auto& x) { return x[0] * x[0]; },
     [](double x, double) {
       return std::vector{2 * x, 0.0};
     }},
    {"divide", [](const auto& x) { return x[0] / x[1]; },
     [](double x, double y) {
       return std::vector{1 / y, -x / (y * y)};
     }},
    {"reciprocal", [](const auto& x) { return Traced(3.0) / x[1]; },
     [](double, double y) {
       return std::vector{0.0, -3 / (y * y)};
     }},
    {"root", [](const auto& x) { return sqrt(x[0] * x[0] + x[1] * x[1]); },
     [](double x, double y) {
       return std::vector{x / std::hypot(x, y), y / std::hypot(x, y)};
     }},
    {"inverse or zero, positive", [](const auto& x) { return inverse_or_zero(x[0] * x[0]); },
     [](double x, double) {
       return std::vector{-2 / (x * x * x), 0.0};
     }},
    {"inverse or zero, negative", [](const auto& x) { return inverse_or_zero(-(x[0] * x[0])); },
     [](double, double) {
       return std::vector{0.0, 0.0};
     }},
    {"absolute", [](const auto& x) { return abs(x[0]) * x[1]; },
     [](double x, double y) {
       return std::vector{x > 0 ? y : -y, std::abs(x)};
     }},
    {"least", [](const auto& x) { return lesser(x[0] * x[0], x[1]); },
     [](double x, double y) {
       return x * x < y ? std::vector{2 * x, 0.0} : std::vector{0.0, 1.0};
     }},
    {"greatest", [](const auto& x) { return greater(x[0] * x[0], x[1]); },
     [](double x, double y) {
       return x * x > y ? std::vector{2 * x, 0.0} : std::vector{0.0, 1.0};
     }},
    {"choose", [](const auto& x) { return choose_if_positive(x[0], x[0] * x[1], x[1] * x[1]); },
     [](double x, double y) {
       return x > 0 ? std::vector{y, x} : std::vector{0.0, 2 * y};
     }},
    {"sine", [](const auto& x) { return calc_sine_cosine(x[0] * x[1]).sine; },
     [](double x, double y) {
       return std::vector{y * std::cos(x * y), x * std::cos(x * y)};
     }},
    {"nearest", [](const auto& x) { return nearest(x[0]) * x[1]; },
     [](double x, double) {
       return std::vector{0.0, std::nearbyint(x)};
     }},
    {"function",
     [](const auto& x) {
       return Trace::current().call({calc_product, &factor, derive_product}, {x[1], x[0], x[1]});
     },
     [](double x, double y) {
       return std::vector{factor * y * y, 2 * factor * x * y};
     }},
    {"cosine", [](const auto& x) { return calc_sine_cosine(-x[0]).cosine; },
     [](double x, double) {
       return std::vector{-std::sin(x), 0.0};
     }},
};

// A random program on n inputs, smooth away from kinks.
Traced make_random(const std::vector<Traced>& inputs, int seed) {
  test::Random random(seed);
  std::vector<Traced> values = inputs;
  const auto any = [&] {
    return values[static_cast<std::size_t>(random.uniform(0, 1) *
                                           static_cast<double>(values.size()))];
  };
  for (int k = 0; k < 60; ++k) {
    const Traced a = any(), b = any();
    Traced next;
    switch (static_cast<int>(random.uniform(0, 9))) {
      case 0: next = a - Traced(0.5) * b; break;
      case 1: next = a * b; break;
      case 2: next = a / (Traced(2) + b * b); break;
      case 3: next = sqrt(Traced(1) + a * a); break;
      case 4: next = lesser(a, b) + greater(a, Traced(0.5) * b); break;
      case 5: next = inverse_or_zero(Traced(3) + calc_sine_cosine(b).sine); break;
      case 6: next = abs(a) - b; break;
      case 7: next = calc_sine_cosine(a).cosine - calc_sine_cosine(b).sine; break;
      default: next = choose_if_positive(a, a * a, b) + b;
    }
    values.push_back(Traced(2) * calc_sine_cosine(next).sine);  // keeps the size ordinary
  }
  Traced sum;
  for (const Traced& value : values) sum += value;
  return sum;
}

}  // namespace

TEST_CASE("each operation has its derivative") {
  for (const Case& one : cases) {
    CAPTURE(one.name);
    const Tape tape = record(2, one.f);
    for (const auto& [x, y] : {std::pair{0.7, 1.3}, {-1.9, 0.4}, {2.5, -0.6}}) {
      const Gradients found = calc_gradients(tape, {x, y});
      const std::vector<double> exact = one.gradient(x, y);
      for (int k = 0; k < 2; ++k) {
        CHECK(found.forward[k] == doctest::Approx(exact[k]).epsilon(1e-14));
        CHECK(found.reverse[k] == doctest::Approx(exact[k]).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("derivatives of random programs are those of differences, forward and reverse") {
  constexpr int n_inputs = 5;
  for (int seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Tape tape =
        record(n_inputs, [&](const std::vector<Traced>& x) { return make_random(x, seed); });
    test::Random random(1000 + seed);
    std::vector<double> x;
    for (int k = 0; k < n_inputs; ++k) x.push_back(random.uniform(-2, 2));
    const Gradients found = calc_gradients(tape, x);
    const int output = tape.outputs[0].node;
    double largest = 1.0;
    for (const double g : found.forward) largest = std::max(largest, std::abs(g));
    for (int k = 0; k < n_inputs; ++k) {
      // a step that is small enough for no kink to lie within it, but for chance
      const long double difference =
          test::calc_central_difference(1e-4L / largest, [&](long double h) {
            std::vector<long double> moved(x.begin(), x.end());
            moved[k] += h;
            return calc_at(tape, moved)[output];
          });
      CHECK(std::abs(found.forward[k] - static_cast<double>(difference)) < 1e-11 * largest);
      CHECK(std::abs(found.forward[k] - found.reverse[k]) < 1e-12 * largest);
    }
  }
}

TEST_CASE("a derivative can be differentiated again") {
  // f = x²y + sin x: ∂²f/∂x² = 2y − sin x, ∂²f/∂x∂y = 2x
  const Tape tape = record(2, [](const std::vector<Traced>& x) {
    return x[0] * x[0] * x[1] + calc_sine_cosine(x[0]).sine;
  });
  const int one = find_one(tape), x = tape.find_input(0, 0), y = tape.find_input(0, 1);
  Derivative first = differentiate_reverse(tape, {one}, {x});
  REQUIRE(first.partials[0].size() == 1);
  first.tape.outputs = {{first.partials[0][0].node, 1, 0}};
  const Derivative second = differentiate_forward(first.tape, {{x, 0, one}, {y, 1, one}});
  const std::vector<double> values = calc_at<double>(second.tape, {0.8, 1.7});
  REQUIRE(second.partials[0].size() == 2);
  CHECK(values[second.partials[0][0].node] == doctest::Approx(2 * 1.7 - std::sin(0.8)));
  CHECK(values[second.partials[0][1].node] == doctest::Approx(2 * 0.8));
}

TEST_CASE("tangents are any numbers of the tape, and directions that move nothing cost nothing") {
  Trace trace;
  const Traced x = trace.input(0, 0), y = trace.input(0, 1), v = trace.input(1, 0);
  trace.output(x * y, 2, 0);
  trace.output(y * y, 2, 1);
  const Derivative derivative =
      differentiate_forward(trace, {{x.node, 0, v.node}, {x.node, 3, (-y).node}});
  REQUIRE(derivative.partials[0].size() == 2);
  CHECK(derivative.partials[1].empty());
  const std::vector<double> values = calc_values<double>(
      derivative.tape, [](int array, int offset) { return array == 0 ? 2.0 + offset : 7.0; });
  CHECK(derivative.partials[0][0].by == 0);
  CHECK(values[derivative.partials[0][0].node] == 21.0);
  CHECK(derivative.partials[0][1].by == 3);
  CHECK(values[derivative.partials[0][1].node] == -9.0);
}

TEST_CASE("where there is no derivative, an edge is 0 and the numbers are finite") {
  const auto find_least_edge = [](const Tape& tape, const std::vector<double>& x) {
    std::vector<Seed> seeds;
    for (int k = 0; k < static_cast<int>(x.size()); ++k) {
      seeds.push_back({find_variable(tape, 0, k), k, find_one(tape)});
    }
    const Derivative derivative = differentiate_forward(tape, seeds);
    const std::vector<double> values = calc_at(derivative.tape, x);
    for (const Partial& partial : derivative.partials[0])
      CHECK(std::isfinite(values[partial.node]));
    double least = INFINITY;
    for (const int edge : derivative.edges) least = std::min(least, std::abs(values[edge]));
    return least;
  };
  // the force of a spring in the plane: (1 − 1/length) x, 0 where the length is
  const Tape spring = record(2, [](const std::vector<Traced>& x) {
    const Traced length = sqrt(x[0] * x[0] + x[1] * x[1]);
    return (length - Traced(1.0)) * (x[0] * inverse_or_zero(length));
  });
  CHECK(find_least_edge(spring, {0.0, 0.0}) == 0.0);
  CHECK(find_least_edge(spring, {3e-3, 4e-3}) > 0.0);
  const Tape kink = record(2, [](const std::vector<Traced>& x) { return lesser(x[0], x[1]); });
  CHECK(find_least_edge(kink, {0.25, 0.25}) == 0.0);
  CHECK(find_least_edge(kink, {0.25, 0.5}) == 0.25);
  const Tape smooth = record(2, [](const std::vector<Traced>& x) { return x[0] / x[1]; });
  CHECK(std::isinf(find_least_edge(smooth, {0.25, 0.5})));
}

TEST_CASE("what is not an input cannot be differentiated by") {
  Trace trace;
  const Traced x = trace.input(0, 0), stiffness(2.0);
  const Traced force = stiffness * x;
  trace.output(force, 1, 0);
  CHECK(find_variable(trace, 0, 0) == x.node);
  CHECK_THROWS_WITH_AS(
      find_variable(trace, 4, 2),
      "number 2 of array 4 is not an input of the tape: it was a constant when the "
      "tape was recorded",
      NotDifferentiable);
  CHECK_THROWS_AS(differentiate_forward(trace, {{stiffness.node, 0, stiffness.node}}),
                  NotDifferentiable);
  CHECK_THROWS_AS(differentiate_reverse(trace, {stiffness.node}, {force.node}), NotDifferentiable);
  // nor a function without a derivative
  Trace call;
  const Traced y = call.input(0, 0);
  call.output(call.call({calc_product, &factor}, {y, y, y}), 1, 0);
  CHECK_THROWS_AS(differentiate_forward(call, {{y.node, 0, y.node}}), NotDifferentiable);
  CHECK_THROWS_AS(differentiate_reverse(call, {y.node}, {y.node}), NotDifferentiable);
  // nor what was written out in operations on bits
  Trace angle;
  const Traced beta = angle.input(0, 0);
  angle.output(calc_sine_cosine(beta).sine, 1, 0);
  CHECK_THROWS_AS(
      differentiate_forward(expand_sine_cosine(angle), {{beta.node, 0, Traced(1.0).node}}),
      NotDifferentiable);
}
