// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions: values by hand, the same values as muParser on random expressions, and messages.
#include "math/expression.hpp"

#include <doctest/doctest.h>
#include <muParser.h>

#include <cmath>
#include <random>
#include <string>

using namespace trammel;

namespace {

double calc(const std::string& text) { return Expression(text, VariableNames()).evaluate({}); }

struct Failure {
  std::size_t offset;
  std::string reason;
  std::string hint;
};

Failure fail(const std::string& text, const VariableNames& names = {}) {
  try {
    const Expression expression(text, names);
  } catch (const ExpressionError& error) {
    return {error.offset, error.what(), error.hint};
  }
  return {0, "", ""};
}

// A random expression in the words both parsers know, over the variables x and y.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  std::string sum(int depth) {
    std::string text = product(depth);
    while (one_in(3)) text += (one_in(2) ? " + " : "-") + product(depth);
    return text;
  }

 private:
  bool one_in(unsigned n) { return random_() % n == 0; }
  template <std::size_t n>
  std::string pick(const char* const (&words)[n]) {
    return words[random_() % n];
  }
  std::string product(int depth) {
    std::string text = factor(depth);
    while (one_in(3)) text += (one_in(2) ? "*" : " / ") + factor(depth);
    return text;
  }
  // no sign before a power: the two parsers read -x^y alike, but x^-y only ours
  std::string factor(int depth) {
    std::string text = value(depth);
    if (one_in(5)) text += "^" + value(depth);
    if (one_in(5)) text += "^" + pick({"2", "0.5", "3"});
    return one_in(4) ? "-" + text : text;
  }
  std::string value(int depth) {
    if (depth == 0 || one_in(3)) return pick({"x", "y", "1", "2.5", ".125", "3e-2", "1.5e1"});
    if (one_in(2)) return "(" + sum(depth - 1) + ")";
    if (one_in(4)) {
      return pick({"atan2", "min", "max"}) + "(" + sum(depth - 1) + ", " + sum(depth - 1) + ")";
    }
    return pick({"sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log10", "abs",
                 "sign"}) +
           "(" + sum(depth - 1) + ")";
  }
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("values") {
  CHECK(calc("1 + 2*3") == 7);
  CHECK(calc("(1 + 2)*3") == 9);
  CHECK(calc("7 - 2 - 1") == 4);
  CHECK(calc("8/4/2") == 1);
  CHECK(calc("2^3^2") == 512);
  CHECK(calc("-2^2") == -4);
  CHECK(calc("2^-1") == 0.5);
  CHECK(calc("--3") == 3);
  CHECK(calc("+3") == 3);
  CHECK(calc("1e-3") == 1e-3);
  CHECK(calc(".5") == 0.5);
  CHECK(calc("5.") == 5);
  CHECK(calc("2E3") == 2000);
  CHECK(calc(" \t1\n+ 1 ") == 2);
  CHECK(calc("pi") == M_PI);
  CHECK(calc("e") == M_E);
  CHECK(calc("log(e)") == 1);
  CHECK(calc("log10(1000)") == doctest::Approx(3));
  CHECK(calc("pow(2, 10)") == 1024);
  CHECK(calc("hypot(3, 4)") == 5);
  CHECK(calc("floor(-1.5) + ceil(1.2)") == 0);
  CHECK(calc("sign(-3) + sign(0)") == -1);
  CHECK(calc("min(1, 2) + 10*max(1, 2)") == 21);
  CHECK(calc("abs(-2) + sqrt(9) + exp(0)") == 6);
  CHECK(std::isnan(calc("max(sqrt(-1), 1) ")));
  CHECK(std::isnan(calc("min(1, sqrt(-1)) ")));
}

TEST_CASE("units of angles") {
  CHECK(calc("30 deg") == doctest::Approx(M_PI / 6).epsilon(1e-16));
  CHECK(calc("60deg") == M_PI / 3);
  CHECK(calc("180 deg") == M_PI);
  CHECK(calc("0.5 rad") == 0.5);
  CHECK(calc("1 turn") == 2 * M_PI);
  CHECK(calc("2 rev") == 4 * M_PI);
  CHECK(calc("-90 deg") == -M_PI / 2);
  CHECK(calc("(45 + 45) deg") == M_PI / 2);
  CHECK(calc("sin(90 deg)") == 1);
  CHECK(calc("2*90 deg + 1 rad") == doctest::Approx(M_PI + 1));
}

