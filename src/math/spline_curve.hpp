// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A curve in space through given points, open or closed: each component is a cubic spline of the
// length along the polygon of the points,
//
//   c(σ) = (x(σ), y(σ), z(σ)),   σ_k = Σ |c_k − c_{k−1}|
//
// twice continuously differentiable. A straight line goes on beyond the ends of an open curve.
#pragma once

#include <vector>

#include "math/spline.hpp"
#include "math/vector3.hpp"

namespace trammel {

class SplineCurve {
 public:
  // At least two points, of a closed curve three; neighbours differ. The first point of a closed
  // curve is not repeated.
  SplineCurve(const std::vector<Vector3<double>>& points, bool closed);

  struct Point {
    Vector3<double> c, c1, c2;  // and its derivatives by σ
  };
  Point evaluate(double sigma) const;

  const Spline& component(int k) const { return k == 0 ? x_ : k == 1 ? y_ : z_; }
  friend bool operator==(const SplineCurve&, const SplineCurve&) = default;

  double length() const { return x_.last(); }  // m, of the polygon: the range of σ
  bool is_closed() const { return closed_; }
  // An open curve has this σ.
  bool contains(double sigma) const { return closed_ || (sigma >= 0.0 && sigma <= length()); }
  // Of a closed curve the σ in [0, length) of the same point.
  double wrap(double sigma) const;

  // σ of the nearest point of the whole curve. Slow: for the start.
  double find_nearest(const Vector3<double>& point) const;

 private:
  SplineCurve(const std::vector<Vector3<double>>& points, std::vector<double> sigma, bool closed);

  bool closed_;
  int n_points_;
  Spline x_, y_, z_;
};

}  // namespace trammel
