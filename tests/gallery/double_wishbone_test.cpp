// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The double wishbone at rest against a stationary point of its potential energy, found by Newton's
// method on other coordinates: the pose of the upright and the turns of both wishbones are free,
// the wishbones hang on the ball joints, and the length of the tie rod is held by a multiplier.
// Nothing but the numbers of the model is shared with the simulation.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "support/reference.hpp"

using namespace trammel;

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d to_eigen(const Vec3& v) { return {v[0], v[1], v[2]}; }

Matrix3d exp_of(const Vector3d& phi) {
  const double angle = phi.norm();
  if (angle < 1e-14) return Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, phi / angle).toRotationMatrix();
}

// The turn of a matrix near the identity, from the series of its logarithm.
Vector3d log_of(const Matrix3d& Q) {
  const Vector3d axial =
      0.5 * Vector3d(Q(2, 1) - Q(1, 2), Q(0, 2) - Q(2, 0), Q(1, 0) - Q(0, 1));  // sin α n
  const double sine = axial.norm();
  return sine < 1e-9 ? axial : Vector3d(std::asin(sine) / sine * axial);
}

class Wishbone {
 public:
  explicit Wishbone(const Model& model) : model_(model) {}

  // q: turn and shift of the upright, turn of the lower and of the upper wishbone
  static constexpr int n = 12;

  double potential(const VectorXd& q) const {
    const Pose upright = upright_at(q);
    const Pose lower = arm_at("lower", joint_point("lower_ball"), q.segment<3>(6), upright);
    const Pose upper = arm_at("upper", joint_point("upper_ball"), q.segment<3>(9), upright);
    const Vector3d g = to_eigen(model_.gravity);
    double U = 0.0;
    U -= *body("lower").mass * g.dot(lower.r) + *body("upper").mass * g.dot(upper.r) +
         *body("upright").mass * g.dot(upright.r);
    // the tie rod's centre is midway between its ends
    U -= *body("tie_rod").mass * g.dot(0.5 * (rod_inner() + rod_outer(q)));
    for (const Force& force : model_.forces) {
      if (const auto* bushing = std::get_if<Bushing>(&force.law)) {
        const Pose& arm = bushing->body_j == "lower" ? lower : upper;
        const Vector3d at = to_eigen(*bushing->at);
        const Vector3d d = moved(bushing->body_j, arm, at) - at;
        const Vector3d phi = log_of(arm.R);
        for (int k = 0; k < 3; ++k) {
          U += 0.5 * bushing->stiffness[k][k] * d[k] * d[k] +
               0.5 * bushing->stiffness[3 + k][3 + k] * phi[k] * phi[k];
        }
      } else if (const auto* strut = std::get_if<SpringDamper>(&force.law)) {
        const Vector3d foot = lower.r + lower.R * to_eigen(strut->point_j);
        const double stretch = (foot - to_eigen(strut->point_i)).norm() - strut->free_length;
        U += 0.5 * strut->stiffness * stretch * stretch;
      } else if (const auto* road = std::get_if<PointForce>(&force.law)) {
        U -= to_eigen(road->value).dot(upright.r + upright.R * to_eigen(road->point));
      }
    }
    return U;
  }

  // Half the square of the rod's length less that of the drawing.
  double rod(const VectorXd& q) const {
    const VectorXd start = VectorXd::Zero(n);
    return 0.5 * ((rod_outer(q) - rod_inner()).squaredNorm() -
                  (rod_outer(start) - rod_inner()).squaredNorm());
  }

  // Newton on ∇(U + λ rod) = 0, rod = 0, derivatives by differences of fourth order.
  VectorXd find_rest() const {
    VectorXd x = VectorXd::Zero(n + 1);
    const std::function<double(const VectorXd&)> lagrangian = [&](const VectorXd& at) {
      return potential(at.head(n)) + 1e4 * at[n] * rod(at.head(n));
    };
    for (int iteration = 0; iteration < 30; ++iteration) {
      const VectorXd gradient = differ(lagrangian, x);
      Eigen::MatrixXd hessian(n + 1, n + 1);
      for (int k = 0; k <= n; ++k) {
        const double h = 1e-4;
        VectorXd ahead = x, behind = x;
        ahead[k] += h;
        behind[k] -= h;
        hessian.col(k) = (differ(lagrangian, ahead) - differ(lagrangian, behind)) / (2 * h);
      }
      const VectorXd step = hessian.fullPivLu().solve(gradient);
      const double scale = std::min(1.0, 0.2 / step.head(n).cwiseAbs().maxCoeff());
      x -= scale * step;
      if (step.head(n).cwiseAbs().maxCoeff() < 1e-11) break;
    }
    return x.head(n);
  }

