// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/spline_curve.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

using V = Vector3<double>;

std::vector<double> calc_sigma(const std::vector<V>& points, bool closed) {
  std::vector<double> sigma = {0.0};
  const std::size_t n = points.size();
  for (std::size_t k = 1; k < n + (closed ? 1 : 0); ++k) {
    const V chord = points[k % n] - points[k - 1];
    sigma.push_back(sigma.back() + std::sqrt(dot(chord, chord)));
  }
  return sigma;
}

DataTable make_table(const std::vector<double>& sigma, const std::vector<V>& points, bool closed,
                     double V::*component) {
  DataTable table;
  table.x = sigma;
  for (std::size_t k = 0; k < sigma.size(); ++k) {
    table.y.push_back(points[k % points.size()].*component);
  }
  table.ends = closed ? TableEnds::periodic : TableEnds::not_a_knot;
  table.beyond = TableBeyond::linear;
  return table;
}

}  // namespace

SplineCurve::SplineCurve(const std::vector<V>& points, bool closed)
    : SplineCurve(points, calc_sigma(points, closed), closed) {}

SplineCurve::SplineCurve(const std::vector<V>& points, std::vector<double> sigma, bool closed)
    : closed_(closed),
      n_points_(static_cast<int>(points.size())),
      x_(make_table(sigma, points, closed, &V::x)),
      y_(make_table(sigma, points, closed, &V::y)),
      z_(make_table(sigma, points, closed, &V::z)) {}

SplineCurve::Point SplineCurve::evaluate(double sigma) const {
  const Jet x = x_.evaluate(sigma), y = y_.evaluate(sigma), z = z_.evaluate(sigma);
  return {{x.value, y.value, z.value}, {x.first, y.first, z.first}, {x.second, y.second, z.second}};
}

double SplineCurve::wrap(double sigma) const {
  if (!closed_) return sigma;
  const double inside = sigma - std::floor(sigma / length()) * length();
  return inside < length() ? inside : 0.0;
}

double SplineCurve::find_nearest(const V& point) const {
  const auto distance2 = [&](double sigma) {
    const V d = point - evaluate(sigma).c;
    return dot(d, d);
  };
  // the best of many samples, then steps to the foot of the normal, shortened until they help
  const int samples = 32 * n_points_;
  const double spacing = length() / samples;
  double best = 0.0, smallest = distance2(0.0);
  for (int k = 1; k <= samples; ++k) {
    const double at = k * spacing, d2 = distance2(at);
    if (d2 < smallest) best = at, smallest = d2;
  }
  for (int k = 0; k < 50; ++k) {
    const Point at = evaluate(best);
    double step = dot(point - at.c, at.c1) / dot(at.c1, at.c1);
    step = std::clamp(step, -spacing, spacing);
    for (int halvings = 0; halvings < 30; ++halvings, step *= 0.5) {
      double next = best + step;
      if (!closed_) next = std::clamp(next, 0.0, length());
      const double d2 = distance2(next);
      if (d2 < smallest) {
        best = next;
        smallest = d2;
        break;
      }
    }
    if (std::abs(step) <= 1e-9 * spacing) break;
  }
  return wrap(best);
}

}  // namespace trammel
