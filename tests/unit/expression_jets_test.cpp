// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of expressions: by hand, against differences of the values on random expressions, and
// at kinks.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "math/compiled_function.hpp"

using namespace trammel;

namespace {

Jet jet(const std::string& text, double t) {
  return CompiledFunction(Formula{text}, "t", {}).evaluate(t);
}

void check_jet(const std::string& text, double t, double value, double first, double second) {
  CAPTURE(text);
  const Jet at = jet(text, t);
  CHECK(at.value == doctest::Approx(value).epsilon(1e-14));
  CHECK(at.first == doctest::Approx(first).epsilon(1e-14));
  CHECK(at.second == doctest::Approx(second).epsilon(1e-14));
}

// Smooth everywhere on the numbers that occur.
std::string random_text(std::mt19937& random, int depth) {
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  if (depth == 0) return one_of({"t", "t", "0.7", "1.3", "(2 - t)"});
  const std::string a = random_text(random, depth - 1), b = random_text(random, depth - 1);
  switch (random() % 6) {
    case 0: return "(" + a + one_of({" + ", " - "}) + b + ")";
    case 1: return a + "*" + b;
    case 2: return a + "/(1.5 + (" + b + ")^2)";
    case 3: return one_of({"sin", "cos", "atan", "tanh"}) + "(" + a + ")";
    case 4: return one_of({"sqrt", "log", "log10"}) + "(1.2 + (" + a + ")^2)";
    default:
      return one_of({"hypot(1.1, ", "atan2(0.4 + t, 2 + ", "step(t, 0.1, 0.3, 2.2, "}) + a + "^2)";
  }
}

}  // namespace

TEST_CASE("derivatives by hand") {
  check_jet("3", 0.5, 3, 0, 0);
  check_jet("t", 0.5, 0.5, 1, 0);
  check_jet("t^3", 2, 8, 12, 12);
  check_jet("(-t)^3", 2, -8, -12, -12);
  check_jet("2^t", 3, 8, 8 * std::log(2), 8 * std::log(2) * std::log(2));
  check_jet("t^t", 2, 4, 4 * (1 + std::log(2)), 4 * (std::pow(1 + std::log(2), 2) + 0.5));
  check_jet("1/t", 2, 0.5, -0.25, 0.25);
  check_jet("sin(2*t)", 0.3, std::sin(0.6), 2 * std::cos(0.6), -4 * std::sin(0.6));
  check_jet("cos(2*t)", 0.3, std::cos(0.6), -2 * std::sin(0.6), -4 * std::cos(0.6));
  check_jet("tan(t)", 0.3, std::tan(0.3), 1 / std::pow(std::cos(0.3), 2),
            2 * std::tan(0.3) / std::pow(std::cos(0.3), 2));
  check_jet("asin(t)", 0.6, std::asin(0.6), 1 / 0.8, 0.6 / std::pow(0.8, 3));
  check_jet("acos(t)", 0.6, std::acos(0.6), -1 / 0.8, -0.6 / std::pow(0.8, 3));
  check_jet("sinh(t) + cosh(t)", 0.6, std::exp(0.6), std::exp(0.6), std::exp(0.6));
  check_jet("sqrt(t)", 4, 2, 0.25, -1.0 / 32);
  check_jet("exp(-t)", 1, std::exp(-1), -std::exp(-1), std::exp(-1));
  check_jet("30 deg * t", 2, M_PI / 3, M_PI / 6, 0);
  check_jet("sqrt(0)*t", 2, 0, 0, 0);  // the derivative of √ at 0 does not come in
}

TEST_CASE("derivatives of random expressions against differences") {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_text(random, 1 + i % 4);
    CAPTURE(text);
    const double t = 0.2 + 1.5 * (i % 17) / 17.0, h = 1e-3;
    // sixth-order central differences of the value and of the first derivative
    const auto differ = [&](auto part) {
      return (45 * (part(jet(text, t + h)) - part(jet(text, t - h))) -
              9 * (part(jet(text, t + 2 * h)) - part(jet(text, t - 2 * h))) +
              (part(jet(text, t + 3 * h)) - part(jet(text, t - 3 * h)))) /
             (60 * h);
    };
    const Jet at = jet(text, t);
    const double first = differ([](const Jet& j) { return j.value; });
    const double second = differ([](const Jet& j) { return j.first; });
    REQUIRE(std::isfinite(at.second));
    REQUIRE(std::abs(at.first - first) <= 1e-8 * (1 + std::abs(at.value) + std::abs(first)));
    REQUIRE(std::abs(at.second - second) <= 1e-8 * (1 + std::abs(first) + std::abs(second)));
  }
}

