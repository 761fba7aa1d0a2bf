// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/map_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "math/spline.hpp"
#include "math/table_slopes.hpp"

namespace trammel {
namespace {

std::vector<double> calc_slopes(const std::vector<double>& x, const std::vector<double>& y,
                                Interpolation interpolation, bool periodic) {
  if (interpolation != Interpolation::cubic) {
    return calc_table_slopes(x, y, interpolation, periodic);
  }
  DataTable table;
  table.x = x, table.y = y;
  // a ring of fewer than four points has no spline
  if (periodic && x.size() >= min_points(TableEnds::periodic)) {
    table.ends = TableEnds::periodic;
    table.y.back() = table.y.front();
  }
  const Spline spline(table);
  std::vector<double> slopes;
  for (const double at : x) slopes.push_back(spline.evaluate(at).first);
  return slopes;
}

// Hermite's four cubics on [0, 1], weights of the values and slopes at both ends, and derivatives:
//   2s³ − 3s² + 1,  s³ − 2s² + s,  −2s³ + 3s²,  s³ − s²;   linear: 1 − s, 0, s, 0
struct Weights {
  double of_value[2], of_slope[2];
};
Weights calc_weights(double s, double h, int derivative, bool linear) {
  if (linear) {
    if (derivative == 0) return {{1.0 - s, s}, {0.0, 0.0}};
    if (derivative == 1) return {{-1.0 / h, 1.0 / h}, {0.0, 0.0}};
    return {{0.0, 0.0}, {0.0, 0.0}};
  }
  if (derivative == 0) {
    const double right = s * s * (3.0 - 2.0 * s);
    return {{1.0 - right, right}, {h * s * (1.0 - s) * (1.0 - s), h * s * s * (s - 1.0)}};
  }
  if (derivative == 1) {
    const double right = 6.0 * s * (1.0 - s) / h;
    return {{-right, right}, {(1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)}};
  }
  const double right = (6.0 - 12.0 * s) / (h * h);
  return {{-right, right}, {(6.0 * s - 4.0) / h, (6.0 * s - 2.0) / h}};
}

}  // namespace

MapSurface::MapSurface(const DataMap& map)
    : x_{map.x, map.periodic_x},
      y_{map.y, map.periodic_y},
      beyond_(map.beyond),
      interpolation_(map.interpolation == Interpolation::automatic ? Interpolation::pchip
                                                                   : map.interpolation),
      name_(map.name) {
  const std::size_t n = map.x.size(), m = map.y.size();
  for (const double z : map.z) nodes_.push_back({z, 0.0, 0.0, 0.0});
  if (interpolation_ == Interpolation::linear) return;
  const auto along_x = [&](double Node::*from, auto&& store) {
    for (std::size_t k = 0; k < m; ++k) {
      std::vector<double> line;
      for (std::size_t i = 0; i < n; ++i) line.push_back(nodes_[i + n * k].*from);
      const auto slopes = calc_slopes(map.x, line, interpolation_, map.periodic_x);
      for (std::size_t i = 0; i < n; ++i) store(nodes_[i + n * k], slopes[i]);
    }
  };
  const auto along_y = [&](double Node::*from, auto&& store) {
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> line;
      for (std::size_t k = 0; k < m; ++k) line.push_back(nodes_[i + n * k].*from);
      const auto slopes = calc_slopes(map.y, line, interpolation_, map.periodic_y);
      for (std::size_t k = 0; k < m; ++k) store(nodes_[i + n * k], slopes[k]);
    }
  };
  along_x(&Node::z, [](Node& node, double slope) { node.z_x = slope; });
  along_y(&Node::z, [](Node& node, double slope) { node.z_y = slope; });
  along_x(&Node::z_y, [](Node& node, double slope) { node.z_xy += 0.5 * slope; });
  along_y(&Node::z_x, [](Node& node, double slope) { node.z_xy += 0.5 * slope; });
}

MapSurface::Place MapSurface::find_place(const Axis& axis, double x) {
  const std::vector<double>& at = axis.at;
  Place place;
  if (axis.periodic) {
    const double period = at.back() - at.front();
    x -= period * std::floor((x - at.front()) / period);
  }
  const double inside = std::clamp(x, at.front(), at.back());
  place.outside = axis.periodic ? 0.0 : x - inside;
  const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, inside);
  place.k = static_cast<std::size_t>(above - at.begin()) - 1;
  place.h = at[place.k + 1] - at[place.k];
  place.s = (inside - at[place.k]) / place.h;
  return place;
}

double MapSurface::evaluate_inside(const Place& x, const Place& y, int i, int j) const {
  const bool linear = interpolation_ == Interpolation::linear;
  const Weights a = calc_weights(x.s, x.h, i, linear), b = calc_weights(y.s, y.h, j, linear);
  const std::size_t n = x_.at.size();
  double sum = 0.0;
  for (std::size_t q = 0; q < 2; ++q) {
    for (std::size_t p = 0; p < 2; ++p) {
      const Node& node = nodes_[x.k + p + n * (y.k + q)];
      sum += b.of_value[q] * (a.of_value[p] * node.z + a.of_slope[p] * node.z_x) +
             b.of_slope[q] * (a.of_value[p] * node.z_y + a.of_slope[p] * node.z_xy);
    }
  }
  return sum;
}

// Held: constant beyond the end. Linear: z + z_x·(how far beyond), in each direction.
double MapSurface::evaluate(double x, double y, int i, int j) const {
  if (has_left(x, y) || std::isnan(x + y)) return std::numeric_limits<double>::quiet_NaN();
  const Place u = find_place(x_, x), v = find_place(y_, y);
  const bool out_x = u.outside != 0.0, out_y = v.outside != 0.0;
  if (!out_x && !out_y) return evaluate_inside(u, v, i, j);
  if (beyond_ == TableBeyond::hold) {
    return (out_x && i > 0) || (out_y && j > 0) ? 0.0 : evaluate_inside(u, v, i, j);
  }
  // (1 + dx ∂_x)(1 + dy ∂_y) z, differentiated
  if ((out_x && i > 1) || (out_y && j > 1)) return 0.0;
  double sum = evaluate_inside(u, v, i, j);
  const bool by_x = out_x && i == 0, by_y = out_y && j == 0;
  if (by_x) sum += u.outside * evaluate_inside(u, v, 1, j);
  if (by_y) sum += v.outside * evaluate_inside(u, v, i, 1);
  if (by_x && by_y) sum += u.outside * v.outside * evaluate_inside(u, v, 1, 1);
  return sum;
}

bool MapSurface::is_outside(const Axis& axis, double x) const {
  return !axis.periodic && !(x >= axis.at.front() && x <= axis.at.back());
}

bool MapSurface::has_left(double x, double y) const {
  return beyond_ == TableBeyond::refuse && (is_outside(x_, x) || is_outside(y_, y));
}

}  // namespace trammel
