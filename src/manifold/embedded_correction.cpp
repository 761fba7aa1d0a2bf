// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Holding the energy along the embedded difference of the Runge–Kutta pair. The difference e of the
// two results of a step is an estimate of its error, of lower order but of about the right
// direction:
//
//   d = P e_u                        within ker J, without motions that carry enforced momenta
//   ½⟨d,d⟩ σ² + ⟨u,d⟩ σ = ΔE         T(u + σd) = T(u) + ΔE, in the mass metric
//
// The root next to 0 is taken. Nothing is done where d is too far from the direction of u,
// |cos(u,d)| < 0.3: it would take a large change to move the energy a little. For a free component
// u is taken without the motion of its centre of mass, so that a throw changes nothing. A body's
// velocity changes by no more than the tolerance of the local error. (Directional projection of
// Calvo, Hernández-Abreu, Montijano, Rández 2006; there without joints, in the Euclidean metric.)
#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/step_end.hpp"
#include "manifold/energy_balance.hpp"

#include "system/state.hpp"

namespace trammel {

namespace {

constexpr double smallest_cosine = 0.3;  // from measurements, docs/studies/invariants.md

template <class Vector>
double length_of(const Vector& v) {
  return std::sqrt(dot(v, v));
}

template <class Space>
double mass_product(const BodyParameters<double, Space>& body, const Twist<double, Space>& a,
                    const Twist<double, Space>& b) {
  return body.mass * dot(a.linear, b.linear) + dot(a.angular, scaled(body.inertia, b.angular));
}

}  // namespace

template <class Space>
int EnergyBalance<Space>::follow(const double* difference, const Tolerance& tolerance, double* z,
                                 Workspace<double, Space>& ws) {
  if (difference == nullptr) return 0;
  const Topology& topology = system_.topology;
  const ConstState<Space> e(topology.layout, difference);
  for (int b = 0; b < topology.n_bodies; ++b) {
    relative_[b] = {e.velocity(b), e.angular_velocity(b)};
  }
  // d = P e_u, without conserved momenta
  if (topology.n_rows > 0) project_twists(topology, system_.parameters, ws, relative_.data());
  momenta_.remove_carried(ws, relative_.data());
  momenta_.calc_translation_energy(ws, translation_);
  // ⟨d,d⟩, ⟨u,d⟩ and the largest σ
  std::fill(norm2_.begin(), norm2_.end(), 0.0);
  std::fill(product_.begin(), product_.end(), 0.0);
  std::fill(factor_.begin(), factor_.end(), std::numeric_limits<double>::infinity());
  for (int b = 0; b < topology.n_bodies; ++b) {
    const int c = topology.component_of[b];
    const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
    const Twist<double, Space> u{ws.pose[b].v, ws.pose[b].Omega};
    const Twist<double, Space>& d = relative_[b];
    norm2_[c] += mass_product(body, d, d);
    product_[c] += mass_product(body, u, d);
    const auto limit = [&](const auto& velocity, const auto& change) {
      const double size = length_of(change);
      if (size == 0.0) return;
      // |σ d| ≤ atol + rtol |u|
      const double allowed = tolerance.atol + tolerance.rtol * length_of(velocity);
      factor_[c] = std::min(factor_[c], allowed / size);
    };
    limit(u.linear, d.linear);
    limit(u.angular, d.angular);
  }
  int corrected = 0;
  for (int c = 0; c < topology.n_components(); ++c) {
    const double a = norm2_[c], b = product_[c], lacking = deficit(z, c);
    // ⟨u,d⟩² + 2⟨d,d⟩ ΔE: negative where no σ gives that energy
    const double under = b * b + 2.0 * a * lacking;
    const double without_translation = kinetic_[c] - translation_[c];
    // |cos(u, d)|, with u relative to the motion of the centre of mass
    const bool steep =
        std::abs(b) > smallest_cosine * std::sqrt(2.0 * std::max(0.0, without_translation) * a);
    const bool possible = can_hold(c) && steep && under >= 0.0;
    // the root next to 0, without cancellation
    const double wanted = possible ? 2.0 * lacking / (b + std::copysign(std::sqrt(under), b)) : 0.0;
    factor_[c] = possible ? std::clamp(wanted, -factor_[c], factor_[c]) : 0.0;
    corrected += factor_[c] != 0.0;
    attempts_ += can_hold(c) && kinetic_[c] > 0.0;
    waits_ += can_hold(c) && kinetic_[c] > 0.0 && !steep;
  }
  if (corrected > 0) move_velocities(z, ws);
  return corrected;
}

template int EnergyBalance<Spatial>::follow(const double*, const Tolerance&, double*,
                                            Workspace<double, Spatial>&);
template int EnergyBalance<Planar>::follow(const double*, const Tolerance&, double*,
                                           Workspace<double, Planar>&);

}  // namespace trammel
