// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "absolute_problem.hpp"

#include <algorithm>
#include <cmath>

namespace trammel::bench {

namespace {

using Eigen::Vector4d;

Matrix3d make_rotation(const double* t) {
  const double a = t[0], x = t[1], y = t[2], z = t[3];
  Matrix3d R;
  R << a * a + x * x - 0.5, x * y - a * z, x * z + a * y,  //
      x * y + a * z, a * a + y * y - 0.5, y * z - a * x,   //
      x * z - a * y, y * z + a * x, a * a + z * z - 0.5;
  return 2.0 * R;
}

// θ˙ = ½ Hᵀ Ω
Vector4d calc_theta_rate(const double* t, const Vector3d& W) {
  return 0.5 * Vector4d(-t[1] * W[0] - t[2] * W[1] - t[3] * W[2],
                        t[0] * W[0] - t[3] * W[1] + t[2] * W[2],
                        t[3] * W[0] + t[0] * W[1] - t[1] * W[2],
                        -t[2] * W[0] + t[1] * W[1] + t[0] * W[2]);
}

}  // namespace

// Poses and velocities of the bodies, the ground last.
struct AbsoluteProblem::Frames {
  Matrix3d R[most_bodies + 1];
  Vector3d r[most_bodies + 1], v[most_bodies + 1], W[most_bodies + 1];
  int ground;

