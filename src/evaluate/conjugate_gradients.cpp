// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Preconditioned conjugate gradients (Hestenes and Stiefel 1952), z = B⁻¹ r.
#include "evaluate/conjugate_gradients.hpp"

#include <algorithm>

#include "evaluate/accelerations.hpp"

namespace trammel {

namespace {

constexpr double goal = 1e-14;

template <class Real>
Real product(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum(0);
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

}  // namespace

template <class Real, class Space>
ConjugateGradients<Real, Space>::ConjugateGradients(const Topology& topology)
    : x(topology.n_rows),
      residual(topology.n_rows),
      direction(topology.n_rows),
      preconditioned(topology.n_rows),
      image(topology.n_rows),
      twist(topology.n_bodies + 1, Twist<Real, Space>::zero()) {}

template <class Real, class Space>
void solve_iteratively(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws, Real* b) {
  ConjugateGradients<Real, Space>& cg = *ws.iterative;
  const int n = topology.n_rows;
  // z = B⁻¹ r
  const auto precondition = [&] {
    cg.preconditioned = cg.residual;
    solve_blocks(topology.program, ws.factor(), cg.preconditioned.data());
  };
  // x = 0, r = b, d = z
  std::fill(cg.x.begin(), cg.x.end(), Real(0));
  std::copy(b, b + n, cg.residual.begin());
  precondition();
  cg.direction = cg.preconditioned;
  Real rz = product(cg.residual, cg.preconditioned);
  const Real small = Real(goal * goal) * rz;
  ++cg.solves;
  int k = 0;
  for (const int most = 10 * n + 10; rz > small && k < most; ++k) {
    // α = ⟨r, z⟩/⟨d, S d⟩
    calc_schur_times(topology, parameters, ws, cg.direction.data(), cg.twist, cg.image.data());
    const Real curvature = product(cg.direction, cg.image);
    if (!(curvature > Real(0))) break;  // nothing but rounding is left
    const Real step = rz / curvature;
    // x ← x + α d, r ← r − α S d
    for (int r = 0; r < n; ++r) {
      cg.x[r] += step * cg.direction[r];
      cg.residual[r] -= step * cg.image[r];
    }
    precondition();
    // β = ⟨r, z⟩ of the new over that of the old residual; d ← z + β d
    const Real next = product(cg.residual, cg.preconditioned);
    const Real share = next / rz;
    for (int r = 0; r < n; ++r) cg.direction[r] = cg.preconditioned[r] + share * cg.direction[r];
    rz = next;
  }
  cg.iterations += k;
  cg.missed += !(rz <= small);
  std::copy(cg.x.begin(), cg.x.end(), b);
}

template struct ConjugateGradients<double, Spatial>;
template struct ConjugateGradients<double, Planar>;
template void solve_iteratively(const Topology&, const Parameters<double, Spatial>&,
                                Workspace<double, Spatial>&, double*);
template void solve_iteratively(const Topology&, const Parameters<double, Planar>&,
                                Workspace<double, Planar>&, double*);

}  // namespace trammel
