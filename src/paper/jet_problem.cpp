// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "paper/jet_problem.hpp"

#include <cmath>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "math/cpu_clock.hpp"

namespace trammel::paper {

JetProblem::JetProblem(const SystemIn<Spatial>& system, const JetOptions& options)
    : system_(system),
      options_(options),
      constraints_(system),
      energy_(system),
      projector_(constraints_, energy_, options_),
      ws_(system.topology) {}

void JetProblem::import_state(const double* body_rates, double* z) const {
  const StateLayout& layout = system_.topology.layout;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const double* from = body_rates + layout.y(b);
    for (int k = 0; k < 7; ++k) z[7 * b + k] = from[k];
    Spatial::calc_rate(from, body_rates + layout.u(b), z + constraints_.n() + 7 * b);
  }
  z[work()] = z[trapezoid()] = 0.0;
  for (int c = 0; c < layout.n_components; ++c) z[work()] += body_rates[layout.work(c)];
}

// The whole work goes to the first component: the paper's models have one.
void JetProblem::export_state(const double* z, double* body_rates) const {
  const StateLayout& layout = system_.topology.layout;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const double* rate = z + constraints_.n() + 7 * b;
    for (int k = 0; k < 7; ++k) body_rates[layout.y(b) + k] = z[7 * b + k];
    for (int k = 0; k < 3; ++k) body_rates[layout.u(b) + k] = rate[k];
    (2.0 * calc_h_times(z + 7 * b + 3, rate + 3)).store(body_rates + layout.u(b) + 3);
  }
  for (int c = 0; c < layout.n_components; ++c) body_rates[layout.work(c)] = 0.0;
  if (layout.n_components > 0) body_rates[layout.work(0)] = z[work()];
}

void JetProblem::start(const double* z) {
  const VectorX at = y(z), at1 = y1(z);
  start_energy_ = energy_.calc_kinetic(at, at1) + energy_.calc_potential(at) - z[work()];
}

// Paper, Algorithm 5.1. λ = −v² with the paper's S, which is minus ours.
bool JetProblem::calc_distribution(const VectorX& y, const VectorX& y1, VectorX& y2) {
  const double begin = thread_cpu_seconds();
  ++constraints_.counts.dist;
  const int bodies = system_.topology.n_bodies, rows = constraints_.rows();
  // applied forces at this state, by the same code as the body-rate form
  std::vector<double> state(system_.topology.layout.size(), 0.0), jet(dimension(), 0.0);
  VectorX::Map(jet.data(), y.size()) = y;
  VectorX::Map(jet.data() + y.size(), y1.size()) = y1;
  export_state(jet.data(), state.data());
  calc_positions(system_.topology, state.data(), ws_);
  calc_velocities(system_.topology, state.data(), ws_);
  calc_forces(system_.topology, system_.parameters, ws_);
  power_ = 0.0;
  for (double p : ws_.power) power_ += p;

  const MatrixX dg = constraints_.calc_dg(y);
  MatrixX dgH(rows, 6 * bodies);
  VectorX right(6 * bodies), inverse_E(6 * bodies), Iy = VectorX::Zero(7 * bodies);
  for (int b = 0; b < bodies; ++b) {
    const BodyParameters<double, Spatial>& p = system_.parameters.bodies[b];
    const Vector3 inertia(p.inertia.x, p.inertia.y, p.inertia.z);
    const Vector4 theta = y.segment<4>(7 * b + 3), theta1 = y1.segment<4>(7 * b + 3);
    const Matrix34 H = make_H(theta), H1 = make_H(theta1);
    dgH.middleCols<3>(6 * b) = dg.middleCols<3>(7 * b);
    dgH.middleCols<3>(6 * b + 3) = dg.middleCols<4>(7 * b + 3) * H.transpose();
    // F_e − 8K̃ − H∇U, K = H H₁ᵀ 𝕀 H θ₁
    const Vector3 K = H * (H1.transpose() * inertia.cwiseProduct(H * theta1));
    const trammel::Vector3<double> F = ws_.force_W[b] + p.mass * system_.parameters.gravity;
    right.segment<3>(6 * b) = Vector3(F.x, F.y, F.z);
    const trammel::Vector3<double>& tau = ws_.torque_B[b];
    right.segment<3>(6 * b + 3) = 2.0 * Vector3(tau.x, tau.y, tau.z) - 8.0 * K;
    inverse_E.segment<3>(6 * b).setConstant(1.0 / p.mass);
    inverse_E.segment<3>(6 * b + 3) = (4.0 * inertia).cwiseInverse();
    Iy.segment<4>(7 * b + 3) = theta1.squaredNorm() * theta;
  }
  const VectorX u1 = inverse_E.cwiseProduct(right);
  const VectorX v1 = dgH * u1 - dg * Iy + constraints_.calc_d2g(y, y1);
  const MatrixX dgHE = dgH * inverse_E.asDiagonal();
  lambda_ = solve_schur(dgHE * dgH.transpose(), v1);
  const VectorX d = u1 - dgHE.transpose() * lambda_;
  y2.resize(7 * bodies);
  for (int b = 0; b < bodies; ++b) {
    y2.segment<3>(7 * b) = d.segment<3>(6 * b);
    y2.segment<4>(7 * b + 3) =
        make_H(y.segment<4>(7 * b + 3)).transpose() * d.segment<3>(6 * b + 3);
  }
  y2 -= Iy;
  constraints_.counts.dist_seconds += thread_cpu_seconds() - begin;
  return y2.allFinite();
}

