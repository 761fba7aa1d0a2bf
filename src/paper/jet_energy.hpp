// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The invariant f_inv of the paper: the total energy with the work of external forces,
//
//   f_inv = W(y, y₁) − E₀ − W_ext,   W = ½⟨H y₁, E H y₁⟩ + U(y)
//
// with U the potential of gravity. W_ext is the quadrature carried along by the integrator, or the
// paper's trapezoidal rule, where it depends on the end of the step: W_ext = W₀ + ½h(P₀ + P(y, y₁)).
#pragma once

#include "paper/jet_constraints.hpp"

namespace trammel::paper {

// W − s P and its derivatives; s = ½h for the trapezoidal rule, else 0.
class JetEnergy {
 public:
  explicit JetEnergy(const SystemIn<Spatial>& system) : system_(system) {}

  double calc_kinetic(const VectorX& y, const VectorX& y1) const;
  double calc_potential(const VectorX& y) const;
  double calc_power(const VectorX& y, const VectorX& y1) const;  // ⟨H y₁, F_e⟩ (constant loads)

  struct Gradient {
    VectorX by_y, by_y1;
  };
  Gradient calc_gradient(const VectorX& y, const VectorX& y1, double s, JetCounts& counts) const;

  struct Hessian {
    MatrixX yy, yy1, y1y1;
  };
  Hessian calc_hessian(const VectorX& y, const VectorX& y1, double s, JetCounts& counts) const;

 private:
  // Loads that turn with the body: F_B and τ_B; the paper has no others.
  struct Load {
    Vector3 force_W = Vector3::Zero();
    Vector3 torque_B = Vector3::Zero();
  };
  Load load_of(int body) const;
  Vector3 inertia_of(int body) const;

  const SystemIn<Spatial>& system_;
};

// Why a system's energy cannot be held in the jet form, or empty.
std::string why_not_held(const SystemIn<Spatial>& system);

}  // namespace trammel::paper
