// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A trace does what the same operations on doubles do, to the bit, as code for one run and for four.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "generate/c_text.hpp"
#include "generate/machine_code.hpp"
#include "generate/operation_order.hpp"
#include "math/choices.hpp"
#include "math/sine_cosine.hpp"
#include "math/tape_values.hpp"
#include "math/trace.hpp"
#include "support/compiled_c.hpp"
#include "support/random_model.hpp"

using namespace trammel;

namespace {

// A function that is called, with one, two or three arguments.
double blend(const void* data, double a, double b, double c) {
  return *static_cast<const double*>(data) * a + std::sin(b) - 0.5 * c;
}
constexpr double weights[] = {0.25, 2.0};
double call_blend(int which, double a, double b) { return blend(&weights[which], a, b, 0.0); }
double call_blend(double a, double b, double c) { return blend(&weights[0], a, b, c); }
Traced call_blend(int which, const Traced& a, const Traced& b) {
  return Trace::current().call({blend, &weights[which]}, {a, b});
}
Traced call_blend(const Traced& a, const Traced& b, const Traced& c) {
  return Trace::current().call({blend, &weights[0]}, {a, b, c});
}

// A program of random operations on ten inputs; every value is kept, so that registers run out.
template <class Real, class Sqrt>
std::vector<Real> calculate(const std::vector<Real>& inputs, int n_operations, int seed,
                            const Sqrt& square_root) {
  using std::abs;
  test::Random random(seed);
  std::vector<Real> values = inputs;
  const auto any = [&] {
    return values[static_cast<std::size_t>(random.uniform(0, 1) *
                                           static_cast<double>(values.size()))];
  };
  for (int k = 0; k < n_operations; ++k) {
    const Real a = any(), b = any();
    switch (static_cast<int>(random.uniform(0, 13))) {
      case 0: values.push_back(a - b); break;
      case 1: values.push_back(Real(0.5) * a * b); break;
      case 2: values.push_back(a / (Real(2) + b * b)); break;
      case 3: values.push_back(square_root(Real(1) + a * a)); break;
      case 4: values.push_back(lesser(a, b) + greater(a, Real(0.5) * b)); break;
      case 5: values.push_back(inverse_or_zero(a) * Real(1e-3)); break;
      case 6:
        values.push_back(abs(a) - b);
        values.push_back(-a);
        break;
      case 7: {
        const SineCosine<Real> of = calc_sine_cosine(a);
        values.push_back(of.sine);
        values.push_back(of.cosine);
        break;
      }
      case 8:
        values.push_back(call_blend(k % 2, a, b));
        values.push_back(call_blend(a, b, values.back()) + nearest(Real(2) * a));
        break;
      case 9: values.push_back(choose_if_positive(a - b, a, Real(0.25) * b)); break;
      default: values.push_back(a * Real(0.75) + b);
    }
    // keeps the numbers of ordinary size
    const SineCosine<Real> small = calc_sine_cosine(values.back());
    values.back() = Real(3) * small.sine;
  }
  return values;
}

double square_root(double x) { return std::sqrt(x); }

}  // namespace

TEST_CASE("code of a trace has the bits of the operations, for one and for four") {
  if (!MachineCode::is_possible()) return;
  constexpr int n_inputs = 10;
  for (int seed = 1; seed <= 40; ++seed) {
    Trace trace;
    std::vector<Traced> symbols;
    for (int k = 0; k < n_inputs; ++k) symbols.push_back(trace.input(0, k));
    const auto results =
        calculate(symbols, 10 * seed, seed, [](const Traced& x) { return sqrt(x); });
    const int n = static_cast<int>(results.size());
    // all values, or sums of them: those have no place but registers and the stack
    const bool sums = seed % 2 == 0;
    const auto add_up = [&](const auto& values, auto&& put) {
      for (int k = 0; k < n; ++k) {
        auto sum = values[k];
        for (int j = n - 1; sums && j > k; j -= 7) sum += values[j];
        if (!sums || k % 5 == 0) put(k, sum);
      }
    };
    add_up(results, [&](int k, const Traced& value) { trace.output(value, 1, k); });
    test::Random random(100 + seed);
    const bool as_traced = seed % 3 == 0;
    for (const int lanes : {1, 4}) {
      const MachineCode code(
          trace, as_traced ? OperationOrder::recorded : OperationOrder::scheduled, lanes);
      std::vector<double> z(n_inputs * lanes), out(n * lanes);
      for (double& x : z) x = random.uniform(-2, 2);
      z[0] = 0.0;
      double* const arrays[] = {z.data(), out.data(), nullptr, nullptr, nullptr};
      code.run(arrays);
      for (int lane = 0; lane < lanes; ++lane) {
        std::vector<double> inputs;
        for (int k = 0; k < n_inputs; ++k) inputs.push_back(z[k * lanes + lane]);
        const auto expected =
            calculate(inputs, 10 * seed, seed, [](double x) { return square_root(x); });
        add_up(expected, [&](int k, double value) {
          // + 0.0: a zero may have another sign
          CHECK(std::bit_cast<std::uint64_t>(out[k * lanes + lane] + 0.0) ==
                std::bit_cast<std::uint64_t>(value + 0.0));
        });
      }
    }
  }
}

