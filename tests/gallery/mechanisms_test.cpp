// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mechanisms of the gallery against calculations that share no code with the program.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "support/reference.hpp"

using namespace trammel;

namespace {
constexpr double pi = 3.14159265358979323846;
}

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

// The cam and all that moves with it: I the cam's, m the follower's, a spring and its weight pull
// the follower down. Energy gives the speed at any angle, and a quadrature the time.
class FreeCam {
 public:
  FreeCam(const Curve& curve, double beta, double omega) : profile_(curve) {
    profile_.sigma_ = 0.09;  // a quarter of the way round
    const auto [y, y1, y2] = profile_(beta);
    energy_ = 0.5 * (I + m * y1 * y1) * omega * omega + potential(y);
    // where a point of the curve crosses the line of the guide, y'' has a corner
    for (const Vec3& point : curve.points) {
      const double at = std::atan2(point[0], point[1]);
      corners_.push_back(at < 0 ? at + 2 * pi : at);
    }
    std::sort(corners_.begin(), corners_.end());
  }

  struct Point {
    double omega, y, velocity, lift;
  };
  Point calc(double beta) {
    const auto [y, y1, y2] = profile_(beta);
    const double inertia = I + m * y1 * y1;
    const double omega = std::sqrt(2 * (energy_ - potential(y)) / inertia);
    const double pull = m * g + stiffness * (y + 0.3 - free_length);
    const double spin_up = -(m * y1 * y2 * omega * omega + pull * y1) / inertia;
    return {omega, y, y1 * omega, m * (y2 * omega * omega + y1 * spin_up) + pull};
  }

  // ∫ dβ/ω from corner to corner
  double calc_time(double from, double to) {
    double time = 0.0;
    while (from < to) {
      const double turn = 2 * pi * std::floor(from / (2 * pi));
      double next = turn + 2 * pi + corners_[0];
      for (const double corner : corners_) {
        if (turn + corner > from + 1e-12) next = std::min(next, turn + corner);
      }
      next = std::min(next, to);
      for (int part = 0; part < 8; ++part) {
        const double width = (next - from) / 8;
        time += calc_piece(from + part * width, width);
      }
      from = next;
    }
    return time;
  }

 private:
  static constexpr double I = 0.02, m = 0.8, g = 9.81, stiffness = 300, free_length = 0.25;

  double potential(double y) const {
    const double stretch = y + 0.3 - free_length;
    return m * g * y + 0.5 * stiffness * stretch * stretch;
  }
  // Gauss's formula of five points
  double calc_piece(double from, double width) {
    constexpr double x[] = {-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683,
                            0.906179845938664};
    constexpr double w[] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                            0.478628670499366, 0.236926885056189};
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) sum += w[k] / calc(from + 0.5 * width * (1 + x[k])).omega;
    return 0.5 * width * sum;
  }

  CamProfile profile_;
  double energy_ = 0.0;
  std::vector<double> corners_;  // rad, of one turn, in order
};

}  // namespace

TEST_CASE("the cam turns with the speed that its energy says, in its time") {
  const Model model = test::read_repository_model("gallery/cam.yaml");
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  options.output_interval = 0.06;
  options.hold_energy = false;
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 1);
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);

  const auto beta_of = [&](std::size_t row) {
    const double* theta = results.orientation.data() + 8 * row;
    return 2 * std::atan2(theta[3], theta[0]);
  };
  double beta = beta_of(0), time = 0.0;
  FreeCam cam(*model.joints[2].curve, beta, results.angular_velocity[2]);
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    CAPTURE(results.time[row]);
    const double before = beta;
    beta += std::remainder(beta_of(row) - beta, 2 * pi);
    time += cam.calc_time(before, beta);
    CHECK(std::abs(time - results.time[row]) <= 1e-11);
    const FreeCam::Point point = cam.calc(beta);
    CHECK(std::abs(point.omega - results.angular_velocity[6 * row + 2]) <= 1e-10);
    CHECK(std::abs(point.y + 0.1 - results.position[6 * row + 4]) <= 1e-13);
    CHECK(std::abs(point.velocity - results.velocity[6 * row + 4]) <= 1e-11);
    // the groove lifts the follower; the rest of its force is the guide's business
    CHECK(std::abs(point.lift - results.reaction_force[9 * row + 7]) <= 1e-9);
  }
  CHECK(beta > 12 * pi);
}

// ---- the axle: one freedom, the height of the wheel. Its path follows from five equations of
// length, its motion from the principle of virtual power along that path.

namespace {

using V3 = Eigen::Vector3d;
using V6 = Eigen::Matrix<double, 6, 1>;
using M6 = Eigen::Matrix<double, 6, 6>;

struct Link {
  V3 chassis, carrier;  // world, and from the wheel's centre, as drawn
  double length;
};

class Axle {
 public:
  explicit Axle(const Model& model) {
    const auto vector = [](const Vec3& v) { return V3(v[0], v[1], v[2]); };
    for (const Joint& joint : model.joints) {
      const auto& place = std::get<WorldPlacement>(joint.placement);
      const V3 i = vector(place.point), j = vector(*place.point_j);
      links_.push_back({i, j - r, (j - i).norm()});
    }
  }

