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

#include "math/choices.hpp"
#include "math/sine_cosine.hpp"
#include "math/trace.hpp"
#include "native/machine_code.hpp"
#include "native/operation_order.hpp"
#include "support/random_model.hpp"

using namespace trammel;

namespace {

// A program of random operations on ten inputs; every value is kept, so that registers run out.
template <class Real, class Sqrt>
std::vector<Real> calculate(const std::vector<Real>& inputs, int n_operations, int seed,
                            const Sqrt& square_root) {
  using std::abs;
  test::Random random(seed);
  std::vector<Real> values = inputs;
  const auto any = [&] {
    return values[static_cast<std::size_t>(random.uniform(0, 1) * static_cast<double>(values.size()))];
  };
  for (int k = 0; k < n_operations; ++k) {
    const Real a = any(), b = any();
    switch (static_cast<int>(random.uniform(0, 10))) {
      case 0:
        values.push_back(a - b);
        break;
      case 1:
        values.push_back(Real(0.5) * a * b);
        break;
      case 2:
        values.push_back(a / (Real(2) + b * b));
        break;
      case 3:
        values.push_back(square_root(Real(1) + a * a));
        break;
      case 4:
        values.push_back(lesser(a, b) + greater(a, Real(0.5) * b));
        break;
      case 5:
        values.push_back(inverse_or_zero(a) * Real(1e-3));
        break;
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
      default:
        values.push_back(a * Real(0.75) + b);
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
      const MachineCode code(trace, as_traced ? list_operations(trace) : order_operations(trace),
                             lanes);
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

TEST_CASE("operations are put in order after their operands, each that is needed once") {
  Trace trace;
  std::vector<Traced> symbols;
  for (int k = 0; k < 10; ++k) symbols.push_back(trace.input(0, k));
  const auto results = calculate(symbols, 300, 7, [](const Traced& x) { return sqrt(x); });
  for (std::size_t k = 0; k < results.size(); k += 3) trace.output(results[k], 1, static_cast<int>(k));
  std::vector<int> order = order_operations(trace);
  std::vector<int> place(trace.nodes().size(), -1);
  for (std::size_t p = 0; p < order.size(); ++p) {
    CHECK(place[order[p]] < 0);
    place[order[p]] = static_cast<int>(p);
  }
  const auto is_given = [&](int node) {
    const auto operation = trace.nodes()[node].operation;
    return operation == Trace::Operation::constant || operation == Trace::Operation::input;
  };
  std::vector<char> used(trace.nodes().size(), 0);
  for (const Trace::Output& output : trace.outputs()) used[output.node] = 1;
  for (const int node : order) {
    const Trace::Node& of = trace.nodes()[node];
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
  CHECK(order == list_operations(trace));
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
}
