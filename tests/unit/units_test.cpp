// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Units in expressions: values by hand, the grammar, and what is refused.
#include "math/units.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "math/expression.hpp"

using namespace trammel;

namespace {

double calc(const std::string& text) { return Expression(text, VariableNames()).evaluate({}); }

// "N/m" of an expression over the names; kinds that are not known in words.
std::string unit_of(const std::string& text, const VariableNames& names = {}) {
  KnownUnit quantity;
  const Expression expression(text, names, quantity);
  switch (quantity.kind) {
    case KnownUnit::Kind::zero: return "zero";
    case KnownUnit::Kind::number: return "number";
    case KnownUnit::Kind::plain: return "plain";
    case KnownUnit::Kind::lost: return "lost";
    case KnownUnit::Kind::loose: return "loose " + to_text(quantity.dimension);
    case KnownUnit::Kind::known: return to_text(quantity.dimension);
  }
  return "";
}

std::string fail(const std::string& text, const VariableNames& names = {}) {
  try {
    const Expression expression(text, names);
    return "accepted";
  } catch (const ExpressionError& error) {
    const std::string hint = error.hint.empty() ? "" : " (" + error.hint + ")";
    return std::to_string(error.offset) + ": " + error.what() + hint;
  }
}

VariableNames with(std::initializer_list<const char*> names) {
  VariableNames result;
  for (const char* name : names) result.add(name);
  return result;
}

}  // namespace

TEST_CASE("numbers with units") {
  CHECK(calc("25 mm") == 0.025);  // the nearest double, not 25·0.001
  CHECK(calc("25mm") == 0.025);
  CHECK(calc("3 bar") == 3e5);
  CHECK(calc("120 g") == 0.12);
  CHECK(calc("1 kg") == 1);
  CHECK(calc("2 kN/mm") == 2e6);
  CHECK(calc("0.3 N m s/rad") == 0.3);
  CHECK(calc("0.3 N·m") == 0.3);
  CHECK(calc("7850 kg/m^3") == 7850);
  CHECK(calc("7850 kg/m³") == 7850);
  CHECK(calc("5 kg cm^2") == 5e-4);
  CHECK(calc("5 kg cm²") == 5e-4);
  CHECK(calc("10 ms") == 0.01);
  CHECK(calc("2 min") == 120);
  CHECK(calc("1500 rpm") == doctest::Approx(1500 * 2 * M_PI / 60).epsilon(1e-15));
  CHECK(calc("90 deg/s") == doctest::Approx(M_PI / 2).epsilon(1e-15));
  CHECK(calc("2 rev/s") == doctest::Approx(4 * M_PI).epsilon(1e-15));
  CHECK(calc("5 N m/deg") == doctest::Approx(5 * 180 / M_PI).epsilon(1e-15));
  CHECK(calc("45°") == M_PI / 4);
  CHECK(calc("5 µm") == 5e-6);
  CHECK(calc("1 in") == 0.0254);
  CHECK(calc("10 lbf") == doctest::Approx(44.482216152605).epsilon(1e-15));
  CHECK(calc("1 psi") == doctest::Approx(6894.757293168361).epsilon(1e-15));
  CHECK(calc("4 s^-1") == 4);
  CHECK(calc("72 km/h") == 20);
  CHECK(calc("12 V/(2 ohm)") == 6);
  CHECK(calc("-3*25 mm + 1 cm") == doctest::Approx(-0.065).epsilon(1e-15));
  CHECK(calc("1e3 mm") == 1);
}

TEST_CASE("a unit follows a number, and ends where none follows") {
  const VariableNames names = with({"m", "g", "N", "s"});
  const std::vector<double> values = {3, 5, 7, 11};
  const auto value = [&](const std::string& text) {
    return Expression(text, names).evaluate(values);
  };
  CHECK(value("2*m") == 6);
  CHECK(value("m*g") == 15);
  CHECK(value("2 m*m") == 6);      // 2 metres times the parameter m
  CHECK(value("2 kN/m") == 2000);  // directly after a number /m is a unit
  CHECK(value("(2 kN)/m") == doctest::Approx(2000.0 / 3));
  CHECK(value("4 m^2") == 4);
  CHECK(value("(m)^2") == 9);
  CHECK(value("360 deg/N") == 2 * M_PI / 7);  // as before there were units
  CHECK(value("2 rad^2") == 4);
  CHECK(fail("90 deg/s", names) ==
        "7: 's' is a unit here, and the name of a parameter (divide by the parameter with "
        "parentheses: (30 deg)/s)");
  CHECK(fail("3 N*m") == "4: unknown name 'm' (a unit follows a number or a unit: 5 N m)");
  CHECK(fail("5 Hz") == "2: unknown unit 'Hz' (write s^-1, or rev/s for a rotation)");
  CHECK(fail("5 blob") == "2: unknown unit 'blob'");
  CHECK(fail("5 m^n", with({"n"})) == "3: the power of a unit must be a whole number, as in 5 m^2");
  CHECK(fail("5 kg/m s") == "7: unexpected 's'");
  CHECK(fail("5 x", with({"x"})) == "2: unexpected 'x'");
  CHECK(fail("(2*3) mm") == "6: unexpected 'mm'");
}