TEST_CASE("variables have slots") {
  VariableNames names;
  CHECK(names.add("a") == 0);
  CHECK(names.add("b") == 1);
  const Expression expression("10*a + b - a", names);
  CHECK(expression.evaluate(std::vector<double>{2, 3}) == 21);
  CHECK(expression.evaluate(std::vector<double>{-1, 0}) == -9);
  CHECK(expression.calc_used_slots() == std::vector<int>{0, 1, 0});
  names.remove_last();
  CHECK(fail("b", names).reason == "unknown name 'b'");
}

TEST_CASE("the same values as muParser on random expressions") {
  VariableNames names;
  names.add("x");
  names.add("y");
  std::vector<double> values = {0.7, -1.3};
  mu::Parser oracle;
  oracle.EnableOptimizer(false);
  oracle.DefineVar("x", &values[0]);
  oracle.DefineVar("y", &values[1]);
  RandomText random(42);
  int finite = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = random.sum(1 + i % 3);
    CAPTURE(text);
    oracle.SetExpr(text);
    double expected = 0;
    try {
      expected = oracle.Eval();
    } catch (const mu::Parser::exception_type&) {
      expected = NAN;  // muParser stops at a division by zero or a domain error
    }
    const double value = Expression(text, names).evaluate(values);
    if (!std::isfinite(expected)) continue;
    // muParser's sign, min and max can make a number of what is not one; ours do not
    const bool hides_nan = text.find("sign") != std::string::npos ||
                           text.find("min") != std::string::npos ||
                           text.find("max") != std::string::npos;
    if (std::isnan(value) && hides_nan) continue;
    ++finite;
    REQUIRE(value == doctest::Approx(expected).epsilon(1e-12));
  }
  CHECK(finite > 2500);
}

TEST_CASE("mistakes have a place and a reason") {
  VariableNames names;
  names.add("half");
  const auto check = [&](const std::string& text, std::size_t offset, const std::string& reason,
                         const std::string& hint = "") {
    CAPTURE(text);
    const Failure failure = fail(text, names);
    CHECK(failure.offset == offset);
    CHECK(failure.reason == reason);
    CHECK(failure.hint == hint);
  };
  check("2*hlaf", 2, "unknown name 'hlaf'", "did you mean 'half'?");
  check("sqr(2)", 0, "unknown name 'sqr'", "did you mean 'sqrt'?");
  check("zzzzzz", 0, "unknown name 'zzzzzz'");
  check("1 +", 3, "unexpected end of the expression");
  check("", 0, "empty expression");
  check("  ", 2, "empty expression");
  check("(1", 2, "unexpected end of the expression, expected ')'");
  check("1)", 1, "unexpected ')'");
  check("1 2", 2, "unexpected '2'");
  check("2 pi", 2, "unexpected 'pi'");
  check("3 4deg", 2, "unexpected '4deg'");
  check("1..2", 2, "unexpected '.'");
  check("*2", 0, "unexpected '*'");
  check("sin", 3, "unexpected end of the expression, expected '('");
  check("atan2(1)", 7, "unexpected ')', expected ','");
  check("sin(1, 2)", 5, "unexpected ',', expected ')'");
  check("deg", 0, "unknown name 'deg'");
  check("1e999", 0, "number out of range");
  check("2 × 3", 2, "unexpected '×'");
  check("a = 1", 0, "unknown name 'a'");
  check("half = 1", 5, "unexpected '='");
}

TEST_CASE("length and depth are limited") {
  const std::string deep(100'000, '(');
  CHECK(fail(deep).reason == "expression of 100000 characters; at most 10000 are allowed");
  CHECK(fail(std::string(5000, '(')).reason == "expression nested too deeply");
  CHECK(fail(std::string(5000, '-') + "1").reason == "expression nested too deeply");
  std::string powers = "2";
  for (int i = 0; i < 3000; ++i) powers += "^2";
  CHECK(fail(powers).reason == "expression nested too deeply");
  std::string calls = "1";
  for (int i = 0; i < 1000; ++i) calls = "sin(" + calls + ")";
  CHECK(fail(calls).reason == "expression nested too deeply");

  // as deep as allowed, with as much on the stack as possible
  std::string stacked = "1";
  for (int i = 0; i < 190; ++i) stacked = "1+1*max(1," + stacked + ")";
  CHECK(calc(stacked) == 191);
  std::string sum = "1";
  for (int i = 0; i < 4000; ++i) sum += "+1";
  CHECK(calc(sum) == 4001);
}

TEST_CASE("names that are taken") {
  CHECK(is_reserved_name("pi"));
  CHECK(is_reserved_name("deg"));
  CHECK(is_reserved_name("hypot"));
  CHECK_FALSE(is_reserved_name("mass"));
  CHECK(is_identifier("_a1"));
  CHECK_FALSE(is_identifier("1a"));
  CHECK_FALSE(is_identifier("a-b"));
  CHECK_FALSE(is_identifier(""));
}
