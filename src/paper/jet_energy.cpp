// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "paper/jet_energy.hpp"

namespace trammel::paper {

namespace {

Vector3 convert(const trammel::Vector3<double>& v) { return {v.x, v.y, v.z}; }

// Hᵀ(θ) u = Bm(u) θ
Matrix4 make_Bm(const Vector3& u) {
  Matrix4 b;
  b(0, 0) = 0;
  b.block<1, 3>(0, 1) = -u.transpose();
  b.block<3, 1>(1, 0) = u;
  b.block<3, 3>(1, 1) = -make_hat(u);
  return b;
}

}  // namespace

std::string why_not_held(const SystemIn<Spatial>& system) {
  const Parameters<double, Spatial>& p = system.parameters;
  const auto& loads = p.forces.list<ConstantLoad>();
  std::size_t n_forces = 0;
  for_each_force(p.forces, [&](const auto&) { ++n_forces; });
  if (n_forces > loads.size()) return "it has springs, dampers or forces that depend on the state";
  for (const ConstantLoad<double, Spatial>& load : loads) {
    const Vector3 moment = convert(cross(load.point, load.force_W));
    if (convert(load.force_B).norm() + convert(load.torque_W).norm() + moment.norm() > 0.0) {
      return "it has a load other than a torque that turns with its body or a force through its "
             "centre of mass";
    }
  }
  return {};
}

JetEnergy::Load JetEnergy::load_of(int body) const {
  Load sum;
  for (const ConstantLoad<double, Spatial>& load : system_.parameters.forces.list<ConstantLoad>()) {
    if (load.body != body) continue;
    sum.force_W += convert(load.force_W);
    sum.torque_B += convert(load.torque_B);
  }
  return sum;
}

Vector3 JetEnergy::inertia_of(int body) const {
  return convert(system_.parameters.bodies[body].inertia);
}

double JetEnergy::calc_kinetic(const VectorX& y, const VectorX& y1) const {
  double kinetic = 0.0;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const Vector3 c = make_H(y.segment<4>(7 * b + 3)) * y1.segment<4>(7 * b + 3);  // ½Ω
    kinetic += 0.5 * system_.parameters.bodies[b].mass * y1.segment<3>(7 * b).squaredNorm() +
               2.0 * c.dot(inertia_of(b).cwiseProduct(c));
  }
  return kinetic;
}

double JetEnergy::calc_potential(const VectorX& y) const {
  double potential = 0.0;
  const Vector3 gravity = convert(system_.parameters.gravity);
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    potential -= system_.parameters.bodies[b].mass * gravity.dot(y.segment<3>(7 * b));
  }
  return potential;
}

double JetEnergy::calc_power(const VectorX& y, const VectorX& y1) const {
  double power = 0.0;
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const Load load = load_of(b);
    const Vector3 c = make_H(y.segment<4>(7 * b + 3)) * y1.segment<4>(7 * b + 3);
    power += load.force_W.dot(y1.segment<3>(7 * b)) + 2.0 * load.torque_B.dot(c);
  }
  return power;
}

// T_ro = 2⟨Hθ₁, 𝕀Hθ₁⟩ and Hθ₁ = −H(θ₁)θ give the derivatives by θ₁ and by θ.
JetEnergy::Gradient JetEnergy::calc_gradient(const VectorX& y, const VectorX& y1, double s,
                                             JetCounts& counts) const {
  ++counts.df_inv;
  const int n = 7 * system_.topology.n_bodies;
  Gradient g{VectorX::Zero(n), VectorX::Zero(n)};
  const Vector3 gravity = convert(system_.parameters.gravity);
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const double mass = system_.parameters.bodies[b].mass;
    const Load load = load_of(b);
    const Vector4 theta = y.segment<4>(7 * b + 3), theta1 = y1.segment<4>(7 * b + 3);
    const Matrix34 H = make_H(theta), H1 = make_H(theta1);
    const Vector3 u = 4.0 * inertia_of(b).cwiseProduct(H * theta1) - 2.0 * s * load.torque_B;
    g.by_y.segment<3>(7 * b) = -mass * gravity;
    g.by_y.segment<4>(7 * b + 3) = -H1.transpose() * u;
    g.by_y1.segment<3>(7 * b) = mass * y1.segment<3>(7 * b) - s * load.force_W;
    g.by_y1.segment<4>(7 * b + 3) = H.transpose() * u;
  }
  return g;
}

JetEnergy::Hessian JetEnergy::calc_hessian(const VectorX& y, const VectorX& y1, double s,
                                           JetCounts& counts) const {
  ++counts.d2f_inv;
  const int n = 7 * system_.topology.n_bodies;
  Hessian h{MatrixX::Zero(n, n), MatrixX::Zero(n, n), MatrixX::Zero(n, n)};
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    const int k = 7 * b;
    const Vector4 theta = y.segment<4>(k + 3), theta1 = y1.segment<4>(k + 3);
    const Matrix34 H = make_H(theta), H1 = make_H(theta1);
    const Matrix3 I4 = (4.0 * inertia_of(b)).asDiagonal();
    const Vector3 u = I4 * (H * theta1) - 2.0 * s * load_of(b).torque_B;
    h.y1y1.block<3, 3>(k, k) = system_.parameters.bodies[b].mass * Matrix3::Identity();
    h.y1y1.block<4, 4>(k + 3, k + 3) = H.transpose() * I4 * H;
    h.yy.block<4, 4>(k + 3, k + 3) = H1.transpose() * I4 * H1;
    // ∂(Hᵀu)/∂θ = −Hᵀ 4𝕀 H₁ + Bm(u); rows θ₁, columns θ
    h.yy1.block<4, 4>(k + 3, k + 3) = (-H.transpose() * I4 * H1 + make_Bm(u)).transpose();
  }
  return h;
}

}  // namespace trammel::paper