// Direct, or by conjugate gradients preconditioned with the diagonal blocks of the joints.
VectorX JetProblem::solve_schur(const MatrixX& S, const VectorX& right) const {
  if (!options_.iterative_schur) return S.llt().solve(right);
  const Topology& topology = system_.topology;
  const auto precondition = [&](const VectorX& r) {
    VectorX z(r.size());
    for (int k = 0; k < topology.n_joints; ++k) {
      const int row = topology.joints[k].row, m = topology.program.size[k];
      z.segment(row, m) = S.block(row, row, m, m).llt().solve(r.segment(row, m));
    }
    return z;
  };
  VectorX x = VectorX::Zero(right.size()), residual = right;
  VectorX z = precondition(residual), direction = z;
  double rz = residual.dot(z);
  const double goal = 1e-13 * right.norm();
  for (int k = 0; k < 10 * right.size() && residual.norm() > goal; ++k) {
    const VectorX image = S * direction;
    const double step = rz / direction.dot(image);
    x += step * direction;
    residual -= step * image;
    z = precondition(residual);
    const double next = residual.dot(z);
    direction = z + (next / rz) * direction;
    rz = next;
  }
  return x;
}

EnergyTarget JetProblem::make_target(double h, const double* z) const {
  if (!options_.hold_energy) return {};
  if (options_.work == WorkQuadrature::runge_kutta) return {true, start_energy_ + z[work()], 0.0};
  // W_ext = W₀ + ½h(P₀ + P): the part with P depends on the point and is part of s
  return {true, start_energy_ + z[trapezoid()] + 0.5 * h * first_power_, 0.5 * h};
}

bool JetProblem::project(double* z, const EnergyTarget& target) {
  const double begin = thread_cpu_seconds();
  VectorX at = y(z), at1 = y1(z);
  last_ = projector_.project(at, at1, target);
  // moving that far could reach another branch: the step was too long
  constexpr double largest_move = 0.1;
  for (int b = 0; b < system_.topology.n_bodies && last_.converged; ++b) {
    const double dr = (at.segment<3>(7 * b) - y(z).segment<3>(7 * b)).norm();
    const double turn = (at.segment<4>(7 * b + 3) - y(z).segment<4>(7 * b + 3)).norm();
    last_.converged = dr <= largest_move * system_.length[b] && 2.0 * turn <= largest_move;
  }
  y(z) = at;
  y1(z) = at1;
  constraints_.counts.proj_seconds += thread_cpu_seconds() - begin;
  return last_.converged;
}

bool JetProblem::calc_rate(const double* z, double* rate) {
  VectorX y2;
  if (!calc_distribution(y(z), y1(z), y2)) return false;
  y(rate) = y1(z);
  y1(rate) = y2;
  rate[work()] = power_;
  rate[trapezoid()] = 0.0;
  return true;
}

// The first stage is the end of the last step, a point of M already.
bool JetProblem::begin_step(double, const double* z, double* rate) {
  const bool evaluated = calc_rate(z, rate);
  first_power_ = power_;
  return evaluated;
}

bool JetProblem::calc_derivative(double t, double* z, double* rate) {
  ws_.time = t;
  if (options_.project_stages && !project(z, {})) return false;
  return calc_rate(z, rate);
}

bool JetProblem::finish_step(double t, double h, double* z, double*) {
  ws_.time = t;
  if (!project(z, make_target(h, z))) return false;
  step_ = last_;
  z[trapezoid()] += 0.5 * h * (first_power_ + energy_.calc_power(y(z), y1(z)));
  return true;
}

bool JetProblem::finish_embedded(double, double h, double* z) {
  return project(z, make_target(h, z));
}

// The energy of an output point is held with the work of the Runge–Kutta quadrature there.
bool JetProblem::finish_output(double, double* z) {
  EnergyTarget target;
  if (options_.hold_energy && options_.work == WorkQuadrature::runge_kutta) {
    target = {true, start_energy_ + z[work()], 0.0};
  }
  return project(z, target);
}

// The norm of Hairer, Nørsett and Wanner over all components of y and y₁.
double JetProblem::calc_error_norm(const double* z0, const double* z1, const double* e) const {
  const int n = 2 * constraints_.n();
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const double scale = options_.atol + options_.rtol * std::max(std::abs(z0[i]), std::abs(z1[i]));
    sum += (e[i] / scale) * (e[i] / scale);
  }
  return std::sqrt(sum / n);
}

double JetProblem::calc_state_norm(const double* z) const { return calc_error_norm(z, z, z); }

}  // namespace trammel::paper
