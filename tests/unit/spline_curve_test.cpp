// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A curve through points: it passes them, is smooth, and finds the point nearest to another.
#include "math/spline_curve.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace trammel;

namespace {

using V = Vector3<double>;
constexpr double pi = 3.14159265358979323846;

std::vector<V> make_circle(int n) {
  std::vector<V> points;
  for (int k = 0; k < n; ++k) {
    points.push_back({std::cos(2 * pi * k / n), std::sin(2 * pi * k / n), 0.0});
  }
  return points;
}

double size(const V& v) { return std::sqrt(dot(v, v)); }

// How far a closed curve through n points of the unit circle is from it.
double calc_error(int n) {
  const SplineCurve curve(make_circle(n), true);
  double largest = 0.0;
  for (int k = 0; k < 40 * n; ++k) {
    largest =
        std::max(largest, std::abs(size(curve.evaluate(k * curve.length() / (40 * n)).c) - 1));
  }
  return largest;
}

}  // namespace

TEST_CASE("a curve passes its points and c', c'' are its derivatives") {
  const std::vector<V> points = {{0, 0, 0}, {1, 0.5, 0}, {1.5, 2, 1}, {3, 1, 0.5}, {2, -1, 0}};
  for (const bool closed : {false, true}) {
    const SplineCurve curve(points, closed);
    double sigma = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      CHECK(size(curve.evaluate(sigma).c - points[k]) <= 1e-14);
      if (k + 1 < points.size()) sigma += size(points[k + 1] - points[k]);
    }
    const double e = 1e-5;
    for (double at = 0.1; at < curve.length() - 0.1; at += 0.173) {
      const auto here = curve.evaluate(at), ahead = curve.evaluate(at + e),
                 behind = curve.evaluate(at - e);
      CHECK(size((0.5 / e) * (ahead.c - behind.c) - here.c1) <= 1e-8);
      CHECK(size((0.5 / e) * (ahead.c1 - behind.c1) - here.c2) <= 1e-4);  // c''' jumps at points
    }
    CHECK(curve.contains(0.5));
    CHECK(curve.contains(-0.1) == closed);
    CHECK(curve.contains(curve.length() + 0.1) == closed);
  }
}

TEST_CASE("a closed curve is as smooth where it closes as elsewhere") {
  const SplineCurve curve(make_circle(12), true);
  const auto before = curve.evaluate(curve.length() - 1e-9), after = curve.evaluate(1e-9);
  CHECK(size(before.c1 - after.c1) <= 1e-8);
  CHECK(size(before.c2 - after.c2) <= 1e-6);
  CHECK(size(curve.evaluate(-0.3).c - curve.evaluate(curve.length() - 0.3).c) <= 1e-14);
  CHECK(curve.wrap(curve.length() + 0.25) == doctest::Approx(0.25));
  CHECK(curve.wrap(-0.25) == doctest::Approx(curve.length() - 0.25));
}

TEST_CASE("the error of a curve through points of a circle falls with the fourth power") {
  MESSAGE("24 points of the unit circle: " << calc_error(24));
  CHECK(calc_error(24) <= 2e-5);
  CHECK(calc_error(24) / calc_error(48) == doctest::Approx(16).epsilon(0.1));
}

TEST_CASE("the nearest point of a curve is the foot of a normal") {
  const SplineCurve circle(make_circle(64), true);
  for (double angle = 0.05; angle < 2 * pi; angle += 0.31) {
    const V point = {1.4 * std::cos(angle), 1.4 * std::sin(angle), 0.2};
    const auto foot = circle.evaluate(circle.find_nearest(point));
    CHECK(size(foot.c - V{std::cos(angle), std::sin(angle), 0}) <= 5e-6);
    CHECK(std::abs(dot(point - foot.c, foot.c1)) <= 1e-6);
  }
  // beyond the end of an open curve: the end
  const SplineCurve line({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, false);
  CHECK(line.find_nearest({5, 1, 0}) == 2.0);
  CHECK(line.find_nearest({0.3, 1, 0}) == doctest::Approx(0.3).epsilon(1e-12));
}