  V3 r = V3(0, 0.75, 0.3);
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();

  // Moves the carrier to a height, the links kept, by Newton's method.
  void move_to(double height) {
    for (int iteration = 0; iteration < 50; ++iteration) {
      V6 residual;
      for (int k = 0; k < 5; ++k) {
        const V3 d = span(k);
        residual[k] = 0.5 * (d.squaredNorm() - links_[k].length * links_[k].length);
      }
      residual[5] = r[2] - height;
      const V6 step = make_rows().partialPivLu().solve(residual);
      r -= step.head<3>();
      const V3 turn = -step.tail<3>();
      if (turn.norm() > 0.0) {
        R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * R;
      }
      if (step.norm() < 1e-14) break;
    }
    R = Eigen::Quaterniond(R).normalized().toRotationMatrix();
  }

  // z¨ at height z with the speed z˙: T·(M (T z¨ + β) + gyroscopic − forces) = 0, with the twist
  // T of the carrier for z˙ = 1 and β its acceleration for z¨ = 0.
  double calc_acceleration(double z, double rate) {
    move_to(z);
    const auto rows = make_rows().partialPivLu();
    V6 unit = V6::Zero();
    unit[5] = 1.0;
    const V6 T = rows.solve(unit);
    const V3 v = rate * T.head<3>(), w = rate * T.tail<3>();
    V6 bias = V6::Zero();
    for (int k = 0; k < 5; ++k) {
      const V3 p = R * links_[k].carrier;
      bias[k] = -(v + w.cross(p)).squaredNorm() - span(k).dot(w.cross(w.cross(p)));
    }
    const V6 beta = rows.solve(bias);
    const Eigen::Matrix3d I = R * V3(1.1, 1.6, 1.2).asDiagonal() * R.transpose();
    M6 M = M6::Zero();
    M.topLeftCorner<3, 3>() = 42.0 * Eigen::Matrix3d::Identity();
    M.bottomRightCorner<3, 3>() = I;
    V6 force;
    force << 0, 0, -42 * 9.81, -w.cross(I * w);
    const V3 end = R * V3(-0.1, -0.13, -0.1), d = r + end - V3(-0.1, 0.5, 0.7);
    const V3 along = d.normalized();
    const double tension = 30000 * (d.norm() - 0.60) + 600 * along.dot(v + w.cross(end));
    add(force, -tension * along, end);
    add(force, V3(0, 0, 4000), R * V3(0, 0.05, -0.3));
    return T.dot(force - M * beta) / T.dot(M * T);
  }

 private:
  V3 span(int k) const { return r + R * links_[k].carrier - links_[k].chassis; }
  // rates of the five half squared lengths and of the height, by velocity and spin in the world
  M6 make_rows() const {
    M6 rows = M6::Zero();
    for (int k = 0; k < 5; ++k) {
      rows.block<1, 3>(k, 0) = span(k).transpose();
      rows.block<1, 3>(k, 3) = (R * links_[k].carrier).cross(span(k)).transpose();
    }
    rows(5, 2) = 1.0;
    return rows;
  }
  static void add(V6& force, const V3& F, const V3& arm) {
    force.head<3>() += F;
    force.tail<3>() += arm.cross(F);
  }

  std::vector<Link> links_;
};

}  // namespace

TEST_CASE("the wheel of the five-link axle follows its path, in its time") {
  const Model model = test::read_repository_model("gallery/five_link_axle.yaml");
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
  options.output_interval = 0.05;
  const Results results = test::run(model, options);
  REQUIRE(results.status.outcome == Outcome::finished);
  CHECK(results.check.dof == 1);
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
  Axle axle(model);
  double z = 0.3, rate = 0.0, lowest = 1, highest = 0;
  const int n = 1000;  // steps of the classical Runge–Kutta method between two rows
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    CAPTURE(results.time[row]);
    const double* at = results.position.data() + 3 * row;
    const double* theta = results.orientation.data() + 4 * row;
    CHECK(std::abs(z - at[2]) <= 1e-10);
    CHECK(std::abs(rate - results.velocity[3 * row + 2]) <= 1e-9);
    axle.move_to(at[2]);
    CHECK((axle.r - V3(at[0], at[1], at[2])).norm() <= 1e-13);
    const Eigen::Quaterniond q(theta[0], theta[1], theta[2], theta[3]);
    CHECK((axle.R - q.toRotationMatrix()).norm() <= 1e-12);
    lowest = std::min(lowest, at[2]);
    highest = std::max(highest, at[2]);
    if (row + 1 == results.time.size()) break;
    const double h = (results.time[row + 1] - results.time[row]) / n;
    for (int k = 0; k < n; ++k) {
      const double v1 = rate, a1 = axle.calc_acceleration(z, v1);
      const double v2 = rate + 0.5 * h * a1, a2 = axle.calc_acceleration(z + 0.5 * h * v1, v2);
      const double v3 = rate + 0.5 * h * a2, a3 = axle.calc_acceleration(z + 0.5 * h * v2, v3);
      const double v4 = rate + h * a3, a4 = axle.calc_acceleration(z + h * v3, v4);
      z += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
  CHECK(highest - lowest > 0.05);  // a stroke worth the name
}
