// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
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
  ConjugateGradients<Real, Space>& at = *ws.iterative;
  const int n = topology.n_rows;
  const auto precondition = [&] {
    at.preconditioned = at.residual;
    solve_blocks(topology.program, ws.factor(), at.preconditioned.data());
  };
  std::fill(at.x.begin(), at.x.end(), Real(0));
  std::copy(b, b + n, at.residual.begin());
  precondition();
  at.direction = at.preconditioned;
  Real rz = product(at.residual, at.preconditioned);
  const Real small = Real(goal * goal) * rz;
  ++at.solves;
  int k = 0;
  for (const int most = 10 * n + 10; rz > small && k < most; ++k) {
    calc_schur_times(topology, parameters, ws, at.direction.data(), at.twist, at.image.data());
    const Real curvature = product(at.direction, at.image);
    if (!(curvature > Real(0))) break;  // nothing but rounding is left
    const Real step = rz / curvature;
    for (int r = 0; r < n; ++r) {
      at.x[r] += step * at.direction[r];
      at.residual[r] -= step * at.image[r];
    }
    precondition();
    const Real next = product(at.residual, at.preconditioned);
    const Real share = next / rz;
    for (int r = 0; r < n; ++r) at.direction[r] = at.preconditioned[r] + share * at.direction[r];
    rz = next;
  }
  at.iterations += k;
  at.missed += !(rz <= small);
  std::copy(at.x.begin(), at.x.end(), b);
}

template struct ConjugateGradients<double, Spatial>;
template struct ConjugateGradients<double, Planar>;
template void solve_iteratively(const Topology&, const Parameters<double, Spatial>&,
                                Workspace<double, Spatial>&, double*);
template void solve_iteratively(const Topology&, const Parameters<double, Planar>&,
                                Workspace<double, Planar>&, double*);

}  // namespace trammel