TEST_CASE(
    "a tape executed on doubles has the same bits, as recorded and with sine and cosine expanded") {
  for (int seed = 1; seed <= 10; ++seed) {
    Trace trace;
    std::vector<Traced> symbols;
    for (int k = 0; k < 10; ++k) symbols.push_back(trace.input(0, k));
    const auto results = calculate(symbols, 100, seed, [](const Traced& x) { return sqrt(x); });
    for (std::size_t k = 0; k < results.size(); ++k)
      trace.output(results[k], 1, static_cast<int>(k));
    test::Random random(200 + seed);
    std::vector<double> inputs;
    for (int k = 0; k < 10; ++k) inputs.push_back(random.uniform(-2, 2));
    const auto expected = calculate(inputs, 100, seed, [](double x) { return square_root(x); });
    for (const Tape& tape : {trace.tape(), expand_sine_cosine(trace)}) {
      const std::vector<double> values =
          calc_values<double>(tape, [&](int, int offset) { return inputs[offset]; });
      for (const Tape::Output& output : tape.outputs) {
        CHECK(std::bit_cast<std::uint64_t>(values[output.node] + 0.0) ==
              std::bit_cast<std::uint64_t>(expected[output.offset] + 0.0));
      }
    }
  }
}

TEST_CASE("a tape printed as C has the same bits") {
  constexpr int n_inputs = 10;
  for (int seed = 1; seed <= 3; ++seed) {
    Trace trace;
    std::vector<Traced> symbols;
    for (int k = 0; k < n_inputs; ++k) symbols.push_back(trace.input(0, k));
    const auto results = calculate(symbols, 60, seed, [](const Traced& x) { return sqrt(x); });
    const int n = static_cast<int>(results.size());
    for (int k = 0; k < n; ++k) trace.output(results[k], 1, k);
    trace.output(Traced(-0.1), 1, n);
    const OperationOrder order = seed == 1 ? OperationOrder::scheduled : OperationOrder::recorded;
    const test::CompiledC code(print_c(trace, "calculate", order), "calculate", trace.functions());
    test::Random random(300 + seed);
    std::vector<double> z(n_inputs), out(n + 1);
    for (int state = 0; state < 10; ++state) {
      for (double& x : z) x = random.uniform(-2, 2);
      z[0] = 0.0;
      double* const arrays[] = {z.data(), out.data(), nullptr, nullptr, nullptr};
      code.run(arrays);
      const auto expected = calculate(z, 60, seed, [](double x) { return square_root(x); });
      for (int k = 0; k < n; ++k) {
        CHECK(std::bit_cast<std::uint64_t>(out[k] + 0.0) ==
              std::bit_cast<std::uint64_t>(expected[k] + 0.0));
      }
      CHECK(out[n] == -0.1);
    }
  }
}

TEST_CASE("operations are put in order after their operands, each that is needed once") {
  Trace trace;
  std::vector<Traced> symbols;
  for (int k = 0; k < 10; ++k) symbols.push_back(trace.input(0, k));
  const auto results = calculate(symbols, 300, 7, [](const Traced& x) { return sqrt(x); });
  for (std::size_t k = 0; k < results.size(); k += 3)
    trace.output(results[k], 1, static_cast<int>(k));
  const Tape tape = expand_sine_cosine(trace);
  std::vector<int> order = order_operations(tape);
  std::vector<int> place(tape.nodes.size(), -1);
  for (std::size_t p = 0; p < order.size(); ++p) {
    CHECK(place[order[p]] < 0);
    place[order[p]] = static_cast<int>(p);
  }
  const auto is_given = [&](int node) {
    const auto operation = tape.nodes[node].operation;
    return operation == Tape::Operation::constant || operation == Tape::Operation::input;
  };
  std::vector<char> used(tape.nodes.size(), 0);
  for (const Tape::Output& output : tape.outputs) used[output.node] = 1;
  for (const int node : order) {
    const Tape::Node& of = tape.nodes[node];
    for (const int operand : {of.a, of.b, of.c}) {
      if (operand < 0) continue;
      used[operand] = 1;
      CHECK((is_given(operand) || (place[operand] >= 0 && place[operand] < place[node])));
    }
  }
  for (std::size_t n = 0; n < used.size(); ++n) {
    if (!is_given(static_cast<int>(n))) CHECK((place[n] >= 0) == (used[n] != 0));
  }
  std::sort(order.begin(), order.end());
  CHECK(order == list_operations(tape));
}

TEST_CASE("a trace does beforehand what is known, and nothing twice") {
  Trace trace;
  const Traced x = trace.input(0, 0), y = trace.input(0, 1);
  CHECK((x * Traced(0.0)).node == 0);
  CHECK((x * Traced(1.0)).node == x.node);
  CHECK((x + Traced(0.0)).node == x.node);
  CHECK((x - Traced(0.0)).node == x.node);
  CHECK((x + y).node == (y + x).node);
  CHECK((x * -y).node == (-(x * y)).node);
  CHECK((x + -y).node == (x - y).node);
  CHECK((x - -y).node == (x + y).node);
  CHECK((-(-x)).node == x.node);
  CHECK((-x - y).node == (-(x + y)).node);
  CHECK((y - x).node == (-(x - y)).node);
  CHECK((-x / y).node == (-(x / y)).node);
  CHECK((Traced(-2.0) * x).node == (-(Traced(2.0) * x)).node);
  CHECK(abs(-x).node == abs(x).node);
  CHECK((Traced(2.0) * Traced(3.0)).node == Traced(6.0).node);
  CHECK(((x + y) * x).node == ((x + y) * x).node);
  CHECK(choose_if_positive(Traced(0.5), x, y).node == x.node);
  CHECK(choose_if_positive(Traced(0.0), x, y).node == y.node);
  CHECK(choose_if_positive(x, y, y).node == y.node);
  CHECK(choose_if_positive(x, -x, -y).node == (-choose_if_positive(x, x, y)).node);
}
