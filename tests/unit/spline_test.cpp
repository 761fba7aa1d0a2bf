// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The spline through a table: exact for cubics, smooth at the points, its ends, its integral.
#include "math/spline.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace trammel;

namespace {

DataTable make_table(TableEnds ends, int n, double (*f)(double), double from, double to,
                     unsigned seed = 1) {
  std::mt19937 random(seed);
  DataTable table;
  table.ends = ends;
  for (int k = 0; k < n; ++k) {
    // uneven, by up to a third of the mean distance
    const double jitter =
        k == 0 || k == n - 1 ? 0.0 : (static_cast<double>(random() % 1000) / 1000.0 - 0.5) / 1.5;
    table.x.push_back(from + (to - from) * (k + jitter) / (n - 1));
    table.y.push_back(f(table.x.back()));
  }
  if (ends == TableEnds::periodic) table.y.back() = table.y.front();
  return table;
}

double cubic(double x) { return 2 - x + 0.5 * x * x - 0.3 * x * x * x; }
double cubic1(double x) { return -1 + x - 0.9 * x * x; }
double cubic2(double x) { return 1 - 1.8 * x; }

}  // namespace

TEST_CASE("cubics are met exactly, with uneven points") {
  for (const TableEnds ends : {TableEnds::not_a_knot, TableEnds::clamped}) {
    DataTable table = make_table(ends, 9, cubic, -1, 2);
    table.first_slope = cubic1(-1);
    table.last_slope = cubic1(2);
    const Spline spline(table);
    for (double x = -1; x <= 2; x += 0.01) {
      const Jet at = spline.evaluate(x);
      REQUIRE(at.value == doctest::Approx(cubic(x)).epsilon(1e-13));
      REQUIRE(at.first == doctest::Approx(cubic1(x)).epsilon(1e-12));
      REQUIRE(at.second == doctest::Approx(cubic2(x)).epsilon(1e-11));
    }
  }
}

TEST_CASE("few points: a line, a parabola, a cubic") {
  DataTable table;
  table.x = {1, 3};
  table.y = {2, 6};
  CHECK(Spline(table).evaluate(2).value == doctest::Approx(4));
  CHECK(Spline(table).evaluate(2).first == doctest::Approx(2));
  table.x = {0, 1, 3};
  table.y = {0, 1, 9};
  CHECK(Spline(table).evaluate(2).value == doctest::Approx(4));
  CHECK(Spline(table).evaluate(2).second == doctest::Approx(2));
  table.x = {0, 1, 3, 4};
  table.y = {0, 1, 27, 64};
  CHECK(Spline(table).evaluate(2).value == doctest::Approx(8));
  CHECK(Spline(table).evaluate(2).second == doctest::Approx(12));
}

TEST_CASE("points are met, and value, slope and curvature do not jump there") {
  for (const TableEnds ends :
       {TableEnds::not_a_knot, TableEnds::natural, TableEnds::clamped, TableEnds::periodic}) {
    const DataTable table = make_table(
        ends, 12, [](double x) { return std::sin(x) + 0.2 * std::cos(3 * x); }, 0, 2 * M_PI);
    const Spline spline(table);
    const double e = 1e-9;
    for (std::size_t k = 0; k < table.x.size(); ++k) {
      CHECK(spline.evaluate(table.x[k]).value == doctest::Approx(table.y[k]).epsilon(1e-14));
      if (k == 0 || k + 1 == table.x.size()) continue;
      const Jet left = spline.evaluate(table.x[k] - e), right = spline.evaluate(table.x[k] + e);
      CHECK(std::abs(right.value - left.value) < 1e-7);
      CHECK(std::abs(right.first - left.first) < 1e-7);
      CHECK(std::abs(right.second - left.second) < 1e-7);
    }
  }
}

TEST_CASE("ends as asked for") {
  const auto f = [](double x) { return std::exp(x); };
  DataTable table = make_table(TableEnds::natural, 7, f, 0, 1);
  CHECK(std::abs(Spline(table).evaluate(0).second) < 1e-14);
  CHECK(std::abs(Spline(table).evaluate(1).second) < 1e-13);
  table.ends = TableEnds::clamped;
  table.first_slope = 0.5;
  table.last_slope = -2;
  CHECK(Spline(table).evaluate(0).first == doctest::Approx(0.5));
  CHECK(Spline(table).evaluate(1).first == doctest::Approx(-2));
}

TEST_CASE("a periodic table closes and repeats") {
  const Spline spline(make_table(
      TableEnds::periodic, 40, [](double x) { return std::sin(x); }, 0, 2 * M_PI));
  const Jet first = spline.evaluate(0), last = spline.evaluate(2 * M_PI);
  CHECK(last.value == doctest::Approx(first.value).scale(1));
  CHECK(last.first == doctest::Approx(first.first));
  CHECK(std::abs(last.second - first.second) < 1e-12);
  for (double x = -20; x < 20; x += 0.37) {
    REQUIRE(std::abs(spline.evaluate(x).value - std::sin(x)) < 1e-4);
    REQUIRE(std::abs(spline.evaluate(x).first - std::cos(x)) < 3e-3);
    REQUIRE(std::abs(spline.integrate(x) - (1 - std::cos(x))) < 1e-4);
  }
}

TEST_CASE("outside of the range") {
  DataTable table = make_table(TableEnds::not_a_knot, 6, cubic, 0, 1);
  CHECK(std::isnan(Spline(table).evaluate(1.001).value));
  CHECK(std::isnan(Spline(table).evaluate(-0.001).second));
  table.beyond = TableBeyond::hold;
  CHECK(Spline(table).evaluate(5).value == doctest::Approx(cubic(1)));
  CHECK(Spline(table).evaluate(5).first == 0);
  CHECK(Spline(table).integrate(5) == doctest::Approx(Spline(table).integrate(1) + 4 * cubic(1)));
  table.beyond = TableBeyond::linear;
  CHECK(Spline(table).evaluate(-1).value == doctest::Approx(cubic(0) - cubic1(0)));
  CHECK(Spline(table).evaluate(-1).first == doctest::Approx(cubic1(0)));
}

TEST_CASE("the integral's derivative is the spline") {
  for (const TableEnds ends : {TableEnds::not_a_knot, TableEnds::periodic}) {
    DataTable table = make_table(
        ends, 15, [](double x) { return 1 + std::sin(x); }, 0, 2 * M_PI, 3);
    table.beyond = TableBeyond::linear;
    const Spline spline(table);
    const double h = 1e-4;
    for (double x = -3; x < 9; x += 0.21) {
      const double slope = (spline.integrate(x + h) - spline.integrate(x - h)) / (2 * h);
      REQUIRE(slope == doctest::Approx(spline.evaluate(x).value).epsilon(1e-7));
    }
  }
}