  Frames(const double* y, int n, bool with_velocity) : ground(n) {
    for (int b = 0; b < n; ++b) {
      r[b] = Vector3d(y + 7 * b);
      R[b] = make_rotation(y + 7 * b + 3);
      if (!with_velocity) continue;
      v[b] = Vector3d(y + 7 * n + 6 * b);
      W[b] = Vector3d(y + 7 * n + 6 * b + 3);
    }
    R[n].setIdentity();
    r[n] = v[n] = W[n] = Vector3d::Zero();
  }
  int index(int body) const { return body < 0 ? ground : body; }
  // second derivative of R p without the angular acceleration
  Vector3d bend(int b, const Vector3d& p) const { return R[b] * W[b].cross(W[b].cross(p)); }
};

AbsoluteProblem::AbsoluteProblem(const PeerMechanism& mechanism)
    : of_(mechanism.bodies),
      conditions_(mechanism.conditions),
      springs_(mechanism.springs),
      gravity_(mechanism.gravity),
      torque_(mechanism.torque),
      n_(static_cast<int>(mechanism.bodies.size())) {
  for (const Condition& condition : conditions_) m_ += condition.rows();
  inverse_mass_.resize(6 * n_);
  for (int b = 0; b < n_; ++b) {
    inverse_mass_.segment<3>(6 * b).setConstant(1.0 / of_[b].mass);
    inverse_mass_.segment<3>(6 * b + 3) = of_[b].inertia.cwiseInverse();
  }
}

void AbsoluteProblem::put_start(double* y) const {
  for (int b = 0; b < n_; ++b) {
    const PeerBody& body = of_[b];
    const Eigen::Quaterniond q(body.R);
    const double values[] = {body.r[0], body.r[1], body.r[2], q.w(), q.x(), q.y(), q.z()};
    std::copy(std::begin(values), std::end(values), y + 7 * b);
    Eigen::Map<Vector3d>(y + 7 * n_ + 6 * b) = body.v;
    Eigen::Map<Vector3d>(y + 7 * n_ + 6 * b + 3) = body.Omega;
  }
}

std::vector<Pose> AbsoluteProblem::make_poses(const double* y) const {
  std::vector<Pose> poses;
  for (int b = 0; b < n_; ++b) {
    poses.push_back({Vector3d(y + 7 * b), make_rotation(y + 7 * b + 3)});
  }
  return poses;
}

// g, G = ∂g/∂u and bias = Ġ u, where asked for
void AbsoluteProblem::calc_conditions(const double* y, bool with_velocity, Rows* g, Jacobian* G,
                                      Rows* bias) const {
  const Frames at(y, n_, with_velocity);
  if (g) g->resize(m_);
  if (bias) bias->resize(m_);
  if (G) G->setZero(m_, 6 * n_);
  int row = 0;
  for (const Condition& c : conditions_) {
    const int i = at.index(c.i), j = at.index(c.j);
    const Vector3d A = at.R[i] * c.a, B = at.R[j] * c.b;
    if (c.kind == Condition::Kind::C) {
      if (g) g->segment<3>(row) = at.r[j] + at.R[j] * c.p_j - at.r[i] - at.R[i] * c.p_i;
      const auto put = [&](int b, const Vector3d& p, double sign) {
        if (b == n_) return;
        const Matrix3d& R = at.R[b];
        G->block<3, 3>(row, 6 * b).diagonal().setConstant(sign);
        G->block<3, 1>(row, 6 * b + 3) = sign * (R.col(2) * p[1] - R.col(1) * p[2]);
        G->block<3, 1>(row, 6 * b + 4) = sign * (R.col(0) * p[2] - R.col(2) * p[0]);
        G->block<3, 1>(row, 6 * b + 5) = sign * (R.col(1) * p[0] - R.col(0) * p[1]);
      };
      if (G) {
        put(j, c.p_j, 1.0);
        put(i, c.p_i, -1.0);
      }
      if (bias) bias->segment<3>(row) = at.bend(j, c.p_j) - at.bend(i, c.p_i);
    } else if (c.kind == Condition::Kind::SO) {
      if (g) (*g)[row] = A.dot(B);
      if (G && i < n_) {
        G->block<1, 3>(row, 6 * i + 3) = c.a.cross(at.R[i].transpose() * B).transpose();
      }
      if (G && j < n_) {
        G->block<1, 3>(row, 6 * j + 3) = c.b.cross(at.R[j].transpose() * A).transpose();
      }
      if (bias) {
        const Vector3d dA = at.R[i] * at.W[i].cross(c.a), dB = at.R[j] * at.W[j].cross(c.b);
        (*bias)[row] = at.bend(i, c.a).dot(B) + 2.0 * dA.dot(dB) + A.dot(at.bend(j, c.b));
      }
    } else {
      const Vector3d d = at.r[j] + at.R[j] * c.p_j - at.r[i] - at.R[i] * c.p_i;
      if (g) (*g)[row] = A.dot(d);
      if (G && i < n_) {
        G->block<1, 3>(row, 6 * i) = -A.transpose();
        G->block<1, 3>(row, 6 * i + 3) =
            (c.a.cross(at.R[i].transpose() * d) - c.p_i.cross(c.a)).transpose();
      }
      if (G && j < n_) {
        G->block<1, 3>(row, 6 * j) = A.transpose();
        G->block<1, 3>(row, 6 * j + 3) = c.p_j.cross(at.R[j].transpose() * A).transpose();
      }
      if (bias) {
        const Vector3d dA = at.R[i] * at.W[i].cross(c.a);
        const Vector3d dd =
            at.v[j] + at.R[j] * at.W[j].cross(c.p_j) - at.v[i] - at.R[i] * at.W[i].cross(c.p_i);
        (*bias)[row] = at.bend(i, c.a).dot(d) + 2.0 * dA.dot(dd) +
                       A.dot(at.bend(j, c.p_j) - at.bend(i, c.p_i));
      }
    }
    row += c.rows();
  }
}

void AbsoluteProblem::calc_force(const double* y, Velocity& force) const {
  const double* u = y + 7 * n_;
  force.resize(6 * n_);
  for (int b = 0; b < n_; ++b) {
    const Vector3d W(u + 6 * b + 3);
    force.segment<3>(6 * b) = of_[b].mass * gravity_;
    force.segment<3>(6 * b + 3) = -W.cross(of_[b].inertia.cwiseProduct(W));
  }
  force[5] += torque_;
  if (!springs_.empty()) add_springs(y, force);
}

void AbsoluteProblem::add_springs(const double* y, Velocity& force) const {
  const Frames at(y, n_, true);
  for (const PeerSpring& spring : springs_) {
    const int i = at.index(spring.i), j = at.index(spring.j);
    const auto velocity = [&](int b, const Vector3d& p) -> Vector3d {
      return at.v[b] + at.R[b] * at.W[b].cross(p);
    };
    const Vector3d d = at.r[j] + at.R[j] * spring.p_j - at.r[i] - at.R[i] * spring.p_i;
    const double length = d.norm();
    const Vector3d e = d / length;
    const double rate = e.dot(velocity(j, spring.p_j) - velocity(i, spring.p_i));
    const double tension = spring.stiffness * (length - spring.free_length) + spring.damping * rate;
    const auto pull = [&](int b, const Vector3d& p, const Vector3d& F) {
      if (b == n_) return;
      force.segment<3>(6 * b) += F;
      force.segment<3>(6 * b + 3) += p.cross(at.R[b].transpose() * F);
    };
    pull(i, spring.p_i, tension * e);
    pull(j, spring.p_j, -tension * e);
  }
}

Eigen::LLT<AbsoluteProblem::Schur> AbsoluteProblem::make_schur(const Jacobian& G) const {
  const Jacobian H = G * inverse_mass_.asDiagonal();
  const Schur S = H * G.transpose();
  return Eigen::LLT<Schur>(S);
}

void AbsoluteProblem::calc_rate(const double* y, double* rate, Rows* multipliers) {
  ++evaluations;
  const double* u = y + 7 * n_;
  Jacobian G;
  Rows bias;
  Velocity force;
  calc_conditions(y, true, nullptr, &G, &bias);
  calc_force(y, force);
  const Velocity free = inverse_mass_.cwiseProduct(force);
  const Rows right = -bias - G * free;
  const Rows lambda = make_schur(G).solve(right);
  if (multipliers) *multipliers = lambda;
  for (int b = 0; b < n_; ++b) {
    Eigen::Map<Vector3d>(rate + 7 * b) = Vector3d(u + 6 * b);
    Eigen::Map<Vector4d>(rate + 7 * b + 3) =
        calc_theta_rate(y + 7 * b + 3, Vector3d(u + 6 * b + 3));
  }
  Eigen::Map<Velocity>(rate + 7 * n_, 6 * n_) =
      free + inverse_mass_.cwiseProduct(G.transpose() * lambda);
}

bool AbsoluteProblem::project(double* y, double tolerance) const {
  double* u = y + 7 * n_;
  for (int b = 0; b < n_; ++b) Eigen::Map<Vector4d>(y + 7 * b + 3).normalize();
  Rows g;
  Jacobian G;
  calc_conditions(y, false, &g, &G, nullptr);
  // positions: simplified Newton iterations with the first matrix
  const Eigen::LLT<Schur> factor = make_schur(G);
  for (int iteration = 0; !(g.lpNorm<Eigen::Infinity>() < tolerance); ++iteration) {
    if (iteration > 20) return false;
    const Rows mu = factor.solve(g);
    const Velocity move = inverse_mass_.cwiseProduct(G.transpose() * mu);
    for (int b = 0; b < n_; ++b) {
      Eigen::Map<Vector3d>(y + 7 * b) -= move.segment<3>(6 * b);
      Eigen::Map<Vector4d> theta(y + 7 * b + 3);
      theta -= calc_theta_rate(theta.data(), Vector3d(move.segment<3>(6 * b + 3)));
      theta.normalize();
    }
    calc_conditions(y, false, &g, nullptr, nullptr);
  }
  // velocities with the matrix of the point reached
  calc_conditions(y, false, nullptr, &G, nullptr);
  Eigen::Map<Velocity> U(u, 6 * n_);
  const Rows residual = G * U;
  const Rows mu = make_schur(G).solve(residual);
  U -= inverse_mass_.cwiseProduct(G.transpose() * mu);
  return true;
}

void AbsoluteProblem::calc_residual(const double* y, const double* rate, double* residual) {
  ++evaluations;
  const double *u = y + 7 * n_, *lambda = u + 6 * n_, *mu = lambda + m_, *kappa = mu + m_;
  Jacobian G;
  Rows g;
  Velocity force;
  calc_conditions(y, false, &g, &G, nullptr);
  calc_force(y, force);
  const Eigen::Map<const Rows> L(lambda, m_), M(mu, m_);
  const Eigen::Map<const Velocity> U(u, 6 * n_);
  const Velocity w = U + inverse_mass_.cwiseProduct(G.transpose() * M);
  const Velocity a = inverse_mass_.cwiseProduct(force + G.transpose() * L);
  for (int b = 0; b < n_; ++b) {
    const Eigen::Map<const Vector4d> theta(y + 7 * b + 3);
    Eigen::Map<Vector3d>(residual + 7 * b) = Vector3d(rate + 7 * b) - w.segment<3>(6 * b);
    Eigen::Map<Vector4d>(residual + 7 * b + 3) =
        Vector4d(rate + 7 * b + 3) -
        calc_theta_rate(theta.data(), Vector3d(w.segment<3>(6 * b + 3))) - kappa[b] * theta;
    residual[13 * n_ + 2 * m_ + b] = theta.squaredNorm() - 1.0;
  }
  for (int k = 0; k < 6 * n_; ++k) residual[7 * n_ + k] = rate[7 * n_ + k] - a[k];
  Eigen::Map<Rows>(residual + 13 * n_, m_) = g;
  Eigen::Map<Rows>(residual + 13 * n_ + m_, m_) = G * U;
}

}  // namespace trammel::bench