  Vector3d upright_position(const VectorXd& q) const { return upright_at(q).r; }

 private:
  struct Pose {
    Vector3d r;
    Matrix3d R;
  };

  static VectorXd differ(const std::function<double(const VectorXd&)>& f, const VectorXd& x) {
    VectorXd gradient(x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double h = 1e-4;
      const auto at = [&](double s) {
        VectorXd moved = x;
        moved[k] += s * h;
        return f(moved);
      };
      gradient[k] = (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * h);
    }
    return gradient;
  }

  const Body& body(const std::string& name) const {
    for (const Body& one : model_.bodies) {
      if (one.name == name) return one;
    }
    throw std::logic_error(name);
  }
  Vector3d joint_point(const std::string& name) const {
    for (const Joint& one : model_.joints) {
      if (one.name == name) return to_eigen(std::get<WorldPlacement>(one.placement).point);
    }
    throw std::logic_error(name);
  }
  // Where the point of a body is that was at `at` in the drawing.
  Vector3d moved(const std::string& name, const Pose& pose, const Vector3d& at) const {
    return pose.r + pose.R * (at - to_eigen(body(name).position));
  }
  Pose upright_at(const VectorXd& q) const {
    return {to_eigen(body("upright").position) + q.segment<3>(3), exp_of(q.head<3>())};
  }
  Pose arm_at(const std::string& name, const Vector3d& ball, const Vector3d& turn,
              const Pose& upright) const {
    const Matrix3d R = exp_of(turn);
    const Vector3d held = moved("upright", upright, ball);
    return {held - R * (ball - to_eigen(body(name).position)), R};
  }
  Vector3d rod_inner() const { return joint_point("rod_inner"); }
  Vector3d rod_outer(const VectorXd& q) const {
    return moved("upright", upright_at(q), joint_point("rod_outer"));
  }

  const Model& model_;
};

Vec3 settle(const Model& model) {
  const Results results = simulate(compile(model), model.simulation);
  REQUIRE(results.status.outcome == Outcome::finished);
  const BodyState& upright = results.final[2];
  for (int k = 0; k < 3; ++k) CHECK(std::abs(upright.velocity[k]) < 1e-8);
  return upright.position;
}

Model read_with_load(double load) {
  return read_model(std::string(TRAMMEL_MODELS_DIR) + "/gallery/double_wishbone.yaml",
                    {{"load", load}});
}

}  // namespace

TEST_CASE("double wishbone: the position of rest and the wheel rate") {
  double height[2], expected[2];
  const double loads[2] = {3800, 4400};
  for (int k = 0; k < 2; ++k) {
    const Model model = read_with_load(loads[k]);
    const Wishbone wishbone(model);
    const Vector3d rest = wishbone.upright_position(wishbone.find_rest());
    const Vec3 position = settle(model);
    INFO("load ", loads[k], ": ", position[2], " ", rest[2]);
    for (int i = 0; i < 3; ++i) CHECK(std::abs(position[i] - rest[i]) < 1e-7);
    height[k] = position[2];
    expected[k] = rest[2];
  }
  const double rate = (loads[1] - loads[0]) / (height[1] - height[0]);
  const double expected_rate = (loads[1] - loads[0]) / (expected[1] - expected[0]);
  MESSAGE("wheel rate ", rate, " N/m");
  CHECK(rate == doctest::Approx(expected_rate).epsilon(1e-5));
  CHECK(rate > 10e3);  // a car's, not a bug's
  CHECK(rate < 60e3);
}

TEST_CASE("double wishbone: the balance of energy closes while it settles") {
  Model model = read_with_load(4000);
  model.simulation.rtol = model.simulation.atol = 1e-12;
  model.simulation.t_end = 0.5;
  const Results results = simulate(compile(model), model.simulation);
  CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
}
