// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mechanisms of the gallery against calculations that share no code with the program.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <functional>

#include "support/reference.hpp"

using namespace trammel;

// ---- the cam: one freedom, its angle β, with the curve's spline solved as one dense system

namespace {

class PeriodicSpline {
 public:
  // M: second derivatives, from C² at all points
  PeriodicSpline(const std::vector<double>& x, const std::vector<double>& y) : x_(x), y_(y) {
    const int n = static_cast<int>(x.size()) - 1;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd b(n);
    const auto h = [&](int k) { return x[k + 1] - x[k]; };
    for (int k = 0; k < n; ++k) {
      const int before = (k + n - 1) % n, after = (k + 1) % n;
      A(k, before) += h(before) / 6;
      A(k, k) += (h(before) + h(k)) / 3;
      A(k, after) += h(k) / 6;
      b[k] = (y[k + 1] - y[k]) / h(k) - (y[before + 1] - y[before]) / h(before);
    }
    M_ = A.fullPivLu().solve(b);
  }
  std::array<double, 3> operator()(double at) const {
    const int n = static_cast<int>(x_.size()) - 1;
    at -= std::floor(at / x_[n]) * x_[n];
    int k = 0;
    while (k + 1 < n && x_[k + 1] <= at) ++k;
    const double h = x_[k + 1] - x_[k], p = (x_[k + 1] - at) / h, q = (at - x_[k]) / h;
    const double m = M_[k], n_ = M_[(k + 1) % n];
    return {p * y_[k] + q * y_[k + 1] + ((p * p * p - p) * m + (q * q * q - q) * n_) * h * h / 6,
            (y_[k + 1] - y_[k]) / h + ((1 - 3 * p * p) * m + (3 * q * q - 1) * n_) * h / 6,
            p * m + q * n_};
  }

 private:
  std::vector<double> x_, y_;
  Eigen::VectorXd M_;
};

// Height of the follower's point over the shaft, and its derivatives by the cam's angle.
class CamProfile {
 public:
  explicit CamProfile(const Curve& curve) : x_(make(curve, 0)), y_(make(curve, 1)) {}

  std::array<double, 3> operator()(double beta) {
    const double e[2] = {std::cos(beta), -std::sin(beta)}, f[2] = {std::sin(beta), std::cos(beta)};
    std::array<double, 3> x{}, y{};
    for (int k = 0; k < 20; ++k) {  // where the curve crosses the line of the guide
      x = x_(sigma_);
      y = y_(sigma_);
      sigma_ -= (x[0] * e[0] + y[0] * e[1]) / (x[1] * e[0] + y[1] * e[1]);
    }
    const auto on = [&](const double* d, int n) { return x[n] * d[0] + y[n] * d[1]; };
    const double s1 = on(f, 0) / on(e, 1);
    const double s2 = (2 * on(f, 1) * s1 - on(e, 2) * s1 * s1) / on(e, 1);
    return {on(f, 0), on(f, 1) * s1, on(f, 2) * s1 * s1 + on(e, 1) * s1 + on(f, 1) * s2};
  }

  double sigma_ = 0.0;

 private:
  static PeriodicSpline make(const Curve& curve, int component) {
    std::vector<double> s = {0.0}, v = {curve.points[0][component]};
    for (std::size_t k = 1; k <= curve.points.size(); ++k) {
      const Vec3 &a = curve.points[k - 1], &b = curve.points[k % curve.points.size()];
      s.push_back(s.back() + test::distance(a, b));
      v.push_back(b[component]);
    }
    return {s, v};
  }
  PeriodicSpline x_, y_;
};

}  // namespace

