// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "paper/jet_projection.hpp"

#include <algorithm>
#include <cmath>

namespace trammel::paper {

double JetProjector::calc_f_inv(const VectorX& y, const VectorX& y1,
                                const EnergyTarget& target) const {
  const double power = target.s != 0.0 ? energy_.calc_power(y, y1) : 0.0;
  const double energy = energy_.calc_kinetic(y, y1) + energy_.calc_potential(y);
  return (energy - target.s * power - target.value) / options_.energy_scale;
}

JetEnergy::Gradient JetProjector::calc_f_inv_gradient(const VectorX& y, const VectorX& y1,
                                                      const EnergyTarget& target) {
  JetEnergy::Gradient d = energy_.calc_gradient(y, y1, target.s, constraints_.counts);
  d.by_y /= options_.energy_scale;
  d.by_y1 /= options_.energy_scale;
  return d;
}

double JetProjector::calc_theta_residual2(const VectorX& y, const VectorX& y1) const {
  double sum = 0.0;
  for (int k = 3; k < y.size(); k += 7) {
    const Vector4 theta = y.segment<4>(k);
    sum += std::pow(theta.squaredNorm() - 1.0, 2) + std::pow(theta.dot(y1.segment<4>(k)), 2);
  }
  return sum;
}

double JetProjector::calc_residual(const VectorX& y, const VectorX& y1,
                                   const EnergyTarget& target) {
  const MatrixX dg = constraints_.calc_dg(y);
  double sum =
      calc_theta_residual2(y, y1) + constraints_.calc_g(y).squaredNorm() + (dg * y1).squaredNorm();
  if (target.held) sum += std::pow(calc_f_inv(y, y1, target), 2);
  return std::sqrt(sum);
}

ProjectionReport JetProjector::project(VectorX& y, VectorX& y1, const EnergyTarget& target) {
  ProjectionReport report;
  const VectorX g = constraints_.calc_g(y);
  Eigen::Index worst = -1;
  if (g.size() > 0) report.residual_in = g.cwiseAbs().maxCoeff(&worst);
  report.worst_row = static_cast<int>(worst);
  report.converged = options_.projection == Projection::quasi_orthogonal
                         ? project_quasi(y, y1, target, report)
                         : project_orthogonal(y, y1, target, report);
  JetCounts& counts = constraints_.counts;
  counts.newton += report.newton;
  counts.newton_max = std::max(counts.newton_max, report.newton);
  return report;
}

// ---- quasi-orthogonal

void JetProjector::project_theta(VectorX& y, VectorX& y1) const {
  for (int k = 3; k < y.size(); k += 7) {
    const Vector4 theta = Vector4(y.segment<4>(k)).normalized();
    const Vector4 theta1 = y1.segment<4>(k);
    y.segment<4>(k) = theta;
    y1.segment<4>(k) = theta1 - theta1.dot(theta) * theta;
  }
}

MatrixX JetProjector::calc_tangent_dg(const VectorX& y) {
  MatrixX dg = constraints_.calc_dg(y);
  for (int k = 3; k < y.size(); k += 7) {
    const Vector4 theta = Vector4(y.segment<4>(k)).normalized();
    const VectorX radial = dg.middleCols<4>(k) * theta;
    dg.middleCols<4>(k) -= radial * theta.transpose();
  }
  return dg;
}

// Direct, or to the relative residual η by conjugate gradients on the normal equations: an inexact
// Newton step in the sense of Dembo, Eisenstat and Steihaug.
VectorX JetProjector::solve_newton(const MatrixX& matrix, const VectorX& right) const {
  if (options_.forcing <= 0.0) return matrix.partialPivLu().solve(right);
  VectorX x = VectorX::Zero(right.size()), residual = right;
  VectorX gradient = matrix.transpose() * residual, direction = gradient;
  double norm2 = gradient.squaredNorm();
  const double goal = options_.forcing * right.norm();
  for (int k = 0; k < 4 * right.size() && residual.norm() > goal && norm2 > 0.0; ++k) {
    const VectorX image = matrix * direction;
    const double step = norm2 / image.squaredNorm();
    x += step * direction;
    residual -= step * image;
    gradient = matrix.transpose() * residual;
    const double next = gradient.squaredNorm();
    direction = gradient + (next / norm2) * direction;
    norm2 = next;
  }
  return x;
}

// Newton for (y, μ):  y + dgᵀμ − a = 0,  g(y) = 0.
bool JetProjector::project_configuration(VectorX& y, ProjectionReport& report) {
  const int n = constraints_.n(), rows = constraints_.rows();
  const VectorX a = y;
  VectorX mu = VectorX::Zero(rows);
  for (int iteration = 0;; ++iteration) {
    const VectorX g = constraints_.calc_g(y);
    if (iteration == 0 && g.norm() < options_.newton_tolerance) return true;
    const MatrixX dg = calc_tangent_dg(y);
    const VectorX defect = y + dg.transpose() * mu - a;
    const double residual = std::hypot(defect.norm(), g.norm());
    if (iteration > 0 && residual < options_.newton_tolerance) return true;
    if (iteration == options_.max_newton || !(residual < 1e6)) return false;
    MatrixX matrix = MatrixX::Zero(n + rows, n + rows);
    matrix.topLeftCorner(n, n).setIdentity();
    matrix.topLeftCorner(n, n) += constraints_.calc_d2g_sum(y, mu);
    matrix.topRightCorner(n, rows) = dg.transpose();
    matrix.bottomLeftCorner(rows, n) = dg;
    VectorX right(n + rows);
    right << -defect, -g;
    const VectorX step = solve_newton(matrix, right);
    y += step.head(n);
    mu += step.tail(rows);
    ++report.newton;
  }
}

// y₁ + dgᵀα = a₁,  dg y₁ = 0. Returns whether there was anything to do.
bool JetProjector::project_velocity(const VectorX& y, VectorX& y1) {
  const MatrixX dg = calc_tangent_dg(y);
  const VectorX rate = dg * y1;
  if (rate.norm() < options_.newton_tolerance) return false;
  y1 -= dg.transpose() * (dg * dg.transpose()).llt().solve(rate);
  return true;
}

// Newton for (p, μ):  p + μ df_inv − a = 0,  f_inv(p) = 0.
bool JetProjector::project_energy(VectorX& y, VectorX& y1, const EnergyTarget& target,
                                  ProjectionReport& report) {
  if (std::abs(calc_f_inv(y, y1, target)) < options_.newton_tolerance) return true;
  const int n = constraints_.n();
  VectorX a(2 * n), p(2 * n);
  a << y, y1;
  double mu = 0.0;
  for (int iteration = 0;; ++iteration) {
    p << y, y1;
    const JetEnergy::Gradient d = calc_f_inv_gradient(y, y1, target);
    VectorX gradient(2 * n);
    gradient << d.by_y, d.by_y1;
    const VectorX defect = p + mu * gradient - a;
    const double f = calc_f_inv(y, y1, target);
    const double residual = std::hypot(defect.norm(), f);
    if (residual < options_.newton_tolerance) return true;
    // at rest, without a potential, the gradient vanishes: nothing can be done
    const double size2 = gradient.squaredNorm();
    if (iteration == options_.max_newton || !(residual < 1e12) || size2 == 0.0) return false;
    VectorX step;
    double mu_step = 0.0;
    if (mu == 0.0) {
      mu_step = (f - gradient.dot(defect)) / size2;
      step = -defect - mu_step * gradient;
    } else {
      const JetEnergy::Hessian h = energy_.calc_hessian(y, y1, target.s, constraints_.counts);
      MatrixX matrix = MatrixX::Identity(2 * n, 2 * n);
      const double factor = mu / options_.energy_scale;
      matrix.topLeftCorner(n, n) += factor * h.yy;
      matrix.topRightCorner(n, n) += factor * h.yy1;
      matrix.bottomLeftCorner(n, n) += factor * h.yy1.transpose();
      matrix.bottomRightCorner(n, n) += factor * h.y1y1;
      const Eigen::PartialPivLU<MatrixX> lu(matrix);
      const VectorX x1 = lu.solve(-defect), x2 = lu.solve(gradient);
      mu_step = (f + gradient.dot(x1)) / gradient.dot(x2);
      step = x1 - mu_step * x2;
    }
    y += step.head(n);
    y1 += step.tail(n);
    mu += mu_step;
    ++report.newton;
  }
}

bool JetProjector::project_quasi(VectorX& y, VectorX& y1, const EnergyTarget& target,
                                 ProjectionReport& report) {
  const double tolerance = options_.newton_tolerance;
  bool busy = false;
  while (report.loops < options_.max_loops) {
    ++report.loops;
    project_theta(y, y1);
    const int before = report.newton;
    if (!project_configuration(y, report)) return false;
    busy |= project_velocity(y, y1);
    if (target.held && !project_energy(y, y1, target, report)) return false;
    busy |= report.newton > before;
    const double theta = std::sqrt(calc_theta_residual2(y, y1));
    const double position = constraints_.calc_g(y).norm();
    if (theta < tolerance && position < tolerance) {
      // without invariants nothing moved y₁ after its projection
      const bool velocity = !target.held || (constraints_.calc_dg(y) * y1).norm() < tolerance;
      const bool energy = !target.held || std::abs(calc_f_inv(y, y1, target)) < tolerance;
      if (velocity && energy) break;
    }
    if (report.loops == options_.max_loops) return false;
  }
  constraints_.counts.proj += busy;
  return true;
}

// ---- orthogonal

bool JetProjector::project_orthogonal(VectorX& y, VectorX& y1, const EnergyTarget& target,
                                      ProjectionReport& report) {
  const int n = constraints_.n(), rows = constraints_.rows();
  const int bodies = n / 7, all = rows + bodies, held = target.held ? 1 : 0;
  const int size = 2 * n + 2 * all + held;
  const VectorX a = y, a1 = y1;
  VectorX alpha = VectorX::Zero(all), beta = VectorX::Zero(all);
  double mu = 0.0;
  while (true) {
    // rows of g, then |θ|² − 1 of each body
    MatrixX dg = MatrixX::Zero(all, n), d2g_v = MatrixX::Zero(all, n);
    VectorX g(all);
    dg.topRows(rows) = constraints_.calc_dg(y);
    JetConstraints::Second second =
        constraints_.calc_second(y, y1, alpha.head(rows), beta.head(rows));
    d2g_v.topRows(rows) = second.d2g_v;
    g.head(rows) = constraints_.calc_g(y);
    for (int b = 0; b < bodies; ++b) {
      const int k = 7 * b + 3;
      dg.block<1, 4>(rows + b, k) = 2 * y.segment<4>(k).transpose();
      d2g_v.block<1, 4>(rows + b, k) = 2 * y1.segment<4>(k).transpose();
      g[rows + b] = y.segment<4>(k).squaredNorm() - 1.0;
      second.beta_sum.block<4, 4>(k, k) += 2 * beta[rows + b] * Matrix4::Identity();
      second.alpha_sum.block<4, 4>(k, k) += 2 * alpha[rows + b] * Matrix4::Identity();
    }
    VectorX f(size);
    f.segment(0, n) = y + d2g_v.transpose() * alpha + dg.transpose() * beta - a;
    f.segment(n, n) = y1 + dg.transpose() * alpha - a1;
    f.segment(2 * n, all) = dg * y1;
    f.segment(2 * n + all, all) = g;
    JetEnergy::Gradient d;
    if (target.held) {
      d = calc_f_inv_gradient(y, y1, target);
      f.segment(0, n) += mu * d.by_y;
      f.segment(n, n) += mu * d.by_y1;
      f[size - 1] = calc_f_inv(y, y1, target);
    }
    const double residual = f.norm();
    if (residual < options_.newton_tolerance) break;
    if (report.newton == options_.max_newton || !(residual < 1e12)) return false;

    MatrixX matrix = MatrixX::Zero(size, size);
    matrix.block(0, 0, n, n) = MatrixX::Identity(n, n) + second.beta_sum;
    matrix.block(0, n, n, n) = second.alpha_sum;
    matrix.block(n, n, n, n).setIdentity();
    if (target.held && mu != 0.0) {
      const JetEnergy::Hessian h = energy_.calc_hessian(y, y1, target.s, constraints_.counts);
      const double factor = mu / options_.energy_scale;
      matrix.block(0, 0, n, n) += factor * h.yy;
      matrix.block(0, n, n, n) += factor * h.yy1;
      matrix.block(n, n, n, n) += factor * h.y1y1;
    }
    matrix.block(n, 0, n, n) = matrix.block(0, n, n, n).transpose();
    matrix.block(2 * n, 0, all, n) = d2g_v;
    matrix.block(2 * n, n, all, n) = dg;
    matrix.block(2 * n + all, 0, all, n) = dg;
    if (target.held) {
      matrix.block(size - 1, 0, 1, n) = d.by_y.transpose();
      matrix.block(size - 1, n, 1, n) = d.by_y1.transpose();
    }
    matrix.block(0, 2 * n, 2 * n, size - 2 * n) =
        matrix.block(2 * n, 0, size - 2 * n, 2 * n).transpose();
    const VectorX step = solve_newton(matrix, -f);
    y += step.segment(0, n);
    y1 += step.segment(n, n);
    alpha += step.segment(2 * n, all);
    beta += step.segment(2 * n + all, all);
    if (target.held) mu += step[size - 1];
    ++report.newton;
  }
  constraints_.counts.proj += report.newton > 0;
  return true;
}

}  // namespace trammel::paper
