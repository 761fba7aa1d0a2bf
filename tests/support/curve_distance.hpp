// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The distance of a point from a cubic spline through given points, parametrised by the length along
// their polygon; not-a-knot ends, or closed (docs/reference/joints/point_on_curve.md). Dense linear algebra,
// independent of the splines of the library.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace trammel::test {

class CurveDistance {
 public:
  CurveDistance(std::vector<Eigen::Vector3d> points, bool closed)
      : closed_(closed), y_(std::move(points)) {
    if (closed) y_.push_back(y_[0]);
    for (std::size_t k = 0; k + 1 < y_.size(); ++k) h_.push_back((y_[k + 1] - y_[k]).norm());
    calc_second_derivatives(closed);
  }

  double calc(const Eigen::Vector3d& q) const {
    constexpr int samples = 40;
    const double end = static_cast<double>(h_.size());
    double best = 1e300, at = 0.0;
    for (int s = 0; s <= samples * static_cast<int>(h_.size()); ++s) {
      const double u = static_cast<double>(s) / samples, d = (evaluate(u) - q).norm();
      if (d < best) best = d, at = u;
    }
    for (double step = 1.0 / samples; step > 1e-13; step *= 0.5) {
      for (double u : {at - step, at + step}) {
        u = closed_ ? u - end * std::floor(u / end) : std::min(std::max(u, 0.0), end);
        const double d = (evaluate(u) - q).norm();
        if (d < best) best = d, at = u;
      }
    }
    if (closed_) return best;
    // an open curve goes on straight beyond its ends, as far as a start may be off
    for (const bool last : {false, true}) {
      const Eigen::Vector3d p = evaluate(last ? end : 0.0),
                            near = evaluate(last ? end - 1e-6 : 1e-6);
      const Eigen::Vector3d out = (p - near).normalized();
      const double beyond = out.dot(q - p);
      if (beyond > 0.0 && beyond < 0.01 * h_[0]) best = std::min(best, out.cross(q - p).norm());
    }
    return best;
  }

 private:
  // parameter: the number of the piece, and the place in it from 0 to 1
  Eigen::Vector3d evaluate(double parameter) const {
    const std::size_t k = std::min(static_cast<std::size_t>(parameter), h_.size() - 1);
    const double h = h_[k], u = parameter - static_cast<double>(k), w = 1.0 - u;
    return w * y_[k] + u * y_[k + 1] +
           h * h / 6.0 * ((w * w * w - w) * M_[k] + (u * u * u - u) * M_[k + 1]);
  }

  void calc_second_derivatives(bool closed) {
    const auto n = static_cast<Eigen::Index>(h_.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + 1, n + 1);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n + 1, 3);
    const auto slope = [&](Eigen::Index k) { return Eigen::Vector3d((y_[k + 1] - y_[k]) / h_[k]); };
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

  bool closed_;
  std::vector<Eigen::Vector3d> y_, M_;
  std::vector<double> h_;
};

}  // namespace trammel::test