TEST_CASE("the cam moves as its one-freedom equation says") {
  const Model model = test::read_repository_model("gallery/cam.yaml");
  const SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 1);
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);

  CamProfile profile(*model.joints[2].curve);
  profile.sigma_ = 0.09;  // a quarter of the way round
  const double I = 0.02, m = 0.8, g = 9.81, stiffness = 300, free_length = 0.25;
  using State = Eigen::Vector2d;
  const auto rate = [&](const State& z) {
    const auto [y, y1, y2] = profile(z[0]);
    const double pull = m * g + stiffness * ((y + 0.1) + 0.2 - free_length);
    return State(z[1], -(m * y1 * y2 * z[1] * z[1] + pull * y1) / (I + m * y1 * y1));
  };
  const auto beta_of = [&](std::size_t row) {
    const double* theta = results.orientation.data() + 8 * row;
    return 2 * std::atan2(theta[3], theta[0]);
  };
  State z(beta_of(0), results.angular_velocity[2]);
  const double start = profile(z[0])[0];
  CHECK(results.position[4] == doctest::Approx(start + 0.1).epsilon(1e-12));
  const int n = 100000;
  const double h = options.t_end / n;
  for (int k = 0; k < n; ++k) {  // the classical Runge–Kutta method
    const State k1 = rate(z), k2 = rate(z + 0.5 * h * k1), k3 = rate(z + 0.5 * h * k2),
                k4 = rate(z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const std::size_t last = results.time.size() - 1;
  CHECK(z[0] > 6.0);  // it has turned
  CHECK(std::abs(std::remainder(z[0] - beta_of(last), 6.283185307179586)) <= 1e-8);
  CHECK(std::abs(z[1] - results.final[0].angular_velocity[2]) <= 1e-7);
  CHECK(std::abs(profile(z[0])[0] + 0.1 - results.final[1].position[1]) <= 1e-9);
}

// ---- the axle: the path of the wheel from five equations of length

namespace {

Eigen::Matrix3d make_rotation(const Eigen::Vector3d& v) {
  const double angle = v.norm();
  if (angle == 0.0) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, v / angle).toRotationMatrix();
}

struct Link {
  Eigen::Vector3d chassis, carrier;  // world, and from the wheel's centre, as drawn
  double length;
};

// Place and attitude (as a rotation vector) of the carrier at a given height, by Newton's method with
// differences.
Eigen::Matrix<double, 6, 1> find_pose(const std::vector<Link>& links, double height) {
  using V6 = Eigen::Matrix<double, 6, 1>;
  const auto residual = [&](const V6& q) {
    V6 r;
    for (int k = 0; k < 5; ++k) {
      const Eigen::Vector3d end = q.head<3>() + make_rotation(q.tail<3>()) * links[k].carrier;
      r[k] = (end - links[k].chassis).norm() - links[k].length;
    }
    r[5] = q[2] - height;
    return r;
  };
  V6 q;
  q << 0, 0.75, height, 0, 0, 0;
  for (int iteration = 0; iteration < 30; ++iteration) {
    const V6 r = residual(q);
    Eigen::Matrix<double, 6, 6> J;
    for (int c = 0; c < 6; ++c) {
      V6 ahead = q, behind = q;
      ahead[c] += 1e-5;
      behind[c] -= 1e-5;
      J.col(c) = (residual(ahead) - residual(behind)) / 2e-5;
    }
    q -= J.fullPivLu().solve(r);
  }
  return q;
}

}  // namespace

TEST_CASE("the wheel of the five-link axle follows the path that five lengths allow") {
  const Model model = test::read_repository_model("gallery/five_link_axle.yaml");
  const Results results = test::run(model, model.simulation);
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 1);
  std::vector<Link> links;
  const auto vector = [](const Vec3& v) { return Eigen::Vector3d(v[0], v[1], v[2]); };
  for (const Joint& joint : model.joints) {
    const auto& place = std::get<WorldPlacement>(joint.placement);
    const Eigen::Vector3d i = vector(place.point), j = vector(*place.point_j);
    links.push_back({i, j - Eigen::Vector3d(0, 0.75, 0.3), (j - i).norm()});
  }
  double lowest = 1, highest = 0;
  for (std::size_t row = 0; row < results.time.size(); row += 20) {
    const double* r = results.position.data() + 3 * row;
    const double* theta = results.orientation.data() + 4 * row;
    const Eigen::Matrix<double, 6, 1> pose = find_pose(links, r[2]);
    CHECK(std::abs(pose[0] - r[0]) <= 1e-10);
    CHECK(std::abs(pose[1] - r[1]) <= 1e-10);
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(theta[0], theta[1], theta[2], theta[3]).toRotationMatrix();
    CHECK((R - make_rotation(pose.tail<3>())).norm() <= 1e-9);
    lowest = std::min(lowest, r[2]);
    highest = std::max(highest, r[2]);
  }
  CHECK(highest - lowest > 0.05);  // a stroke worth the name
}