TEST_CASE("names in a text are no units") {
  std::string found;
  for (const auto& [name, offset] : list_names("25 mm*half + 3 N m/rad*q + 2 s*5 kg/m^3 - m/s")) {
    found += std::string(name) + " ";
  }
  CHECK(found == "half q m s ");
  CHECK(replace_names("2 m*m + d.x", [](std::string_view name) {
          return name == "m" ? std::optional<std::string>("(1 m)") : std::nullopt;
        }) == "2 m*(1 m) + d.x");
}

TEST_CASE("units of expressions") {
  const VariableNames names = with({"x", "y"});
  CHECK(unit_of("2*3") == "number");
  CHECK(unit_of("0") == "zero");
  CHECK(unit_of("2*x", names) == "plain");
  CHECK(unit_of("2*25 mm") == "m");
  CHECK(unit_of("25 mm + 1 in") == "m");
  CHECK(unit_of("x + 1 in", names) == "m");
  CHECK(unit_of("0 + 1 in") == "m");
  CHECK(unit_of("x*25 mm", names) == "loose m");
  CHECK(unit_of("25 mm/(50 mm)") == "number");
  CHECK(unit_of("2 kg*(3 m)^2") == "kg m^2");
  CHECK(unit_of("sqrt(9 m^2)") == "m");
  CHECK(unit_of("(9 m^2)^0.5") == "m");
  CHECK(unit_of("sqrt(9 m)") == "lost");
  CHECK(unit_of("pow(3 m, 2)") == "m^2");
  CHECK(unit_of("hypot(3 m, 4 m)") == "m");
  CHECK(unit_of("step(x, 0, 0, 1, 20 mm)", names) == "m");
  CHECK(unit_of("25 mm*cos(30 deg)") == "m");
  CHECK(unit_of("30 deg") == "rad");
  CHECK(unit_of("0.1*(30 deg)") == "loose rad");  // a length, where 0.1 is one
  CHECK(unit_of("90 deg + pi") == "rad");
  CHECK(unit_of("2 kW/(1500 rpm)") == "N m/rad");
}

TEST_CASE("units that do not fit together") {
  const VariableNames names = with({"x"});
  CHECK(fail("25 mm + 3 s") == "6: a quantity in m and one in s cannot be added or compared");
  CHECK(fail("25 mm + 3") ==
        "6: a number without a unit and a quantity in m cannot be added or compared (give both a "
        "unit)");
  CHECK(fail("max(1 kg, 2 N)") == "10: a quantity in kg and one in N cannot be added or compared");
  CHECK(fail("sin(2 mm)") ==
        "4: 'sin' needs a number without a unit, got one in m (divide by a quantity of the same "
        "unit)");
  CHECK(fail("2^(1 m)") ==
        "1: 'an exponent' needs a number without a unit, got one in m (divide by a quantity of "
        "the same unit)");
  CHECK(fail("floor(2.5 mm)").find("'floor' needs a number without a unit") != std::string::npos);
  VariableNames millimetres = with({"x"});
  millimetres.explicit_lengths = true;
  CHECK(fail("x + 3 mm", millimetres) ==
        "2: a value without a unit and a quantity in m cannot be added or compared (give both a "
        "unit)");
  CHECK(fail("x + 3 mm", names) == "accepted");
}

TEST_CASE("vectors by component") {
  VariableNames names;
  for (const char* name : {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z", "k"}) names.add(name);
  const std::vector<double> values = {1, 2, 3, -4, 5, 0.5, 10};
  const auto vector = [&](const std::string& text) {
    std::array<double, 3> result{};
    for (int k = 0; k < 3; ++k) {
      KnownUnit quantity;
      const Expression expression(text, names, quantity, k);
      CHECK(quantity.is_vector);
      result[static_cast<std::size_t>(k)] = expression.evaluate(values);
    }
    return result;
  };
  using V = std::array<double, 3>;
  CHECK(vector("a + 2*b - a/2") == V{-7.5, 11, 2.5});
  CHECK(vector("-k*a") == V{-10, -20, -30});
  CHECK(vector("cross(a, b)") == V{2 * 0.5 - 3 * 5, 3 * -4 - 1 * 0.5, 1 * 5 + 2 * 4});
  CHECK(vector("unit(a)*norm(a)")[1] == doctest::Approx(2).epsilon(1e-15));
  CHECK(vector("cross(cross(a, b), b)*dot(a, b)")[0] ==
        doctest::Approx(7.5 * ((3 * -4 - 0.5) * 0.5 - 13 * 5)).epsilon(1e-15));
  const auto number = [&](const std::string& text) {
    return Expression(text, names).evaluate(values);
  };
  CHECK(number("dot(a, b)") == 7.5);
  CHECK(number("norm(a - b)") == doctest::Approx(std::sqrt(25 + 9 + 6.25)).epsilon(1e-15));
  CHECK(number("a.y*k") == 20);
  CHECK(fail("a", names) == "0: 'a' is a vector (a component is written a.x)");
  CHECK(fail("norm(k)", names) == "5: must be a vector");
  CHECK(fail("unit(a)", names) == "0: 'unit' gives a vector (use norm or dot)");
  KnownUnit quantity;
  for (const char* text : {"a*b", "a + k", "k/a", "sin(a)", "a^2", "max(a, b)"}) {
    CHECK_THROWS_AS(Expression(text, names, quantity, 0), UnitError);
  }
  // nested functions of vectors repeat their arguments: refused before that gets out of hand
  std::string deep = "a";
  for (int k = 0; k < 12; ++k) deep = "norm(" + deep + ")*a";
  CHECK(fail("norm(" + deep + ")", names).find("expression too long") != std::string::npos);
}
