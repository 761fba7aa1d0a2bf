// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The distance of a point from a cubic spline through given points, parametrised by the length along
// their polygon; not-a-knot ends, or closed (docs/joints/point_on_curve.md). Dense linear algebra,
// independent of the splines of the library.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace trammel::test {

class CurveDistance {
 public:
  CurveDistance(std::vector<Eigen::Vector3d> points, bool closed) : y_(std::move(points)) {
    if (closed) y_.push_back(y_[0]);
    for (std::size_t k = 0; k + 1 < y_.size(); ++k) h_.push_back((y_[k + 1] - y_[k]).norm());
    calc_second_derivatives(closed);
  }

  double calc(const Eigen::Vector3d& q) const {
    constexpr int samples = 40;
    double best = 1e300;
    std::size_t piece = 0;
    double at = 0.0;
    for (std::size_t k = 0; k < h_.size(); ++k) {
      for (int s = 0; s <= samples; ++s) {
        const double u = static_cast<double>(s) / samples, d = (evaluate(k, u) - q).norm();
        if (d < best) best = d, piece = k, at = u;
      }
    }
    // the best sample's piece and its neighbours, by smaller and smaller steps
    for (double step = 1.0 / samples; step > 1e-12; step *= 0.5) {
      for (const double u : {at - step, at + step}) {
        const double d = (evaluate(piece, u) - q).norm();
        if (d < best) best = d, at = u;
      }
    }
    return best;
  }

 private:
  // with second derivatives M at the points; beyond its ends a piece goes on as a cubic
  Eigen::Vector3d evaluate(std::size_t k, double u) const {
    const double h = h_[k], w = 1.0 - u;
    return w * y_[k] + u * y_[k + 1] +
           h * h / 6.0 * ((w * w * w - w) * M_[k] + (u * u * u - u) * M_[k + 1]);
  }

  void calc_second_derivatives(bool closed) {
    const auto n = static_cast<Eigen::Index>(h_.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + 1, n + 1);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + 1, 3);
    const auto slope = [&](Eigen::Index k) {
      return Eigen::Vector3d((y_[k + 1] - y_[k]) / h_[k]);
    };
    const auto set_row = [&](Eigen::Index row, Eigen::Index before, Eigen::Index after) {
      A(row, before) += h_[before];
      A(row, row) += 2.0 * (h_[before] + h_[after]);
      A(row, after + 1) += h_[after];
      right.row(row) = 6.0 * (slope(after) - slope(before)).transpose();
    };
    for (Eigen::Index k = 1; k < n; ++k) set_row(k, k - 1, k);
    if (closed) {
      set_row(0, n - 1, 0);
      A(n, 0) = 1.0, A(n, n) = -1.0;
    } else if (n == 1) {
      A(0, 0) = A(1, 1) = 1.0;
    } else {
      // the third derivative does not jump at the second point and the last but one; with three
      // points both say the same, and the curve is a parabola
      A(0, 0) = 1.0 / h_[0], A(0, 1) = -1.0 / h_[0] - 1.0 / h_[1], A(0, 2) = 1.0 / h_[1];
      const double p = 1.0 / h_[n - 2], q = 1.0 / h_[n - 1];
      A(n, n - 2) = p, A(n, n - 1) = -p - q, A(n, n) = q;
      if (n == 2) A.row(n) << 1.0, -1.0, 0.0;
    }
    const Eigen::MatrixXd M = A.fullPivLu().solve(right);
    for (Eigen::Index k = 0; k <= n; ++k) M_.push_back(M.row(k).transpose());
  }

  std::vector<Eigen::Vector3d> y_, M_;
  std::vector<double> h_;
};

}  // namespace trammel::test