TEST_CASE("the value of a jet is the value") {
  std::mt19937 random(8);
  VariableNames names;
  names.add("t");
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(random, 1 + i % 4);
    const double t = 0.1 * (i % 20);
    const double value = Expression(text, names).evaluate({&t, 1});
    REQUIRE(jet(text, t).value == doctest::Approx(value).epsilon(1e-14));
  }
}

TEST_CASE("step goes smoothly from one value to the other") {
  const std::string text = "step(t, 1, 2, 3, 6)";
  check_jet(text, 0, 2, 0, 0);
  check_jet(text, 1, 2, 0, 0);
  check_jet(text, 2, 4, 4 * 1.875 / 2, 0);
  check_jet(text, 3, 6, 0, 0);
  check_jet(text, 9, 6, 0, 0);
  // no jump of value, slope or curvature at either end
  for (const double end : {1.0, 3.0}) {
    const Jet before = jet(text, end - 1e-6), after = jet(text, end + 1e-6);
    CHECK(std::abs(after.value - before.value) < 1e-11);
    CHECK(std::abs(after.first - before.first) < 1e-10);
    CHECK(std::abs(after.second - before.second) < 1e-4);
  }
  CHECK(std::isnan(jet("step(t, 3, 2, 1, 6)", 2).value));
}

TEST_CASE("at kinks the derivatives are those from the right") {
  check_jet("abs(t)", 0, 0, 1, 0);
  check_jet("abs(-3*t)", 0, 0, 3, 0);
  check_jet("abs(t)", -1, 1, -1, 0);
  check_jet("abs(-t^2)", 0, 0, 0, 2);
  check_jet("max(t, 1)", 1, 1, 1, 0);
  check_jet("min(t, 1)", 1, 1, 0, 0);
  check_jet("max(2*t, t^2)", 0, 0, 2, 0);
  check_jet("floor(2.5*t)", 1, 2, 0, 0);
  check_jet("sign(t)", -2, -1, 0, 0);
}

TEST_CASE("which expressions are not smooth") {
  VariableNames names;
  names.add("t");
  const auto kink = [&](const char* text) { return Expression(text, names).find_kink(); };
  CHECK(kink("sin(t) + abs(-3) + max(1, 2)*t").empty());
  CHECK(kink("t + abs(sin(t))") == "abs");
  CHECK(kink("2*max(1, 2 - t)") == "max");
  CHECK(kink("floor(t)") == "floor");
  CHECK(kink("atan2(sin(t), cos(t))") == "atan2");
  CHECK(kink("step(t, 0, 0, 1, 1)").empty());
  CHECK(kink("step(t, 0, 0, 1, abs(t))") == "abs");
}

TEST_CASE("names in a formula: variables, its constants, parameters") {
  const ConstantTable parameters = {{"rate", 2.0}, {"half", 0.5}};
  const auto value = [&](const Formula& formula) {
    return CompiledFunction(formula, "t", parameters).evaluate(3.0).value;
  };
  CHECK(value({"rate*t"}) == 6);
  CHECK(value({"k*t + half", {{"k", 10.0}}}) == 30.5);
  CHECK(value({"1e-3*t"}) == 3e-3);
  const auto fail = [&](const Formula& formula, const std::string& variable = "t") {
    try {
      CompiledFunction(formula, variable, parameters);
    } catch (const ExpressionError& error) {
      return std::to_string(error.offset) + " " + error.what() + " " + error.hint;
    }
    return std::string("accepted");
  };
  CHECK(fail({"2*hlaf"}) == "2 unknown name 'hlaf' did you mean 'half'?");
  CHECK(fail({"cso(t)"}) == "0 unknown name 'cso' did you mean 'cos'?");
  CHECK(fail({"1 + crank.angle"}) == "4 unknown name 'crank.angle' ");
  CHECK(fail({"sin(t"}) == "5 unexpected end of the expression, expected ')' ");
  CHECK(fail({"half*t"}, "half") ==
        "0 'half' is a variable here and a parameter too give the parameter another name");
  CHECK(fail({"step(t, 1, 2)"}) == "12 unexpected ')', expected ',' ");
}

TEST_CASE("names are found in any text") {
  const auto names = list_names("2e3*sin(a.b) + 3 deg - a.b*_x1 + crank.velocity.y.");
  REQUIRE(names.size() == 3);
  CHECK(names[0].name == "a.b");
  CHECK(names[0].offset == 8);
  CHECK(names[1].name == "_x1");
  CHECK(names[2].name == "crank.velocity.y");
  CHECK(list_names("(((").empty());
}
