// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The surface z(x, y) through the points of a map: bilinear, or Hermite's bicubics, which have continuous
// slopes, with z, z_x, z_y and z_xy at the points of the grid. The slopes are those of curves along
// the lines of the grid (spline.hpp, table_slopes.hpp); z_xy is the mean of the slopes of slopes in both orders.
// Immutable after its construction; evaluation allocates nothing.
#pragma once

#include <string>
#include <vector>

#include "trammel/function.hpp"

namespace trammel {

class MapSurface {
 public:
  // The map must be well formed: src/model/check_function.hpp.
  explicit MapSurface(const DataMap& map);

  // ∂^{i+j} z/∂x^i ∂y^j, i, j ≤ 2. Outside the range as the map says; NaN where it says `refuse`.
  double evaluate(double x, double y, int i, int j) const;

  // A map without values outside its range, and a point there.
  bool has_left(double x, double y) const;

  Interpolation interpolation() const { return interpolation_; }
  const std::string& name() const { return name_; }
  friend bool operator==(const MapSurface&, const MapSurface&) = default;

 private:
  struct Node {
    double z, z_x, z_y, z_xy;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Axis {
    std::vector<double> at;
    bool periodic = false;
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  // The interval, and the place in it relative to its length.
  struct Place {
    std::size_t k = 0;
    double h = 1.0, s = 0.0;
    double outside = 0.0;  // how far x is beyond the end of the table
  };
  static Place find_place(const Axis& axis, double x);
  bool is_outside(const Axis& axis, double x) const;
  double evaluate_inside(const Place& x, const Place& y, int i, int j) const;

  Axis x_, y_;
  std::vector<Node> nodes_;  // [x + n·y]
  TableBeyond beyond_;
  Interpolation interpolation_;
  std::string name_;
};

}  // namespace trammel
