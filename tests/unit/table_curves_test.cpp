// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Curves and surfaces through tables: values of SciPy 1.17 (PchipInterpolator, Akima1DInterpolator), slopes
// against differences, overshoot.
#include <doctest/doctest.h>

#include <cmath>

#include "math/map_surface.hpp"
#include "math/spline.hpp"
#include "math/table_slopes.hpp"
#include "support/central_difference.hpp"

using namespace trammel;

namespace {

DataTable make_table(Interpolation interpolation) {
  DataTable table;
  table.x = {0, 1, 1.5, 3, 4, 6};
  table.y = {0, 2, 2.5, 2.5, -1, 0.5};
  table.interpolation = interpolation;
  return table;
}

DataMap make_map(Interpolation interpolation, double (*f)(double, double)) {
  DataMap map;
  map.x = {0, 0.5, 1.5, 2, 3};
  map.y = {-1, 0, 1, 3};
  for (const double y : map.y) {
    for (const double x : map.x) map.z.push_back(f(x, y));
  }
  map.interpolation = interpolation;
  return map;
}

double wave(double x, double y) { return std::sin(x) * std::cos(0.7 * y) + 0.1 * x * y; }

}  // namespace

TEST_CASE("pchip and akima are those of SciPy") {
  struct Row {
    double x, pchip, pchip_slope, akima, akima_slope;
  };
  const Row rows[] = {
      {0.4, 0.9645714285714285, 2.1485714285714286, 0.92, 2.1},
      {1.2, 2.2685714285714287, 1.2857142857142858, 2.2466666666666666, 1.0111111111111113},
      {2.2, 2.5, 0.0, 2.7710123456790123, 0.02074074074074063},
      {3.3, 1.7440000000000007, -4.409999999999998, 1.7455806451612912, -3.9350537634408598},
      {5.5, -0.3671875, 1.265625, -0.6911542338709669, 1.8767641129032264}};
  const Spline pchip(make_table(Interpolation::pchip)), akima(make_table(Interpolation::akima));
  for (const Row& row : rows) {
    CAPTURE(row.x);
    CHECK(pchip.evaluate(row.x).value == doctest::Approx(row.pchip).epsilon(1e-13));
    CHECK(pchip.evaluate(row.x).first == doctest::Approx(row.pchip_slope).epsilon(1e-13));
    CHECK(akima.evaluate(row.x).value == doctest::Approx(row.akima).epsilon(1e-13));
    CHECK(akima.evaluate(row.x).first == doctest::Approx(row.akima_slope).epsilon(1e-13));
  }
}

TEST_CASE("every curve goes through its points, and its integral has the curve as slope") {
  for (const Interpolation form :
       {Interpolation::linear, Interpolation::pchip, Interpolation::akima, Interpolation::cubic}) {
    CAPTURE(static_cast<int>(form));
    const DataTable table = make_table(form);
    const Spline curve(table);
    for (std::size_t k = 0; k < table.x.size(); ++k) {
      CHECK(curve.evaluate(table.x[k]).value == doctest::Approx(table.y[k]).epsilon(1e-14));
    }
    for (const double x : {0.3, 1.2, 2.9, 3.1, 5.0}) {
      const double h = 1e-5;
      const auto slope = [&](auto&& f) { return (f(x + h) - f(x - h)) / (2 * h); };
      CHECK(slope([&](double at) { return curve.evaluate(at).value; }) ==
            doctest::Approx(curve.evaluate(x).first).epsilon(1e-8));
      CHECK(slope([&](double at) { return curve.integrate(at); }) ==
            doctest::Approx(curve.evaluate(x).value).epsilon(1e-8));
    }
  }
}

TEST_CASE("two and three points, clamped and periodic ends") {
  DataTable table;
  table.x = {0, 2}, table.y = {1, 5};
  for (const Interpolation form :
       {Interpolation::linear, Interpolation::pchip, Interpolation::akima, Interpolation::cubic}) {
    table.interpolation = form;
    CHECK(Spline(table).evaluate(0.5).value == doctest::Approx(2).epsilon(1e-15));
  }
  table = make_table(Interpolation::pchip);
  table.ends = TableEnds::clamped;
  table.first_slope = 7, table.last_slope = -3;
  CHECK(Spline(table).evaluate(0).first == 7);
  CHECK(Spline(table).evaluate(6).first == doctest::Approx(-3));
  table.ends = TableEnds::periodic;
  table.y.back() = table.y.front();
  for (const Interpolation form : {Interpolation::pchip, Interpolation::akima}) {
    table.interpolation = form;
    const Spline ring(table);
    CHECK(ring.evaluate(0).first == doctest::Approx(ring.evaluate(6 - 1e-9).first).epsilon(1e-7));
    CHECK(ring.evaluate(6.4).value == doctest::Approx(ring.evaluate(0.4).value).epsilon(1e-14));
    CHECK(ring.evaluate(-0.4).value == doctest::Approx(ring.evaluate(5.6).value).epsilon(1e-14));
  }
}

TEST_CASE("overshoot: none of pchip, that of the detent table of a cubic") {
  DataTable table;
  table.x = {-10, 0, 20, 24, 28, 32, 46, 50, 54, 58, 90};
  table.y = {0, 0, 0, -12, 12, 0, 0, -15, 15, 0, 0};
  table.interpolation = Interpolation::pchip;
  CHECK(Spline(table).find_overshoot().share == 0.0);
  table.interpolation = Interpolation::linear;
  CHECK(Spline(table).find_overshoot().share == 0.0);
  table.interpolation = Interpolation::cubic;
  const Spline::Overshoot worst = Spline(table).find_overshoot();
  CHECK(worst.from == 58);
  CHECK(worst.to == 90);
  CHECK(worst.value < -380);
  CHECK(worst.share == doctest::Approx(-worst.value / 30));
}

TEST_CASE("surfaces go through their points; slopes are those of differences, across cells too") {
  for (const Interpolation form :
       {Interpolation::linear, Interpolation::pchip, Interpolation::akima, Interpolation::cubic}) {
    CAPTURE(static_cast<int>(form));
    const DataMap map = make_map(form, wave);
    const MapSurface surface(map);
    for (std::size_t k = 0; k < map.y.size(); ++k) {
      for (std::size_t i = 0; i < map.x.size(); ++i) {
        CHECK(surface.evaluate(map.x[i], map.y[k], 0, 0) ==
              doctest::Approx(map.z[i + map.x.size() * k]).epsilon(1e-14));
      }
    }
    const double h = 1e-5;
    for (const double x : {0.2, 1.1, 2.6}) {
      for (const double y : {-0.4, 0.9, 2.2}) {
        for (int i = 0; i < 2; ++i) {
          for (int j = 0; j < 2 - i; ++j) {
            const double by_x =
                (surface.evaluate(x + h, y, i, j) - surface.evaluate(x - h, y, i, j));
            const double by_y =
                (surface.evaluate(x, y + h, i, j) - surface.evaluate(x, y - h, i, j));
            CHECK(by_x / (2 * h) ==
                  doctest::Approx(surface.evaluate(x, y, i + 1, j)).epsilon(1e-7));
            CHECK(by_y / (2 * h) ==
                  doctest::Approx(surface.evaluate(x, y, i, j + 1)).epsilon(1e-7));
          }
        }
      }
    }
    if (form == Interpolation::linear) continue;
    // the slopes do not jump at the lines of the grid
    for (const double y : {-0.4, 0.9, 2.2}) {
      CHECK(surface.evaluate(1.5 - 1e-9, y, 1, 0) ==
            doctest::Approx(surface.evaluate(1.5 + 1e-9, y, 1, 0)).epsilon(1e-6));
      CHECK(surface.evaluate(1.5 - 1e-9, y, 0, 1) ==
            doctest::Approx(surface.evaluate(1.5 + 1e-9, y, 0, 1)).epsilon(1e-6));
    }
  }
}

TEST_CASE("maps: a product is exact, beyond and periods as the map says") {
  DataMap map = make_map(Interpolation::linear, [](double x, double y) { return 3 * x * y - x; });
  CHECK(MapSurface(map).evaluate(1.2, 0.3, 0, 0) == doctest::Approx(3 * 1.2 * 0.3 - 1.2));
  CHECK(std::isnan(MapSurface(map).evaluate(3.1, 0, 0, 0)));
  CHECK(MapSurface(map).has_left(0, 3.5));
  map.beyond = TableBeyond::hold;
  CHECK(MapSurface(map).evaluate(9, 9, 0, 0) == doctest::Approx(3 * 3 * 3 - 3));
  CHECK(MapSurface(map).evaluate(9, 1, 1, 0) == 0);
  map.beyond = TableBeyond::linear;
  CHECK(MapSurface(map).evaluate(4, 5, 0, 0) == doctest::Approx(3 * 4 * 5 - 4));
  CHECK(MapSurface(map).evaluate(4, 5, 1, 0) == doctest::Approx(3 * 5 - 1));
  CHECK(MapSurface(map).evaluate(4, 5, 1, 1) == doctest::Approx(3));
  map = make_map(Interpolation::pchip,
                 [](double x, double y) { return std::sin(2 * M_PI * x / 3) + y; });
  map.z[4] = map.z[0], map.z[9] = map.z[5], map.z[14] = map.z[10], map.z[19] = map.z[15];
  map.periodic_x = true;
  const MapSurface ring(map);
  CHECK(ring.evaluate(3.7, 1.5, 0, 0) == doctest::Approx(ring.evaluate(0.7, 1.5, 0, 0)));
  CHECK(ring.evaluate(-1e-9, 1.5, 1, 0) ==
        doctest::Approx(ring.evaluate(1e-9, 1.5, 1, 0)).epsilon(1e-6));
}
